import { sql } from 'kysely';
import type { Db, Tx } from '../platform/database/open.ts';
import type { Page, Slice } from '../platform/http/lists.ts';

export type SessionStatus = 'in_progress' | 'completing' | 'completed' | 'error' | 'abandoned';

export interface TypeProgress {
  slug: string;
  name: string;
  type: string;
  synced_count: number;
}

export interface RecordCounts {
  created: number;
  updated: number;
  unchanged: number;
  removed: number;
}

export interface MembershipCounts {
  added: number;
  removed: number;
}

/** What the guard holds back (D24a). */
export interface Held {
  accounts: number;
  memberships: number;
}

export interface Session {
  id: string;
  app_id: string;
  status: SessionStatus;
  started_at: Date;
  published_at: Date | null;
  finished_at: Date | null;
  superseded_by: string | null;
  error: { error_code: string; message: string } | null;
  progress: TypeProgress[] | null;
  counts: RecordCounts | null;
  membership_counts: MembershipCounts | null;
  held: Held | null;
}

const session = sql`s.id, s.app_id, s.status, s.started_at, s.published_at, s.finished_at, s.superseded_by, s.error,
  s.progress, s.counts, s.membership_counts, s.held`;

export async function findSession(
  db: Db,
  orgId: string,
  appId: string,
  sessionId: string,
): Promise<Session | undefined> {
  const { rows } = await sql<Session>`
    select ${session} from sync_session s
    where s.org_id = ${orgId} and s.app_id = ${appId} and s.id = ${sessionId}`.execute(db);
  return rows[0];
}

/** Throws for a session that does not exist: callers hold one of ours. */
export async function appOfSession(db: Db, orgId: string, sessionId: string): Promise<string> {
  const { rows } = await sql<{ app_id: string }>`
    select app_id from sync_session where org_id = ${orgId} and id = ${sessionId}`.execute(db);
  if (rows[0] === undefined) throw new Error(`Sync session ${sessionId} does not exist.`);
  return rows[0].app_id;
}

/** The session, kept as it is until this transaction ends: pages on their way are waited for. */
export async function lockSession(tx: Tx, orgId: string, sessionId: string): Promise<Session | undefined> {
  const { rows } = await sql<Session>`
    select ${session} from sync_session s where s.org_id = ${orgId} and s.id = ${sessionId} for update`.execute(
    tx,
  );
  return rows[0];
}

export async function listSessions(
  db: Db,
  orgId: string,
  appId: string,
  page: Page,
): Promise<Slice<Session>> {
  const where = sql`s.org_id = ${orgId} and s.app_id = ${appId}`;
  const counted = await sql<{
    count: number;
  }>`select count(*) as count from sync_session s where ${where}`.execute(db);
  const { rows } = await sql<Session>`
    select ${session} from sync_session s where ${where}
    order by s.started_at desc, s.id desc limit ${page.limit} offset ${page.offset}`.execute(db);
  return { count: counted.rows[0]?.count ?? 0, results: rows };
}

/** Pushed records by resource type of the app, pages counted as they came. */
export async function progressOf(db: Db, orgId: string, sessionId: string): Promise<TypeProgress[]> {
  const { rows } = await sql<TypeProgress>`
    select t.slug, t.name, t.type, coalesce(p.n, 0) as synced_count
    from sync_session s
    join app a on a.org_id = s.org_id and a.id = s.app_id
    join resource_type t on t.org_id = s.org_id and t.clone_group_id = a.clone_group_id
    left join (
      select resource_type_id, sum(record_count)::bigint as n from sync_page
      where org_id = ${orgId} and session_id = ${sessionId} group by resource_type_id
    ) p on p.resource_type_id = t.id
    where s.org_id = ${orgId} and s.id = ${sessionId}
    order by t.id`.execute(db);
  return rows;
}

/** One start at a time per app: the second of two at once sees the first one's session, and cancels it. */
export async function lockStarts(tx: Tx, orgId: string, appId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`sync-start:${orgId}:${appId}`}, 0))`.execute(tx);
}

export async function insertSession(tx: Tx, orgId: string, appId: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into sync_session (org_id, app_id) values (${orgId}, ${appId}) returning id`.execute(tx);
  return rows[0]?.id as string;
}

