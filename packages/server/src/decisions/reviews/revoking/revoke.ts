import type { OrgTx } from '#kit/database.ts';
import type { Cause } from '#kit/identity.ts';
import type { Sentence } from '#kit/sentences.ts';
import type { NewEvent } from '#log/events/record.ts';
import { apply } from '#proposals/apply.ts';
import type { Change } from '#proposals/change.ts';
import { propose } from '#proposals/propose.ts';
import { cancelTasks } from '#work/provisioning/create.ts';
import type { Decision } from '../campaigns/cycle.ts';
import type { LockedCycle, LockedItem } from '../campaigns/queries/locks.ts';
import { coolingOffEnd } from '../campaigns/schedule.ts';
import { creationSentences, endingSentences } from '../sentences.ts';
import { type ForDerived, type Possible, possible } from './outcomes.ts';
import { takenAlong } from './queries/kept.ts';
import { attachTasks, carriedOutAt, detachTasks, type Revocable, revocable } from './queries/revoke.ts';

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
  const items = await possible(tx, cycle, await revocable(tx, cycle, itemIds), derived);
  const decidedTogether = Map.groupBy(
    items,
    ({ account_id, decided_at }) => `${account_id} ${decided_at.getTime()}`,
  );
  const batches = [...decidedTogether.values()].flatMap((together) => splitByTask(together, cycle));
  const { changes } = await propose(
    tx,
    batches.map((batch) => changeOf(batch, cycle)),
  );
  const { tasks, events } = await apply(tx, { changes, held: [] }, cause);
  const pairs = changes.flatMap(({ batch }, i) =>
    batch.map(({ id }) => ({ item: id, task: tasks[i]?.id as string })),
  );
  if (pairs.length > 0) await attachTasks(tx, cycle.id, pairs);
  return events;
}

/**
 * Deleting an account covers its entitlements. Suspending it does not, so they get a task of their own. So do those of an account that
 * may have to stay: if it does not, the deletion preempts their task.
 */
function splitByTask(items: Possible[], { settings }: LockedCycle): Possible[][] {
  const account = items.filter(({ kind }) => kind === 'account');
  const entitlements = items.filter(({ kind }) => kind !== 'account');
  const isCovered =
    account.length > 0 && settings.revoke_account_by === 'delete'
      ? (item: Possible) => item.only_with_account === true || !account.some(({ may_stay }) => may_stay)
      : () => false;
  const alone = entitlements.filter((item) => !isCovered(item));
  return [alone, [...account, ...entitlements.filter(isCovered)]].filter((batch) => batch.length > 0);
}

function changeOf(batch: Revocable[], { settings }: LockedCycle): Change & { batch: Revocable[] } {
  const first = batch[0] as Revocable;
  const isAccount = first.kind === 'account';
  return {
    batch,
    decision: {
      ...{ kind: 'review', id: first.id, label: settings.name, decidedBy: first.decided_by },
      reason: reasonOf(batch, settings.name),
    },
    action: isAccount ? `${settings.revoke_account_by}_account` : 'update_account',
    app: { id: first.app_id },
    user: null,
    account: { id: first.account_id },
    add: [],
    remove: isAccount
      ? []
      : batch.flatMap(({ entitlement_id }) => (entitlement_id === null ? [] : [{ entitlement_id }])),
    executeAfter: coolingOffEnd(first.decided_at, settings.cooling_off_hours),
  };
}

function reasonOf(batch: Revocable[], campaign: string): Sentence {
  if (batch[0]?.decided_by === null) return creationSentences.task_revoked_unanswered({ campaign });
  const comments = [...new Set(batch.flatMap(({ comment }) => comment ?? []))];
  return comments.length === 0
    ? creationSentences.task_revoked({ campaign })
    : creationSentences.task_revoked_because({ campaign, comments: comments.join(' ') });
}

/**
 * Cancels the tasks of these items, and retries of them. Returns as `others` the remaining items of these tasks, which need new tasks if
 * they are still revoked. These include the items whose tasks take away what is no longer revoked, or what a person keeps now, with
 * something else (D68). Tasks that have ended in another way, such as by an administrator, stay as they are. The caller holds the
 * locks of the items' apps.
 */
export async function cancelRevocations(
  tx: OrgTx,
  cycle: LockedCycle,
  items: LockedItem[],
  decision: Decision | null,
  cause: Cause,
): Promise<{ others: string[]; events: NewEvent[] }> {
  const changed = new Set(items.map(({ id }) => id));
  const through = await OTHERS_WITH[decision ?? 'none'](tx, cycle, [...changed]);
  // Items that were decided together share a task.
  const tasks = new Map(
    [...items, ...through].flatMap(({ task_id: id, app_id, account_id }) =>
      id === null ? [] : [[id, { id, app_id, account_id }]],
    ),
  );
  const reason = endingSentences.task_review_changed();
  const { withdrawn, events } = await cancelTasks(tx, [...tasks.values()], cause, reason, {
    withRetries: true,
  });
  const detached = withdrawn.length === 0 ? [] : await detachTasks(tx, cycle.id, withdrawn);
  return { others: detached.filter((id) => !changed.has(id)), events };
}

/** The other items with a task that a new decision puts into question. */
const OTHERS_WITH = {
  keep: takenAlong,
  revoke: async () => [],
  none: (tx, cycle, itemIds) => carriedOutAt(tx, cycle.id, itemIds),
} satisfies Record<Decision | 'none', typeof takenAlong>;
