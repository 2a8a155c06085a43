import type { OrgTx } from '#kit/database.ts';
import type { Cause } from '#kit/identity.ts';
import type { NewEvent } from '#log/events/record.ts';
import type { Ending } from '#reasons/grants/grant.ts';
import {
  accessBrought,
  accessGone,
  beginGrants,
  beginGrantsAgain,
  endGiven,
  endGrantsOfAccounts,
  endGrantsOn,
} from '#reasons/grants/grants.ts';
import { endSuspensions, endSuspensionsBefore } from '#reasons/suspensions/suspensions.ts';
import { planEnds } from './ends.ts';
import {
  type AccessOfTask,
  canceledCreations,
  decisionOf,
  givenBy,
  notTakenBy,
  removalsOf,
  takenBy,
} from './queries/ends.ts';
import type { Task } from './task.ts';

/*
 * Tasks and grants (D73). A task that gives begins the grants of its decision, and one that does not happen ends them. A task that takes
 * away ends all grants on what it takes, as soon as its turn comes.
 */

/** Begins the grants of new tasks, each until the time that `until` returns. Returns the accounts. */
export async function beginGiven(
  tx: OrgTx,
  taskIds: readonly string[],
  until: (given: AccessOfTask) => Date | null,
): Promise<string[]> {
  const given = await givenBy(tx, taskIds);
  await beginGrants(
    tx,
    given.flatMap((one) => {
      const { task_id: _, kind, ...access } = one;
      return kind === 'review' ? [] : [{ ...access, kind, ends_at: until(one) }];
    }),
  );
  return [...new Set(given.map(({ account_id }) => account_id))];
}

/**
 * Ends what these tasks were to give, or `only` some of it, because they do not happen. Returns the events of the ends that are planned
 * again.
 */
export async function giveUp(
  tx: OrgTx,
  taskIds: readonly string[],
  cause: Cause,
  label: string,
  only?: readonly { task_id: string; entitlement_id: string }[],
): Promise<NewEvent[]> {
  if (taskIds.length === 0) return [];
  const named = new Set(only?.map(keyOf));
  const given = (await givenBy(tx, taskIds)).filter((one) => only === undefined || named.has(keyOf(one)));
  const ended: string[] = [];
  for (const [by, accesses] of byDecision(given)) {
    const kind = cause.actor.type === 'user' ? 'manual' : by.kind;
    const decided = accesses.flatMap((one) => (one.kind === 'review' ? [] : [{ ...one, kind: one.kind }]));
    ended.push(...(await endGiven(tx, decided, { ...by, kind, label })));
  }
  return ended.length === 0 ? [] : (await planEnds(tx, ended, cause)).events;
}

/** Ends the grants on accounts whose creation is canceled and that no task will create any more. */
export async function giveUpAccounts(tx: OrgTx, accountIds: readonly string[], cause: Cause): Promise<void> {
  if (accountIds.length === 0) return;
  for (const { account_id, text, ...by } of await canceledCreations(tx, accountIds)) {
    const kind = cause.actor.type === 'user' ? 'manual' : by.kind;
    await endGrantsOn(tx, [{ account_id, entitlement_id: null }], { kind, id: by.source_id, label: text });
  }
}

/** Ends all grants on what these tasks take away. Returns the events of the ends that are planned again. */
export async function takeAway(tx: OrgTx, taskIds: readonly string[], cause: Cause): Promise<NewEvent[]> {
  if (taskIds.length === 0) return [];
  const ended: string[] = [];
  for (const [by, accesses] of byDecision(await takenBy(tx, taskIds)))
    ended.push(...(await endGrantsOn(tx, accesses, by)));
  return ended.length === 0 ? [] : (await planEnds(tx, ended, cause)).events;
}

/** Begins again what these canceled tasks have ended and do not take away. Returns the events of the ends that are planned again. */
export async function giveBack(tx: OrgTx, taskIds: readonly string[], cause: Cause): Promise<NewEvent[]> {
  if (taskIds.length === 0) return [];
  const taken = await notTakenBy(tx, taskIds);
  const begun = await beginGrantsAgain(
    tx,
    taken.map(({ account_id, entitlement_id, kind, source_id: id, since }) => ({
      ...{ account_id, entitlement_id, kind, id, since },
    })),
  );
  return begun.length === 0 ? [] : (await planEnds(tx, begun, cause)).events;
}

/**
 * Grants what these tasks were to take away to those who have it: somebody has rejected the removal (D73). Returns the accounts.
 */
export async function keepTaken(
  tx: OrgTx,
  taskIds: readonly string[],
  userId: string | null,
  label: string,
): Promise<string[]> {
  if (taskIds.length === 0) return [];
  const taken = await removalsOf(tx, taskIds);
  await beginGrants(
    tx,
    taken.map(({ task_id, ...access }) => ({
      ...access,
      kind: 'manual' as const,
      source_id: task_id,
      label,
      decided_by: userId,
      starts_at: null,
      ends_at: null,
    })),
  );
  return [...new Set(taken.map(({ account_id }) => account_id))];
}

/** Ends all grants and suspensions of an account that a task deletes. Returns the events of the ends that are planned again. */
export async function followDeletion(
  tx: OrgTx,
  { id, account_id }: Pick<Task, 'id' | 'account_id'>,
  cause: Cause,
): Promise<NewEvent[]> {
  const by = endingBy(await decisionOf(tx, id));
  await endSuspensions(tx, [account_id], by);
  const ended = await endGrantsOfAccounts(tx, [account_id], by);
  return ended.length === 0 ? [] : (await planEnds(tx, ended, cause)).events;
}

/**
 * Notes what a completed task has given or taken away. A deletion ends all grants and suspensions of its account, and a creation its suspensions. Returns the events of the ends that are
 * planned again.
 */
export async function followReport(tx: OrgTx, task: Task, cause: Cause): Promise<NewEvent[]> {
  const { action, account_id, changes } = task;
  if (action === 'delete_account') {
    await accessGone(tx, [{ account_id, entitlement_id: null }]);
    return followDeletion(tx, task, cause);
  }
  // Those of an earlier account with the same id.
  if (action === 'create_account')
    await endSuspensionsBefore(tx, account_id, endingBy(await decisionOf(tx, task.id)), task.created_at);
  const accesses = (is: boolean) =>
    changes.flatMap(({ entitlement_id, added, type }) =>
      // Licenses follow in a task of their own.
      added === is && !(action === 'create_account' && type === 'license')
        ? [{ account_id, entitlement_id }]
        : [],
    );
  await accessBrought(tx, [
    ...accesses(true),
    ...(action === 'create_account' ? [{ account_id, entitlement_id: null }] : []),
  ]);
  await accessGone(tx, accesses(false));
  return [];
}

const keyOf = ({ task_id, entitlement_id }: { task_id: string; entitlement_id: string | null }) =>
  `${task_id} ${entitlement_id}`;

/** The accesses of tasks, by the decision behind them. */
function byDecision(accesses: readonly AccessOfTask[]): [Ending, AccessOfTask[]][] {
  const groups = Map.groupBy(accesses, (access) => JSON.stringify(endingBy(access)));
  return [...groups.values()].map((group) => [endingBy(group[0] as AccessOfTask), group]);
}

const endingBy = ({
  kind,
  source_id: id,
  label,
  is_silent: isSilent,
}: Pick<AccessOfTask, 'kind' | 'source_id' | 'label' | 'is_silent'>): Ending => ({
  kind,
  id,
  label,
  isSilent,
});
