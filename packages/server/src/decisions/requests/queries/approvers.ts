import { isAnybodyAway, standIns } from '#directory/people/deputy-facts.ts';
import type { Org } from '#kit/database.ts';
import { mayDecide } from '#kit/identity.ts';
import { sql } from '#kit/sql.ts';

/**
 * The people who may decide the current step of ticket `t`, and in whose place: a lateral subquery with the columns
 * `user_id`, `seat` and `rank`. `seat` is the approver in whose place the person decides, or the person themselves. Empty
 * unless the ticket is PENDING.
 *
 * Approvers come in three ranks: (1) the people whom the step names, (2) the app's fallback approvers, (3) the
 * organization's owners and administrators. The first rank with somebody who is not away decides; later ranks are
 * ignored. Deputies decide in place of people who are away; these can still decide themselves. Once the ticket is
 * escalated, the managers of the approvers decide in their place, too (rank 4), and later also the next rank.
 *
 * Never eligible: people who are not active, auditors, the requester, the person who filed the ticket, and the
 * beneficiary. They do not count as approvers, and nobody decides in their place or through them as a deputy.
 *
 * The steps and the fallback are the ticket's copy. "manager" and "app_owner" are resolved when the query runs, so a
 * new manager or owner takes over pending tickets.
 *
 * "offset 0" makes PostgreSQL look candidates up one by one through the primary key. Without it, the planner expects
 * hundreds of candidates per ticket and reads all people of the organization for each ticket.
 */
export const seatsOf = (org: Org, ticket: string) => {
  const t = (column: string) => sql.ref(`${ticket}.${column}`);
  const approvers = sql`${t('steps')} -> ${t('step')} -> 'approvers'`;
  const excluded = sql`array[${t('requester_id')}, ${t('created_by')}, ${t('user_id')}]`;
  const level = sql`case when ${t('escalation_step')} = ${t('step')} then ${t('escalation_level')} else 0 end`;

  const manager = sql`
    select person.manager_id, 1 from platform_user person
    where person.org_id = ${org.orgId} and person.id = ${t('user_id')} and ${approvers} = '"manager"'`;
  const appOwner = sql`
    select app.owner_id, 1 from app
    where app.org_id = ${org.orgId} and app.id = ${t('app_id')} and ${approvers} = '"app_owner"'`;
  const listed = sql`
    select listed.id::uuid, 1
    from jsonb_array_elements_text(case when jsonb_typeof(${approvers}) = 'array' then ${approvers} else '[]' end)
      as listed (id)`;
  const fallback = sql`
    select fallback.id, 2 from unnest(${t('fallback_approvers')}) as fallback (id)`;
  const administrators = sql`
    select administrator.id, 3 from platform_user administrator
    where administrator.org_id = ${org.orgId} and administrator.role in ('owner', 'admin')`;

  /** The person with this id, if eligible, with their deputy. */
  const eligible = (id: ReturnType<typeof sql>) => sql`(
    select able.id, able.manager_id, away.absent_id is not null as is_away,
      case when not away.line && ${excluded} then away.deputy_id end as deputy_id
    from platform_user able
    left join lateral (
      select * from ${standIns(org)} as absent
      where absent.absent_id = able.id and ${isAnybodyAway(org)}
      offset 0) away on true
    where able.org_id = ${org.orgId} and able.id = ${id} and ${mayDecide('able')}
      and not able.id = any(${excluded})
    offset 0)`;

  return sql`(
    select who.user_id, in_turn.id as seat, who.rank, in_turn.is_away and in_turn.deputy_id is null as is_vacant
    from (
      select present.*, min(rank) filter (where rank > first_rank and (not is_away or deputy_id is not null)) over ()
        as next_rank
      from (
        select candidate.rank, person.*,
          min(candidate.rank) filter (where not person.is_away or person.deputy_id is not null) over () as first_rank
        from (
          ${manager} union all ${appOwner} union all ${listed} union all ${fallback} union all ${administrators}
        ) as candidate (id, rank)
        cross join lateral ${eligible(sql`candidate.id`)} as person
        where ${t('status')} = 'PENDING'
      ) as present
    ) as in_turn
    cross join lateral (
      select in_turn.id as user_id, in_turn.rank
      union all
      select in_turn.deputy_id, in_turn.rank where in_turn.deputy_id is not null
      union all
      select boss.user_id, 4
      from ${eligible(sql`in_turn.manager_id`)} as above
      cross join lateral (values (above.id), (above.deputy_id)) as boss (user_id)
      where ${level} >= 1 and in_turn.rank <= 2 and boss.user_id is not null
    ) as who
    where in_turn.rank <= coalesce(in_turn.first_rank, 3) or (${level} >= 2 and in_turn.rank = in_turn.next_rank)
  )`;
};

/** Whether the approver `place.seat` approved the current step of ticket `t` already, or somebody in their place. */
const isFilled = (org: Org, ticket: string) => sql`exists (
  select from ticket_approval made
  where ${madeInStep(org, ticket)} and (made.approver_id = place.seat or place.seat = any(made.on_behalf_of)))`;

const madeInStep = (org: Org, ticket: string) => {
  const t = (column: string) => sql.ref(`${ticket}.${column}`);
  return sql`made.org_id = ${org.orgId} and made.ticket_id = ${t('id')} and made.step = ${t('step')}`;
};

/**
 * The people who may decide the current step of ticket `t` and have not yet, as a lateral subquery with one row for each:
 * `user_id`, `via`, `on_behalf_of` (the approvers in whose places they decide), and `is_own` (whether they decide in
 * their own place, too). See seatsOf for the rules.
 */
export const approversOf = (org: Org, ticket: string) => sql`(
  select place.user_id,
    case when min(place.rank) = 1 then 'named' when min(place.rank) = 2 then 'fallback'
      when min(place.rank) = 3 then 'administrators' else 'escalated' end
      as via,
    array_remove(array_agg(distinct place.seat), place.user_id) as on_behalf_of,
    bool_or(place.seat = place.user_id) as is_own
  from ${seatsOf(org, ticket)} as place
  where not ${isFilled(org, ticket)}
  group by place.user_id)`;

/**
 * Whether the current step of ticket `t` is complete: at least one person approved it. If it requires all, each eligible
 * person whom it names must have approved it, or somebody in their place, unless they are away without a deputy who can
 * decide. One of the people who decide in place of all named ones is enough.
 */
export const stepIsComplete = (org: Org, ticket: string) => {
  const t = (column: string) => sql.ref(`${ticket}.${column}`);
  const made = madeInStep(org, ticket);
  return sql`
    exists (select from ticket_approval made where ${made})
    and (${t('steps')} -> ${t('step')} ->> 'require' = 'any'
      or exists (
        select from ticket_approval made where ${made} and made.via in ('fallback', 'administrators'))
      or not exists (
        select from ${seatsOf(org, ticket)} as place
        where place.rank = 1 and not place.is_vacant and not ${isFilled(org, ticket)}))`;
};
