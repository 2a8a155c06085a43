import { sql } from 'kysely';

/**
 * The people who may decide the current step of ticket `t`, as a lateral subquery with the columns `user_id` and `via`.
 * Empty unless the ticket is PENDING.
 *
 * Candidates come in three ranks: (1) the people whom the step names, (2) the app's fallback approvers, (3) the
 * organization's owners and administrators. The first rank with an eligible person decides; later ranks are ignored.
 *
 * Never eligible: people who are not active, auditors, the requester, the person who filed the ticket, and the beneficiary.
 *
 * The steps and the fallback are the ticket's copy. "manager" and "app_owner" are resolved when the query runs, so a
 * new manager or owner takes over pending tickets.
 *
 * "offset 0" makes PostgreSQL look candidates up one by one through the primary key. Without it, the planner expects
 * hundreds of candidates per ticket and reads all people of the organization for each ticket.
 */
export const approversOf = (orgId: string, ticket: string) => {
  const t = (column: string) => sql.ref(`${ticket}.${column}`);
  const approvers = sql`${t('steps')} -> ${t('step')} -> 'approvers'`;

  const manager = sql`
    select person.manager_id, 1 from platform_user person
    where person.org_id = ${orgId} and person.id = ${t('user_id')} and ${approvers} = '"manager"'`;
  const appOwner = sql`
    select app.owner_id, 1 from app
    where app.org_id = ${orgId} and app.id = ${t('app_id')} and ${approvers} = '"app_owner"'`;
  const listed = sql`
    select listed.id::uuid, 1
    from jsonb_array_elements_text(case jsonb_typeof(${approvers}) when 'array' then ${approvers} else '[]' end)
      as listed (id)`;
  const fallback = sql`
    select fallback.id, 2 from unnest(${t('fallback_approvers')}) as fallback (id)`;
  const administrators = sql`
    select administrator.id, 3 from platform_user administrator
    where administrator.org_id = ${orgId} and administrator.role in ('owner', 'admin')`;

  return sql`(
    select distinct id as user_id,
      case rank when 1 then 'named' when 2 then 'fallback' else 'administrators' end as via
    from (
      select candidate.id, candidate.rank, min(candidate.rank) over () as first_rank
      from (
        ${manager} union all ${appOwner} union all ${listed} union all ${fallback} union all ${administrators}
      ) as candidate (id, rank)
      cross join lateral (
        select from platform_user eligible
        where eligible.org_id = ${orgId} and eligible.id = candidate.id
          and eligible.status = 'active' and eligible.role <> 'auditor'
          and eligible.id not in (${t('requester_id')}, ${t('created_by')}, ${t('user_id')})
        offset 0
      ) as is_eligible
      where ${t('status')} = 'PENDING'
    ) as ranked
    where rank = first_rank
  )`;
};

/** Whether `person` approved the current step of ticket `t` already. */
export const hasApproved = (orgId: string, ticket: string, person: ReturnType<typeof sql>) => {
  const t = (column: string) => sql.ref(`${ticket}.${column}`);
  return sql`exists (
    select from ticket_approval made
    where made.org_id = ${orgId} and made.ticket_id = ${t('id')} and made.step = ${t('step')}
      and made.approver_id = ${person})`;
};

/**
 * Whether the current step of ticket `t` is complete: at least one person approved it and, if it requires all, no
 * eligible person whom it names is missing.
 */
export const stepIsComplete = (orgId: string, ticket: string) => {
  const t = (column: string) => sql.ref(`${ticket}.${column}`);
  return sql`
    exists (
      select from ticket_approval made
      where made.org_id = ${orgId} and made.ticket_id = ${t('id')} and made.step = ${t('step')})
    and (${t('steps')} -> ${t('step')} ->> 'require' = 'any' or not exists (
      select from ${approversOf(orgId, ticket)} as approver
      where approver.via = 'named' and not ${hasApproved(orgId, ticket, sql`approver.user_id`)}))`;
};
