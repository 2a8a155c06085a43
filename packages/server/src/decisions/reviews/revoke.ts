import { isAmong, keptBecause, keyOf, labelOf, obstacleTo } from '../../inventory/records/derived.ts';
import { type Derived, derivedAmong } from '../../inventory/records/derived-facts.ts';
import type { OrgTx } from '../../kit/database/organization.ts';
import { conflict } from '../../kit/errors.ts';
import type { Cause } from '../../kit/identity/cause.ts';
import type { NewEvent } from '../../log/events/record.ts';
import { cancelTasks, createTasks, type NewTask } from '../../work/provisioning/create.ts';
import type { Precondition } from '../../work/provisioning/task.ts';
import type { Decision } from './cycle.ts';
import type { LockedCycle, LockedItem, Revocable } from './queries/decide.ts';
import * as queries from './queries/decide.ts';
import { type Kept, type KeptFor, keptByPeople, takenAlong } from './queries/kept.ts';
import { coolingOffEnd } from './schedule.ts';

/**
 * Creates the tasks that carry out these revocations, scheduled for the end of their cooling-off. Entitlements of one
 * account that were decided together share one update_account. Access that is already gone gets no task; access that
 * disappears later cancels its task when the task is due (D31). The caller holds the locks of the items' apps, and
 * records the returned events last.
 */
export async function createRevocations(
  tx: OrgTx,
  cycle: LockedCycle,
  itemIds: string[],
  cause: Cause,
  derived: ForDerived,
): Promise<NewEvent[]> {
  if (itemIds.length === 0) return [];
  const items = await possible(tx, cycle, await queries.revocable(tx, cycle, itemIds), derived);
  const decidedTogether = Map.groupBy(
    items,
    ({ account_id, decided_at }) => `${account_id} ${decided_at.getTime()}`,
  );
  const batches = [...decidedTogether.values()].flatMap((together) => splitByTask(together, cycle));
  const { tasks, events } = await createTasks(
    tx,
    batches.map((batch) => taskOf(batch, cycle)),
    cause,
  );
  const pairs = batches.flatMap((batch, i) =>
    batch.map(({ id }) => ({ item: id, task: tasks[i]?.id as string })),
  );
  if (pairs.length > 0) await queries.attachTasks(tx, cycle.id, pairs);
  return events;
}

/**
 * The outcome of a revocation of access that something else gives (D68), unless its source is revoked, too, or the reviewer
 * chose to remove the source: it is refused, or the access stays and the item says why. By silence, the undecided items
 * count as revoked: they are about to be.
 */
type ForDerived = 'refuse' | 'keep' | 'silence';

interface Possible extends Revocable {
  /** Whether the access can only go with its account, because its source stays (D68). */
  only_with_account?: true;
}

/**
 * Returns the items that tasks can carry out, with what they remove. Access that a person keeps is not removed together with
 * access that nobody decided, or with a source that is removed only to take other access away (D68).
 */
async function possible(
  tx: OrgTx,
  cycle: LockedCycle,
  items: Revocable[],
  mode: ForDerived,
): Promise<Possible[]> {
  const facts = await factsAbout(tx, cycle, items, mode);
  const outcomes = items.map((item) => ({ ...outcomeOf(item, facts), id: item.id }));
  const refused = outcomes.find(({ refusal }) => refusal !== undefined);
  if (mode === 'refuse' && refused?.refusal !== undefined) throw conflict(refused.refusal);
  const notes = outcomes.flatMap(({ id, note }) =>
    note === undefined ? [] : [{ id, revoked_at: null, kept_by: null, kept_for: null, ...note }],
  );
  if (notes.length > 0) await queries.noteOn(tx, cycle.id, notes);
  return outcomes.flatMap(({ removed }) => removed ?? []);
}

/** The outcome for an item: the access that its task removes, the note on it, and why a reviewer cannot revoke it. */
interface Outcome {
  removed?: Possible;
  note?: Partial<queries.Note>;
  refusal?: string;
}

interface Facts {
  derived: ReadonlyMap<string, Derived>;
  /** The groups and licenses that are revoked, and those that people have revoked. */
  isRevoked: ReadonlySet<string>;
  isRevokedByPeople: ReadonlySet<string>;
  /** The accounts that are deleted, and those that may have to stay (D66). */
  isDeleted: ReadonlySet<string>;
  mayStay: ReadonlySet<string>;
  keptWith: (subject: Subject) => KeptFor | undefined;
}

