import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { backUp, restore } from '#backup.ts';
import { type Config, isAsciiEmail, readConfig } from '#config.ts';
import {
  findConnectorNetworks,
  listOrganizations,
  type OrganizationState,
} from '#directory/access/organization-facts.ts';
import {
  setConnectorNetworks,
  setHistoryDays,
  wrongHistoryDays,
} from '#directory/access/organization-state.ts';
import { createOwnerLink } from '#directory/sign-in/credentials/password-links.ts';
import { maintainHistory } from '#inventory/records/history/retention.ts';
import { counted } from '#kit/counted.ts';
import { EMBEDDED } from '#kit/database/private-folder.ts';
import { type Db, within } from '#kit/database.ts';
import { DomainError, StartError } from '#kit/errors.ts';
import { originAt } from '#kit/http/listening.ts';
import { addKeyToFile, dropOldKeys } from '#kit/secrets/key-file.ts';
import type { SecretKey } from '#kit/secrets/secret-key.ts';
import { openSecrets } from '#kit/secrets/secrets.ts';
import { startFailureOf } from '#kit/start-failure.ts';
import { rotateCursorKey } from '#log/events/cursor-keys.ts';
import { jumpAfterRestore } from '#log/events/log.ts';
import { maintainLog, setRetention } from '#log/events/retention.ts';
import { prepareCluster, SHARDS } from '#operate/cluster/prepare.ts';
import { clusterStatus, rebalance } from '#operate/cluster/status.ts';
import { moveToPostgres } from '#operate/move/move.ts';
import { createOrganization } from '#operate/organizations/create.ts';
import { deleteOrganization } from '#operate/organizations/delete.ts';
import { exportOrganization } from '#operate/organizations/export.ts';
import { REMEMBERED_MS } from '#operate/organizations/guard.ts';
import { rotateSecrets } from '#operate/organizations/rotate-secrets.ts';
import {
  GRACE_DAYS,
  orderDeletion,
  resumeOrganization,
  suspendOrganization,
  withdrawDeletion,
} from '#operate/organizations/suspend.ts';
import { type Opened, openData } from '#startup.ts';
import { VERSION } from '../../protocol/src/version.ts';

/** The operator's command. It works on the database directly, with the settings of the server (D40). */

export const USAGE = `gatehouse-server [<command>]

  start                         start the server, as without a command

  organizations create <slug> --admin-email <email> [--name <name>]
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
                                withdraw an ordered deletion

  backup <file>                 write the embedded database to a new file, without its secret key
  restore <file>                restore such a file into an empty data folder

  move                          move the embedded database of GATEHOUSE_DATA_DIR to the empty PostgreSQL of DATABASE_URL

  people sign-in-link <email> [<slug>]
                                print a link with which an owner sets a new password, once, within an hour
  people sign-in-link <email> [<slug>] --remove-second-factor
                                also remove their one-time codes and passkeys, and end their sessions

  secrets rotate                encrypt the data keys with the current GATEHOUSE_SECRET_KEY

  connectors networks <slug>    show which addresses that are not public the connectors of an organization may reach
  connectors networks <slug> <networks> | none | default
                                set them, such as 10.1.2.3,10.20.0.0/16, instead of GATEHOUSE_ALLOW_PRIVATE_ADDRESSES; "default" ends this

  events after-restore          skip positions that may be lost; run it after restoring a backup, before the server starts
  events rotate-cursor-key      sign new cursors of the organization GATEHOUSE_ORG with a new key; existing cursors stay valid
  events retention <days> | forever [<slug>]
                                set how long events are kept, for all organizations or one; the daily job applies it
  events keep                   run the daily job now

  history retention <slug> <days> | forever
                                set how long ended periods of the history are kept, at least 30 days; the daily job applies it
  history keep                  run the daily job now

  cluster prepare [--shards <n>]
                                distribute the tables over a Citus cluster; stop all servers first
  cluster status                show on which node each organization is
  cluster rebalance             move organizations until each node holds about as much; servers keep running

  --version                     print the version

The commands read the settings of the server. With PostgreSQL, they work while servers run. With the embedded database,
stop the server first.`;

/** A command that was not understood. Its message is the usage. */
class UsageError extends Error {}

/** The streams and the environment of a command. A process has them. */
export type Terminal = Pick<NodeJS.Process, 'env'> & {
  stdin: NodeJS.ReadableStream;
  stdout: NodeJS.WritableStream;
  stderr: NodeJS.WritableStream;
};

interface Input extends Opened {
  config: Config;
  terminal: Terminal;
  /** The words after the command. */
  words: string[];
  options: {
    name?: string;
    'admin-email'?: string;
    reason?: string;
    force?: boolean;
    shards?: string;
    'remove-second-factor'?: boolean;
  };
}

