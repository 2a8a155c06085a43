import {
  decidersOf,
  excludedFrom,
  isEachSeatFilled,
  type Question,
  type Voices,
} from '#directory/deciders/facts.ts';
import type { Org, OrgDb } from '#kit/database.ts';
import { type RawBuilder, sql, values } from '#kit/sql.ts';

/**
 * The people who count for a ticket with these approvals `made`: whoever approved, and the absent people who have chosen their
 * deputies. Late approvers have not chosen their managers, and count for
 * the same step only. Somebody who was merged into another person counts as that one.
 */
const countedBy = (org: Org, made: RawBuilder<unknown>, step: RawBuilder<unknown>) => sql`array(
  with recursive voice (id) as (
    select unnest(array_append(
      case when made.via <> 'escalated' or made.step = ${step} then made.on_behalf_of end, made.approver_id))
    from ${made}
    union
    select person.merged_into from voice
    join platform_user person on person.org_id = ${org.orgId} and person.id = voice.id and person.merged_into is not null)
  select id from voice)`;

/** Returns the people who count for a step of a ticket, or only for those before its current one. */
export const peopleWhoCount = (db: OrgDb, ticketId: string, { earlier = false } = {}) => values<string>(db)`
    select unnest(${countedBy(
      db,
      sql`ticket_approval made where made.org_id = ${db.orgId} and made.ticket_id = t.id
      and (not ${earlier}::boolean or made.step < t.step)`,
      sql`t.step`,
    )})
    from ticket t where t.org_id = ${db.orgId} and t.id = ${ticketId}`;

/**
 * The question who decides the current step of ticket `t`. The steps and the fallback are the ticket's copy. "manager" and
 * "app_owner" are resolved when the query runs, so a new manager or owner takes over pending tickets. `spoken` are people who
 * count for an earlier step of a ticket that does not exist yet.
 */
const questionOf = (org: Org, ticket: string, spoken?: RawBuilder<unknown>) => {
  const t = (column: string) => sql.ref(`${ticket}.${column}`);
  const step = sql`${t('steps')} -> ${t('step')}`;
  const made = sql`ticket_approval made where made.org_id = ${org.orgId} and made.ticket_id = ${t('id')}`;
  const madeInStep = sql`${made} and made.step = ${t('step')}`;
  const named = sql`
    select person.manager_id from platform_user person
    where person.org_id = ${org.orgId} and person.id = ${t('user_id')} and ${step} -> 'approvers' = '"manager"'
    union all
    select app.owner_id from app
    where app.org_id = ${org.orgId} and app.id = ${t('app_id')} and ${step} -> 'approvers' = '"app_owner"'
    union all
    select listed.id::uuid
    from jsonb_array_elements_text(
      case when jsonb_typeof(${step} -> 'approvers') = 'array' then ${step} -> 'approvers' else '[]' end) as listed (id)`;
  const voices: Voices = {
    all: sql`${step} ->> 'require' = 'all'`,
    spoken: spoken ?? countedBy(org, made, t('step')),
    filled: sql`array(select unnest(array_append(made.on_behalf_of, made.approver_id)) from ${madeInStep})`,
    spares: sql`(
      select count(*) from ${madeInStep} and made.via <> 'named' and (made.on_behalf_of && array(${named})) is not true
        and made.decided_at > coalesce(${t('reassigned_at')}, '-infinity'))`,
  };
  const question: Question = {
    waits: sql`${t('status')} = 'PENDING'`,
    named,
    fallback: sql`select unnest(${t('fallback_approvers')})`,
    concerned: sql`array[${t('requester_id')}, ${t('created_by')}, ${t('user_id')}]`,
    level: sql`case when ${t('escalation_step')} = ${t('step')} then ${t('escalation_level')} else 0 end`,
    voices,
  };
  return { question, voices, madeInStep };
};

/** The people whom the current step of ticket `t` names. */
export const namedBy = (org: Org, ticket: string) => questionOf(org, ticket).question.named;

/** The people who may decide the current step of ticket `t`: `user_id`, `via`, and `on_behalf_of`, the approver in whose place. */
export const approversOf = (org: Org, ticket: string, spoken?: RawBuilder<unknown>) => sql`(
  select place.user_id, (array['named', 'fallback', 'administrators', 'escalated'])[place.via] as via,
    nullif(place.seat, place.user_id) as on_behalf_of, place.seat
  from ${decidersOf(org, questionOf(org, ticket, spoken).question)} as place)`;

export const excludedOf = (org: Org, ticket: string, spoken: RawBuilder<unknown>) =>
  excludedFrom(org, questionOf(org, ticket, spoken).question);

/** Whether the current step of ticket `t` is complete: somebody has approved it or, if it requires all, in each seat. */
export const stepIsComplete = (org: Org, ticket: string) => {
  const { question, voices, madeInStep } = questionOf(org, ticket);
  return sql`
    exists (select from ${madeInStep})
    and (not ${voices.all} or ${isEachSeatFilled(question, voices)})`;
};
