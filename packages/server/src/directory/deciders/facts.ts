import { isAnybodyAway, standIns } from '#directory/people/deputy-facts.ts';
import type { Org } from '#kit/database.ts';
import { mayDecide } from '#kit/identity.ts';
import { type RawBuilder, sql } from '#kit/sql.ts';

type Sql = RawBuilder<unknown>;

/** A question that waits for people, such as a step of a request or an item of a review, in SQL. */
export interface Question {
  /** Whether it waits. */
  waits: Sql;
  /** Selects the ids of the people whom it names, and of those who come next. Owners and administrators come last. */
  named: Sql;
  fallback: Sql;
  /** uuid[]: the people whom it concerns. They never decide, and neither do deputies whom they chose. */
  concerned: Sql;
  /** 0; 1 once nobody has decided in time, 2 after twice that time. */
  level: Sql;
  /** Only for a question with several seats or steps (D76). */
  voices?: Voices;
}

/** The decisions so far. */
export interface Voices {
  /** Whether each person whom the question names has a seat that somebody has to fill. Otherwise one decision is enough. */
  all: Sql;
  /** uuid[]: people who count already, for an earlier question or for a seat of this one. */
  spoken: Sql;
  /** uuid[]: named people whose seats are filled. */
  filled: Sql;
  /** The number of seats that people who come next have filled. */
  spares: Sql;
}

const NOBODY = sql`'{}'::uuid[]`;
const ONE_SEAT: Voices = { all: sql`false`, spoken: NOBODY, filled: NOBODY, spares: sql`0` };

/** The person with this id, their deputy while they are away, and why either does not decide the question `q`. */
const person = (org: Org, id: Sql) => sql`(
  select able.id, able.manager_id, ${mayDecide('able')} as may_decide, away.absent_id is not null as is_away,
    away.deputy_id, case when not (${mayDecide('able')}) then 'unable' when able.id = any(q.concerned) then 'concerned'
      when able.id = any(q.spoken) then 'counts_already' end as because,
    case when away.line && q.concerned then 'concerned'
      when away.deputy_id = any(q.spoken) then 'counts_already' end as deputy_because
  from platform_user able
  left join lateral (
    select * from ${standIns(org)} as absent
    where absent.absent_id = able.id and ${isAnybodyAway(org)}
    offset 0) away on true
  where able.org_id = ${org.orgId} and able.id = ${id}
  offset 0)`;

/**
 * The people for whom a question has a place, as a lateral subquery: `user_id`; `seat`, the person in whose place, or the person
 * themselves; `rank`, that of the seat; `via`, how they come to it; and `because`, why they do not decide after all, or null.
 *
 * There are three ranks: (1) the people whom it names, (2) the fallback, (3) owners and administrators. The first rank with
 * somebody who is not away decides. Deputies decide in place of people who are away; these can still decide themselves. Once the
 * question is escalated, the managers of the first two ranks decide in their place, too (`via` 4), and later also the next rank.
 *
 * If all named people have a seat, one whom nobody can fill (its person is away without a deputy, has left, is concerned, or
 * counts already) goes to the next rank with somebody present. A deputy has one seat, their own before those of others.
 *
 * Nobody decides who is not active, an auditor, concerned, or counts already, and nobody in their place.
 *
 * "offset 0" makes PostgreSQL look candidates up one by one through the primary key, and read the voices once. Without it, the planner
 * expects hundreds of candidates for each question and reads all people of the organization.
 */
