import type { OrgDb } from '#kit/database.ts';
import type { Page, Slice } from '#kit/pages.ts';
import { many, sql } from '#kit/sql.ts';
import { DUPLICATE_REASONS, type DuplicateReason, type Person } from '../person.ts';
import { isDismissed } from './dismissals.ts';
import { personColumns } from './people.ts';

/** Two people who may be the same. */
export interface DuplicateRow {
  one: string;
  other: string;
  /** The likelihood, a number from 0 to 100. */
  score: number;
  /** The values that the two have in common, the strongest first. */
  reasons: DuplicateReason[];
}

const SCORES: Record<DuplicateReason, number> = {
  employee_number: 90,
  lookalike_email: 80,
  name: 70,
  local_part: 60,
  succession: 50,
};

const scored = sql`(values ${sql.join(
  DUPLICATE_REASONS.map((reason) => sql`(${sql.lit(reason)}, ${sql.lit(SCORES[reason])})`),
)}) as r (reason, score)`;

/** Lists pairs of people that nobody has dismissed, the likeliest first. Reads only people who share a value, or succeeded somebody. */
export async function listDuplicates(db: OrgDb, page: Page): Promise<Slice<DuplicateRow>> {
  const rows = await many<DuplicateRow & { n: number }>(db)`
    with pairs as (
      select r.reason, r.score, one.id as one, other.id as other
      from shared_value v join ${scored} on r.reason = v.reason
      cross join unnest(v.user_ids) as one (id) cross join unnest(v.user_ids) as other (id)
      where v.org_id = ${db.orgId} and one.id < other.id
      union all
      select r.reason, r.score, least(u.id, u.succeeded_by), greatest(u.id, u.succeeded_by)
      from platform_user u join ${scored} on r.reason = 'succession'
      where u.org_id = ${db.orgId} and u.succeeded_by is not null and u.merged_into is null
    ), ranked as (
      select one, other, least(max(score) + 5 * (count(*) - 1), 100)::integer as score,
        array_agg(reason order by score desc) as reasons
      from pairs group by one, other
    )
    select count(*) over () as n, one, other, score, reasons from ranked
    where not ${isDismissed(db, 'ranked.one', 'ranked.other')}
    order by score desc, one, other limit ${page.limit} offset ${page.offset}`;
  return { count: rows[0]?.n ?? 0, results: rows };
}

/** Returns people by their ids. */
export async function findPeople(db: OrgDb, ids: string[]): Promise<Map<string, Person>> {
  const rows = await many<Person>(db)`
    select ${personColumns} from platform_user u where u.org_id = ${db.orgId} and u.id = any(${ids}::uuid[])`;
  return new Map(rows.map((person) => [person.id, person]));
}