const COMMANDS: Record<string, (input: Input) => Promise<string>> = {
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
  'people sign-in-link': linkCommand,
  'secrets rotate': rotateCommand,
  'connectors networks': networksCommand,
  'events after-restore': async ({ database: { db } }) =>
    `The event logs of ${counted(await jumpAfterRestore(db), 'organization')} continue at new positions.`,
  'events rotate-cursor-key': async ({ database: { db }, secrets, config }) =>
    `Key ${await rotateCursorKey(within(db, await idOf(db, config.org)), secrets)} will sign all new cursors within a minute.`,
  'events retention': async ({ database: { db }, words: [days, slug] }) => {
    if (days !== 'forever' && !/^[1-9]\d{0,5}$/.test(days ?? '')) throw new UsageError();
    const kept = days === 'forever' ? null : Number(days);
    const ids =
      slug === undefined ? (await listOrganizations(db)).map(({ id }) => id) : [await idOf(db, slug)];
    for (const id of ids) await setRetention(within(db, id), kept);
    const whose = slug === undefined ? 'of all organizations' : `of ${slug}`;
    return `Events ${whose} are kept ${kept === null ? 'forever' : `for ${counted(kept, 'day')}`}.`;
  },
  'events keep': async ({ database: { db } }) => {
    await maintainLog(db);
    return 'Done.';
  },
  'history retention': async ({ database: { db }, words }) => {
    const slug = word(words, 0);
    const days = historyDays(word(words, 1));
    await setHistoryDays(db, await idOf(db, slug), days);
    return days === null
      ? `The history of ${slug} is kept forever.`
      : `Ended periods in the history of ${slug} are kept for ${counted(days, 'day')}. The daily job deletes older ones for good.`;
  },
  'cluster prepare': async ({ database: { db }, options: { shards = String(SHARDS) } }) => {
    if (!/^[1-9]\d{0,3}$/.test(shards))
      throw new StartError(`--shards must be a whole number from 1 to 9999. It is "${shards}".`);
    const count = await prepareCluster(db, { shards: Number(shards) });
    return count === 0
      ? 'The cluster is prepared already.'
      : `${count} tables are distributed. You can start servers.`;
  },
  'cluster status': async ({ database: { db } }) => {
    const { nodes, places } = await clusterStatus(db);
    const megabytes = (bytes: number) => (bytes / 1e6).toFixed(0);
    return [
      columns([
        ['NODE', 'ORGANIZATIONS', 'MB'],
        ...nodes.map((one) => [one.node, String(one.organizations), megabytes(one.bytes)]),
      ]),
      columns([['SLUG', 'NODE'], ...places.map(({ slug, node }) => [slug, node])]),
    ].join('\n\n');
  },
  'cluster rebalance': async ({ database: { db } }) => {
    const moves = await rebalance(db);
    return moves === 0
      ? 'The organizations are balanced already.'
      : `${counted(moves, 'group of shards was', 'groups of shards were')} moved.`;
  },
  'history keep': async ({ database: { db } }) => {
    await maintainHistory(db);
    return 'Done.';
  },
};

/** Commands that open databases in their own way. */
const OWN_WAY: Record<string, (terminal: Terminal, words: string[]) => Promise<string>> = {
  backup: ({ env }, words) => backUp(readConfig(env), word(words, 0)),
  restore: ({ env }, words) => restore(readConfig(env), word(words, 0)),
  move: (terminal, words) => {
    if (words.length > 0) throw new UsageError();
    return moveCommand(terminal);
  },
};

/** Throws if the word is neither `forever` nor a number of days that the database accepts. */
function historyDays(given: string): number | null {
  if (given === 'forever') return null;
  if (!/^\d{1,5}$/.test(given)) throw wrongHistoryDays(given);
  return Number(given);
}

const SLUG = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

