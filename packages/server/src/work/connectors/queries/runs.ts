import { type OrgDb, type OrgTx, raise } from '#kit/database.ts';
import type { Page, Slice } from '#kit/pages.ts';
import { countFor, many, one, run, sql } from '#kit/sql.ts';
import type { Kind, Run, RunWithLog } from '../connector.ts';
import { type RunFilter, runFilters } from '../filters.ts';

const columns = sql`
  id, app_id, kind, state, requested_by, cancel_requested_at, queued_at, started_at, ended_at, counts, error, problem,
  accepts_removals, coalesce(result->>'outcome' = 'stopped_by_guard', false) as stopped_by_guard`;

/** Queues a run. Returns undefined if one of this kind is unfinished. */
export async function insertRun(
  tx: OrgTx,
  appId: string,
  kind: Kind,
  requestedBy: string | null,
  acceptsRemovals = false,
): Promise<Run | undefined> {
  const rows = await many<Run>(tx)`
    insert into connector_run (org_id, app_id, kind, requested_by, accepts_removals)
    values (${tx.orgId}, ${appId}, ${kind}, ${requestedBy}, ${acceptsRemovals})
    on conflict do nothing returning ${columns}`;
  raise(tx, 'runs');
  return rows[0];
}

/** Newest first. */
export async function listRuns(db: OrgDb, appId: string, filter: RunFilter, page: Page): Promise<Slice<Run>> {
  const where = runFilters.where(db, filter, sql`org_id = ${db.orgId} and app_id = ${appId}`);
  const counted = await countFor(db, page)`select from connector_run where ${where}`;
  const rows = await many<Run>(db)`
    select ${columns} from connector_run where ${where}
    order by id desc limit ${page.limit} offset ${page.offset}`;
  return { ...counted, results: rows };
}

export const findRun = (db: OrgDb, appId: string, id: string) => one<RunWithLog>(db)`
    select ${columns}, log, result from connector_run
    where org_id = ${db.orgId} and app_id = ${appId} and id = ${id}`;

/** Returns the newest run of an app, of any kind. */
export const newestRun = (db: OrgDb, appId: string) => one<Run>(db)`
    select ${columns} from connector_run where org_id = ${db.orgId} and app_id = ${appId}
    order by id desc limit 1`;

/** Cancels a queued run, and asks the node of a running one to end it. Returns undefined for a finished run. */
export async function requestCancel(tx: OrgTx, appId: string, id: string): Promise<Run | undefined> {
  const run = await one<Run>(tx)`
    select ${columns} from connector_run
    where org_id = ${tx.orgId} and app_id = ${appId} and id = ${id} and ended_at is null for update`;
  if (run !== undefined) await cancel(tx, run);
  return run;
}

/** Cancels every unfinished run of an app, as requestCancel does. Returns the keys of the running ones. */
export async function cancelRunsOfApp(tx: OrgTx, appId: string): Promise<string[]> {
  const rows = await many<Run & { key_id: string | null }>(tx)`
    select ${columns}, key_id from connector_run
    where org_id = ${tx.orgId} and app_id = ${appId} and ended_at is null order by id for update`;
  for (const run of rows) await cancel(tx, run);
  return rows.flatMap(({ key_id }) => (key_id === null ? [] : [key_id]));
}

async function cancel(tx: OrgTx, { id, state, cancel_requested_at }: Run): Promise<void> {
  if (cancel_requested_at !== null) return;
  const end = state === 'queued' ? sql`, state = 'cancelled', ended_at = clock_now()` : sql``;
  await run(tx)`
    update connector_run set cancel_requested_at = clock_now() ${end}
    where org_id = ${tx.orgId} and id = ${id}`;
  raise(tx, 'runs');
}
