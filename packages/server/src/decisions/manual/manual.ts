import { accessibleApp } from '#inventory/apps/apps.ts';
import { holdApps } from '#inventory/apps/facts.ts';
import { lockAccounts } from '#inventory/records/accounts/account-facts.ts';
import { keptBecause } from '#inventory/records/accounts/derived.ts';
import { type OrgTx, transaction } from '#kit/database.ts';
import { conflict } from '#kit/errors.ts';
import { type Call, localTime } from '#kit/identity.ts';
import { instantForSql, momentIn, requireNear } from '#kit/instants.ts';
import { recordEvents } from '#log/events/record.ts';
import { apply } from '#proposals/apply.ts';
import type { Change } from '#proposals/change.ts';
import type { Proposal } from '#proposals/propose.ts';
import { proposeAlone } from '#proposals/second-person.ts';
import { type EntitlementRefs, entitlementIds } from '#work/provisioning/entitlements.ts';
import { taskRefusals } from '#work/provisioning/sentences.ts';
import type { Action, Task } from '#work/provisioning/task.ts';

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
  /** The open task that a removal replaces (see proposals/checks/under-way.ts). */
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
  if (request.insteadOf !== null && request.action !== 'delete_account')
    throw taskRefusals.instead_of_not_allowed();
  if (request.leaving && request.action !== 'suspend_account') throw taskRefusals.leaving_not_allowed();
  return transaction(call, async (tx) => {
    const change = {
      ...(await entitlementsOf(tx, app.id, request)),
      ...subjectOf(request),
      app,
      executeAfter: executeAfter === null ? null : new Date(executeAfter),
      leaving: request.leaving,
      insteadOf: request.insteadOf,
      decision: {
        ...{ kind: 'manual' as const, id: null, label: request.reason ?? '', reason: request.reason },
        decidedBy: call.principal.userId,
      },
    };
    // Two people who ask at the same time take turns, in the order of locks.
    await holdApps(tx, [app.id]);
    if (change.account !== null) await lockAccounts(tx, [change.account.id]);
    const { proposal, waived } = await proposeAlone(tx, [change], 'task');
    requireWhole(proposal);
    const { tasks, events } = await apply(tx, proposal, call.cause);
    const task = tasks[0] as Task;
    // A deletion that preempts the account's creation is canceled too, but has done its work.
    const didNothing = task.status === 'cancelled' && !events.some(({ type }) => type === 'task.preempted');
    if (didNothing)
      throw task.ended_reason === null ? taskRefusals.task_needless() : conflict(task.ended_reason);
    await recordEvents(tx, [...waived, ...events]);
    return task;
  });
}

/**
 * Throws 409 for what another task does already, and for what something else gives and would be taken away (D68), and 403 for access of somebody
 * behind the call (D76).
 */
function requireWhole({ verdicts }: Proposal<Change>): void {
  const [underWay] = verdicts.under_way;
  if (underWay !== undefined) throw underWay.result;
  const kept = verdicts.derived.filter(({ result }) => !result.isCovered);
  if (kept.length > 0)
    throw taskRefusals.access_kept({ kept: kept.map(({ result }) => keptBecause(result.one)) });
  if (verdicts.own_benefit.length > 0) throw taskRefusals.own_benefit();
}

function subjectOf({ action, user, account, resourceType }: ManualRequest) {
  if (action === 'create_account') {
    if (user === null) throw taskRefusals.user_missing();
    return { action, user: { id: user.toLowerCase() }, account: null, resourceType };
  }
  if (account === null) throw taskRefusals.account_missing();
  return { action, user: null, account: { id: account.toLowerCase() } };
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
  return { add: partsOf(add), remove: partsOf(remove) };
}

const partsOf = (ids: readonly string[]) => ids.map((entitlement_id) => ({ entitlement_id }));

const pick = (changes: ManualRequest['changes'], which: 'added' | 'removed'): EntitlementRefs =>
  Object.fromEntries(Object.entries(changes).map(([slug, change]) => [slug, change[which] ?? []]));
