import { typesOf } from '../define.ts';
import { refsOf } from '../records.ts';
import type { Unseen } from '../unseen.ts';
import { type Check, must, type Subject } from './check.ts';
import { faultIn, type SwitchOrReason } from './fixture.ts';
import { type Listed, listAll } from './read.ts';

type Views = { before: Listed; after: Listed };

/**
 * Lists everything before and after a fault of the stage. Returns undefined if the second listing ends with an error or skips records:
 * the sync then removes nothing.
 */
async function viewsOf(subject: Subject, fault: SwitchOrReason | undefined): Promise<Views | undefined> {
  if (typeof fault !== 'function') return undefined;
  const before = await listAll(subject);
  const repair = await fault();
  try {
    const after = await listAll(subject).catch(() => undefined);
    return after === undefined || after.skipped.length > 0 ? undefined : { before, after };
  } finally {
    await repair();
  }
}

const countOf = ({ unseen }: Listed, { slug, id, rule }: Unseen) =>
  unseen.find((each) => each.slug === slug && (each.id ?? null) === (id ?? null) && each.rule === rule)
    ?.count ?? 0;

/** Returns what is reported after the fault, and not before, or with a smaller count. */
const newlyUnseen = ({ before, after }: Views): Unseen[] =>
  after.unseen.filter((each) => each.count > countOf(before, each));

/** Returns the ids of accounts, and the groups and licenses of each, as text. */
function accountsIn({ connector }: Subject, { records }: Listed) {
  const slugs = typesOf(connector).flatMap(({ kind, slug }) => (kind === 'account' ? [slug] : []));
  return slugs.flatMap((slug) => (records.get(slug) ?? []).map((record) => ({ slug, record })));
}

async function seesPartialAccount(subject: Subject): Promise<void> {
  const views = await viewsOf(subject, subject.stage.partial?.account);
  if (!views) return;
  const left = new Set(accountsIn(subject, views.after).map(({ slug, record }) => `${slug}\n${record.id}`));
  const missing = accountsIn(subject, views.before).find(
    ({ slug, record }) => !left.has(`${slug}\n${record.id}`),
  );
  if (!missing) return;
  const held = [...refsOf(missing.record)];
  const isSaid = newlyUnseen(views).some(({ slug, id }) =>
    (id ?? null) === null ? slug === missing.slug : held.some((ref) => ref.slug === slug && ref.id === id),
  );
  must(
    isSaid,
    `${missing.slug} '${missing.record.id}' cannot be read, and the listing left it out without a word; call unseen(), skip() or throw`,
  );
}

async function seesPartialMember(subject: Subject): Promise<void> {
  const views = await viewsOf(subject, subject.stage.partial?.member);
  if (!views) return;
  const listed = (slug: string, id: string) =>
    (views.after.records.get(slug) ?? []).some((record) => record.id === id);
  must(
    newlyUnseen(views).some(({ slug, id }) => typeof id === 'string' && listed(slug, id)),
    'a group has a member that is not listed, and the listing left it out without a word; call unseen() with the id of the group',
  );
}

async function seesPartialGroup(subject: Subject): Promise<void> {
  const views = await viewsOf(subject, subject.stage.partial?.group);
  if (!views) return;
  const refsIn = (listed: Listed) =>
    accountsIn(subject, listed).flatMap(({ record }) =>
      [...refsOf(record)].map(({ slug, id }) => ({ slug, id, account: record.id })),
    );
  const left = new Set(refsIn(views.after).map((ref) => JSON.stringify(ref)));
  const said = newlyUnseen(views).filter(({ rule }) => rule === 'unreadable');
  for (const ref of refsIn(views.before)) {
    if (left.has(JSON.stringify(ref))) continue;
    must(
      said.some(({ slug, id }) => slug === ref.slug && id === ref.id),
      `the members of ${ref.slug} '${ref.id}' cannot be read, and the listing left out '${ref.account}' without a word; call unseen() with the rule unreadable, skip() or throw`,
    );
  }
}

/** Rules for what a listing cannot show (D81). */
export const partialChecks: Check[] = [
  {
    id: 'read.partial-account',
    group: 'read',
    title: 'an account that cannot be read is reported, or causes an error',
    skip: ({ stage }) => faultIn('partial.account()', stage.partial?.account),
    run: seesPartialAccount,
  },
  {
    id: 'read.partial-member',
    group: 'read',
    title: 'a member that no list has is reported at its group, or causes an error',
    skip: ({ stage }) => faultIn('partial.member()', stage.partial?.member),
    run: seesPartialMember,
  },
  {
    id: 'read.partial-group',
    group: 'read',
    title: 'a group whose members cannot be read is reported, or causes an error',
    skip: ({ stage }) => faultIn('partial.group()', stage.partial?.group),
    run: seesPartialGroup,
  },
];