async function createCommand({ database: { db }, secrets, words, options, config }: Input): Promise<string> {
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
  const origin = config.publicUrl ?? originAt(config);
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

/** The settings are those with which the servers will start on PostgreSQL. */
async function moveCommand({ env, stderr }: Terminal): Promise<string> {
  const dataDir = env.GATEHOUSE_DATA_DIR || './data';
  if (!env.DATABASE_URL)
    throw new StartError('Set DATABASE_URL to the empty database of PostgreSQL that will have the data.');
  if (!env.GATEHOUSE_SECRET_KEY) {
    throw new StartError(
      `Set GATEHOUSE_SECRET_KEY to the key of the embedded database, as for the servers on PostgreSQL: GATEHOUSE_SECRET_KEY="$(head -n 1 ${join(dataDir, 'secret.key')})".`,
    );
  }
  const config = readConfig(env);
  const started = performance.now();
  const moved = await moveToPostgres({
    dataDir: config.dataDir,
    url: config.databaseUrl as string,
    keys: { current: config.secretKey as SecretKey, old: config.oldSecretKeys },
    note: (step) => stderr.write(`${step} …\n`),
  });
  const seconds = Math.ceil((performance.now() - started) / 1000);
  return [
    `${counted(moved.rows, 'row')} of ${counted(moved.tables, 'table')} (${(moved.bytes / 1e6).toFixed(1)} MB) moved to the database ${moved.name} in ${counted(seconds, 'second')}. Each byte was compared before the commit.`,
    '',
    'Next:',
    '  1. Start Gatehouse with the same DATABASE_URL and GATEHOUSE_SECRET_KEY, and sign in.',
    '  2. Set up backups of the new database. Those of the embedded database end here.',
    `  3. Keep the secret key. Delete ${join(dataDir, EMBEDDED)} when you no longer need the old state. It no longer starts.`,
  ].join('\n');
}

async function rotateCommand({ database: { db }, secrets, config }: Input): Promise<string> {
  const { databaseUrl, secretKey, dataDir } = config;
  const usesFile = databaseUrl === undefined && secretKey === undefined;
  const current = usesFile ? openSecrets(await addKeyToFile(dataDir)) : secrets;
  const count = await rotateSecrets(db, current);
  if (usesFile) await dropOldKeys(dataDir);
  return [
    `${count} data keys were encrypted again. All data keys are now encrypted with the secret key ${current.keyId}.`,
    ...(usesFile ? [] : ['You can remove GATEHOUSE_SECRET_KEY_OLD from the settings of all servers.']),
  ].join('\n');
}

async function linkCommand({ database: { db }, words, options, config }: Input): Promise<string> {
  const email = word(words, 0);
  const slug = words[1] ?? config.org;
  const org = within(db, await idOf(db, slug));
  const link = await createOwnerLink(org, email, {
    isConfirmed: options.force,
    removesFactors: options['remove-second-factor'],
  });
  const path = slug === config.org ? '' : `/org/${slug}`;
  return [
    `${email} can set a new password at this address, once, until ${link.expires_at.toISOString()}. It is not shown again.`,
    '',
    `  ${config.publicUrl ?? originAt(config)}${path}/welcome#${link.token}`,
    '',
    'Setting the password ends their sessions and removes their passkeys. The event log records the link.',
  ].join('\n');
}

async function networksCommand({ database: { db }, words }: Input): Promise<string> {
  const slug = word(words, 0);
  const given = words[1];
  const id = await idOf(db, slug);
  if (given !== undefined) await setConnectorNetworks(db, id, networksOf(given));
  const networks = await findConnectorNetworks(db, id);
  if (networks === null)
    return `Connectors of ${slug} may reach public addresses and those in GATEHOUSE_ALLOW_PRIVATE_ADDRESSES.`;
  return `Connectors of ${slug} may reach public addresses${networks.length === 0 ? ' only' : ` and ${networks.join(', ')}`}.`;
}

function networksOf(given: string): string[] | null {
  if (given === 'default') return null;
  return given === 'none' ? [] : given.split(',').map((part) => part.trim());
}

const word = (words: string[], i: number): string => {
  const found = words[i];
  if (found === undefined) throw new UsageError();
  return found;
};

async function idOf(db: Db, slug: string): Promise<string> {
  const organization = (await listOrganizations(db)).find((one) => one.slug === slug);
  if (organization === undefined)
    throw new StartError(
      `The organization ${slug} does not exist. "organizations list" shows those that do.`,
    );
  return organization.id;
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

/** Aligns all columns but the last. */
function columns(rows: string[][]): string {
  const widths = (rows[0] ?? [])
    .slice(0, -1)
    .map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function stateOf({ suspended_at, suspended_reason, delete_after }: OrganizationState): string {
  const parts = [
    ...(suspended_at === null ? [] : [`suspended: ${suspended_reason}`]),
    ...(delete_after === null ? [] : [`deleted after ${delete_after.toISOString().slice(0, 10)}`]),
  ];
  return parts.length === 0 ? 'active' : parts.join('; ');
}

function parse(argv: string[]) {
  try {
    const { positionals, values } = parseArgs({
      args: argv,
      allowPositionals: true,
      options: {
        name: { type: 'string' },
        'admin-email': { type: 'string' },
        reason: { type: 'string' },
        force: { type: 'boolean' },
        shards: { type: 'string' },
        'remove-second-factor': { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean' },
      },
    });
    return { positionals, values };
  } catch {
    throw new UsageError();
  }
}

/** Runs a command. Returns the exit code. */
export async function run(argv: string[], terminal: Terminal): Promise<number> {
  const print = (line: string) => terminal.stdout.write(`${line}\n`);
  try {
    const { positionals, values } = parse(argv);
    if (values.help || argv.length === 0) {
      print(USAGE);
      return 0;
    }
    if (values.version) {
      print(VERSION);
      return 0;
    }
    const ownWay = OWN_WAY[positionals[0] ?? ''];
    if (ownWay !== undefined) {
      print(await ownWay(terminal, positionals.slice(1)));
      return 0;
    }
    const command = COMMANDS[positionals.slice(0, 2).join(' ')];
    if (command === undefined) throw new UsageError();
    const config = readConfig(terminal.env);
    const opened = await openData(config);
    try {
      const words = positionals.slice(2);
      print(await command({ ...opened, config, words, options: values, terminal }));
    } finally {
      await opened.database.close();
    }
    return 0;
  } catch (error) {
    if (error instanceof UsageError) {
      terminal.stderr.write(`${USAGE}\n`);
      return 2;
    }
    // Never print another error object: a database error contains the values of its statement.
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    terminal.stderr.write(`${error instanceof DomainError ? message : (startFailureOf(error) ?? stack)}\n`);
    return 1;
  }
}
