import type { ApprovalStep } from '#inventory/apps/app.ts';
import { accounts, entitlements } from '#inventory/records/accounts/facts.ts';
import { type Db, everywhere, type OrgDb, type OrgTx } from '#kit/database.ts';
import { isActiveOrganization } from '#kit/identity.ts';
import type { Sentence } from '#kit/sentences.ts';
import { many, run, sql, value, values } from '#kit/sql.ts';
import { outcomeSentences } from '../sentences.ts';
import type { ApproverRank, TicketStatus, TicketType, Verdict } from '../ticket-schemas.ts';
import { stepIsComplete } from './approvers.ts';

/**
 * Returns email and status of these people, and keeps both from changing until `tx` ends. Takes the lock that
 * lockMainAccount needs: two requests for one person could not both upgrade a weaker one.
 */
export async function lockStatuses(
  tx: OrgTx,
  ids: string[],
): Promise<Map<string, { email: string; status: 'active' | 'deactivated' }>> {
  const rows = await many<{ id: string; email: string; status: 'active' | 'deactivated' }>(tx)`
    select id, email, status from platform_user where org_id = ${tx.orgId} and id = any(${ids}::uuid[])
    order by id for no key update`;
  return new Map(rows.map(({ id, ...person }) => [id, person]));
}

/** Returns the organization's next ticket number. Concurrent callers wait until `tx` ends, so that no number is lost. */
export const nextNumber = (tx: OrgTx) => value<number>(tx)`
    insert into ticket_number as n (org_id, last_number) values (${tx.orgId}, 1)
    on conflict (org_id) do update set last_number = n.last_number + 1
    returning last_number`;

export interface TicketRow {
  number: number;
  label: string;
  type: TicketType;
  app_id: string;
  user_id: string;
  requester_id: string;
  created_by: string;
  account_id: string | null;
  /** The id of the account to create. Null if the account exists. */
  reserved_account_id: string | null;
  /** A time in the format of instantForSql. */
  start_time: string | null;
  end_time: string | null;
  initial_comment: string;
  steps: ApprovalStep[];
  fallback_approvers: string[] | null;
}

/**
 * Returns the id that a person's account in an app will have: that of an earlier ticket, or a new one (D47). The caller
 * has locked the person.
 */
export const reservedAccountId = (tx: OrgTx, appId: string, userId: string) => value<string>(tx)`
    select coalesce((
      select t.reserved_account_id from ticket t
      where t.org_id = ${tx.orgId} and t.user_id = ${userId} and t.app_id = ${appId} and t.reserved_account_id is not null
        and not exists (select from ${accounts} a where a.org_id = ${tx.orgId} and a.id = t.reserved_account_id)
      order by t.number desc limit 1), uuidv7()) as id`;

export async function insertTicket(
  tx: OrgTx,
  row: TicketRow,
  entitlementIds: string[],
  ticketId: string | null,
): Promise<string | undefined> {
  const lists = row.steps.flatMap(({ approvers }) => (typeof approvers === 'string' ? [] : approvers));
  const named = [...new Set([...lists, ...(row.fallback_approvers ?? [])])];
  const id = await value<string | undefined>(tx)`
    insert into ticket (org_id, id, number, label, type, app_id, user_id, requester_id, created_by, account_id,
      reserved_account_id, start_time, end_time, initial_comment, steps, fallback_approvers, named)
    values (${tx.orgId}, coalesce(${ticketId}::uuid, uuidv7()), ${row.number}, ${row.label}, ${row.type}, ${row.app_id}, ${row.user_id}, ${row.requester_id},
      ${row.created_by}, ${row.account_id}, ${row.reserved_account_id}, ${row.start_time}, ${row.end_time}, ${row.initial_comment},
      ${JSON.stringify(row.steps)}::jsonb, ${row.fallback_approvers}::uuid[], ${named}::uuid[])
    on conflict (org_id, id) do nothing
    returning id`;
  if (id === undefined) return undefined;
  await run(tx)`
    insert into ticket_entitlement (org_id, ticket_id, entitlement_id, name)
    select ${tx.orgId}::uuid, ${id}::uuid, e.id, e.name from ${entitlements} e
    where e.org_id = ${tx.orgId} and e.id = any(${entitlementIds}::uuid[])`;
  return id;
}

/** Locks the ticket's app and then the ticket until `tx` ends: the lock order that everybody follows. */
export const lockTicket = (tx: OrgTx, ticketId: string) => run(tx)`
    select from ticket t join app p on p.org_id = t.org_id and p.id = t.app_id
    where t.org_id = ${tx.orgId} and t.id = ${ticketId}
    for share of p for no key update of t`;

export interface NewApproval {
  step: number;
  approverId: string;
  decision: Verdict;
  override: boolean;
  comment: string;
  /** Approvers in whose place the person decides. */
  onBehalfOf: string[];
  /** Null: an override. */
  via: ApproverRank | null;
}

