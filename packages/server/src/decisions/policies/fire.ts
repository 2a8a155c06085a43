import { holdsVersion } from '#decisions/holds/facts.ts';
import { addFirings } from '#decisions/holds/firings.ts';
import { countsOf } from '#directory/people/undecided.ts';
import type { OrgDb, OrgTx } from '#kit/database.ts';
import { type Cause, SYSTEM } from '#kit/identity.ts';
import { follow } from '#kit/loops/follow.ts';
import { type NewEvent, recordEvents } from '#log/events/record.ts';
import { apply } from '#proposals/apply.ts';
import { beginSuspensions, endScheduledLeaving, endSuspensions } from '#reasons/suspensions/suspensions.ts';
import { cancelTasks } from '#work/provisioning/create.ts';
import { reasonSentences } from '#work/provisioning/reason-sentences.ts';
import { planBatch } from './batch.ts';
import { type Detected, detectFirings, type Firing } from './detect.ts';
import { endedBy, type SuspensionChange } from './effects.ts';
import { accessKept, policyHeld, policyUndecided, sourceOf } from './events.ts';
import { forgetOutdated } from './forget-revoked.ts';
import { HoldGate } from './gate.ts';
import { groupChanges } from './group-changes.ts';
import { settleHolds } from './holds.ts';
import { addKept, NOTHING_KEPT } from './kept.ts';
import { OwnGate } from './own-gate.ts';
import { BATCH, planAll } from './plan.ts';
import type { PlannedGrant, PlannedTask } from './planned.ts';
import type { Policy } from './policy.ts';
import { type PreparedPolicy, preparePolicy } from './prepare.ts';
import { noteDays } from './queries/days.ts';
import * as queries from './queries/firing.ts';
import { enabledPolicies } from './queries/policies.ts';
import { STAGES } from './targets.ts';
import { UndoGate } from './undo-gate.ts';

/**
 * Runs an organization's policies on new events and on a new day, then releases one batch of confirmed actions and of decided holds. Returns
 * whether more is left to do now. The policies' place in the log moves together with the tasks, so that each event fires each
 * policy once.
 */
export async function firePolicies(db: OrgDb): Promise<boolean> {
  try {
    const hasMore = await follow<Detected>(db, {
      place: queries.place,
      read: (reading, after) => detectFirings(reading, after),
      isOutdated: (tx, detected) => isOutdated(tx, detected),
      handle,
    });
    return (await settleHolds(db)) || hasMore;
  } catch (error) {
    if (error instanceof GroupsChanged) return true;
    throw error;
  }
}

/** A group was renamed or deleted while policies fired, which read its new name. They fire again, and those that name it are held. */
class GroupsChanged extends Error {}

async function handle(tx: OrgTx, { firings, moved, next, today }: Detected): Promise<boolean> {
  const events = await cancelWithoutReason(tx, moved);
  const holds = await holdsVersion(tx);
  for (const firing of firings) {
    if (firing.isOfToday) await queries.markRunToday(tx, firing.policy.id, today);
    await noteDays(tx, firing.policy.id, firing.days);
    events.push(...(await fire(tx, firing, holds)));
  }
  const release = await releaseBatch(tx, await enabledPolicies(tx), holds);
  if (firings.length > 0 || release.hasMore) {
    const changes = await groupChanges(tx, { after: next });
    if (changes.length > 0) throw new GroupsChanged();
  }
  await recordEvents(tx, [...events, ...release.events]);
  return release.hasMore;
}

/** Whether a policy has changed, has run today, or was confirmed, or a hold was opened or decided, since the firings were detected. */
async function isOutdated(tx: OrgTx, { firings, holds }: Detected): Promise<boolean> {
  if (firings.length === 0) return false;
  if ((await holdsVersion(tx)) !== holds) return true;
  const policies = await enabledPolicies(tx);
  const due = await queries.dueToday(tx);
  const waiting = await queries.heldForGroups(tx);
  return firings.some(({ policy, isOfToday, isWaiting }) => {
    const current = policies.find(({ id }) => id === policy.id);
    const hasChanged = current?.updated_at.getTime() !== policy.updated_at.getTime();
    return hasChanged || (isOfToday && !due.has(policy.id)) || (isWaiting && !waiting.has(policy.id));
  });
}

