import { Type } from 'typebox';
import { accountEmailContains, accounts } from '#inventory/records/accounts/facts.ts';
import type { Org, OrgDb } from '#kit/database.ts';
import { Uuid } from '#kit/schemas.ts';
import { filter, filters, type RawBuilder, sql, type ValuesOf } from '#kit/sql.ts';
import { hasItsTurn } from './queries/due.ts';
import type { TaskStatus } from './task.ts';
import {
  Action,
  ErrorCode,
  TaskStatus as TaskStatusSchema,
  WaitsFor as WaitsForSchema,
} from './task-schemas.ts';

export interface Asked extends OrgDb {
  /** Whether tasks are due that are not stored as pending yet. */
  isAnyDue: boolean;
}

/**
 * Returns the condition that task `t` has a status for readers. If no task is due, it is the stored one: then the index returns
 * the tasks in order.
 */
export function hasStatus(status: TaskStatus, { isAnyDue, ...org }: Asked): RawBuilder<unknown> {
  if (isAnyDue && status === 'pending') return sql`(t.status = 'pending' or ${hasItsTurn(org)})`;
  if (isAnyDue && status === 'scheduled') return sql`(t.status = 'scheduled' and not ${hasItsTurn(org)})`;
  return sql`t.status = ${status}`;
}

/** Task `t` is this one, or retries it or is retried by it, at any distance. All have the same account. */
const isAttemptOf = (org: Org, id: string) => sql`t.id in (
  with recursive attempt as (
    select a.id, a.retry_of, a.account_id from task a where a.org_id = ${org.orgId} and a.id = ${id}
    union
    select a.id, a.retry_of, a.account_id from attempt near
    join task a on a.org_id = ${org.orgId} and a.account_id = near.account_id
      and (a.id = near.retry_of or a.retry_of = near.id))
  select attempt.id from attempt)`;

const ofAccounts = (org: Org, condition: RawBuilder<unknown>) =>
  sql`t.account_id in (select a.id from ${accounts} a where a.org_id = ${org.orgId} and ${condition})`;

export const ofEmail = (org: Org, email: string) => ofAccounts(org, accountEmailContains('a', email));

export const taskFilters = filters({
  app: filter(Uuid, (app) => sql`t.app_id = ${app}`),
  account: filter(Uuid, (account) => sql`t.account_id = ${account}`),
  status: filter(TaskStatusSchema, hasStatus),
  action: filter(Action, (action) => sql`t.action = ${action}`),
  user: filter({ ...Uuid, description: 'Tasks of the accounts of this user.' }, (person, org) =>
    ofAccounts(org, sql`a.user_id = ${person}`),
  ),
  source: filter(
    { ...Uuid, description: 'The ticket, review item or policy that created the task.' },
    (source) => sql`t.source_id = ${source}`,
  ),
  error_code: filter(ErrorCode, (code) => sql`t.status = 'failed' and t.error ->> 'code' = ${code}`),
  waits_for: filter(WaitsForSchema, (what) => sql`t.status = 'scheduled' and t.waits_for = ${what}`),
  held: filter(
    Type.Boolean({
      description:
        'Whether an administrator has to confirm or reject the task, as one of the held tasks of its app.',
    }),
    (isHeld) =>
      sql`(t.status = 'scheduled' and coalesce(t.waits_for in ('confirmation', 'undecided'), false)) = ${isHeld}`,
  ),
  hold: filter(
    { ...Uuid, description: 'Tasks that wait in this hold.' },
    (hold) => sql`t.status = 'scheduled' and t.waits_for = 'hold' and t.hold_id = ${hold}`,
  ),
  attempts_of: filter(
    {
      ...Uuid,
      description: 'All attempts at this task: itself, the tasks that it retries, and those that retry it.',
    },
    (task, org) => isAttemptOf(org, task),
  ),
  email: filter(
    Type.String({ description: "Part of the account's email, compared without case." }),
    (email, org) => ofEmail(org, email),
  ),
});
export type TaskFilter = ValuesOf<typeof taskFilters>;
