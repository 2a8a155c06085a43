import { UndecidedSubjects } from '#directory/people/undecided.ts';
import { derivedAmong } from '#inventory/records/accounts/derived-facts.ts';
import type { OrgDb } from '#kit/database.ts';
import { pacer } from '#kit/pacer.ts';
import { propose } from '#proposals/propose.ts';
import { grantsOfDecision } from '#reasons/grants/facts.ts';
import { type OpenSuspension, openSuspensions } from '#reasons/suspensions/facts.ts';
import { heldBy, suspensionChange, tasksFor } from './effects.ts';
import { type KeptAccess, keptIn } from './kept.ts';
import type { PlannedGrant, PlannedSuspension, PlannedTask } from './planned.ts';
import type { PreparedPolicy } from './prepare.ts';
import { openWorkOn, type Window } from './queries/targets.ts';
import { type MissingAccess, missingIn } from './revoked.ts';
import { readSubjects, STAGES, type Stage, type Target, type Undecideds } from './targets.ts';

/** The decisions of a policy about one window. */
export interface Planned {
  tasks: PlannedTask[];
  suspensions: PlannedSuspension[];
  grants: PlannedGrant[];
  kept: KeptAccess[];
  missing: MissingAccess[];
}

const NOTHING_PLANNED: Planned = { tasks: [], suspensions: [], grants: [], kept: [], missing: [] };

/** Plans the tasks of one window. `last` is the last id that was looked at: undefined if none was left. */
export async function planBatch(
  db: OrgDb,
  policy: PreparedPolicy,
  stage: number,
  window: Window,
): Promise<Planned & { last: string | undefined }> {
  const { planned, last } = await beginBatch(db, policy, stage, window, new UndecidedSubjects());
  return { ...(await planned), last };
}

/** Begins to plan one window. `last` is there as soon as its subjects have been read. */
export async function beginBatch(
  db: OrgDb,
  policy: PreparedPolicy,
  stage: number,
  window: Window,
  undecided: Undecideds,
): Promise<{ planned: Promise<Planned>; last: string | undefined }> {
  const kind = STAGES[policy.policy.trigger][stage];
  if (kind === undefined) return { planned: Promise.resolve(NOTHING_PLANNED), last: undefined };
  const { last, matching } = await readSubjects(db, policy, kind, window);
  return { planned: planTargets(db, policy, kind, matching(undecided)), last };
}

async function planTargets(
  db: OrgDb,
  policy: PreparedPolicy,
  kind: Stage,
  found: Promise<Target[]>,
): Promise<Planned> {
  const matching = await found;
  const tasked = matching.flatMap(({ account }) => (account?.has_tasks ? [account.id] : []));
  const openOf = Map.groupBy(await openWorkOn(db, tasked), ({ account_id }) => account_id);
  const suspensionsOf = await suspensionsFor(db, policy, matching);
  const pace = pacer();
  const drafts: PlannedTask[] = [];
  const suspensions: PlannedSuspension[] = [];
  const grants: PlannedGrant[] = [];
  for (const target of matching) {
    const { app, user, account } = target;
    const subject = (kind.of === 'people' ? user?.id : account?.id) ?? '';
    const open = openOf.get(account?.id ?? '') ?? [];
    const own = suspensionsOf.get(account?.id ?? '') ?? [];
    for (const draft of tasksFor(policy, target, open, own)) drafts.push({ ...draft, subject });
    for (const change of suspensionChange(policy, target, own)) suspensions.push({ ...change, subject });
    if (account !== null)
      for (const entitlement_id of heldBy(policy, target, open))
        grants.push({ app, user, account, entitlement_id, subject });
    await pace();
  }
  const proposal = await propose(db, drafts);
  return {
    tasks: proposal.changes,
    suspensions,
    grants: await notBegun(db, policy, grants),
    kept: keptIn(proposal),
    missing: missingIn(proposal),
  };
}

/** Returns the suspensions of the accounts that the policy could suspend or unsuspend. */
async function suspensionsFor(
  db: OrgDb,
  { policy: { effects } }: PreparedPolicy,
  targets: readonly Target[],
): Promise<Map<string, OpenSuspension[]>> {
  if (!effects.some(({ do: kind }) => kind === 'suspend' || kind === 'unsuspend')) return new Map();
  const ids = targets.flatMap(({ account }) =>
    account !== null && (account.status === 'SUSPENDED' || account.has_tasks) ? [account.id] : [],
  );
  const open = ids.length === 0 ? [] : await openSuspensions(db, ids);
  return Map.groupBy(open, ({ account_id }) => account_id);
}

/** Leaves out the grants that the policy has begun already, and those on access that something else gives (D73). */
async function notBegun(
  db: OrgDb,
  { policy }: PreparedPolicy,
  grants: readonly PlannedGrant[],
): Promise<PlannedGrant[]> {
  if (grants.length === 0) return [];
  const ids = [...new Set(grants.map(({ account }) => account.id))];
  const begun = await grantsOfDecision(db, { kind: 'policy', id: policy.id }, ids);
  const keyOf = (account_id: string, entitlement_id: string | null) => `${account_id} ${entitlement_id}`;
  const known = new Set(begun.map(({ account_id, entitlement_id }) => keyOf(account_id, entitlement_id)));
  const isKnown = ({ account, entitlement_id }: PlannedGrant) => known.has(keyOf(account.id, entitlement_id));
  const left = grants.filter((grant) => !isKnown(grant));
  const derived = await derivedAmong(
    db,
    left.flatMap(({ account, entitlement_id }) =>
      entitlement_id === null ? [] : [{ account_id: account.id, entitlement_id }],
    ),
  );
  for (const { account_id, entitlement_id } of derived) known.add(keyOf(account_id, entitlement_id));
  return left.filter((grant) => !isKnown(grant));
}
