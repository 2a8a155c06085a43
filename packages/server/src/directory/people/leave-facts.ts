import type { Org } from '#kit/database.ts';
import { timeZoneOf } from '#kit/identity.ts';
import { type RawBuilder, sql } from '#kit/sql.ts';

/** Whether the person with this alias is on leave now (D85). */
export const isOnLeave = (org: Org, person: string): RawBuilder<boolean> => sql`exists (
  select from absence l
  where l.org_id = ${org.orgId} and l.user_id = ${sql.ref(`${person}.id`)} and l.kind = 'leave'
    and l.starts_at <= now() and l.ends_at > now())`;

/**
 * The first and last day of the present or next leave of the person with this alias, in the organization's time zone: `leave_from` and
 * `leave_until` for a select list. Null: no leave, and no end.
 */
export const leaveDays = (org: Org, person: string): RawBuilder<unknown> => {
  const day = (moment: RawBuilder<unknown>) => sql`(
    select to_char(${moment} at time zone ${timeZoneOf(org)}, 'YYYY-MM-DD')
    from absence l
    where l.org_id = ${org.orgId} and l.user_id = ${sql.ref(`${person}.id`)} and l.kind = 'leave' and l.ended_at is null
      and l.ends_at > now()
    order by l.starts_at limit 1)`;
  return sql`${day(sql`l.starts_at`)} as leave_from,
    ${day(sql`seconds_after(nullif(l.ends_at, 'infinity'), -0.001)`)} as leave_until`;
};
