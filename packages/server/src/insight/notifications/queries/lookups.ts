import { sql } from 'kysely';
import { overdueSync } from '../../../inventory/records/sync/facts.ts';
import type { OrgDb } from '../../../kit/database/organization.ts';
import type { Role } from '../../../kit/identity/principal.ts';
import { tasks } from '../../../work/provisioning/facts.ts';

// These statements read tables of several features, one row or a few each.

export interface PersonFacts {
  id: string;
  email: string;
  name: string;
  role: Role;
  status: 'active' | 'deactivated';
}

export async function findPeople(db: OrgDb, ids: readonly string[]): Promise<Map<string, PersonFacts>> {
  const { rows } = await sql<PersonFacts>`
    select id, email, coalesce(nullif(btrim(first_name || ' ' || last_name), ''), email) as name, role, status
    from platform_user where org_id = ${db.orgId} and id = any(${ids}::uuid[])`.execute(db);
  return new Map(rows.map((person) => [person.id, person]));
}

/** Returns the owner of an app, if they are active. */
export async function ownerOf(db: OrgDb, appId: string): Promise<{ id: string; role: Role } | undefined> {
  const { rows } = await sql<{ id: string; role: Role }>`
    select u.id, u.role from app a
    join platform_user u on u.org_id = ${db.orgId} and u.id = a.owner_id
    where a.org_id = ${db.orgId} and a.id = ${appId} and u.status = 'active'`.execute(db);
  return rows[0];
}

/** Returns those of the apps that the person owns. */
export async function appsOwnedBy(
  db: OrgDb,
  appIds: readonly string[],
  userId: string,
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from app
    where org_id = ${db.orgId} and id = any(${appIds}::uuid[]) and owner_id = ${userId}`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** Returns the owner if they may read what happens in the app: members see neither its syncs nor the tasks of others. */
export async function readingOwnerOf(db: OrgDb, appId: string): Promise<string | undefined> {
  const owner = await ownerOf(db, appId);
  return owner?.role === 'member' ? undefined : owner?.id;
}

/** Returns this person if they are active and can read policies. */
export async function readerOfPolicies(db: OrgDb, id: string | null): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select u.id from platform_user u
    where u.org_id = ${db.orgId} and u.id = ${id}::uuid and u.status = 'active' and u.role <> 'member'`.execute(
    db,
  );
  return rows[0]?.id;
}

export interface TicketFacts {
  id: string;
  label: string;
  status: string;
  /** Whether an approver has asked for information that nobody has given yet. */
  lacks_information: boolean;
  /** The index of the step; the first is 0. */
  step: number;
  requester_id: string;
  user_id: string;
  app_id: string;
  app_name: string;
}

const ticketView = sql`
  t.id, t.label, t.status, t.information_requested is not null as lacks_information, t.step, t.requester_id, t.user_id, t.app_id, p.name as app_name`;

export async function findTickets(db: OrgDb, ids: readonly string[]): Promise<Map<string, TicketFacts>> {
  const { rows } = await sql<TicketFacts>`
    select ${ticketView} from ticket t join app p on p.org_id = ${db.orgId} and p.id = t.app_id
    where t.org_id = ${db.orgId} and t.id = any(${ids}::uuid[])`.execute(db);
  return new Map(rows.map((ticket) => [ticket.id, ticket]));
}

export const findTicket = async (db: OrgDb, id: string): Promise<TicketFacts | undefined> =>
  (await findTickets(db, [id])).get(id);

export interface PendingTicket extends TicketFacts {
  number: number;
  waiting_days: number;
}

/** Returns pending tickets after a number, in order. */
export async function pendingTickets(db: OrgDb, after: number, limit: number): Promise<PendingTicket[]> {
  const { rows } = await sql<PendingTicket>`
    select ${ticketView}, t.number,
      floor(extract(epoch from clock_now() - coalesce((
        select max(v.decided_at) from ticket_approval v where v.org_id = ${db.orgId} and v.ticket_id = t.id
      ), t.created_at)) / 86400)::integer as waiting_days
    from ticket t join app p on p.org_id = ${db.orgId} and p.id = t.app_id
    where t.org_id = ${db.orgId} and t.status = 'PENDING' and t.number > ${after}
    order by t.number limit ${limit}`.execute(db);
  return rows;
}

