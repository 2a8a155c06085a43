import {
  type Derived,
  derivedAmong,
  isAmong,
  keptBecause,
  keyOf,
  labelOf,
  obstacleTo,
} from '../../inventory/records/derived.ts';
import type { OrgTx } from '../../kit/database/organization.ts';
import { conflict } from '../../kit/errors.ts';
import type { Cause } from '../../kit/identity/cause.ts';
import type { NewEvent } from '../../log/events/record.ts';
import { cancelTasks, createTasks, type NewTask } from '../../work/provisioning/create.ts';
import type { Precondition } from '../../work/provisioning/task.ts';
import type { Decision } from './cycle.ts';
import type { LockedCycle, LockedItem, Revocable } from './queries/decide.ts';
import * as queries from './queries/decide.ts';
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
  const items = await atGivers(tx, cycle, await queries.revocable(tx, cycle, itemIds), derived);
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
 * What happens to a revocation of access that something else gives (D68), unless its source is revoked, too, or the reviewer
 * chose to remove the source: it is refused, or the access stays and the item says why. By silence, the undecided items
 * count as revoked: they are about to be.
 */
type ForDerived = 'refuse' | 'keep' | 'silence';

/** Returns the items that tasks can carry out, with what they remove. */
async function atGivers(
  tx: OrgTx,
  cycle: LockedCycle,
  items: Revocable[],
  mode: ForDerived,
): Promise<Revocable[]> {
  const found = await derivedAmong(
    tx,
    items.flatMap((item) => heldOf(item) ?? []),
  );
  const derived = new Map(found.map((one) => [keyOf(one), one]));
  const accountIds = [...new Set(found.map(({ account_id }) => account_id))];
  const decisions = await queries.decisionsAbout(tx, cycle.id, accountIds);
  const revoked = decisions.filter(
    ({ decision }) => decision === 'revoke' || (decision === null && mode === 'silence'),
  );
  const byPeople = decisions.filter(({ decided_by }) => decided_by !== null);
  const isRevoked = keysOf(revoked);
  // A person decides about the source as well: silence about it does not make the task one of a person (D66).
  const isRevokedByPeople = keysOf(byPeople.filter(({ decision }) => decision === 'revoke'));
  const isKept = keysOf(byPeople.filter(({ decision }) => decision === 'keep'));
  const deleted = new Set(
    cycle.settings.revoke_account_by === 'delete'
      ? revoked.flatMap(({ account_id, entitlement_id }) => (entitlement_id === null ? account_id : []))
      : [],
  );
  const noted: Parameters<typeof queries.noteGivers>[2] = [];
  const carriedOut = items.flatMap((item) => {
    const held = heldOf(item);
    const one = held === undefined ? undefined : derived.get(keyOf(held));
    if (one === undefined || deleted.has(item.account_id)) {
      if (item.revoked_at !== null) noted.push({ id: item.id, revoked_at: null, kept_by: null });
      return item;
    }
    const { giver, source } = one;
    const somebodyKeeps = isAmong(isKept, one);
    const goesWith = isAmong(item.decided_by === null ? isRevoked : isRevokedByPeople, one);
    if (source !== null && (goesWith || (item.at_giver && !somebodyKeeps))) {
      noted.push({ id: item.id, revoked_at: source, kept_by: null });
      return { ...item, entitlement_id: source.external_uuid };
    }
    if (mode === 'refuse') throw conflict(refusal(one, somebodyKeeps));
    noted.push({ id: item.id, revoked_at: null, kept_by: giver });
    return [];
  });
  if (noted.length > 0) await queries.noteGivers(tx, cycle.id, noted);
  return carriedOut;
}

const keysOf = (items: readonly Parameters<typeof heldOf>[0][]) =>
  new Set(items.flatMap((one) => heldOf(one) ?? []).map(keyOf));

const heldOf = ({ account_id, entitlement_id }: { account_id: string; entitlement_id: string | null }) =>
  entitlement_id === null ? undefined : { account_id, entitlement_id };

function refusal(one: Derived, somebodyKeeps: boolean): string {
  if (one.source === null) return keptBecause(one);
  return somebodyKeeps
    ? `${obstacleTo(one)} Somebody has decided to keep '${labelOf(one.source)}'. That decision has to change first.`
    : `${keptBecause(one)} Revoke it there with at_giver, or revoke that as well.`;
}

/** Deleting an account covers its entitlements. Suspending it does not, so they get a task of their own. */
function splitByTask(items: Revocable[], { settings }: LockedCycle): Revocable[][] {
  const account = items.filter(({ kind }) => kind === 'account');
  const entitlements = items.filter(({ kind }) => kind !== 'account');
  if (account.length > 0 && settings.revoke_account_by === 'delete') return [[...account, ...entitlements]];
  return [entitlements, account].filter((batch) => batch.length > 0);
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
 * Cancels the open tasks of these items. Returns as `others` the remaining items of the cancelled tasks, which need new
 * tasks if they are still revoked. Unless `decision` revokes them, these include the items whose tasks remove the same to
 * take away what comes through it (D68). Tasks that have ended in another way, such as by an administrator, stay as they are.
 * The caller holds the locks of the items' apps.
 */
export async function cancelRevocations(
  tx: OrgTx,
  cycle: LockedCycle,
  items: LockedItem[],
  decision: Decision | null,
  cause: Cause,
): Promise<{ others: string[]; events: NewEvent[] }> {
  const changed = new Set(items.map(({ id }) => id));
  const through = decision === 'revoke' ? [] : await queries.carriedOutAt(tx, cycle.id, [...changed]);
  // Items that were decided together share a task.
  const tasks = new Map(
    [...items, ...through].flatMap(({ task_id: id, app_id, account_id }) =>
      id === null ? [] : [[id, { id, app_id, account_id }]],
    ),
  );
  const reason = 'The access review decision was changed.';
  const events = await cancelTasks(tx, [...tasks.values()], cause, reason);
  const cancelled = events
    .filter(({ type, subject }) => type === 'task.cancelled' && tasks.has(subject.uuid))
    .map(({ subject }) => subject.uuid);
  const detached = cancelled.length === 0 ? [] : await queries.detachTasks(tx, cycle.id, cancelled);
  return { others: detached.filter((id) => !changed.has(id)), events };
}
