import { addKeyApp } from '../access/keys.ts';
import { type NewEvent, recordEvents } from '../events/record.ts';
import { type RequestCause, SYSTEM } from '../identity/cause.ts';
import { mayTouchApp, type Principal } from '../identity/principal.ts';
import type { Db, Tx } from '../platform/database/open.ts';
import { transaction } from '../platform/database/transaction.ts';
import { forbidden, notFound } from '../platform/errors.ts';
import type { Page, Slice } from '../platform/http/lists.ts';
import { isUuid } from '../platform/ids.ts';
import type { App } from './queries.ts';
import * as queries from './queries.ts';

export type { App } from './queries.ts';
export { findApp, lockApp, setLastSyncedAt } from './queries.ts';

/** Throws 404 for an app that the organization does not have, 403 for one that the key may not access (D7). */
export async function accessibleApp(
  db: Db,
  principal: Pick<Principal, 'orgId' | 'apps'>,
  appId: string,
): Promise<App> {
  const app = isUuid(appId) ? await queries.findApp(db, principal.orgId, appId) : undefined;
  if (app === undefined) throw notFound('App');
  if (!mayTouchApp(principal, app.id)) throw forbidden('This key does not have access to this app.');
  return app;
}

export function listApps(db: Db, principal: Principal, page: Page): Promise<Slice<App>> {
  return queries.listApps(db, principal.orgId, principal.apps === 'all' ? null : [...principal.apps], page);
}

/** Creates an app (protocol 4.1). A clone joins its origin's clone group and shares its resource types (D12). */
export async function createApp(
  db: Db,
  principal: Principal,
  { actor, source }: RequestCause,
  { name, cloneFrom }: { name: string; cloneFrom: string | null },
): Promise<App> {
  const origin = cloneFrom === null ? null : await accessibleApp(db, principal, cloneFrom);
  return transaction(db, async (tx) => {
    const app = await queries.insertApp(tx, principal.orgId, name, origin?.clone_group_id ?? null);
    if (principal.apps !== 'all' && principal.keyId !== null)
      await addKeyApp(tx, principal.orgId, principal.keyId, app.id);
    await recordEvents(tx, principal.orgId, [
      {
        type: 'app.created',
        actor,
        subject: { type: 'app', uuid: app.id },
        source,
        payload: { app_id: app.id, app_name: app.name, clone_from: origin?.id ?? null },
      },
    ]);
    return app;
  });
}

/**
 * Stores the time of a completed sync and connects the app, unless an administrator disconnected it (D13). Returns the
 * event to record if the status changed.
 */
export async function markSynced(
  tx: Tx,
  orgId: string,
  app: App,
  source: NewEvent['source'],
): Promise<NewEvent[]> {
  await queries.setLastSynced(tx, orgId, app.id);
  if (app.disconnected_by_administrator) return [];
  const connected = await queries.setConfigurationStatus(tx, orgId, app.id, 'CONNECTED', false);
  if (connected === undefined) return [];
  return [
    {
      type: 'app.connected',
      actor: SYSTEM,
      subject: { type: 'app', uuid: app.id },
      source,
      payload: { app_id: app.id, app_name: app.name, reason: 'A sync completed.' },
    } as NewEvent,
  ];
}
