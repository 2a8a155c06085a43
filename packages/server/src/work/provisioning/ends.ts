import type { GrantKind } from '#inventory/records/accounts/grant-kinds.ts';
import type { OrgTx } from '#kit/database.ts';
import type { Cause } from '#kit/identity.ts';
import type { NewEvent } from '#log/events/record.ts';
import { type OpenGrant, openGrants } from '#reasons/grants/facts.ts';
import { creatorsOf } from './creators.ts';
import { createdEvent, taskEvent } from './events.ts';
import { foundAccess, type PlannedEnd, plannedEnds } from './queries/ends.ts';
import { insertChanges, insertTasks } from './queries/insert.ts';
import { endTasks } from './queries/update.ts';
import { tasksByIds } from './queries/views.ts';
import { reasonSentences } from './reason-sentences.ts';
import type { Precondition, TaskSource, TaskType } from './task.ts';

/** When its turn comes, an end leaves what a grant keeps or a sync found (D73), and what something else gives (D68). */
export const ENDING: readonly Precondition[] = [{ kind: 'no_grant' }, { kind: 'not_derived' }];

/** The task types and sources of ends, by the decision whose grant ends last. */
const OF_KIND: Record<GrantKind, { type: TaskType; source: TaskSource['type'] | null }> = {
  request: { type: 'APPROVAL_WORKFLOW', source: 'ticket' },
  policy: { type: 'POLICY', source: 'policy' },
  restore: { type: 'USER_ACTION', source: 'restore' },
  manual: { type: 'USER_ACTION', source: null },
  business_role: { type: 'POLICY', source: null },
  emergency: { type: 'USER_ACTION', source: null },
};

/**
 * Plans the ends of access that are known in advance, as scheduled tasks (D73, protocol 3.2): they follow from the grants of the accounts.
 * Every operation that begins or ends grants calls it afterwards. The caller has locked the accounts, and records the events last.
 */
export async function planEnds(
  tx: OrgTx,
  accountIds: readonly string[],
  cause: Cause,
): Promise<{ tasks: string[]; events: NewEvent[] }> {
  const ids = [...new Set(accountIds)];
  const [grants, planned] = [await openGrants(tx, ids), await plannedEnds(tx, ids)];
  if (planned.length === 0 && grants.every(({ ends_at }) => ends_at === null))
    return { tasks: [], events: [] };
  const found = new Set((await foundAccess(tx, ids)).map(keyOf));
  const wanted = endsOf(grants, found);
  const isPlanned = new Map(planned.map((end) => [planKey(end), end]));
  const isWanted = new Set(wanted.map(planKey));
  const outdated = planned.filter((end) => !isWanted.has(planKey(end)));
  const missing = wanted.filter((end) => !isPlanned.has(planKey(end)));
  await endTasks(
    tx,
    outdated.map(({ id }) => ({
      id,
      status: 'cancelled',
      reason: reasonSentences.task_end_moved(),
      preempted_by: null,
      awaits_return: false,
    })),
  );
  const created = await insertEnds(tx, missing);
  const views = await tasksByIds(tx, [...outdated.map(({ id }) => id), ...created]);
  return {
    tasks: created,
    events: views.map((task) =>
      task.status === 'cancelled'
        ? taskEvent(task, cause, 'task.cancelled', { reason: task.ended_reason?.text ?? null })
        : createdEvent(task, cause),
    ),
  };
}

const keyOf = ({ account_id, entitlement_id }: { account_id: string; entitlement_id: string | null }) =>
  `${account_id} ${entitlement_id ?? ''}`;

type WantedEnd = Omit<PlannedEnd, 'id'> & { grant: OpenGrant };

const planKey = ({ account_id, action, execute_after, source_id, removed }: Omit<PlannedEnd, 'id'>) =>
  `${account_id} ${action} ${execute_after.getTime()} ${source_id} ${removed.join(',')}`;

