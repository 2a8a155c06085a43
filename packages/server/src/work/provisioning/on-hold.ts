import { holdApps } from '#inventory/apps/facts.ts';
import { lockAccounts } from '#inventory/records/accounts/account-facts.ts';
import { closeLosses } from '#inventory/records/budget/budget.ts';
import type { OrgTx } from '#kit/database.ts';
import type { Cause } from '#kit/identity.ts';
import type { NewEvent } from '#log/events/record.ts';
import type { TaskPlace } from './queries/find.ts';
import { lockOpenTasks, type OpenTask } from './queries/lock.ts';
import * as queries from './queries/on-hold.ts';
import { advanceQueue } from './queue.ts';

/**
 * Puts those of these tasks on hold that no connector has fetched (D78): pending ones are scheduled again. Connectors do not get them until
 * they are released. Other tasks of their accounts can have their turn instead. Without a hold, they wait for a confirmation. Returns them.
 */
export async function putOnHold(
  tx: OrgTx,
  holdId: string | null,
  tasks: readonly { id: string; account_id: string }[],
): Promise<OpenTask[]> {
  if (tasks.length === 0) return [];
  const wanted = new Set(tasks.map(({ id }) => id));
  const accountIds = [...new Set(tasks.map(({ account_id }) => account_id))];
  await lockAccounts(tx, accountIds);
  const open = await lockOpenTasks(tx, accountIds);
  const held = open.filter(({ id, dispatched }) => wanted.has(id) && !dispatched);
  const ids = held.map(({ id }) => id);
  await queries.putOnHold(tx, holdId, ids);
  await closeLosses(tx, ids, 'none');
  await queries.wakeOthers(tx, accountIds);
  return held;
}

/** Lets tasks of a hold have their turn, also if they exceed the budget of their app. The caller records the events, last. */
export async function releaseFromHold(
  tx: OrgTx,
  tasks: readonly TaskPlace[],
  userId: string,
  cause: Cause,
): Promise<NewEvent[]> {
  if (tasks.length === 0) return [];
  await holdApps(tx, [...new Set(tasks.map(({ app_id }) => app_id))]);
  const accountIds = [...new Set(tasks.map(({ account_id }) => account_id))];
  await lockAccounts(tx, accountIds);
  await queries.release(
    tx,
    tasks.map(({ id }) => id),
    userId,
  );
  return (await advanceQueue(tx, accountIds, cause)).events;
}
