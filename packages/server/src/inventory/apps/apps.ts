import { extendKey } from '#directory/access/keys.ts';
import { type Db, type OrgTx, transaction, within } from '#kit/database.ts';
import { notFound } from '#kit/errors.ts';
import { type Call, mayTouchApp, type Principal, SYSTEM } from '#kit/identity.ts';
import { isUuid } from '#kit/ids.ts';
import type { Page, Slice } from '#kit/pages.ts';
import type { RawBuilder } from '#kit/sql.ts';
import { type NewEvent, recordEvents } from '#log/events/record.ts';
import type { App } from './app.ts';
import { findApp } from './facts.ts';
import * as queries from './queries/apps.ts';
import { appRefusals } from './sentences.ts';

/** Throws 404 for an app that the organization does not have, 403 for one that the key may not access (D7). */
export async function accessibleApp(
  db: Db,
  principal: Pick<Principal, 'orgId' | 'apps'>,
  appId: string,
): Promise<App> {
  const app = isUuid(appId) ? await findApp(within(db, principal.orgId), appId) : undefined;
  if (app === undefined) throw notFound('App');
  if (!mayTouchApp(principal, app.id)) throw appRefusals.key_without_app();
  return app;
}

/** Does the same for a call. */
export const appOf = (call: Call, appId: string): Promise<App> =>
  accessibleApp(call.db, call.principal, appId);

export function listApps(call: Call, page: Page): Promise<Slice<App>> {
  return queries.listApps(call, call.principal.apps === 'all' ? null : [...call.principal.apps], page);
}

/** Creates an app (protocol 4.1). A clone joins its origin's clone group and shares its resource types (D12). */
export async function createApp(
  call: Call,
  { name, cloneFrom }: { name: string; cloneFrom: string | null },
): Promise<App> {
  const origin = cloneFrom === null ? null : await accessibleApp(call.db, call.principal, cloneFrom);
  return transaction(call, async (tx) => {
    const app = await queries.insertApp(tx, name, origin?.clone_group_id ?? null);
    await extendKey(tx, call.principal, app.id);
    await recordEvents(tx, [
      {
        type: 'app.created',
        actor: call.cause.actor,
        subject: { type: 'app', uuid: app.id },
        source: call.cause.source,
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
export async function markSynced(tx: OrgTx, app: App, source: NewEvent['source']): Promise<NewEvent[]> {
  await queries.setLastSynced(tx, app.id);
  if (app.disconnected_by_administrator) return [];
  const connected = await queries.setConfigurationStatus(tx, app.id, 'CONNECTED', false);
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

/** Takes back the time of a completed sync that is reverted: the last one is that before it, at `at`. */
export const takeBackSync = (tx: OrgTx, appId: string, at: RawBuilder<unknown>): Promise<void> =>
  queries.setLastSyncedAt(tx, appId, at);
