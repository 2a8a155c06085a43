import { type NewEvent, recordEvents } from '../events/record.ts';
import type { Cause } from '../identity/cause.ts';
import type { Db, Tx } from '../platform/database/open.ts';
import { transaction } from '../platform/database/transaction.ts';
import { cancelTasksOf, createTasks, type NewTask } from '../provisioning/create.ts';

import { type Findings, type Firing, look } from './look.ts';
import { PAGE, type PlannedTask, planAll, planPage, ready } from './plan.ts';
import type { Policy } from './policy.ts';
import * as queries from './queries/firing.ts';
import { enabledPolicies } from './queries/policies.ts';
import { STAGES } from './targets.ts';

/** The deployment's organizations in which policies have something to do. */
export const organizationsWithWork = (db: Db): Promise<string[]> => queries.organizationsWithWork(db);

/**
 * Lets an organization's policies act on what its log holds behind their place in it, and on a new day; then releases
 * a page of what was confirmed. One transaction: the place moves with the tasks. Any number of nodes may do it at
 * once; one has its turn, the others pass. Answers whether there is more to do at once.
 */
export async function firePolicies(db: Db, orgId: string): Promise<boolean> {
  const findings = await look(db, orgId);
  if (findings === undefined) return false;
  return transaction(db, async (tx) => {
    if (!(await queries.takeTurn(tx, orgId))) return false;
    const policies = await enabledPolicies(tx, orgId);
    if (await isOutdated(tx, orgId, findings, policies)) return true;
    await queries.moveCursor(tx, orgId, findings.end);
    const events = await spareReturned(tx, orgId, findings.returned);
    for (const firing of findings.firings) events.push(...(await fire(tx, orgId, firing)));
    const release = await releasePage(tx, orgId, policies);
    await recordEvents(tx, orgId, [...events, ...release.events]);
    return release.goesOn;
  });
}

/** Another node has been here since it was looked, or a person has changed a policy. */
async function isOutdated(
  tx: Tx,
  orgId: string,
  { readTo, firings }: Findings,
  policies: readonly Policy[],
): Promise<boolean> {
  if ((await queries.readTo(tx, orgId)) !== readTo) return true;
  const due = await queries.dueToday(tx, orgId);
  return firings.some(({ policy, subjects }) => {
    const now = policies.find(({ id }) => id === policy.id);
    const hasChanged = now?.updated_at.getTime() !== policy.updated_at.getTime();
    return hasChanged || (subjects === null && !due.has(policy.id));
  });
}

/** Creates a policy's tasks for those whom they concern; holds them where they are more than the limit. */
async function fire(
  tx: Tx,
  orgId: string,
  { policy, subjects, count, isTooLarge, concerned }: Firing,
): Promise<NewEvent[]> {
  if (subjects === null) await queries.markDay(tx, orgId, policy.id);
  if (isTooLarge) {
    await queries.markFired(tx, orgId, policy.id, count);
    await queries.holdFiring(tx, orgId, policy.id, subjects, count);
    return [];
  }
  // Again, and now for sure: a policy before this one may have done some of it.
  const { tasks } = await planAll(
    tx,
    orgId,
    await ready(tx, orgId, policy),
    concerned,
    Number.POSITIVE_INFINITY,
  );
  if (tasks.length === 0) return [];
  await queries.markFired(tx, orgId, policy.id, tasks.length);
  const type = policy.trigger === 'daily' ? 'schedule' : 'system';
  return create(tx, orgId, policy, tasks, {
    actor: { type: 'system', uuid: null },
    source: { type, uuid: policy.id },
  });
}

/**
 * Cancels what was scheduled because these people had left. It would be cancelled when its turn comes (D31), but who
 * leaves again before that is a new leaver, with the whole delay before them.
 */
async function spareReturned(tx: Tx, orgId: string, userIds: readonly string[]): Promise<NewEvent[]> {
  if (userIds.length === 0) return [];
  const events: NewEvent[] = [];
  const scheduled = await queries.scheduledForLeaving(tx, orgId, userIds);
  for (const [id, tasks] of Map.groupBy(scheduled, ({ policy_id }) => policy_id)) {
    const cause: Cause = { actor: { type: 'system', uuid: null }, source: { type: 'system', uuid: id } };
    const only = new Set(tasks.map((task) => task.id));
    const reason = 'The person is active again.';
    events.push(...(await cancelTasksOf(tx, orgId, { type: 'policy', id }, cause, reason, only)));
  }
  return events;
}

/** Works off the next page of what somebody confirmed, as it is by now. */
async function releasePage(
  tx: Tx,
  orgId: string,
  policies: readonly Policy[],
): Promise<{ events: NewEvent[]; goesOn: boolean }> {
  const release = await queries.nextRelease(tx, orgId, PAGE);
  const policy = policies.find(({ id }) => id === release?.policy_id);
  if (release === undefined || policy === undefined) return { events: [], goesOn: false };
  const { subjects, stage, after_id } = release;
  if (stage === STAGES[policy.trigger].length) {
    await queries.endRelease(tx, orgId, release.id);
    return { events: [], goesOn: true };
  }
  const window = subjects === null ? { after: after_id, limit: PAGE } : { ids: subjects };
  const { tasks, last } = await planPage(tx, orgId, await ready(tx, orgId, policy), stage, window);
  const after = (subjects === null ? last : subjects.at(-1)) ?? null;
  const next = after === null ? { stage: stage + 1, after } : { stage, after };
  await queries.advanceRelease(tx, orgId, release.id, next, tasks.length);
  const events = await create(tx, orgId, policy, tasks, {
    actor: { type: 'user', uuid: release.confirmed_by },
    source: { type: 'system', uuid: policy.id },
  });
  return { events, goesOn: true };
}

async function create(
  tx: Tx,
  orgId: string,
  policy: Policy,
  planned: readonly PlannedTask[],
  cause: Cause,
): Promise<NewEvent[]> {
  const { events } = await createTasks(
    tx,
    orgId,
    planned.map((task) => newTask(policy, task)),
    cause,
  );
  return events;
}

function newTask(policy: Policy, task: PlannedTask): NewTask {
  const { action, app, user, account, add, remove, executeAfter, preconditions } = task;
  const common = {
    appId: app.id,
    add: add.map(({ entitlement_id }) => entitlement_id),
    remove: remove.map(({ entitlement_id }) => entitlement_id),
    executeAfter: policy.delay === null ? null : executeAfter,
    taskType: 'POLICY' as const,
    createdBy: null,
    reason: `Policy "${policy.name}".`,
    source: { type: 'policy' as const, id: policy.id },
    preconditions,
  };
  return action === 'create_account'
    ? { ...common, action, userId: user?.id as string }
    : { ...common, action, accountId: account?.id as string };
}
