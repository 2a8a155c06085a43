import type { EventType } from '../events/catalog.ts';
import { endOfLog, eventsBetween, type FollowedEvent, type Moment } from '../events/follow.ts';
import { type NewEvent, recordEvents } from '../events/record.ts';
import type { Db, Tx } from '../platform/database/open.ts';
import { transaction } from '../platform/database/transaction.ts';
import { cancelTasksOf, createTasks, type NewTask } from '../provisioning/create.ts';
import type { Cause } from '../provisioning/turn.ts';
import { PAGE, type PlannedTask, planAll, planPage, ready } from './plan.ts';
import { EVENTS_OF, type Policy, TRIGGERS, type Trigger } from './policy.ts';
import * as queries from './queries/firing.ts';
import { enabledPolicies, taskLimit } from './queries/policies.ts';
import { STAGES } from './targets.ts';

const EVENTS_AT_ONCE = 5000;

/** The deployment's organizations in which policies have something to do. */
export const organizationsWithWork = (db: Db): Promise<string[]> => queries.organizationsWithWork(db);

/**
 * Lets an organization's policies act on what its log holds behind their place in it, and on a new day; then releases
 * a page of what was confirmed. One transaction: the place moves with the tasks. Any number of nodes may do it at
 * once; one has its turn, the others pass. Answers whether more is to be released.
 */
export function firePolicies(db: Db, orgId: string): Promise<boolean> {
  return transaction(db, async (tx) => {
    const readTo = await queries.takeCursor(tx, orgId);
    if (readTo === undefined) return false;
    const policies = await enabledPolicies(tx, orgId);
    const end = await endOfLog(tx, orgId);
    const happened = await whatHappened(tx, orgId, policies, { after: readTo, to: end });
    await queries.moveCursor(tx, orgId, end);
    const daily = await queries.takeDaily(tx, orgId);

    const events = await spareReturned(tx, orgId, [...(happened.get('user.reactivated')?.keys() ?? [])]);
    for (const policy of policies) {
      const subjects = [...(happened.get(policy.trigger) ?? [])]
        .filter(([, moment]) => moment > policy.fires_after)
        .map(([id]) => id);
      if (subjects.length > 0) events.push(...(await fire(tx, orgId, policy, subjects.sort())));
      else if (daily.has(policy.id)) events.push(...(await fire(tx, orgId, policy, null)));
    }
    const release = await releasePage(tx, orgId, policies);
    await recordEvents(tx, orgId, [...events, ...release.events]);
    return release.goesOn;
  });
}

/** By trigger, whom something happened to, and when last. */
async function whatHappened(
  tx: Tx,
  orgId: string,
  policies: readonly Policy[],
  { after, to }: { after: Moment; to: Moment },
): Promise<Map<Trigger, Map<string, Moment>>> {
  const wanted = new Set<Trigger>(['user.reactivated', ...policies.map(({ trigger }) => trigger)]);
  const triggers = TRIGGERS.filter((trigger) => wanted.has(trigger));
  const triggerOf = new Map<EventType, Trigger>(
    triggers.flatMap((trigger) => EVENTS_OF[trigger].map((type) => [type, trigger] as const)),
  );
  const happened = new Map(triggers.map((trigger) => [trigger, new Map<string, Moment>()]));
  for (;;) {
    const page = await eventsBetween(tx, orgId, { after, to }, [...triggerOf.keys()], EVENTS_AT_ONCE);
    for (const event of page) {
      const trigger = triggerOf.get(event.type) as Trigger;
      if (trigger === 'account.discovered' && !isDiscovery(event)) continue;
      happened.get(trigger)?.set(event.subject.uuid, event.moment);
    }
    const last = page.at(-1);
    if (last === undefined || page.length < EVENTS_AT_ONCE) return happened;
    after = last.moment;
  }
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

/** A sync found an account, active or suspended, where we knew of none, or of one that was gone. */
const isDiscovery = ({ source, payload }: FollowedEvent) =>
  source.type === 'sync' && [null, undefined, 'INACTIVE'].includes(payload.previous_status as null);

/** Creates the policy's tasks for these, or for everyone; holds them where they are more than the limit. */
async function fire(
  tx: Tx,
  orgId: string,
  policy: Policy,
  subjects: readonly string[] | null,
): Promise<NewEvent[]> {
  const limit = await taskLimit(tx, orgId);
  const { count, tasks } = await planAll(tx, orgId, await ready(tx, orgId, policy), subjects, limit);
  if (count === 0) return [];
  await queries.markFired(tx, orgId, policy.id, count);
  if (count > limit) {
    await queries.holdFiring(tx, orgId, policy.id, subjects, count);
    return [];
  }
  const type = policy.trigger === 'daily' ? 'schedule' : 'system';
  return create(tx, orgId, policy, tasks, {
    actor: { type: 'system', uuid: null },
    source: { type, uuid: policy.id },
  });
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
