import { type App, lockApp } from '../apps/apps.ts';
import { recordEvents } from '../events/record.ts';
import type { RequestCause } from '../identity/cause.ts';
import type { Principal } from '../identity/principal.ts';
import type { Db } from '../platform/database/open.ts';
import { transaction } from '../platform/database/transaction.ts';
import { conflict, invalid, notFound } from '../platform/errors.ts';
import type { Page, Slice } from '../platform/http/lists.ts';
import { isUuid } from '../platform/ids.ts';
import type { Kind, Run, RunWithLog } from './connector.ts';
import { getConnector, requireBridge, typeOf } from './connectors.ts';
import * as events from './events.ts';
import * as queries from './queries/runs.ts';

const NAMES: Record<Kind, string> = {
  sync: 'A sync',
  tasks: 'A task batch',
  test: 'A test',
  preview: 'A preview',
};

/**
 * Queues a run, which a node starts within seconds. Throws 409 if a run of this kind is unfinished. `acceptsRemovals` turns
 * the guard of the connector off for this sync; the removal guard of the app still holds (D24a).
 */
export async function requestRun(
  db: Db,
  principal: Principal,
  app: App,
  kind: Kind,
  cause: RequestCause,
  acceptsRemovals = false,
): Promise<Run> {
  requireBridge(principal);
  const { orgId, userId } = principal;
  const { connector } = await getConnector(db, orgId, app.id);
  const type = typeOf(connector);
  if (kind === 'tasks' && (connector.described ?? type).tasks.length === 0)
    throw conflict('This connector has no actions, so it cannot carry out tasks.');
  if (acceptsRemovals && kind !== 'sync') throw invalid('Only a sync can accept removals.');
  return transaction(db, async (tx) => {
    if ((await lockApp(tx, orgId, app.id)) === undefined) throw notFound('App');
    const run = await queries.insertRun(tx, orgId, app.id, kind, userId, acceptsRemovals);
    if (run === undefined)
      throw conflict(`${NAMES[kind]} of ${app.name} is queued or running. Wait for it, or cancel it.`);
    await recordEvents(tx, orgId, [
      events.runEvent('connector.run_requested', app, connector.type, run, cause),
    ]);
    return run;
  });
}

export async function getRun(db: Db, { orgId }: Principal, app: App, id: string): Promise<RunWithLog> {
  const run = isUuid(id) ? await queries.findRun(db, orgId, app.id, id) : undefined;
  if (run === undefined) throw notFound('Run');
  return run;
}

export const listRuns = (
  db: Db,
  { orgId }: Principal,
  app: App,
  filter: queries.RunFilter,
  page: Page,
): Promise<Slice<Run>> => queries.listRuns(db, orgId, app.id, filter, page);

/** Cancels a run. One that is running ends within 15 seconds, and its session removes nothing. Throws 409 for a finished run. */
export async function cancelRun(
  db: Db,
  principal: Principal,
  app: App,
  id: string,
  cause: RequestCause,
): Promise<RunWithLog> {
  const { orgId } = principal;
  const { cancel_requested_at: before } = await getRun(db, principal, app, id);
  const { connector } = await getConnector(db, orgId, app.id);
  await transaction(db, async (tx) => {
    const run = await queries.requestCancel(tx, orgId, app.id, id);
    if (run === undefined) throw conflict('The run has ended.');
    if (before !== null) return;
    await recordEvents(tx, orgId, [
      events.runEvent('connector.run_cancelled', app, connector.type, run, cause),
    ]);
  });
  return getRun(db, principal, app, id);
}