/** Replaces an earlier approval of the same step by the same person: an administrator overrides. */
export const insertApproval = (
  tx: OrgTx,
  ticketId: string,
  { step, approverId, decision, override, comment, onBehalfOf, via }: NewApproval,
) => run(tx)`
    insert into ticket_approval (org_id, ticket_id, step, approver_id, decision, override, comment, on_behalf_of,
      via)
    values (${tx.orgId}, ${ticketId}, ${step}, ${approverId}, ${decision}, ${override}, ${comment}, ${onBehalfOf}::uuid[],
      ${via})
    on conflict (org_id, ticket_id, step, approver_id) do update set decision = excluded.decision,
      override = excluded.override, comment = excluded.comment, decided_at = excluded.decided_at, via = excluded.via`;

/** Moves the ticket to its next step if the current one is complete. Returns the new step, or undefined. */
export const advanceStep = (tx: OrgTx, ticketId: string) => value<number | undefined>(tx)`
    update ticket t set step = t.step + 1, information_requested = null
    where t.org_id = ${tx.orgId} and t.id = ${ticketId} and t.status = 'PENDING' and ${stepIsComplete(tx, 't')}
    returning t.step`;

const json = (sentence: Sentence) => sql`${JSON.stringify(sentence)}::jsonb`;

export const setDecided = (
  tx: OrgTx,
  ticketId: string,
  status: TicketStatus,
  outcome: Sentence | null,
) => run(tx)`
    update ticket set status = ${status}, outcome = ${outcome && json(outcome)}, decided_at = clock_now()
    where org_id = ${tx.orgId} and id = ${ticketId}`;

/** Notes which account a ticket is about. */
export const setAccount = (tx: OrgTx, ticketId: string, accountId: string) => run(tx)`
    update ticket set account_id = ${accountId} where org_id = ${tx.orgId} and id = ${ticketId}`;

/** A ticket that was closed without a decision. */
export interface ClosedTicket {
  id: string;
  status: 'CANCELED' | 'EXPIRED';
}

const expiring = (days: number) => sql`
  t.status = 'PENDING' and (u.status <> 'active' or p.archived_at is not null
    or t.end_time <= clock_now() or t.created_at <= clock_now() - ${days} * interval '1 day')`;
const withPersonAndApp = sql`
  ticket t
  join platform_user u on u.org_id = t.org_id and u.id = t.user_id
  join app p on p.org_id = t.org_id and p.id = t.app_id`;

/** Returns the organizations that have tickets for closeExpired. */
export const organizationsWithExpired = (db: Db, days: number) => values<string>(everywhere(db))`
    select distinct t.org_id from ${withPersonAndApp}
    where ${expiring(days)} and ${isActiveOrganization('t.org_id')}`;

/**
 * Closes pending tickets that can no longer be decided: the beneficiary is deactivated, the app is archived, the
 * requested end has passed, or the ticket is older than `days`. Closes all of an organization, or `only` one ticket.
 * Skips tickets that are being decided.
 */
export async function closeExpired(
  tx: OrgTx,
  days: number,
  only: string | null = null,
): Promise<ClosedTicket[]> {
  const within = only === null ? sql`true` : sql`t.id = ${only}`;
  return many<ClosedTicket>(tx)`
    with expired as (
      select t.id, case
          when u.status <> 'active' then ${json(outcomeSentences.request_of_deactivated())}
          when p.archived_at is not null then ${json(outcomeSentences.request_of_archived())}
          when t.end_time <= clock_now() then ${json(outcomeSentences.request_end_passed())}
          else ${json(outcomeSentences.request_undecided({ days }))} end as outcome,
        case when u.status <> 'active' or p.archived_at is not null then 'CANCELED' else 'EXPIRED' end as status
      from ${withPersonAndApp}
      where t.org_id = ${tx.orgId} and ${within} and ${expiring(days)}
      for no key update of t skip locked)
    update ticket t set status = expired.status, outcome = expired.outcome, decided_at = clock_now()
    from expired where t.org_id = ${tx.orgId} and t.id = expired.id
    returning t.id, t.status`;
}

/** Cancels the pending tickets of an app, or those of these beneficiaries. */
export async function cancelPending(
  tx: OrgTx,
  whose: { appId: string } | { userIds: string[] } | { ticketIds: string[] },
  outcome: Sentence,
): Promise<ClosedTicket[]> {
  const matches =
    'appId' in whose
      ? sql`app_id = ${whose.appId}`
      : 'userIds' in whose
        ? sql`user_id = any(${whose.userIds}::uuid[])`
        : sql`id = any(${whose.ticketIds}::uuid[])`;
  return many<ClosedTicket>(tx)`
    with pending as (
      select id from ticket where org_id = ${tx.orgId} and status = 'PENDING' and ${matches} order by id for no key update)
    update ticket t set status = 'CANCELED', outcome = ${json(outcome)}, decided_at = clock_now()
    from pending where t.org_id = ${tx.orgId} and t.id = pending.id
    returning t.id, t.status`;
}

/** A requested group or license. */
export interface RequestedAccess {
  id: string;
  /** The name at the time of the request. */
  name: string;
  current_name: string;
  /** Whether it still exists. */
  active: boolean;
}

export const requestedFor = (db: OrgDb, ticketId: string) => many<RequestedAccess>(db)`
    select e.id, coalesce(nullif(w.name, ''), e.name) as name, e.name as current_name, e.active
    from ticket_entitlement w
    join ${entitlements} e on e.org_id = w.org_id and e.id = w.entitlement_id
    where w.org_id = ${db.orgId} and w.ticket_id = ${ticketId} order by e.id`;
