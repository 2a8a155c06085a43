import type { App } from '#inventory/apps/app.ts';
import { lockApp } from '#inventory/apps/facts.ts';
import { transaction } from '#kit/database.ts';
import { notFound } from '#kit/errors.ts';
import type { Call } from '#kit/identity.ts';
import { isUuid } from '#kit/ids.ts';
import type { Page, Slice } from '#kit/pages.ts';
import { recordEvents } from '#log/events/record.ts';
import type { Kind, Run, RunWithLog } from './connector.ts';
import { getConnector, requireBridge, typeOf } from './connectors.ts';
import * as events from './events.ts';
import type { RunFilter } from './filters.ts';
import * as queries from './queries/runs.ts';
import { connectorRefusals } from './sentences.ts';

const UNDER_WAY = {
  sync: connectorRefusals.sync_under_way,
  tasks: connectorRefusals.tasks_under_way,
  test: connectorRefusals.test_under_way,
  preview: connectorRefusals.preview_under_way,
} satisfies Record<Kind, unknown>;

/**
 * Queues a run, which a node starts within seconds. Throws 409 if a run of this kind is unfinished. `acceptsRemovals` turns
 * the guard of the connector off for this sync; the removal guard of the app still holds (D24a).
 */
export async function requestRun(call: Call, app: App, kind: Kind, acceptsRemovals = false): Promise<Run> {
  requireBridge(call.principal);
  const { userId } = call.principal;
  const { connector } = await getConnector(call, app.id);
  const type = typeOf(connector);
  if (kind === 'tasks' && (connector.described ?? type).tasks.length === 0)
    throw connectorRefusals.connector_without_actions();
  if (acceptsRemovals && kind !== 'sync') throw connectorRefusals.accepts_removals_in_sync();
  return transaction(call, async (tx) => {
    if ((await lockApp(tx, app.id)) === undefined) throw notFound('App');
    const run = await queries.insertRun(tx, app.id, kind, userId, acceptsRemovals);
    if (run === undefined) throw UNDER_WAY[kind]({ name: app.name });
    await recordEvents(tx, [
      events.runEvent('connector.run_requested', app, connector.type, run, call.cause),
    ]);
    return run;
  });
}

export async function getRun(call: Call, app: App, id: string): Promise<RunWithLog> {
  const run = isUuid(id) ? await queries.findRun(call, app.id, id) : undefined;
  if (run === undefined) throw notFound('Run');
  return run;
}

export const listRuns = (call: Call, app: App, filter: RunFilter, page: Page): Promise<Slice<Run>> =>
  queries.listRuns(call, app.id, filter, page);

/** Cancels a run. One that is running ends within 15 seconds, and its session removes nothing. Throws 409 for a finished run. */
export async function cancelRun(call: Call, app: App, id: string): Promise<RunWithLog> {
  const { cancel_requested_at: before } = await getRun(call, app, id);
  const { connector } = await getConnector(call, app.id);
  await transaction(call, async (tx) => {
    const run = await queries.requestCancel(tx, app.id, id);
    if (run === undefined) throw connectorRefusals.run_ended();
    if (before !== null) return;
    await recordEvents(tx, [
      events.runEvent('connector.run_cancelled', app, connector.type, run, call.cause),
    ]);
  });
  return getRun(call, app, id);
}