async function factsAbout(
  tx: OrgTx,
  cycle: LockedCycle,
  items: Revocable[],
  mode: ForDerived,
): Promise<Facts> {
  const found = await derivedAmong(
    tx,
    items.flatMap((item) => heldOf(item) ?? []),
  );
  const decisions = await queries.decisionsAbout(tx, cycle.id, accountsOf(found));
  const limited = accountsOf([...found, ...items.filter(isBySilence)]);
  const deletes = cycle.settings.revoke_account_by === 'delete';
  const keptWith = keptAmong(await keptByPeople(tx, cycle.id, limited), deletes);
  const revoked = decisions.filter(
    ({ decision }) => decision === 'revoke' || (decision === null && mode === 'silence'),
  );
  const deletions = deletes ? revoked.filter((one) => one.entitlement_id === null) : [];
  const isPossible = (one: Subject & Decided) => !isBySilence(one) || keptWith(one) === undefined;
  return {
    derived: new Map(found.map((one) => [keyOf(one), one])),
    isRevoked: keysOf(revoked),
    // A person decides about the source as well: silence about it does not make the task one of a person (D66).
    isRevokedByPeople: keysOf(revoked.filter((one) => !isBySilence(one))),
    isDeleted: new Set(accountsOf(deletions.filter((one) => isPossible(one) && !one.may_stay))),
    mayStay: new Set(accountsOf(deletions.filter((one) => isPossible(one) && one.may_stay))),
    keptWith,
  };
}

function outcomeOf(item: Revocable, facts: Facts): Outcome {
  const held = heldOf(item);
  const one = held === undefined ? undefined : facts.derived.get(keyOf(held));
  if (one !== undefined && !facts.isDeleted.has(item.account_id)) return outcomeOfDerived(item, one, facts);
  const kept = isBySilence(item) ? facts.keptWith(item) : undefined;
  if (kept !== undefined) return { note: { kept_for: kept } };
  return { removed: item, ...(item.revoked_at !== null && { note: {} }) };
}

function outcomeOfDerived(item: Revocable, one: Derived, facts: Facts): Outcome {
  const { giver, source } = one;
  const isDecided = isAmong(facts.isRevokedByPeople, one);
  const goes = isDecided || item.at_giver || (isBySilence(item) && isAmong(facts.isRevoked, one));
  const kept =
    source === null || isDecided
      ? undefined
      : facts.keptWith({ ...one, entitlement_id: source.external_uuid });
  if (source !== null && goes && kept === undefined)
    return { removed: { ...item, entitlement_id: source.external_uuid }, note: { revoked_at: source } };
  if (facts.mayStay.has(item.account_id)) return { removed: { ...item, only_with_account: true } };
  return {
    note: { kept_by: giver, kept_for: (goes && kept) || null },
    refusal: refusalOf(one, kept),
  };
}

/** Something that an item is about: a group or license of an account, or the account itself. */
type Subject = Pick<Revocable, 'account_id' | 'entitlement_id'>;

/**
 * Returns a function that finds what people keep and an account would lose with something that it holds directly, or when it is
 * deleted.
 */
function keptAmong(kept: readonly Kept[], deletes: boolean): (subject: Subject) => KeptFor | undefined {
  const first = new Map<string, KeptFor>();
  const subjectOf = ({ account_id, entitlement_id }: Subject) => `${account_id} ${entitlement_id ?? ''}`;
  for (const { account_id, source_id, kept_for } of kept)
    for (const entitlement_id of [source_id, null]) {
      const subject = subjectOf({ account_id, entitlement_id });
      if (!first.has(subject) && (entitlement_id !== null || deletes)) first.set(subject, kept_for);
    }
  return (subject) => first.get(subjectOf(subject));
}

type Decided = Pick<Revocable, 'decided_by'>;

const isBySilence = ({ decided_by }: Decided) => decided_by === null;

const accountsOf = (of: readonly { account_id: string }[]) => [
  ...new Set(of.map(({ account_id }) => account_id)),
];

const keysOf = (items: readonly Subject[]) => new Set(items.flatMap((one) => heldOf(one) ?? []).map(keyOf));

const heldOf = ({ account_id, entitlement_id }: Subject) =>
  entitlement_id === null ? undefined : { account_id, entitlement_id };

function refusalOf(one: Derived, kept: KeptFor | undefined): string {
  const { source } = one;
  if (source === null) return keptBecause(one).text;
  if (kept === undefined)
    return `${keptBecause(one).text} Revoke it there with at_giver, or revoke that as well.`;
  const along =
    kept.external_uuid === source.external_uuid ? '' : `, which would go with '${labelOf(source)}'`;
  return `${obstacleTo(one).text} ${kept.by.email} has decided to keep '${labelOf(kept)}'${along}. That decision has to change first.`;
}