export interface ExpiringTicket extends TicketFacts {
  number: number;
  expires_at: Date;
}

/** Returns the pending tickets after a number that expire within `days`, and were not created this short before. */
export async function expiringTickets(
  db: OrgDb,
  { expiryDays, days }: { expiryDays: number; days: number },
  after: number,
  limit: number,
): Promise<ExpiringTicket[]> {
  const { rows } = await sql<ExpiringTicket>`
    select * from (
      select ${ticketView}, t.created_at, t.number,
        least(t.created_at + ${expiryDays}::integer * interval '24 hours', t.end_time) as expires_at
      from ticket t join app p on p.org_id = ${db.orgId} and p.id = t.app_id
      where t.org_id = ${db.orgId} and t.status = 'PENDING' and t.number > ${after}) pending
    where expires_at > clock_now() and expires_at < clock_now() + ${days}::integer * interval '24 hours'
      and expires_at > created_at + ${days + 1}::integer * interval '24 hours'
    order by number limit ${limit}`.execute(db);
  return rows;
}

/** Returns the tickets of tasks that grant access, by task. Tasks that do not belong to one, or end the access, have none. */
export async function ticketsGrantedBy(
  db: OrgDb,
  taskIds: readonly string[],
): Promise<Map<string, TicketFacts>> {
  const { rows } = await sql<TicketFacts & { task_id: string }>`
    select k.id as task_id, ${ticketView}
    from ${tasks} k
    join ticket t on t.org_id = ${db.orgId} and t.id = k.source_id
    join app p on p.org_id = ${db.orgId} and p.id = t.app_id
    where k.org_id = ${db.orgId} and k.id = any(${taskIds}::uuid[]) and k.source_type = 'ticket'
      and k.action <> 'delete_account'
      and not exists (
        select from task_change c where c.org_id = ${db.orgId} and c.task_id = k.id and not c.added)`.execute(
    db,
  );
  return new Map(rows.map(({ task_id, ...ticket }) => [task_id, ticket]));
}

export interface AccessEnd {
  ticket_id: string;
  app_id: string;
  app_name: string;
  user_id: string;
  requester_id: string;
  ends_at: Date;
}

/** So long before the end of temporary access and of an API key, people are told. */
export const ACCESS_ENDS_DAYS = 3;
export const KEY_EXPIRES_DAYS = 7;

/**
 * Returns the ends of temporary access within `days`. Short access is announced when a quarter of it is left.
 */
export async function accessEnds(db: OrgDb, days: number): Promise<AccessEnd[]> {
  const { rows } = await sql<AccessEnd>`
    select distinct t.id as ticket_id, t.app_id, p.name as app_name, t.user_id, t.requester_id, k.execute_after as ends_at
    from ${tasks} k
    join ticket t on t.org_id = ${db.orgId} and t.id = k.source_id
    join app p on p.org_id = ${db.orgId} and p.id = t.app_id
    where k.org_id = ${db.orgId} and k.source_type = 'ticket' and k.status = 'scheduled'
      and k.execute_after > clock_now() and k.execute_after < clock_now() + ${days}::integer * interval '24 hours'
      and k.execute_after - clock_now() < (k.execute_after - k.created_at) / 4
      and (k.action = 'delete_account' or exists (
        select from task_change c where c.org_id = ${db.orgId} and c.task_id = k.id and not c.added))`.execute(
    db,
  );
  return rows;
}

export interface CycleFacts {
  id: string;
  name: string;
  due_at: Date | null;
  /** Since its opening. */
  open_days: number;
  /** Negative: overdue. */
  hours_left: number | null;
  /** The hours from its opening to its due date. */
  hours_in_all: number | null;
}

const cycleView = sql`
  y.id, y.settings ->> 'name' as name, y.due_at,
  floor(extract(epoch from clock_now() - y.opened_at) / 86400)::integer as open_days,
  (extract(epoch from y.due_at - clock_now()) / 3600)::float8 as hours_left,
  (extract(epoch from y.due_at - y.opened_at) / 3600)::float8 as hours_in_all`;

