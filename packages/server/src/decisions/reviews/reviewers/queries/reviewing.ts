import { decidersOf, type Question } from '#directory/deciders/facts.ts';
import {
  type Absent,
  absentPeople,
  hasAbsentPeople,
  type Represented,
  representedBy,
  standIns,
} from '#directory/people/deputy-facts.ts';
import type { Org, OrgDb } from '#kit/database.ts';
import { personJson } from '#kit/identity.ts';
import { exists, many, type RawBuilder, sql, value } from '#kit/sql.ts';

/** A person who reviews, with the ways in which they can without being a reviewer. */
export interface ReviewingPerson {
  userId: string;
  /** Administrators also review items without reviewers. */
  isAdministrator: boolean;
  /** Absent people whose deputy they are. */
  represents: Represented[];
  /** Everybody who is away, if the person may be next in line for items that nobody can review. */
  absent: Absent[];
  /** Whether items were escalated to them. */
  hasEscalated: boolean;
}

export async function findReviewingPerson(
  db: OrgDb,
  userId: string,
  isAdministrator: boolean,
): Promise<ReviewingPerson> {
  const away = await hasAbsentPeople(db);
  const represents = away ? await representedBy(db, userId) : [];
  const inLine = [userId, ...represents.map(({ absentId }) => absentId)];
  const rows = await many(db)`
    select from review_item i
    where i.org_id = ${db.orgId} and i.escalated_to @> array[${userId}::uuid] limit 1`;
  return {
    userId,
    isAdministrator,
    represents,
    absent: away && (await isInLine(db, inLine)) ? await absentPeople(db) : [],
    hasEscalated: rows.length > 0,
  };
}

/** The ids in the fallback of cycle `y`. */
const fallback = sql`
  select listed.id::uuid from jsonb_array_elements_text(
    case when jsonb_typeof(y.settings -> 'fallback_reviewers') = 'array' then y.settings -> 'fallback_reviewers' else '[]' end
  ) as listed (id)`;

/** Whether any of these people is an administrator, or a fallback reviewer of any cycle. */
const isInLine = (db: OrgDb, ids: string[]) => exists(db)`
    select from platform_user u where u.org_id = ${db.orgId} and u.id = any(${ids}::uuid[]) and u.role in ('owner', 'admin')
    union all
    select from review_cycle y cross join lateral (${fallback}) as next (id)
    where y.org_id = ${db.orgId} and next.id = any(${ids}::uuid[])
    limit 1`;

/** The question who decides item `i`, once it has reached this level of escalation. Administrators decide items without reviewers. */
const questionOf = (org: Org, level = 0): Question => ({
  waits: sql`i.reviewers <> '{}'`,
  named: sql`select unnest(i.reviewers)`,
  fallback: sql`
    select next.id from review_cycle y cross join lateral (${fallback}) as next (id)
    where y.org_id = ${org.orgId} and y.id = i.cycle_id`,
  concerned: sql`array_remove(array[i.user_id], null)`,
  level: sql.lit(level),
});

/** Whether all reviewers of item `i` are away. The next in line decide it only then, not while a hold keeps it for somebody who left (D78). */
const isDeserted = (org: Org) => sql`
  i.reviewers <@ array(select absent.absent_id from ${standIns(org)} as absent)`;

/** Whether the person represents this reviewer of item `i`. Nobody whose access is reviewed may be among the deputies. */
const representsFor = ({ absentId, line }: Represented) => sql`
  (i.reviewers @> array[${absentId}::uuid] and (i.user_id = any(${line}::uuid[])) is not true)`;

/**
 * Whether the person is next in line for item `i`, because all its reviewers are away. Those who decided it can change
 * the decision. A reviewer without a deputy, or a deputy whose own access is reviewed, is a necessary condition of
 * that, which indexes can answer.
 */
const stepsIn = (org: Org, { userId, absent }: ReviewingPerson) => {
  if (absent.length === 0) return [];
  const vacant = absent.filter(({ deputyId }) => deputyId === null).map(({ absentId }) => absentId);
  const lines = [...new Set(absent.flatMap(({ line }) => line))];
  return [
    sql`(
      i.reviewers && ${absent.map(({ absentId }) => absentId)}::uuid[]
      and (i.reviewers && ${vacant}::uuid[] or i.user_id = any(${lines}::uuid[]))
      and (i.decision is null or i.decided_by = ${userId}::uuid) and ${isDeserted(org)} and exists (
        select from ${decidersOf(org, questionOf(org))} as place
        where place.user_id = ${userId}::uuid and place.rank > 1))`,
  ];
};

