import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { isAsciiEmail } from '#config.ts';
import { listOrganizations, type OrganizationState } from '#directory/access/organization-facts.ts';
import { counted } from '#kit/counted.ts';
import { StartError } from '#kit/errors.ts';
import { createOrganization } from '#operate/organizations/create.ts';
import { deleteOrganization } from '#operate/organizations/delete.ts';
import { exportOrganization } from '#operate/organizations/export.ts';
import { REMEMBERED_MS } from '#operate/organizations/guard.ts';
import {
  GRACE_DAYS,
  orderDeletion,
  resumeOrganization,
  suspendOrganization,
  withdrawDeletion,
} from '#operate/organizations/suspend.ts';
import { type Area, columns, type Input, idOf, type Terminal, UsageError, word } from './command.ts';

export const organizations: Area = {
  usage: `  organizations create <slug> --admin-email <email> [--name <name>]
                                add an organization with its first owner and API key
  organizations list            list all organizations
  organizations suspend <slug> --reason <text>
                                refuse all requests to an organization; nothing is lost
  organizations resume <slug>   end a suspension, and withdraw an ordered deletion
  organizations export <slug> <folder>
                                write everything but the secrets into a new folder, as JSON lines
  organizations delete <slug>   suspend an organization now and delete it after ${GRACE_DAYS} days
  organizations delete <slug> --force
                                delete an organization now
  organizations undelete <slug>
                                withdraw an ordered deletion`,
  commands: {
    'organizations create': createCommand,
    'organizations list': async ({ database: { db } }) => table(await listOrganizations(db)),
    'organizations suspend': async ({ database: { db }, words, options: { reason } }) => {
      if (reason === undefined || reason.trim() === '') throw new UsageError();
      await suspendOrganization(db, word(words, 0), reason);
      return `The organization ${words[0]} is suspended. All servers refuse its requests within seconds.`;
    },
    'organizations resume': async ({ database: { db }, words }) => {
      await resumeOrganization(db, word(words, 0));
      return `The organization ${words[0]} is active again.`;
    },
    'organizations export': async ({ database: { db }, words }) => {
      const [slug, folder] = [word(words, 0), word(words, 1)];
      const rows = await exportOrganization(db, slug, folder);
      return `${counted(rows, 'row')} of the organization ${slug} ${rows === 1 ? 'is' : 'are'} in ${folder}.`;
    },
    'organizations delete': deleteCommand,
    'organizations undelete': async ({ database: { db }, words }) => {
      await withdrawDeletion(db, word(words, 0));
      return `The organization ${words[0]} will not be deleted.`;
    },
  },
};

const SLUG = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

async function createCommand({ database: { db }, secrets, words, options, origin }: Input): Promise<string> {
  const slug = word(words, 0);
  const adminEmail = options['admin-email'];
  if (adminEmail === undefined) throw new UsageError();
  if (!SLUG.test(slug)) {
    throw new StartError(
      `The slug must have 1 to 63 lowercase letters, digits and hyphens, and neither start nor end with a hyphen. It is "${slug}".`,
    );
  }
  if (!isAsciiEmail(adminEmail))
    throw new StartError('--admin-email must be an email address such as ada@example.com.');
  const adminPassword = randomBytes(12).toString('base64url');
  const given = { slug, name: options.name ?? slug, adminEmail, adminPassword };
  const apiKey = await createOrganization(db, secrets, given);
  return [
    `The organization ${slug} exists. Save these credentials now. They are not shown again.`,
    '',
    `  Console        ${origin}/org/${slug}/`,
    `  Base URL       ${origin}/org/${slug}`,
    `  Email          ${adminEmail}`,
    `  Password       ${adminPassword}`,
    `  API key        ${apiKey}`,
  ].join('\n');
}

/** Asks for the slug once, or twice for a deletion that cannot be withdrawn. */
async function deleteCommand({ database: { db }, words, options, terminal }: Input): Promise<string> {
  const { force } = options;
  const slug = word(words, 0);
  const questions = force
    ? [
        `This deletes everything of ${slug} now, its event log included. Nothing can be restored. Type the slug: `,
        'Type the slug again: ',
      ]
    : [`${slug} is suspended now and deleted after ${GRACE_DAYS} days. Type the slug: `];
  await confirm(terminal, questions, slug);
  if (!force) {
    const after = await orderDeletion(db, slug);
    return `The organization ${slug} is suspended, and will be deleted after ${after.toISOString()}.\nTo withdraw this: gatehouse-server organizations undelete ${slug}`;
  }
  await orderDeletion(db, slug, new Date());
  const id = await idOf(db, slug);
  // Servers may accept requests until they notice that the organization is suspended.
  await setTimeout(REMEMBERED_MS + 1000);
  await deleteOrganization(db, id);
  return `The organization ${slug} is deleted.`;
}

async function confirm({ stdin, stderr }: Terminal, questions: string[], slug: string) {
  const lines = createInterface({ input: stdin, crlfDelay: Number.POSITIVE_INFINITY });
  const answers = lines[Symbol.asyncIterator]();
  for (const question of questions) {
    stderr.write(question);
    const { value, done } = await answers.next();
    if (done || value !== slug)
      throw new StartError('The slug that you typed is another one. Nothing was changed.');
  }
  lines.close();
}

const table = (organizations: OrganizationState[]): string =>
  columns([
    ['SLUG', 'NAME', 'CREATED', 'STATE'],
    ...organizations.map((one) => [
      one.slug,
      one.name,
      one.created_at.toISOString().slice(0, 10),
      stateOf(one),
    ]),
  ]);

function stateOf({ suspended_at, suspended_reason, delete_after }: OrganizationState): string {
  const parts = [
    ...(suspended_at === null ? [] : [`suspended: ${suspended_reason}`]),
    ...(delete_after === null ? [] : [`deleted after ${delete_after.toISOString().slice(0, 10)}`]),
  ];
  return parts.length === 0 ? 'active' : parts.join('; ');
}