/** Creates the tasks of a firing, or holds the firing. The actions that wait in holds of people are kept there. */
async function fire(tx: OrgTx, firing: Firing, holds: string | null): Promise<NewEvent[]> {
  const { policy, subjects, count, held, concerned, waiting } = firing;
  // A day on which nobody starts or ends says nothing about the condition.
  const events = subjects?.length === 0 ? [] : await noteUndecided(tx, firing);
  await addFirings(tx, policy.id, waiting);
  await forgetOutdated(tx, policy, subjects);
  if (held !== null) {
    const because = held === 'limit' ? null : held;
    await queries.markFired(tx, policy.id, count);
    const isNew = await queries.holdFiring(tx, policy.id, { subjects, count, because });
    return isNew ? [...events, policyHeld(policy, { count, because })] : events;
  }
  // Plans again under the lock: a policy before this one may have created some of the tasks.
  const prepared = await preparePolicy(tx, policy);
  const holding = new HoldGate(policy, holds);
  const { executeAfter } = prepared;
  const undoing = await UndoGate.of(tx, policy, { executeAfter, isConfirmed: false, next: holding });
  const gate = await OwnGate.of(tx, policy.hands, undoing);
  const planned = await planAll(tx, prepared, concerned, { keep: Number.POSITIVE_INFINITY, gate });
  await addFirings(tx, policy.id, holding.waiting());
  events.push(...(await undoing.settle(tx)));
  const own = await gate.settle(tx, policy);
  const tasks = [...planned.tasks, ...own.tasks];
  const grants = [...planned.grants, ...own.grants];
  const kept = [...(await noteKept(tx, firing)), ...own.events];
  await changeSuspensions(tx, policy, executeAfter, planned.suspensions);
  if (tasks.length + grants.length === 0) return [...events, ...kept];
  if (tasks.length > 0) await queries.markFired(tx, policy.id, tasks.length);
  const cause = { actor: SYSTEM, source: sourceOf(policy) };
  const created = await createPlanned(tx, prepared, { tasks, grants }, { cause, releasedBy: null });
  return [...events, ...kept, ...created];
}

/** Says which access stays because something else gives it. A daily policy says the same only once. */
async function noteKept(tx: OrgTx, { policy, kept }: Firing): Promise<NewEvent[]> {
  const hasChanged = policy.trigger !== 'daily' || (await queries.setKept(tx, policy.id, kept));
  return hasChanged ? accessKept(policy, kept) : [];
}

/** Keeps whom the condition of a policy that takes access away did not decide. A daily policy tells the same only once. */
async function noteUndecided(tx: OrgTx, { policy, undecided }: Firing): Promise<NewEvent[]> {
  const counts = countsOf(undecided);
  const hasChanged = await queries.setUndecided(tx, policy.id, counts);
  return hasChanged && counts.count > 0 ? [policyUndecided(policy, undecided)] : [];
}

/**
 * Cancels the tasks of people who left or are back, as far as they were decided because the person was there or away, and no connector has
 * fetched them (D74). They would be canceled anyway before a connector gets them; doing it now gives people who leave again the whole delay.
 */
async function cancelWithoutReason(tx: OrgTx, userIds: readonly string[]): Promise<NewEvent[]> {
  if (userIds.length === 0) return [];
  const events: NewEvent[] = [];
  const found = await queries.tasksWithoutReason(tx, userIds);
  for (const tasks of Map.groupBy(found, ({ policy_id, is_back }) => `${policy_id} ${is_back}`).values()) {
    const { policy_id: uuid, is_back } = tasks[0] as (typeof tasks)[number];
    const cause: Cause = { actor: SYSTEM, source: { type: 'system', uuid } };
    const reason = is_back ? reasonSentences.task_person_active() : reasonSentences.task_person_inactive();
    events.push(...(await cancelTasks(tx, tasks, cause, reason)).events);
  }
  await endScheduledLeaving(tx, userIds, {
    kind: 'policy',
    id: null,
    label: reasonSentences.task_person_active().text,
  });
  return events;
}

