import { type Db, everywhere, type Org } from '#kit/database.ts';
import { type RawBuilder, run, sql, values } from '#kit/sql.ts';

/**
 * The number of members of each group and license. `member_count` keeps it as steps: each statement that inserts or deletes
 * memberships appends its differences, so that writers never wait for each other. Readers add the steps up; a job folds them.
 */

/** Appends the memberships in `inserted`, a CTE of the same statement. Use it as a CTE, as countSteps. */
export const countBegun = (org: Org, inserted: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  insert into member_count (org_id, entitlement_id, n)
  select ${org.orgId}::uuid, entitlement_id, count(*) from ${inserted} group by entitlement_id`;

/** Appends the memberships in `deleted`, a CTE of the same statement that returns `endedMembership`. */
export const countEnded = (org: Org, deleted: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  insert into member_count (org_id, entitlement_id, n)
  select ${org.orgId}::uuid, was_entitlement_id, -count(*) from ${deleted} group by was_entitlement_id`;

/** Replaces the steps of each group and license that has new ones by their sum. */
export async function foldMemberCounts(db: Db): Promise<void> {
  const organizations = await values<string>(everywhere(db))`
    select distinct org_id from member_count where not folded order by 1`;
  for (const org_id of organizations) {
    await run(db)`
      with taken as (
        delete from member_count c
        where c.org_id = ${org_id} and c.entitlement_id in (
          select s.entitlement_id from member_count s where s.org_id = ${org_id} and not s.folded)
        returning c.entitlement_id, c.n
      )
      insert into member_count (org_id, entitlement_id, n, folded)
      select ${org_id}::uuid, entitlement_id, sum(n), true from taken group by entitlement_id having sum(n) <> 0`;
  }
}
