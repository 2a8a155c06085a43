import { type Db, everywhere, type Org } from '#kit/database.ts';
import { type RawBuilder, run, sql, values } from '#kit/sql.ts';

/**
 * The number of accounts per app, status and linked or not. `account_count` keeps it as steps: each statement that
 * writes accounts appends its differences, so that writers never wait for each other. Readers add the steps up; a job
 * folds them.
 */

/** The `returning` list of an update of `account`, as countSteps expects it. */
export const updatedAccountColumns = sql`
  new.app_id, old.status as old_status, old.user_id is not null as old_linked,
  new.status as new_status, new.user_id is not null as new_linked`;

/** The same for an insert into `account`. */
export const insertedAccountColumns = sql`
  new.app_id, null::text as old_status, null::boolean as old_linked,
  new.status as new_status, new.user_id is not null as new_linked`;

/**
 * Appends the differences of `changed` (a CTE of the same statement with these columns) to
 * `account_count`. Use it as a CTE: `with changed as (update account ... returning ${updatedAccountColumns}),
 * counted as (${countSteps(orgId, sql`changed`)}) select ...`.
 */
export const countSteps = (org: Org, changed: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  insert into account_count (org_id, app_id, status, linked, n)
  select ${org.orgId}::uuid, app_id, status, linked, sum(n) from (
    select app_id, old_status as status, old_linked as linked, -1 as n from ${changed} where old_status is not null
    union all
    select app_id, new_status, new_linked, 1 from ${changed}
  ) as step group by app_id, status, linked having sum(n) <> 0`;

/** Replaces the steps of each app by their sums, so that readers add up only a few rows. */
export async function foldAccountCounts(db: Db): Promise<void> {
  const organizations = await values<string>(everywhere(db))`
    select distinct org_id from account_count order by 1`;
  for (const org_id of organizations) {
    await run(db)`
      with taken as (delete from account_count where org_id = ${org_id} returning *)
      insert into account_count (org_id, app_id, status, linked, n)
      select ${org_id}::uuid, app_id, status, linked, sum(n) from taken group by 1, 2, 3, 4 having sum(n) <> 0`;
  }
}