const placesOf = (
  org: Org,
  { waits, named, fallback, concerned, level, voices = ONE_SEAT }: Question,
) => sql`(
  select who.user_id, in_turn.id as seat, in_turn.rank, who.via, who.because
  from (
    select based.*, min(rank) filter (where rank > base and is_present) over () as next_rank
    from (
      select counted.*, case when not is_each then coalesce(first_rank, 3)
        when open > 0 and vacant <= spares then 1 else coalesce(second_rank, 3) end as base
      from (
        select holder.*, min(rank) filter (where is_present) over () as first_rank,
          min(rank) filter (where is_present and rank > 1) over () as second_rank,
          count(*) filter (where rank = 1 and not is_filled) over () as open,
          count(*) filter (where rank = 1 and not is_filled and not is_present) over () as vacant
        from (
          select seat.*, because is null and (not is_away or (deputy_id is not null and deputy_why is null)) as is_present
          from (
            select q.concerned, q.spoken, q.is_each, q.spares, candidate.id, candidate.rank, turn.is_filled, one.manager_id,
              one.may_decide, one.is_away, one.deputy_id, turn.because,
              coalesce(one.deputy_because, case
                when one.deputy_id = any(array_agg(candidate.id) filter (where candidate.rank = 1) over ())
                  or row_number() over (partition by one.deputy_id
                    order by coalesce(turn.because, one.deputy_because) is not null, candidate.rank, candidate.id) > 1
                then 'has_another_seat' end) as deputy_why
            from (
              select ${concerned} as concerned, ${voices.spoken} as spoken, ${voices.filled} as filled,
                ${voices.all} as is_each, ${voices.spares} as spares
              where ${waits}
              offset 0
            ) as q
            cross join lateral (
              select given.id, min(given.rank) as rank
              from (
                select named.id, 1 from (${named}) as named (id)
                union all select fallback.id, 2 from (${fallback}) as fallback (id)
                union all select u.id, 3 from platform_user u where u.org_id = ${org.orgId} and u.role in ('owner', 'admin')
              ) as given (id, rank)
              where given.id is not null group by given.id
            ) as candidate
            left join lateral ${person(org, sql`candidate.id`)} as one on true
            cross join lateral (
              select candidate.rank = 1 and candidate.id = any(q.filled) as is_filled, case when one.id is null then 'unable'
                when candidate.rank = 1 and candidate.id = any(q.filled) then 'counts_already' else one.because end as because
            ) as turn
          ) as seat
        ) as holder
      ) as counted
    ) as based
  ) as in_turn
  cross join lateral (
    select in_turn.id as user_id, in_turn.rank as via, in_turn.because where in_turn.may_decide
    union all
    select in_turn.deputy_id, in_turn.rank, in_turn.deputy_why
    where in_turn.because is null and in_turn.deputy_id is not null
    union all
    select boss.user_id, 4, null
    from (select in_turn.concerned, in_turn.spoken) as q
    cross join lateral ${person(org, sql`in_turn.manager_id`)} as above
    cross join lateral (values (above.id), (case when above.deputy_because is null then above.deputy_id end)) as boss (user_id)
    where ${level} >= 1 and in_turn.rank <= 2 and in_turn.because is null and above.because is null and boss.user_id is not null
  ) as who
  where in_turn.rank <= in_turn.base or (${level} >= 2 and in_turn.rank = in_turn.next_rank))`;

/** The people who may decide a question, each with one seat: the columns of placesOf but `because`. */
export const decidersOf = (org: Org, question: Question): Sql => sql`(
  select distinct on (place.user_id) place.user_id, place.seat, place.rank, place.via
  from ${placesOf(org, question)} as place where place.because is null
  order by place.user_id, place.seat <> place.user_id, place.via, place.seat)`;

/** The named and fallback people who would decide a question, and why they do not: `user_id`, `because`. */
export const excludedFrom = (org: Org, question: Question): Sql => sql`(
  select distinct on (place.user_id) place.user_id, place.because
  from ${placesOf(org, question)} as place where place.because is not null and place.rank <= 2
  order by place.user_id, place.because)`;

/** Whether each seat of a question is filled, once somebody has decided. */
export const isEachSeatFilled = ({ named }: Question, { filled, spares }: Voices): Sql => sql`(
  select count(distinct named.id) filter (where not named.id = any(${filled})) <= ${spares}
  from (${named}) as named (id))`;

/** The people in `list` who may decide and whom the question does not concern, in its order: an expression for an array. */
export const ableOf = (org: Org, list: Sql, concerned: Sql, keeps: Sql = mayDecide('u')): Sql => sql`array(
  select u.id from unnest(${list}) with ordinality as given (id, n)
  join platform_user u on u.org_id = ${org.orgId} and u.id = given.id
  where ${keeps} and u.id is distinct from ${concerned}
  group by u.id order by min(given.n))`;

/** Whether the person with this alias is away. */
export const isAway = (org: Org, alias: string): Sql => sql`(
  ${isAnybodyAway(org)} and ${sql.ref(`${alias}.id`)} in (select absent.absent_id from ${standIns(org)} absent))`;

/** The level of escalation that a question has reached that has waited since `since`: 0, 1 after `days` working days, 2 after twice as many. */
export const levelOf = (since: Sql, days: Sql): Sql => sql`
  case when after_working_days(${since}, 2 * ${days}) <= clock_now() then 2
    when after_working_days(${since}, ${days}) <= clock_now() then 1 else 0 end`;
