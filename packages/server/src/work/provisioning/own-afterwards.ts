import { ANY_PROVIDER, MEANS_DAYS } from '#directory/means/acting.ts';
import { handsBehindEach, handsOf } from '#directory/means/hands.ts';
import { requireOtherHands } from '#directory/means/second-person.ts';
import type { MergeHook } from '#directory/people/merge.ts';
import { type AccountsLinkedHook, accountsLately, holdersLately } from '#inventory/records/accounts/links.ts';
import { lockBudgets } from '#inventory/records/budget/budget.ts';
import { hookPoint, type OrgDb, type OrgTx } from '#kit/database.ts';
import type { CallTx, Cause } from '#kit/identity.ts';
import type { NewEvent } from '#log/events/record.ts';
import { appHoldHooks } from './app-holds.ts';
import { taskEvent } from './events.ts';
import { putOnHold } from './on-hold.ts';
import type { TaskPlace } from './queries/find.ts';
import * as queries from './queries/own-afterwards.ts';
import { tasksByIds } from './queries/views.ts';
import { taskRefusals } from './sentences.ts';

/*
 * Tasks that became one's own (D76): somebody behind the decision has the account now, or is the same person as the one who asked for it. They
 * wait for a confirmation by somebody else.
 */

/** Somebody who decided a task, and the people whom it concerns, other than the person of its account. */
export interface Decided {
  task: string;
  person: string;
  at: Date;
  concerned: string[];
}

/** The decisions behind tasks of a feature above. */
export interface DecidersHook {
  deciders(db: OrgDb, tasks: readonly queries.Gift[]): Promise<Decided[]>;
  /** Returns the decisions of the last 30 days that concern one of these people. */
  concerning(db: OrgDb, people: readonly string[]): Promise<string[]>;
}

export const decidersHooks = hookPoint<DecidersHook>();

async function decidersOf(db: OrgDb, gifts: readonly queries.Gift[]): Promise<Decided[]> {
  const found = gifts.flatMap(({ id, decided_by, decided_at }): Decided[] =>
    decided_by === null ? [] : [{ task: id, person: decided_by, at: decided_at, concerned: [] }],
  );
  for (const hook of decidersHooks.of(db)) found.push(...(await hook.deciders(db, gifts)));
  return found;
}

/** Accounts that became somebody's: their tasks wait if the person is behind the decision. */
export const holdOwnOfLinked: AccountsLinkedHook = async (tx, accountIds, cause) =>
  (await holdOwn(tx, await queries.unfetchedGifts(tx, { accountIds, sources: [] }), cause)).events;

/** The same for two records that are one person from now on. Runs last: it locks the budgets of apps. */
export const holdOwnOfMerged: MergeHook = {
  async move(tx, { from, into, cause }) {
    const both = [from.id, into.id];
    const sources: string[] = [];
    for (const hook of decidersHooks.of(tx)) sources.push(...(await hook.concerning(tx, both)));
    const accountIds = (await accountsLately(tx, both)).map(({ account_id }) => account_id);
    const gifts = await queries.unfetchedGifts(tx, { accountIds, sources });
    const { count, events } = await holdOwn(tx, gifts, cause, both);
    return { moved: { held_tasks: count }, events };
  },
};

const OWN =
  'Somebody behind the decision has the account or asked for it. Somebody else has to confirm the task.';

async function holdOwn(
  tx: OrgTx,
  gifts: readonly queries.Gift[],
  cause: Cause,
  samePerson: readonly string[] = [],
): Promise<{ count: number; events: NewEvent[] }> {
  const own = await ownAmong(tx, gifts, samePerson);
  const held = await putOnHold(tx, null, own);
  if (held.length === 0) return { count: 0, events: [] };
  const views = await tasksByIds(
    tx,
    held.map(({ id }) => id),
  );
  const byApp = Map.groupBy(views, ({ app_id }) => app_id);
  // A decision about the held tasks of an app ends before, or sees these.
  await lockBudgets(tx, [...byApp.keys()].sort());
  for (const [appId, tasks] of byApp)
    for (const hook of appHoldHooks.of(tx)) await hook.begin(tx, appId, tasks.length);
  const announced = new Set(held.flatMap((task) => (task.announced ? task.id : [])));
  return {
    count: held.length,
    events: views
      .filter(({ id }) => !announced.has(id))
      .map((task) => taskEvent(task, cause, 'task.dispatch_blocked', { blocked_by: null, reason: OWN })),
  };
}

/** Returns the tasks with somebody behind their decision whom they concern. A confirmation by somebody else counts more than the decision. */
async function ownAmong(
  tx: OrgTx,
  gifts: readonly queries.Gift[],
  samePerson: readonly string[],
): Promise<queries.Gift[]> {
  if (gifts.length === 0) return [];
  const decided = await decidersOf(tx, gifts);
  const behind = await handsBehindEach(
    tx,
    decided.map(({ person, at }) => ({ person, at, provider: ANY_PROVIDER })),
  );
  const everybody = (people: Iterable<string>) => {
    const all = new Set(people);
    return samePerson.some((id) => all.has(id)) ? all.union(new Set(samePerson)) : all;
  };
  const oldest = Date.now() - MEANS_DAYS * 86_400_000;
  return gifts.filter(({ id, user_id, confirmed, decided_by }) => {
    const rows = decided.flatMap((row, i) => (row.task === id ? [{ ...row, hands: behind[i] }] : []));
    const concerned = everybody([
      ...rows.flatMap((row) => row.concerned),
      ...(user_id === null ? [] : [user_id]),
    ]);
    return rows.some(({ person, at, hands }) => {
      const counts = at.getTime() > oldest && (!confirmed || person === decided_by);
      return counts && !everybody(hands?.keys() ?? []).isDisjointFrom(concerned);
    });
  });
}

/** Whether a task waits because it became somebody's own. */
export const waitsForSecondPerson = (db: OrgDb, taskId: string): Promise<boolean> =>
  queries.waitsForSecondPerson(db, taskId);

/**
 * Leaves out the tasks that give access to somebody behind the call, or that such a person asked for: somebody else confirms them (D76). With
 * `rejected`, those that take something away from them: somebody else rejects them. If there are no others, throws 403, or returns the event of
 * the only administrator, who may.
 */
export async function withoutOwn(
  tx: CallTx,
  tasks: readonly TaskPlace[],
  { rejected = false } = {},
): Promise<{ tasks: readonly TaskPlace[]; waived: NewEvent[] }> {
  const gifts = await queries.giftsAmong(
    tx,
    tasks.map(({ id }) => id),
    rejected,
  );
  if (gifts.length === 0) return { tasks, waived: [] };
  const hands = await handsOf(tx, tx.principal);
  const holders = await holdersLately(
    tx,
    gifts.map(({ account_id }) => account_id),
  );
  const decided = await decidersOf(tx, gifts);
  const beneficiaries = new Map(
    gifts.map(({ id, account_id }) => [
      id,
      [
        ...holders.flatMap((holder) => (holder.account_id === account_id ? holder.user_id : [])),
        ...decided.flatMap(({ task, concerned }) => (task === id ? concerned : [])),
      ].filter((person) => hands.has(person)),
    ]),
  );
  const others = tasks.filter(({ id }) => (beneficiaries.get(id) ?? []).length === 0);
  if (others.length > 0) return { tasks: others, waived: [] };
  const waived = await requireOtherHands(tx, {
    act: 'task',
    hands,
    beneficiaries: [...beneficiaries.values()].flat(),
    refuse: () => taskRefusals.own_benefit(),
  });
  return { tasks, waived };
}
