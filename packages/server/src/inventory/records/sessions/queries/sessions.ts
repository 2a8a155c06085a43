import { type Db, everywhere, type Org, type OrgDb, type OrgTx } from '#kit/database.ts';
import { isActiveOrganization } from '#kit/identity.ts';
import type { Page, Slice } from '#kit/pages.ts';
import { many, one, type RawBuilder, sql, value, values } from '#kit/sql.ts';
import { overdueSync } from '../facts.ts';
import type { Session } from '../session.ts';

const session = sql`s.id, s.app_id, s.status, s.started_at, s.published_at, s.finished_at, s.superseded_by, s.error,
  s.progress, s.counts, s.membership_counts, s.status_counts, s.held, s.unseen_counts, s.approved_by, s.reverted_at, s.reverted_by, s.reverted_reason, s.connector_run_id`;

export const findSession = (db: OrgDb, appId: string, sessionId: string) => one<Session>(db)`
    select ${session} from sync_session s
    where s.org_id = ${db.orgId} and s.app_id = ${appId} and s.id = ${sessionId}`;

/** When a session had been published, as SQL: in the microseconds that a Date would lose. */
export const publishedAt = ({
  orgId,
  sessionId,
}: {
  orgId: string;
  sessionId: string;
}): RawBuilder<unknown> =>
  sql`(select published_at from sync_session where org_id = ${orgId} and id = ${sessionId})`;

/** When the app's newest completed session that has not been reverted ended, as SQL. */
export const lastCompletion = (org: Org, appId: string): RawBuilder<unknown> => sql`(
  select max(finished_at) from sync_session
  where org_id = ${org.orgId} and app_id = ${appId} and status = 'completed' and reverted_at is null)`;

/** Throws for a session that does not exist. */
export async function appOfSession(db: OrgDb, sessionId: string): Promise<string> {
  const rows = await many<{ app_id: string }>(db)`
    select app_id from sync_session where org_id = ${db.orgId} and id = ${sessionId}`;
  if (rows[0] === undefined) throw new Error(`Sync session ${sessionId} does not exist.`);
  return rows[0].app_id;
}

/** Returns the session and locks it until the transaction ends. Waits for pages that are being stored. */
export const lockSession = (tx: OrgTx, sessionId: string) => one<Session>(tx)`
    select ${session} from sync_session s where s.org_id = ${tx.orgId} and s.id = ${sessionId} for update`;

/** Returns the unfinished sessions of an app, oldest first, and locks them until the transaction ends. */
export const lockUnfinished = (tx: OrgTx, appId: string) => many<Session>(tx)`
    select ${session} from sync_session s
    where s.org_id = ${tx.orgId} and s.app_id = ${appId} and s.status in ('in_progress', 'completing')
    order by s.started_at, s.id for update`;

/** Newest first. */
export async function listSessions(db: OrgDb, appId: string, page: Page): Promise<Slice<Session>> {
  const where = sql`s.org_id = ${db.orgId} and s.app_id = ${appId}`;
  const counted = await value<number>(db)`select count(*) as count from sync_session s where ${where}`;
  const rows = await many<Session>(db)`
    select ${session} from sync_session s where ${where}
    order by s.started_at desc, s.id desc limit ${page.limit} offset ${page.offset}`;
  return { count: counted, results: rows };
}

/** Returns the newest session of each of these apps. */
export const newestSessions = (db: OrgDb, appIds: string[]) => many<Session>(db)`
    select newest.* from unnest(${appIds}::uuid[]) as wanted (app_id)
    cross join lateral (
      select ${session} from sync_session s where s.org_id = ${db.orgId} and s.app_id = wanted.app_id
      order by s.started_at desc, s.id desc limit 1) as newest`;

/** Returns those of these apps whose next sync is overdue. */
export const overdueApps = (db: OrgDb, appIds: string[]) => values<string>(db)`
    select a.id from app a cross join lateral ${overdueSync(db, 'a')} o
    where a.org_id = ${db.orgId} and a.id = any(${appIds}::uuid[])`;

export interface RecentSession
  extends Pick<Session, 'id' | 'app_id' | 'status' | 'started_at' | 'finished_at' | 'progress' | 'held'> {
  rejected_by: string | null;
}

/** Returns the newest sessions of each of these apps, newest first. */
export const recentSessions = (db: OrgDb, appIds: readonly string[], limit: number) => many<RecentSession>(
  db,
)`
    select recent.* from unnest(${appIds}::uuid[]) as wanted (app_id)
    cross join lateral (
      select s.id, s.app_id, s.status, s.started_at, s.finished_at, s.progress, s.held,
        s.error ->> 'rejected_by' as rejected_by
      from sync_session s where s.org_id = ${db.orgId} and s.app_id = wanted.app_id
      order by s.started_at desc, s.id desc limit ${limit}) as recent
    order by recent.app_id, recent.started_at desc, recent.id desc`;

/** Returns the numbers of records that the session's publication created and updated. */
export async function writtenBy(db: OrgDb, sessionId: string): Promise<{ created: number; updated: number }> {
  const rows = await many<{ created: number; updated: number }>(db)`
    select coalesce((counts ->> 'created')::bigint, 0) as created, coalesce((counts ->> 'updated')::bigint, 0) as updated
    from sync_session where org_id = ${db.orgId} and id = ${sessionId}`;
  return rows[0] ?? { created: 0, updated: 0 };
}

/** Returns the completing sessions of the same app that started before this one, oldest first. */
export const earlierCompleting = (db: OrgDb, sessionId: string) => many<Session>(db)`
    select ${session} from sync_session own
    join sync_session s on s.org_id = own.org_id and s.app_id = own.app_id
    where own.org_id = ${db.orgId} and own.id = ${sessionId}
      and s.status = 'completing' and (s.started_at, s.id) < (own.started_at, own.id)
    order by s.started_at, s.id`;

export interface SessionKey {
  org_id: string;
  id: string;
}

/** Returns the completing sessions of all organizations that do not wait for approval. */
export const unfinishedCompletions = (db: Db) => many<SessionKey>(everywhere(db))`
    select org_id, id from sync_session where status = 'completing' and held is null order by started_at`;

/** Returns the sessions in progress of all active organizations that have received no page for 7 days. */
export const forgottenSessions = (db: Db) => many<SessionKey>(everywhere(db))`
    select s.org_id, s.id from sync_session s
    where s.status = 'in_progress' and s.started_at < now() - interval '7 days'
      and ${isActiveOrganization('s.org_id')} and not exists (
      select from sync_page p
      where p.org_id = s.org_id and p.session_id = s.id and p.received_at > now() - interval '7 days')`;