/**
 * Deleting an account covers its entitlements. Suspending it does not, so they get a task of their own. So do those of an account that
 * may have to stay: if it does not, the deletion preempts their task.
 */
function splitByTask(items: Possible[], { settings }: LockedCycle): Possible[][] {
  const account = items.filter(({ kind }) => kind === 'account');
  const entitlements = items.filter(({ kind }) => kind !== 'account');
  const isCovered =
    account.length > 0 && settings.revoke_account_by === 'delete'
      ? (item: Possible) => item.only_with_account === true || !account.some(({ may_stay }) => may_stay)
      : () => false;
  const alone = entitlements.filter((item) => !isCovered(item));
  return [alone, [...account, ...entitlements.filter(isCovered)]].filter((batch) => batch.length > 0);
}

function taskOf(batch: Revocable[], { settings }: LockedCycle): NewTask {
  const first = batch[0] as Revocable;
  // Nobody responded: silence does not remove the last member of a group whose risk is high (D66).
  const bySilence: Precondition[] = first.decided_by === null ? [{ kind: 'not_last_member' }] : [];
  const common = {
    appId: first.app_id,
    accountId: first.account_id,
    executeAfter: coolingOffEnd(first.decided_at, settings.cooling_off_hours),
    taskType: 'ACCESS_REVIEW' as const,
    createdBy: first.decided_by,
    reason: reasonOf(batch, settings.name),
    source: { type: 'review_item' as const, id: first.id },
  };
  if (first.kind !== 'account') {
    return {
      ...common,
      action: 'update_account',
      remove: batch.flatMap(({ entitlement_id }) => entitlement_id ?? []),
      preconditions: [
        { kind: 'change_needed' },
        { kind: 'not_regranted' },
        { kind: 'not_derived' },
        ...bySilence,
      ],
    };
  }
  const live: Precondition = { kind: 'account_status', in: ['ACTIVE', 'INVITED'] };
  return settings.revoke_account_by === 'suspend'
    ? { ...common, action: 'suspend_account', preconditions: [live, ...bySilence] }
    : { ...common, action: 'delete_account', preconditions: bySilence };
}

/** For auditors: the campaign, and the reviewer's comments or the missing response. */
function reasonOf(batch: Revocable[], campaign: string): string {
  const revoked = `Revoked in the access review "${campaign}"`;
  if (batch[0]?.decided_by === null) return `${revoked}: no reviewer responded before the due date.`;
  const comments = [...new Set(batch.flatMap(({ comment }) => comment ?? []))];
  return comments.length === 0 ? `${revoked}.` : `${revoked}: ${comments.join(' ')}`;
}

/**
 * Cancels the tasks of these items, and retries of them. Returns as `others` the remaining items of these tasks, which need new tasks if
 * they are still revoked. These include the items whose tasks take away what is no longer revoked, or what a person keeps now, with
 * something else (D68). Tasks that have ended in another way, such as by an administrator, stay as they are. The caller holds the
 * locks of the items' apps.
 */
export async function cancelRevocations(
  tx: OrgTx,
  cycle: LockedCycle,
  items: LockedItem[],
  decision: Decision | null,
  cause: Cause,
): Promise<{ others: string[]; events: NewEvent[] }> {
  const changed = new Set(items.map(({ id }) => id));
  const through = await OTHERS_WITH[decision ?? 'none'](tx, cycle, [...changed]);
  // Items that were decided together share a task.
  const tasks = new Map(
    [...items, ...through].flatMap(({ task_id: id, app_id, account_id }) =>
      id === null ? [] : [[id, { id, app_id, account_id }]],
    ),
  );
  const reason = 'The access review decision was changed.';
  const { withdrawn, events } = await cancelTasks(tx, [...tasks.values()], cause, reason, {
    withRetries: true,
  });
  const detached = withdrawn.length === 0 ? [] : await queries.detachTasks(tx, cycle.id, withdrawn);
  return { others: detached.filter((id) => !changed.has(id)), events };
}

/** The other items with a task that a new decision puts into question. */
const OTHERS_WITH = {
  keep: takenAlong,
  revoke: async () => [],
  none: (tx, cycle, itemIds) => queries.carriedOutAt(tx, cycle.id, itemIds),
} satisfies Record<Decision | 'none', typeof takenAlong>;
