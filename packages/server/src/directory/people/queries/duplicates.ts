import { type RawBuilder, sql } from 'kysely';
import type { OrgDb } from '../../../kit/database/organization.ts';
import type { Page, Slice } from '../../../kit/http/lists.ts';
import { emailKey } from '../../../kit/identity/person-facts.ts';
import { DUPLICATE_REASONS, type DuplicateReason, type Person } from '../person.ts';
import { isDismissed } from './dismissals.ts';
import { asciiSkeleton, personColumns } from './people.ts';

/** Two people who may be the same. */
export interface DuplicateRow {
  one: string;
  other: string;
  /** The likelihood, a number from 0 to 100. */
  score: number;
  /** The values that the two have in common, the strongest first. */
  reasons: DuplicateReason[];
}

/** A value that more people share says nothing. Each group of n people has n * (n - 1) / 2 pairs. */
const MOST_ALIKE = 10;

const SCORES: Record<DuplicateReason, number> = {
  employee_number: 90,
  lookalike_email: 80,
  name: 70,
  local_part: 60,
};

/** The attributes in which directories keep the employee number. */
const NUMBERS = ['employee_number', 'employeeNumber', 'employee_id', 'employeeId', 'Employee number'];

/** Lists pairs of people that nobody has dismissed, the likeliest first. Reads all people once: 100,000 take about a second. */
export async function listDuplicates(db: OrgDb, page: Page): Promise<Slice<DuplicateRow>> {
  const number = sql.join(NUMBERS.map((name) => sql`nullif(u.attributes ->> ${sql.lit(name)}, '')`));
  const { rows } = await sql<DuplicateRow & { n: number }>`
    with keyed as materialized (
      select u.id, lower(coalesce(${number})) as employee_number,
        coalesce(u.email_skeleton, ${asciiSkeleton}) as lookalike_email,
        case when u.first_name <> '' and u.last_name <> '' then lower(u.first_name || ' ' || u.last_name) end as name,
        split_part(${emailKey(sql`u.email`)}, '@', 1) as local_part
      from platform_user u
      where u.org_id = ${db.orgId} and u.merged_into is null and u.succeeded_by is null
    ), alike as (${sql.join(DUPLICATE_REASONS.map(alike), sql` union all `)}
    ), pairs as (
      select a.reason, a.score, one.id as one, other.id as other
      from alike a cross join unnest(a.ids) as one (id) cross join unnest(a.ids) as other (id) where one.id < other.id
    ), ranked as (
      select one, other, least(max(score) + 5 * (count(*) - 1), 100)::integer as score,
        array_agg(reason order by score desc) as reasons
      from pairs group by one, other
    )
    select count(*) over () as n, one, other, score, reasons from ranked
    where not ${isDismissed(db, 'ranked.one', 'ranked.other')}
    order by score desc, one, other limit ${page.limit} offset ${page.offset}`.execute(db);
  return { count: rows[0]?.n ?? 0, results: rows };
}

const alike = (reason: DuplicateReason): RawBuilder<unknown> => sql`
  select ${sql.lit(reason)} as reason, ${sql.lit(SCORES[reason])} as score, array_agg(id) as ids
  from keyed where ${sql.ref(reason)} <> ''
  group by ${sql.ref(reason)} having count(*) between 2 and ${sql.lit(MOST_ALIKE)}`;

/** Returns people by their ids. */
export async function findPeople(db: OrgDb, ids: string[]): Promise<Map<string, Person>> {
  const { rows } = await sql<Person>`
    select ${personColumns} from platform_user u where u.org_id = ${db.orgId} and u.id = any(${ids}::uuid[])`.execute(
    db,
  );
  return new Map(rows.map((person) => [person.id, person]));
}
