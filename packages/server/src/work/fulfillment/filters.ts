import { Type } from 'typebox';
import type { OrgDb } from '#kit/database.ts';
import { Uuid } from '#kit/schemas.ts';
import { filter, filters, flagFilter, sql, type ValuesOf } from '#kit/sql.ts';

/** The caller who asks for tasks. */
export interface Asked extends OrgDb {
  userId: string;
  /** The apps of the caller's key. Null: all. */
  apps: string[] | null;
  /** A member sees their own tasks and those of the apps that they own. */
  member: boolean;
}

export const assignmentFilters = filters({
  mine: flagFilter(
    { default: false, description: 'Only tasks assigned to the caller.' },
    ({ userId }: Asked) => sql`a.assignee_id = ${userId}`,
  ),
  state: filter(Type.Enum(['open', 'ended'], { default: 'open' }), (state, { orgId }) =>
    state === 'open'
      ? sql`t.status = 'pending' and exists (
          select from fulfillment_setting s where s.org_id = ${orgId} and s.app_id = a.app_id and s.enabled)`
      : sql`t.status not in ('scheduled', 'pending')`,
  ),
  app: filter(Uuid, (app) => sql`a.app_id = ${app}`),
});
export type AssignmentFilter = ValuesOf<typeof assignmentFilters>;