/** Cancels the open session of an app, if it has one: what it pushed is discarded (contract 3.1). */
export async function cancelOpenSession(tx: Tx, orgId: string, appId: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    update sync_session set status = 'abandoned', finished_at = clock_timestamp()
    where org_id = ${orgId} and app_id = ${appId} and status = 'in_progress' returning id`.execute(tx);
  return rows[0]?.id;
}

export async function keepProgress(
  tx: Tx,
  orgId: string,
  sessionId: string,
  progress: TypeProgress[],
): Promise<void> {
  await sql`
    update sync_session set progress = ${JSON.stringify(progress)}::jsonb
    where org_id = ${orgId} and id = ${sessionId}`.execute(tx);
}

export async function supersede(tx: Tx, orgId: string, sessionId: string, by: string): Promise<void> {
  await sql`update sync_session set superseded_by = ${by} where org_id = ${orgId} and id = ${sessionId}`.execute(
    tx,
  );
}

export async function discardStaged(tx: Tx, orgId: string, sessionId: string): Promise<void> {
  await sql`delete from sync_page where org_id = ${orgId} and session_id = ${sessionId}`.execute(tx);
  await sql`delete from sync_new_record where org_id = ${orgId} and session_id = ${sessionId}`.execute(tx);
}

export async function setCompleting(tx: Tx, orgId: string, sessionId: string): Promise<void> {
  await sql`
    update sync_session set status = 'completing', completing_at = clock_timestamp()
    where org_id = ${orgId} and id = ${sessionId}`.execute(tx);
}

export async function setFinished(
  tx: Tx,
  orgId: string,
  sessionId: string,
  status: 'completed' | 'abandoned',
): Promise<void> {
  await sql`
    update sync_session set status = ${status}, finished_at = clock_timestamp(), held = null
    where org_id = ${orgId} and id = ${sessionId}`.execute(tx);
}

/** Contract 7.3: what was published stays; what was to be removed stays too. */
export async function setFailed(tx: Tx, orgId: string, sessionId: string, message: string): Promise<void> {
  const error = JSON.stringify({ error_code: 'CLEANUP_FAILED', message });
  await sql`
    update sync_session set status = 'error', finished_at = clock_timestamp(), held = null, error = ${error}::jsonb
    where org_id = ${orgId} and id = ${sessionId}`.execute(tx);
  await sql`delete from sync_removal where org_id = ${orgId} and session_id = ${sessionId}`.execute(tx);
}

export async function setPublished(
  tx: Tx,
  orgId: string,
  sessionId: string,
  found: { progress: TypeProgress[]; counts: RecordCounts; memberships: MembershipCounts; held: Held | null },
): Promise<void> {
  await sql`
    update sync_session set published_at = clock_timestamp(), progress = ${JSON.stringify(found.progress)}::jsonb,
      counts = ${JSON.stringify(found.counts)}::jsonb, membership_counts = ${JSON.stringify(found.memberships)}::jsonb,
      held = ${found.held === null ? null : JSON.stringify(found.held)}::jsonb
    where org_id = ${orgId} and id = ${sessionId}`.execute(tx);
}

export async function setCounts(
  tx: Tx,
  orgId: string,
  sessionId: string,
  counts: RecordCounts,
  memberships: MembershipCounts,
): Promise<void> {
  await sql`
    update sync_session set counts = ${JSON.stringify(counts)}::jsonb, membership_counts = ${JSON.stringify(memberships)}::jsonb
    where org_id = ${orgId} and id = ${sessionId}`.execute(tx);
}

/** How many records the session's publication created. */
export async function createdBy(db: Db, orgId: string, sessionId: string): Promise<number> {
  const { rows } = await sql<{ created: number }>`
    select coalesce((counts ->> 'created')::bigint, 0) as created from sync_session
    where org_id = ${orgId} and id = ${sessionId}`.execute(db);
  return rows[0]?.created ?? 0;
}

/** An approved removal is no longer held back; its plan is what cleanup will carry out (D24a). */
export async function releaseHeld(tx: Tx, orgId: string, sessionId: string): Promise<void> {
  await sql`update sync_session set held = null where org_id = ${orgId} and id = ${sessionId}`.execute(tx);
}

/** The completing sessions of the same app that began before this one, oldest first. */
export async function earlierCompleting(db: Db, orgId: string, sessionId: string): Promise<Session[]> {
  const { rows } = await sql<Session>`
    select ${session} from sync_session own
    join sync_session s on s.org_id = own.org_id and s.app_id = own.app_id
    where own.org_id = ${orgId} and own.id = ${sessionId}
      and s.status = 'completing' and (s.started_at, s.id) < (own.started_at, own.id)
    order by s.started_at, s.id`.execute(db);
  return rows;
}

export interface SessionKey {
  org_id: string;
  id: string;
}

/** Sessions of the whole deployment whose completion waits for nobody's approval. */
export async function unfinishedCompletions(db: Db): Promise<SessionKey[]> {
  const { rows } = await sql<SessionKey>`
    select org_id, id from sync_session where status = 'completing' and held is null order by started_at`.execute(
    db,
  );
  return rows;
}

/** Sessions in progress into which nothing was pushed for a week (D21). */
export async function forgottenSessions(db: Db): Promise<SessionKey[]> {
  const { rows } = await sql<SessionKey>`
    select s.org_id, s.id from sync_session s
    where s.status = 'in_progress' and s.started_at < now() - interval '7 days' and not exists (
      select from sync_page p
      where p.org_id = s.org_id and p.session_id = s.id and p.received_at > now() - interval '7 days')`.execute(
    db,
  );
  return rows;
}
