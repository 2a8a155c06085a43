import { accounts } from '#inventory/records/accounts/facts.ts';
import type { OrgDb } from '#kit/database.ts';
import { exists, many, type RawBuilder, sql } from '#kit/sql.ts';
import { givesAccess } from '../facts.ts';
import { takesAway } from './budget.ts';

/** An open task that gives access. */
export interface Gift {
  id: string;
  app_id: string;
  account_id: string;
  /** The person whose the account is. */
  user_id: string | null;
  source_type: string | null;
  source_id: string | null;
  /** The person who confirmed it, or else decided it. */
  decided_by: string | null;
  decided_at: Date;
  confirmed: boolean;
}

const gifts = (db: OrgDb, which: RawBuilder<unknown>) => many<Gift>(db)`
    select t.id, t.app_id, t.account_id, a.user_id, t.source_type, t.source_id,
      coalesce(t.released_by, t.created_by) as decided_by, coalesce(t.released_at, t.created_at) as decided_at,
      t.released_by is not null as confirmed
    from task t join ${accounts} a on a.org_id = ${db.orgId} and a.id = t.account_id
    where t.org_id = ${db.orgId} and t.status in ('scheduled', 'pending') and ${which}
    order by t.number`;

/** Returns those of these tasks that give access, or take something away. */
export const giftsAmong = (db: OrgDb, taskIds: readonly string[], taking: boolean) =>
  gifts(
    db,
    sql`t.id = any(${[...taskIds]}::uuid[]) and ${taking ? takesAway(db, 't') : givesAccess(db, 't')}`,
  );

/** Returns the tasks of these accounts and decisions that no connector has fetched, and that wait for no confirmation. */
export const unfetchedGifts = (
  db: OrgDb,
  { accountIds, sources }: { accountIds: readonly string[]; sources: readonly string[] },
) =>
  gifts(
    db,
    sql`${givesAccess(db, 't')} and t.dispatched_at is null and coalesce(t.waits_for not in ('confirmation', 'hold'), true)
      and (t.account_id = any(${[...accountIds]}::uuid[]) or t.source_id = any(${[...sources]}::uuid[]))`,
  );

/** Whether a task waits for a confirmation although it takes nothing away. */
export const waitsForSecondPerson = (db: OrgDb, taskId: string) => exists(db)`
    select from task t
    where t.org_id = ${db.orgId} and t.id = ${taskId} and t.status = 'scheduled' and t.waits_for = 'confirmation'
      and not ${takesAway(db, 't')}`;