/** The ends of these grants: one task for what a decision lets end in an account at the same time. */
function endsOf(grants: readonly OpenGrant[], found: ReadonlySet<string>): WantedEnd[] {
  const ends = [...Map.groupBy(grants, keyOf)].flatMap(([key, group]) =>
    found.has(key) || group[0]?.entitlement_id === null ? [] : lastOfEach(group),
  );
  const updates = [
    ...Map.groupBy(ends, (grant) => `${grant.account_id} ${timeOf(grant)} ${sourceOf(grant)}`),
  ];
  const withFound = new Set([...found].map((key) => key.split(' ')[0]));
  const deletions = [...Map.groupBy(grants, ({ account_id }) => account_id)].flatMap(([id, group]) => {
    const isOurs = group.some(({ entitlement_id }) => entitlement_id === null);
    return isOurs && !withFound.has(id) ? (endOfAccount(group) ?? []) : [];
  });
  return [
    ...updates.map(([, same]) => wantedEnd(same[0] as OpenGrant, same)),
    ...deletions.map((grant) => wantedEnd(grant, [])),
  ];
}

const timeOf = ({ ends_at }: OpenGrant) => ends_at?.getTime() ?? Number.POSITIVE_INFINITY;
const sourceOf = ({ kind, source_id }: OpenGrant) => (OF_KIND[kind].source === null ? null : source_id);

const wantedEnd = (grant: OpenGrant, removed: readonly OpenGrant[]): WantedEnd => ({
  account_id: grant.account_id,
  action: removed.length === 0 ? 'delete_account' : 'update_account',
  execute_after: grant.ends_at as Date,
  source_id: sourceOf(grant),
  removed: removed.flatMap(({ entitlement_id }) => entitlement_id ?? []).sort(),
  grant,
});

/**
 * The grants with which access ends: the last one of each stretch without a gap, unless it has no end. Of those that end together the first
 * one, so that a planned end stays as it is.
 */
function lastOfEach(grants: readonly OpenGrant[]): OpenGrant[] {
  const lasts: OpenGrant[] = [];
  let last: OpenGrant | undefined;
  for (const grant of [...grants].sort((a, b) => a.starts_at.getTime() - b.starts_at.getTime())) {
    if (last !== undefined && grant.starts_at.getTime() > timeOf(last)) lasts.push(last);
    const continues = last !== undefined && grant.starts_at.getTime() <= timeOf(last);
    if (!continues || timeOf(grant) > timeOf(last as OpenGrant)) last = grant;
  }
  if (last !== undefined) lasts.push(last);
  return lasts.filter(({ ends_at }) => ends_at !== null);
}

/** The grant with which an account ends. It stays between two grants. */
function endOfAccount(grants: readonly OpenGrant[]): OpenGrant | undefined {
  const last = grants.reduce((a, b) => (timeOf(b) > timeOf(a) ? b : a));
  return last.ends_at === null ? undefined : last;
}

async function insertEnds(tx: OrgTx, ends: readonly WantedEnd[]): Promise<string[]> {
  if (ends.length === 0) return [];
  const creators = await creatorsOf(
    tx,
    ends.map(({ grant }) => grant.decided_by),
  );
  const ids = await insertTasks(
    tx,
    ends.map(({ grant, account_id, action, execute_after, source_id }, i) => ({
      app_id: grant.app_id,
      account_id,
      action,
      execute_after: execute_after.toISOString(),
      task_type: OF_KIND[grant.kind].type,
      source_type: OF_KIND[grant.kind].source,
      source_id,
      source_label: grant.label,
      created_by: creators[i] as string,
      reason: grant.label === '' ? null : reasonSentences.task_reason_words({ words: grant.label }),
      preconditions: [...ENDING],
      leaving: false,
      gives: false,
      released_by: null,
    })),
  );
  await insertChanges(
    tx,
    ends.flatMap(({ removed }, i) =>
      removed.map((entitlement_id) => ({ task_id: ids[i] as string, entitlement_id, added: false })),
    ),
  );
  return ids;
}
