import { nextUnsettled, type TaskOnHold, tasksOnHold, type Unsettled } from '#decisions/holds/facts.ts';
import { settle, takeFirings } from '#decisions/holds/firings.ts';
import type { OpeningHook } from '#decisions/holds/open.ts';
import { ANY_PROVIDER } from '#directory/means/acting.ts';
import { handsBehindEach } from '#directory/means/hands.ts';
import { type OrgDb, type OrgTx, transaction } from '#kit/database.ts';
import type { Cause } from '#kit/identity.ts';
import type { Sentence } from '#kit/sentences.ts';
import { type NewEvent, recordEvents } from '#log/events/record.ts';
import { cancelTasks } from '#work/provisioning/create.ts';
import { releaseFromHold } from '#work/provisioning/on-hold.ts';
import { putBackPreemptedBy } from '#work/provisioning/queue.ts';
import { decideAbout } from './decide.ts';
import { readsGroups } from './gate.ts';
import { holdForOthers } from './own-gate.ts';
import { BATCH } from './plan.ts';
import * as firings from './queries/firing.ts';
import * as queries from './queries/policies.ts';
import { endingSentences } from './sentences.ts';

/**
 * Waits until no policy fires: a firing that began before the hold has made its tasks then, and a later one sees the hold. A group that
 * lost members concerns the policies that read groups.
 */
export const waitForPolicies: OpeningHook = async (tx, kind) => {
  await queries.lockKnownPolicies(tx);
  if (kind === 'people') return null;
  return (await queries.allPolicies(tx)).filter(readsGroups).map(({ id }) => id);
};

/**
 * Carries out one step of the decision that was made first about a hold: what policies would have done is released or forgotten, and then
 * one batch of the tasks that wait. Each step is one transaction, under the lock of the policies, so that any node can go on at any
 * time. Returns whether there was a step.
 */
export async function settleHolds(db: OrgDb): Promise<boolean> {
  if ((await nextUnsettled(db)) === undefined) return false;
  return transaction(db, async (tx) => {
    await queries.lockKnownPolicies(tx);
    const hold = await nextUnsettled(tx);
    if (hold === undefined) return false;
    const hands = await handsBehind(tx, hold);
    await releaseFirings(tx, hold, hands);
    const tasks = await tasksOnHold(tx, hold.id, BATCH);
    if (tasks.length === 0) await settle(tx, hold.id);
    else await recordEvents(tx, await settleTasks(tx, hold, tasks, hands));
    return true;
  });
}

/** Releases the actions of policies like their own held actions: each policy decides again. */
async function releaseFirings(tx: OrgTx, hold: Unsettled, hands: readonly string[]): Promise<void> {
  // A discard does not concern those who are back: what else has happened to them still counts.
  const taken = await takeFirings(tx, hold.id, { onlyReturned: hold.decision === 'discarded' });
  if (taken.size === 0) return;
  for (const { id } of await queries.enabledPolicies(tx)) {
    const firing = taken.get(id);
    if (firing !== undefined) await firings.releaseFiring(tx, id, firing, { userId: hold.decided_by, hands });
  }
}

function discarded({ reason }: Unsettled): Sentence {
  const why = reason?.trim() ?? '';
  return why === ''
    ? endingSentences.task_hold_of_discarded()
    : endingSentences.task_hold_of_discarded_because({ why });
}

async function settleTasks(
  tx: OrgTx,
  hold: Unsettled,
  tasks: readonly TaskOnHold[],
  hands: readonly string[],
): Promise<readonly NewEvent[]> {
  const actor = { type: 'user', uuid: hold.decided_by } as const;
  const causeOf = (policyId: string): Cause => ({ actor, source: { type: 'system', uuid: policyId } });
  const events: NewEvent[] = [];
  for (const [policyId, all] of Map.groupBy(tasks, ({ policy_id }) => policy_id)) {
    const cause = causeOf(policyId);
    const wanted = hold.decision === 'discarded' ? new Set() : await stillWanted(tx, policyId, all);
    const own = all.filter(({ id, gives, holders }) => {
      return wanted.has(id) && gives && holders.some((person) => hands.includes(person));
    });
    const goesOn = all.filter((task) => wanted.has(task.id) && !own.includes(task));
    const ends = all.filter(({ id }) => !wanted.has(id));
    const reason = hold.decision === 'confirmed' ? endingSentences.task_not_called_for() : discarded(hold);
    for (const [of, why] of [
      [ends, reason],
      [own, endingSentences.task_needs_second_person()],
    ] as const) {
      const canceled = await cancelTasks(tx, of, cause, why);
      events.push(...canceled.events, ...(await putBackPreemptedBy(tx, canceled.withdrawn, cause)));
    }
    events.push(...(await keepForOthers(tx, policyId, own)));
    events.push(...(await releaseFromHold(tx, goesOn, hold.decided_by, cause)));
  }
  return events;
}

/** Returns the people behind the decision about a hold. How they had signed in is not known. */
async function handsBehind(tx: OrgTx, { decided_by: person, decided_at: at }: Unsettled): Promise<string[]> {
  const [hands] = await handsBehindEach(tx, [{ person, provider: ANY_PROVIDER, at }]);
  return [...(hands?.keys() ?? [])];
}

/** The tasks for people behind the decision wait for somebody else (D76). */
async function keepForOthers(tx: OrgTx, policyId: string, tasks: readonly TaskOnHold[]): Promise<NewEvent[]> {
  const policy = await queries.findPolicy(tx, policyId);
  if (policy === undefined || !policy.enabled) return [];
  return holdForOthers(
    tx,
    policy,
    tasks.map(({ user_id, account_id }) => user_id ?? account_id),
  );
}

const GIVING = ['create_account', 'unsuspend_account'];

/**
 * Returns those of a policy's tasks for which it decides again. An undecided condition stops only what gives access. A policy that was
 * deleted has no condition any more; the preconditions of its tasks are checked when they run.
 */
async function stillWanted(
  tx: OrgTx,
  policyId: string,
  tasks: readonly TaskOnHold[],
): Promise<ReadonlySet<unknown>> {
  const policy = await queries.findPolicy(tx, policyId);
  if (policy === undefined) return new Set(tasks.map(({ id }) => id));
  const ids = [...new Set(tasks.flatMap(({ user_id, account_id }) => [user_id ?? account_id, account_id]))];
  const { found, undecided } = await decideAbout(tx, policy, ids);
  const isWanted = ({ action, account_id, user_id, app_id }: TaskOnHold) =>
    GIVING.includes(action)
      ? found.has(account_id) || found.has(`${user_id} ${app_id}`)
      : found.has(account_id) || undecided.has(user_id ?? account_id);
  return new Set(tasks.filter(isWanted).map(({ id }) => id));
}