/** Returns the first open cycle after an id. */
export async function nextOpenCycle(db: OrgDb, after: string): Promise<CycleFacts | undefined> {
  const { rows } = await sql<CycleFacts>`
    select ${cycleView} from review_cycle y
    where y.org_id = ${db.orgId} and y.status = 'in_progress' and y.id > ${after} order by y.id limit 1`.execute(
    db,
  );
  return rows[0];
}

export async function findCycle(db: OrgDb, id: string): Promise<CycleFacts | undefined> {
  const { rows } = await sql<CycleFacts>`
    select ${cycleView} from review_cycle y
    where y.org_id = ${db.orgId} and y.id = ${id} and y.status = 'in_progress'`.execute(db);
  return rows[0];
}

export interface ExpiringKey {
  id: string;
  name: string;
  user_id: string;
  expires_at: Date;
}

/** Returns the working keys that expire within `days`, and were not created this short before. */
export async function expiringKeys(db: OrgDb, days: number): Promise<ExpiringKey[]> {
  const { rows } = await sql<ExpiringKey>`
    select id, name, user_id, expires_at from api_key
    where org_id = ${db.orgId} and revoked_at is null and expires_at > clock_now()
      and expires_at < clock_now() + ${days}::integer * interval '24 hours'
      and expires_at > created_at + ${days + 1}::integer * interval '24 hours'`.execute(db);
  return rows;
}

/** Returns those of the apps of which a sync waits for an administrator to approve its removals. */
export async function appsWithHeldRemoval(db: OrgDb, appIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ app_id: string }>`
    select app_id from sync_session
    where org_id = ${db.orgId} and app_id = any(${appIds}::uuid[]) and status = 'completing' and held is not null`.execute(
    db,
  );
  return rows.map(({ app_id }) => app_id);
}

export interface OverdueSync {
  app_id: string;
  app_name: string;
  sync_id: string;
  finished_at: Date;
}

/** Returns the apps whose next sync is overdue. */
export async function overdueSyncs(db: OrgDb): Promise<OverdueSync[]> {
  const { rows } = await sql<OverdueSync>`
    select a.id as app_id, a.name as app_name, o.sync_id, o.finished_at
    from app a cross join lateral ${overdueSync(db, 'a')} o
    where a.org_id = ${db.orgId} and a.archived_at is null`.execute(db);
  return rows;
}

/** Returns how a person signed in before an event, newest first. */
export async function earlierSignIns(
  db: OrgDb,
  userId: string,
  before: Date,
  limit: number,
): Promise<{ user_agent: string | null; ip: string | null }[]> {
  const { rows } = await sql<{ user_agent: string | null; ip: string | null }>`
    select e.body::jsonb -> 'actor' ->> 'user_agent' as user_agent, e.actor_ip as ip from event_contract e
    where e.org_id = ${db.orgId} and e.subject_uuid = ${userId} and e.event_type = 'session.login.succeeded'
      and e.ingested_at < ${before.toISOString()}::timestamptz
    order by e.ingested_at desc limit ${limit}`.execute(db);
  return rows;
}

/**
 * Returns the people who were told about each wait, by the id of what waits: the keys of those notifications begin with the
 * key of the wait.
 */
export async function peopleTold(
  db: OrgDb,
  waits: readonly { id: string; key: string }[],
): Promise<Map<string, Set<string>>> {
  const { rows } = await sql<{ about_id: string; user_id: string }>`
    select distinct n.about_id, n.user_id
    from unnest(${waits.map(({ id }) => id)}::uuid[], ${waits.map(({ key }) => key)}::text[]) as w (id, key)
    join notification n on n.org_id = ${db.orgId} and n.about_id = w.id
    where n.user_id is not null and starts_with(n.dedupe_key, w.key)`.execute(db);
  const byId = Map.groupBy(rows, ({ about_id }) => about_id);
  return new Map([...byId].map(([id, told]) => [id, new Set(told.map(({ user_id }) => user_id))]));
}

export async function organizationOf(db: OrgDb): Promise<{ slug: string; name: string }> {
  const { rows } = await sql<{ slug: string; name: string }>`
    select slug, name from organization where id = ${db.orgId}`.execute(db);
  return rows[0] as { slug: string; name: string };
}
