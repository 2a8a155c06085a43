import { lockAccounts } from '#inventory/records/accounts/account-facts.ts';
import type { PublishedHook } from '#inventory/records/sessions/session.ts';
import { creatorsOf } from './creators.ts';
import { ENDING, planEnds } from './ends.ts';
import { createdEvent } from './events.ts';
import { accountsEndedBy } from './queries/ends.ts';
import { insertChanges, insertTasks } from './queries/insert.ts';
import { type OwedAccess, owedAccess } from './queries/owed.ts';
import { advanceQueue } from './queue.ts';
import { reasonSentences } from './reason-sentences.ts';
import type { TaskSource, TaskType } from './task.ts';

/** The task types and sources of the decisions that ended access. All others are decisions of people about single things. */
const OF_KIND: Partial<Record<OwedAccess['kind'], { type: TaskType; source: TaskSource['type'] }>> = {
  request: { type: 'APPROVAL_WORKFLOW', source: 'ticket' },
  review: { type: 'ACCESS_REVIEW', source: 'review_item' },
  policy: { type: 'POLICY', source: 'policy' },
  restore: { type: 'USER_ACTION', source: 'restore' },
};

/** Plans ends again where a sync has ended grants, because syncs did not show their access for 30 days (D73). */
export const planEndsOfMissing: PublishedHook = async (tx, appId, cause) => {
  const { type, uuid } = cause.source;
  const ended = type !== 'sync' || uuid === null ? [] : await accountsEndedBy(tx, appId, uuid);
  await lockAccounts(tx, ended);
  return ended.length === 0 ? [] : (await planEnds(tx, ended, cause)).events;
};

/**
 * Takes away what a sync shows again within 30 days although the last grant on it has ended (D73), at most once a day. Access that an older
 * task still waits for is taken away by that one (D31).
 */
export const removeOwed: PublishedHook = async (tx, _appId, cause, changedBy) => {
  const owed = changedBy === null ? [] : await owedAccess(tx, changedBy);
  if (owed.length === 0) return [];
  // The deletion of an account takes all that it has.
  const deleted = new Set(
    owed.flatMap(({ account_id, entitlement_id }) => (entitlement_id ? [] : [account_id])),
  );
  const groups = [
    ...Map.groupBy(
      owed.filter(({ account_id, entitlement_id }) => entitlement_id === null || !deleted.has(account_id)),
      ({ account_id, kind, source_id }) => `${account_id} ${kind} ${source_id}`,
    ).values(),
  ];
  const creators = await creatorsOf(
    tx,
    groups.map(() => null),
  );
  const ids = await insertTasks(
    tx,
    groups.map((group, i) => {
      const { app_id, account_id, entitlement_id, kind, source_id, label } = group[0] as OwedAccess;
      const of = OF_KIND[kind];
      return {
        app_id,
        account_id,
        action: entitlement_id === null ? ('delete_account' as const) : ('update_account' as const),
        execute_after: null,
        task_type: of?.type ?? 'USER_ACTION',
        source_type: of?.source ?? null,
        source_id: of === undefined ? null : source_id,
        source_label: label,
        created_by: creators[i] as string,
        reason: reasonSentences.task_access_returned({ decision: label }),
        preconditions: [...ENDING],
        leaving: false,
        gives: false,
        released_by: null,
      };
    }),
  );
  await insertChanges(
    tx,
    groups.flatMap((group, i) =>
      group.flatMap(({ entitlement_id }) =>
        entitlement_id === null ? [] : [{ task_id: ids[i] as string, entitlement_id, added: false }],
      ),
    ),
  );
  const accountIds = groups.map((group) => (group[0] as OwedAccess).account_id);
  const { tasks, events } = await advanceQueue(tx, accountIds, cause, ids);
  return [...tasks.map((task) => createdEvent(task, cause)), ...events];
};