/** The conditions of which one is true for item `i` if the person reviews it. An index serves each of them alone. */
const waysToReview = (org: Org, person: ReviewingPerson): RawBuilder<unknown>[] => {
  const { userId, isAdministrator, represents, hasEscalated } = person;
  return [
    sql`i.reviewers @> array[${userId}::uuid]`,
    ...(isAdministrator ? [sql`i.reviewers = '{}'`] : []),
    ...(hasEscalated ? [sql`i.escalated_to @> array[${userId}::uuid]`] : []),
    ...represents.map(representsFor),
    ...stepsIn(org, person),
  ];
};

/** Whether this person reviews item `i`. People never review their own access. */
export const isReviewedBy = (org: Org, person: ReviewingPerson): RawBuilder<unknown> =>
  sql`i.user_id is distinct from ${person.userId}::uuid and (${sql.join(waysToReview(org, person), sql` or `)})`;

/** Whether cycle `y` has an item that the person reviews and that `matches`. */
export const hasItemFor = (
  org: Org,
  person: ReviewingPerson,
  matches: RawBuilder<unknown> = sql`true`,
): RawBuilder<unknown> => {
  const found = waysToReview(org, person).map(
    // The offset keeps the planner from reading all items of the cycle to join them.
    (isReviewed) => sql`exists (
      select from review_item i
      where i.org_id = ${org.orgId} and i.cycle_id = y.id and i.user_id is distinct from ${person.userId}::uuid
        and ${matches} and ${isReviewed} offset 0)`,
  );
  return sql`(${sql.join(found, sql` or `)})`;
};

/** Counts the items among these that the person reviews. */
export const countReviewed = (
  db: OrgDb,
  cycleId: string,
  person: ReviewingPerson,
  itemIds: string[],
) => value<number>(db)`
    select count(*) as n from review_item i
    where i.org_id = ${db.orgId} and i.cycle_id = ${cycleId} and i.id = any(${itemIds}::uuid[])
      and ${isReviewedBy(db, person)}`;

/** The absent reviewers of item `i` whom the person represents. */
const representedIn = ({ represents }: ReviewingPerson) => {
  const absent = represents.map((one) => sql`case when ${representsFor(one)} then ${one.absentId}::uuid end`);
  return sql`array_remove(array[${sql.join([...absent, sql`null::uuid`])}], null)`;
};

/** The reviewers of item `i` who no longer review it once the person hands it over: the person, and those whom they represent. */
export const replacedBy = (person: ReviewingPerson): RawBuilder<unknown> =>
  sql`array_append(${representedIn(person)}, ${person.userId}::uuid)`;

/**
 * The reviewers of item `i` in whose place the person decides: those whom they represent; all, if the item was escalated
 * or passed on to them. Null if they are a reviewer, or an administrator who steps in.
 */
export const inPlaceOf = (person: ReviewingPerson): RawBuilder<unknown> => {
  const { userId, isAdministrator } = person;
  const represented = sql`nullif(${representedIn(person)}, '{}'::uuid[])`;
  return sql`case when i.reviewers @> array[${userId}::uuid] then null::uuid[] else coalesce(${represented},
    case when i.escalated_to @> array[${userId}::uuid] or not ${isAdministrator}::boolean
      then nullif(i.reviewers, '{}'::uuid[]) end) end`;
};

/** The deputies of item `i` while it is undecided, as JSON. */
export const deputiesOf = (org: Org) => sql`
  case when i.decision is null then coalesce((
    select jsonb_agg(jsonb_build_object('external_uuid', deputy.id, 'email', deputy.email,
      'on_behalf_of', ${personJson('reviewer')}) order by deputy.email)
    from ${decidersOf(org, questionOf(org))} as place
    join platform_user deputy on deputy.org_id = ${org.orgId} and deputy.id = place.user_id
    join platform_user reviewer on reviewer.org_id = ${org.orgId} and reviewer.id = place.seat
    where place.rank = 1 and place.seat <> place.user_id), '[]') else '[]' end`;

/** The people who may decide item `i`, each with the absent or late reviewer in whose place: `id`, `on_behalf_of`. */
export const placesOf = (org: Org) => sql`(
  select given.id, null::uuid as on_behalf_of from unnest(i.reviewers) as given (id)
  union all
  select place.user_id, case when place.rank = 1 then place.seat else i.reviewers[1] end
  from ${decidersOf(org, questionOf(org))} as place
  where case when place.rank > 1 then ${isDeserted(org)} else place.seat <> place.user_id end
  union all
  select given.id, i.reviewers[1] from unnest(i.escalated_to) as given (id)
  union all
  select u.id, null from platform_user u
  where u.org_id = ${org.orgId} and u.role in ('owner', 'admin') and u.status = 'active' and i.reviewers = '{}')`;

/** The people to whom an escalation to this level adds item `i`: the managers of its reviewers, or the next in line. */
export const escalatedTo = (org: Org, level: 1 | 2) => sql`
  select place.user_id from ${decidersOf(org, questionOf(org, level))} as place
  where ${level === 1 ? sql`place.via = 4` : sql`place.via in (2, 3)`}`;
