import { accessibleApp } from '#inventory/apps/apps.ts';
import { keptBecause, removable } from '#inventory/records/accounts/derived.ts';
import { type OrgTx, transaction } from '#kit/database.ts';
import { conflict } from '#kit/errors.ts';
import { type Call, localTime } from '#kit/identity.ts';
import { isUuid } from '#kit/ids.ts';
import { instantForSql, momentIn, requireNear } from '#kit/instants.ts';
import { recordEvents } from '#log/events/record.ts';
import { cancelTask } from './cancel.ts';
import { createTask } from './create.ts';
import { planEnds } from './ends.ts';
import { type EntitlementRefs, entitlementIds } from './entitlements.ts';
import { keepTaken } from './given.ts';
import { requireOthersAccounts, requireSecondPerson } from './own-benefit.ts';
import { accountsTakenFrom, endsAmong } from './queries/ends.ts';
import { reasonOf, reasonSentences } from './reason-sentences.ts';
import { taskRefusals } from './sentences.ts';
import type { Action, Task } from './task.ts';
import { requireNotUnderWay } from './under-way.ts';

/** A task that an administrator asks for (protocol 12). */
export interface ManualRequest {
  app: string;
  action: Action;
  user: string | null;
  account: string | null;
  resourceType: string | null;
  memberships: EntitlementRefs;
  assignments: EntitlementRefs;
  changes: Readonly<Record<string, { added?: readonly string[] | null; removed?: readonly string[] | null }>>;
  /** ISO 8601; null: now. */
  executeAfter: string | null;
  reason: string | null;
  /** The open task that a removal replaces (see requireNotUnderWay). */
  insteadOf: string | null;
  /** Whether an account is suspended because its person leaves (D73). */
  leaving: boolean;
}

/**
 * Creates a task for an administrator. 404 for an unknown app, user or account, 409 if there is nothing to do or a removal is already
 * under way, 422 for an unknown slug or external id.
 */
export async function createManualTask(call: Call, request: ManualRequest): Promise<Task> {
  const app = await accessibleApp(call.db, call.principal, request.app);
  const executeAfter = request.executeAfter === null ? null : instantForSql(request.executeAfter);
  if (request.executeAfter !== null) {
    // A day is its beginning in UTC (D4). West of it, today has begun earlier.
    const time = await localTime(call);
    requireNear(momentIn(request.executeAfter, time.timeZone, 'end'), 'execute_after', time);
  }
  return transaction(call, async (tx) => {
    const { add, remove } = await entitlementsOf(tx, app.id, request);
    const common = {
      appId: app.id,
      add,
      remove: await withoutDerived(tx, request.account, remove),
      executeAfter: executeAfter === null ? null : new Date(executeAfter),
      taskType: 'USER_ACTION' as const,
      createdBy: call.principal.userId,
      reason: request.reason,
      label: request.reason ?? '',
      leaving: request.leaving && request.action === 'suspend_account',
    };
    const { action, account, insteadOf } = request;
    if (account !== null && isUuid(account))
      await requireNotUnderWay(tx, {
        ...{ appId: app.id, accountId: account.toLowerCase(), action, insteadOf },
        executeAfter: common.executeAfter,
      });
    const { task, events } = await createTask(tx, { ...common, ...subjectOf(request) }, call.cause);
    // A deletion that preempts the account's creation is canceled too, but has done its work.
    const didNothing = task.status === 'cancelled' && !events.some(({ type }) => type === 'task.preempted');
    if (didNothing)
      throw task.ended_reason === null ? taskRefusals.task_needless() : conflict(task.ended_reason);
    const waived = await requireSecondPerson(tx, [task], 'task');
    await recordEvents(tx, [...waived, ...events]);
    return task;
  });
}

/** Leaves out what goes with the rest. 409 for access that something else gives, and that stays (D68). */
async function withoutDerived(tx: OrgTx, account: string | null, remove: string[]): Promise<string[]> {
  if (account === null || !isUuid(account)) return remove;
  const wanted = remove.map((entitlement_id) => ({ account_id: account.toLowerCase(), entitlement_id }));
  const { direct, kept } = await removable(tx, wanted);
  if (kept.length > 0) throw taskRefusals.access_kept({ kept: kept.map(keptBecause) });
  return direct.map(({ entitlement_id }) => entitlement_id);
}

function subjectOf({ action, user, account, resourceType }: ManualRequest) {
  if (action === 'create_account') {
    if (user === null) throw taskRefusals.user_missing();
    return { action, userId: user, resourceType };
  }
  if (account === null) throw taskRefusals.account_missing();
  return { action, accountId: account };
}

/** Returns the entitlements to add and remove. 400 for fields that do not belong to the action. */
async function entitlementsOf(tx: OrgTx, appId: string, request: ManualRequest) {
  const { action, memberships, assignments, changes } = request;
  const [grants, edits] = [{ ...memberships, ...assignments }, Object.keys(changes)];
  if (action !== 'create_account' && Object.keys(grants).length > 0)
    throw taskRefusals.access_only_at_creation();
  if (action !== 'update_account' && edits.length > 0) throw taskRefusals.changes_only_at_update();
  const add = [
    ...(await entitlementIds(tx, appId, memberships, { type: 'group' })),
    ...(await entitlementIds(tx, appId, assignments, { type: 'license' })),
    ...(await entitlementIds(tx, appId, pick(changes, 'added'))),
  ];
  const remove = await entitlementIds(tx, appId, pick(changes, 'removed'), { removing: true });
  if (action === 'update_account' && add.length + remove.length === 0) throw taskRefusals.changes_missing();
  if (add.some((id) => remove.includes(id))) throw taskRefusals.added_and_removed();
  return { add, remove };
}

const pick = (changes: ManualRequest['changes'], which: 'added' | 'removed'): EntitlementRefs =>
  Object.fromEntries(Object.entries(changes).map(([slug, change]) => [slug, change[which] ?? []]));

/**
 * Cancels a task for an administrator. 409 if it has ended. Access whose end is canceled stays: the administrator grants it (D73). 403 for
 * a task that takes something away from an account of their own (D76).
 */
export async function cancelManually(call: Call, taskId: string, reason: string | null): Promise<void> {
  await transaction(call, async (tx) => {
    const said = reason ?? reasonSentences.task_canceled_by_admin();
    const events = await cancelTask(tx, taskId, call.cause, said);
    const ends = await endsAmong(tx, [taskId]);
    const kept = await keepTaken(tx, ends, call.principal.userId, reasonOf(said).text);
    const waived = await requireOthersAccounts(tx, await accountsTakenFrom(tx, [taskId]), 'task');
    await recordEvents(tx, [...waived, ...events, ...(await planEnds(tx, kept, call.cause)).events]);
  });
}
