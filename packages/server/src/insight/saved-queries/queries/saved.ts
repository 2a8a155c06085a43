import type { Org, OrgDb, OrgTx } from '#kit/database.ts';
import { namedPersonJson } from '#kit/identity.ts';
import type { Page, Slice } from '#kit/pages.ts';
import { affected, many, one, run, sql, value } from '#kit/sql.ts';
import type { SavedQuery, Settings } from '../saved-query.ts';

/** Whether the schedule of query `q` was stopped, or its owner `o` is not active. */
const isAbandoned = sql`(q.stopped is not null or o.status <> 'active')`;

const view = (org: Org) => sql`
  q.id, q.name, q.definition as query, q.shared, ${namedPersonJson('o')} as owner, case when q.every is not null then
    jsonb_build_object('every', q.every, 'hour', q.hour, 'weekday', q.weekday, 'day', q.day,
      'recipients', to_jsonb(coalesce(q.recipients, '{}'))) end as schedule,
  coalesce((
    select jsonb_agg(${namedPersonJson('u')} order by u.email, u.id) from platform_user u
    where u.org_id = ${org.orgId} and u.id = any(q.recipients)), '[]') as recipients,
  q.next_run_at, q.last_run_at, q.last_count, q.stopped, ${isAbandoned} as is_abandoned, q.created_at, q.updated_at`;
const from = (org: Org) => sql`
  saved_query q join platform_user o on o.org_id = ${org.orgId} and o.id = q.owner_id`;

/** A person who looks at saved queries. */
interface Viewer {
  userId: string;
  /** Whether they look after queries that were stopped, or whose owner is not active. */
  looksAfter: boolean;
}

/** Whether a person may see query `q`: their own, a shared one, one that is sent to them, or one that they look after. */
const isVisible = ({ userId, looksAfter }: Viewer) => sql`(q.shared or q.owner_id = ${userId}
  or q.recipients @> array[${userId}::uuid] or ${looksAfter}::boolean and ${isAbandoned})`;

export async function listQueries(
  db: OrgDb,
  viewer: Viewer,
  { limit, offset }: Page,
): Promise<Slice<SavedQuery>> {
  const where = sql`q.org_id = ${db.orgId} and ${isVisible(viewer)}`;
  const count = await value<number>(db)`select count(*) as n from ${from(db)} where ${where}`;
  const results = await many<SavedQuery>(db)`
    select ${view(db)} from ${from(db)} where ${where}
    order by name_key(q.name), q.id limit ${limit} offset ${offset}`;
  return { count, results };
}

export const findQuery = (db: OrgDb, id: string, viewer: Viewer) => one<SavedQuery>(db)`
    select ${view(db)} from ${from(db)} where q.org_id = ${db.orgId} and q.id = ${id} and ${isVisible(viewer)}`;

/** Locks a saved query until `tx` ends. */
export const lockQuery = (tx: OrgTx, id: string) =>
  run(tx)`select from saved_query where org_id = ${tx.orgId} and id = ${id} for update`;

/** Counts the saved queries of the organization, and those of one owner. */
export const countQueries = (db: OrgDb, ownerId: string) => one<{ total: number; own: number }>(db)`
    select count(*)::integer as total, (count(*) filter (where owner_id = ${ownerId}))::integer as own
    from saved_query where org_id = ${db.orgId}`;

export const insertQuery = (
  tx: OrgTx,
  { id, ownerId, nextRunAt }: { id: string; ownerId: string; nextRunAt: Date | null },
  { name, query, shared, schedule }: Settings,
) => run(tx)`
    insert into saved_query (org_id, id, owner_id, name, definition, shared, every, hour, weekday, day, recipients, next_run_at)
    values (${tx.orgId}, ${id}, ${ownerId}, ${name}, ${JSON.stringify(query)}::jsonb, ${shared}, ${schedule?.every ?? null},
      ${schedule?.hour ?? null}, ${schedule?.weekday ?? null}, ${schedule?.day ?? null},
      ${schedule?.recipients ?? null}::uuid[], ${nextRunAt?.toISOString() ?? null}::timestamptz)`;

/**
 * Changes a query. With `nextRunAt`, it has another schedule, and an earlier stop no longer counts. The next run of another definition is not
 * compared with the last one.
 */
export async function updateQuery(
  tx: OrgTx,
  id: string,
  { name, query, shared, schedule }: Settings,
  nextRunAt: Date | null | undefined,
): Promise<void> {
  const scheduled =
    nextRunAt === undefined
      ? sql``
      : sql`, every = ${schedule?.every ?? null}, hour = ${schedule?.hour ?? null}, weekday = ${schedule?.weekday ?? null},
        day = ${schedule?.day ?? null}, recipients = ${schedule?.recipients ?? null}::uuid[],
        next_run_at = ${nextRunAt?.toISOString() ?? null}::timestamptz, stopped = null`;
  await run(tx)`
    update saved_query set name = ${name}, definition = ${JSON.stringify(query)}::jsonb, shared = ${shared},
      last_count = case when definition = ${JSON.stringify(query)}::jsonb then last_count end, updated_at = clock_now() ${scheduled}
    where org_id = ${tx.orgId} and id = ${id}`;
}

export const deleteQuery = (tx: OrgTx, id: string) =>
  affected(tx)`delete from saved_query where org_id = ${tx.orgId} and id = ${id}`;

/** A person who is to get results, and whether they may read them: active owners, administrators and auditors. */
export interface Reader {
  id: string;
  email: string;
  may_read: boolean;
}

export const readersAmong = (db: OrgDb, ids: readonly string[]) => many<Reader>(db)`
    select u.id, u.email, u.status = 'active' and u.role <> 'member' as may_read from platform_user u
    where u.org_id = ${db.orgId} and u.id = any(${[...ids]}::uuid[]) order by u.email, u.id`;
