import { accounts, entitlements } from '#inventory/records/accounts/facts.ts';
import type { Org, OrgDb } from '#kit/database.ts';
import { namedPersonJson } from '#kit/identity.ts';
import type { Page, Slice } from '#kit/pages.ts';
import { many, type RawBuilder, sql, value } from '#kit/sql.ts';
import { isOwnAfterwards } from '../facts.ts';
import { type Asked, type TicketFilter, ticketFilters } from '../filters.ts';
import type { Approval, Ticket } from '../ticket.ts';
import { visibleTo } from '../visibility-facts.ts';
import { approversOf } from './approvers.ts';

/** The people in an array of ids. */
const people = (org: Org, ids: RawBuilder<unknown>) => sql`
  coalesce((
    select jsonb_agg(${namedPersonJson('listed')} order by listed.email, listed.id)
    from platform_user listed where listed.org_id = ${org.orgId} and listed.id = any(${ids})), '[]')`;

/** The requested groups or licenses, by slug. */
const requested = (org: Org, type: 'group' | 'license') => sql`
  coalesce((
    select jsonb_object_agg(by_type.slug, by_type.refs) from (
      select e.slug, jsonb_agg(jsonb_build_object('id', e.external_id,
        'name', coalesce(nullif(w.name, ''), e.name), 'exists', e.active,
        'current_name', case when w.name <> '' and e.name <> w.name then e.name end) order by e.external_id) as refs
      from ticket_entitlement w
      join ${entitlements} e on e.org_id = w.org_id and e.id = w.entitlement_id and e.type = ${sql.lit(type)}
      where w.org_id = ${org.orgId} and w.ticket_id = t.id
      group by e.slug
    ) as by_type
  ), '{}')`;

const view = (org: Org) => sql`
  t.id, t.number, t.label, t.type, t.status, t.app_id, p.name as app_name,
  coalesce(t.account_id, o.id, t.reserved_account_id) as account_id, t.reserved_account_id,
  coalesce(a.email, o.email, u.email) as account_email, ${namedPersonJson('u')} as "user", ${namedPersonJson('q')} as requester,
  ${namedPersonJson('f')} as created_by, t.start_time, t.end_time, t.initial_comment, t.steps, t.step, t.outcome,
  t.created_at, t.decided_at,
  ${requested(org, 'group')} as memberships, ${requested(org, 'license')} as assignments,
  coalesce((
    select jsonb_agg(${namedPersonJson('d')} || jsonb_build_object('via', w.via,
      'on_behalf_of', ${people(org, sql`array[w.on_behalf_of]`)}) order by d.email, d.id)
    from ${approversOf(org, 't')} as w
    join platform_user d on d.org_id = ${org.orgId} and d.id = w.user_id
  ), '[]') as waiting_for,
  case when t.status = 'PENDING' then t.information_requested || coalesce((
    select jsonb_build_object('by', ${namedPersonJson('i')})
    from platform_user i
    where i.org_id = ${org.orgId} and i.id = (t.information_requested -> 'by' ->> 'external_uuid')::uuid
  ), jsonb_build_object('by', t.information_requested -> 'by' || '{"first_name": "", "last_name": ""}'))
    end as information_requested,
  case when t.status = 'PENDING' and t.escalation_step = t.step then t.escalated_at end as escalated_at,
  ${isOwnAfterwards(org)} as own_afterwards`;

const joined = (org: Org) => sql`
  join app p on p.org_id = t.org_id and p.id = t.app_id
  join platform_user u on u.org_id = t.org_id and u.id = t.user_id
  join platform_user q on q.org_id = t.org_id and q.id = t.requester_id
  join platform_user f on f.org_id = t.org_id and f.id = t.created_by
  left join ${accounts} a on a.org_id = t.org_id and a.id = t.account_id
  left join lateral (
    select own.id, own.email from ${accounts} own
    where t.account_id is null and own.org_id = ${org.orgId} and own.user_id = t.user_id and own.app_id = t.app_id
    order by own.status = 'INACTIVE', own.removed_at is not null, own.id desc limit 1
  ) o on true`;

export async function findTicket(db: OrgDb, ticketId: string): Promise<Ticket | undefined> {
  return (await findTickets(db, [ticketId]))[0];
}

export const findTickets = (db: OrgDb, ticketIds: string[]) => many<Ticket>(db)`
    select ${view(db)} from ticket t ${joined(db)}
    where t.org_id = ${db.orgId} and t.id = any(${ticketIds}::uuid[]) order by t.number`;

/** Returns the approvals of these tickets, oldest first. */
export const approvalsOf = (db: OrgDb, ticketIds: string[]) => many<Approval>(db)`
    select v.ticket_id, v.step, v.decision, v.override, v.comment, v.decided_at, ${namedPersonJson('d')} as approver,
      ${people(db, sql`v.on_behalf_of`)} as on_behalf_of
    from ticket_approval v
    join platform_user d on d.org_id = v.org_id and d.id = v.approver_id
    where v.org_id = ${db.orgId} and v.ticket_id = any(${ticketIds}::uuid[])
    order by v.decided_at, v.approver_id`;

export const appOfTicket = (db: OrgDb, ticketId: string) => value<string | undefined>(db)`
    select app_id from ticket where org_id = ${db.orgId} and id = ${ticketId}`;

export interface Listed {
  /** Only those of these apps. Null: all. */
  apps: string[] | null;
  order?: 'newest' | 'oldest';
}

export async function listTickets(
  asked: Asked,
  { apps, order = 'newest', ...filter }: TicketFilter & Listed,
  page: Page,
): Promise<Slice<Ticket>> {
  const others = [sql`t.org_id = ${asked.orgId}`];
  if (apps !== null) others.push(sql`t.app_id = any(${apps}::uuid[])`);
  // Members see all tickets that they can decide.
  if (asked.member && filter.to_approve !== true)
    others.push(sql`t.id in (${visibleTo(asked, asked.userId, sql`w.org_id = ${asked.orgId}`)})`);
  const where = ticketFilters.where(asked, filter, ...others);
  const counted = await value<number>(asked)`select count(*) as n from ticket t where ${where}`;
  const inOrder = order === 'newest' ? sql`t.number desc` : sql`t.number`;
  const rows = await many<Ticket>(asked)`
    with page as materialized (
      select t.id from ticket t where ${where} order by ${inOrder} limit ${page.limit} offset ${page.offset})
    select ${view(asked)} from page join ticket t on t.org_id = ${asked.orgId} and t.id = page.id ${joined(asked)}
    order by ${inOrder}`;
  return { count: counted, results: rows };
}

/** Counts pending tickets, up to `limit`. */
export const countPending = (db: OrgDb, limit: number) => value<number>(db)`
    select count(*) as n from (
      select from ticket where org_id = ${db.orgId} and status = 'PENDING' limit ${limit}) as found`;