/** Creates the tasks of the next batch of confirmed actions, as far as they are still needed. */
async function releaseBatch(
  tx: OrgTx,
  policies: readonly Policy[],
  holds: string | null,
): Promise<{ events: NewEvent[]; hasMore: boolean }> {
  const release = await queries.nextRelease(tx, BATCH);
  const policy = policies.find(({ id }) => id === release?.policy_id);
  if (release === undefined || policy === undefined) return { events: [], hasMore: false };
  const { subjects, stage, after_id } = release;
  if (stage === STAGES[policy.trigger].length) {
    await queries.deleteRelease(tx, release.id);
    return { events: [], hasMore: true };
  }
  const window = subjects === null ? { after: after_id, limit: BATCH } : { ids: subjects };
  const prepared = await preparePolicy(tx, policy);
  const planned = await planBatch(tx, prepared, stage, window);
  const { kept, last } = planned;
  const holding = new HoldGate(policy, holds);
  const { executeAfter } = prepared;
  const undoing = await UndoGate.of(tx, policy, { executeAfter, isConfirmed: true, next: holding });
  const gate = await OwnGate.of(tx, release.hands, undoing);
  const sifted = await gate.sift(tx, planned.tasks);
  const siftedGrants = await gate.siftGrants(tx, planned.grants);
  const suspensions = await gate.siftSuspensions(tx, planned.suspensions);
  await addFirings(tx, policy.id, holding.waiting());
  const contradictions = await undoing.settle(tx);
  const own = await gate.settle(tx, policy);
  const tasks = [...sifted, ...own.tasks];
  const grants = [...siftedGrants, ...own.grants];
  await changeSuspensions(tx, policy, executeAfter, suspensions);
  const after = (subjects === null ? last : subjects.at(-1)) ?? null;
  const next = after === null ? { stage: stage + 1, after } : { stage, after };
  await queries.advanceRelease(tx, release.id, next, tasks.length);
  const cause: Cause = {
    actor: { type: 'user', uuid: release.confirmed_by },
    source: { type: 'system', uuid: policy.id },
  };
  const releasedBy = release.confirmed_by;
  const created = await createPlanned(tx, prepared, { tasks, grants }, { cause, releasedBy });
  return {
    events: [
      ...accessKept(policy, addKept(NOTHING_KEPT, kept)),
      ...contradictions,
      ...own.events,
      ...created,
    ],
    hasMore: true,
  };
}

async function createPlanned(
  tx: OrgTx,
  { policy: { delay }, decision: own }: PreparedPolicy,
  { tasks, grants }: { tasks: readonly PlannedTask[]; grants: readonly PlannedGrant[] },
  { cause, releasedBy }: { cause: Cause; releasedBy: string | null },
): Promise<NewEvent[]> {
  const decision = { ...own, releasedBy };
  const changes = tasks.map((task) =>
    delay === null ? { ...task, decision, executeAfter: null } : { ...task, decision },
  );
  // The grant on what an account has already begins now, whatever the delay is: nothing is given.
  const held = grants.map((grant) => ({ ...grant, decision, from: null, until: null }));
  return (await apply(tx, { changes, held }, cause)).events;
}

const reasonOf = ({ name }: Policy) => `Created by the policy "${name}".`;

/** Begins and ends suspensions of accounts that stay suspended (D73). */
async function changeSuspensions(
  tx: OrgTx,
  policy: Policy,
  executeAfter: Date,
  changes: readonly SuspensionChange[],
): Promise<void> {
  const { id, name: label, delay } = policy;
  await beginSuspensions(
    tx,
    changes
      .filter(({ does }) => does === 'begin')
      .map(({ app, account, leaving }) => ({
        ...{ app_id: app.id, account_id: account.id, leaving, label },
        ...{ kind: 'policy' as const, source_id: id, reason: reasonOf(policy) },
        decided_by: policy.enabled_by ?? policy.created_by,
        since: delay === null ? null : executeAfter,
      })),
  );
  const ended = changes.filter(({ does }) => does === 'end').map(({ account }) => account.id);
  if (ended.length > 0) await endSuspensions(tx, ended, { kind: 'policy', id, label }, endedBy({ policy }));
}
