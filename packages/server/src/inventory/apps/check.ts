import { transaction } from '#kit/database.ts';
import { notFound } from '#kit/errors.ts';
import type { Call } from '#kit/identity.ts';
import { type NewEvent, recordEvents } from '#log/events/record.ts';
import type { App } from './app.ts';
import { lockApp } from './facts.ts';
import * as queries from './queries/apps.ts';

/** The result of a connector's attempt to sign in to the external system (D13). */
export interface ConnectionCheck {
  ok: boolean;
  method: 'api' | 'browser';
  message: string | null;
}

/**
 * Records a connection check (D13). A successful one connects the app, unless an administrator disconnected it. A failed
 * one disconnects it.
 */
export async function reportCheck(
  call: Call,
  appId: string,
  { ok, method, message }: ConnectionCheck,
): Promise<App> {
  return transaction(call, async (tx) => {
    const app = await lockApp(tx, appId);
    if (app === undefined) throw notFound('App');
    const byAdministrator = app.disconnected_by_administrator;
    const status = ok && !byAdministrator ? 'CONNECTED' : 'DISCONNECTED';
    const changed = await queries.setConfigurationStatus(tx, appId, status, byAdministrator);
    const about = { ...call.cause, subject: { type: 'app' as const, uuid: appId } };
    const named = { app_id: appId, app_name: app.name };
    const events: NewEvent[] = [{ type: 'warp.login.attempted', ...about, payload: { ...named, method } }];
    if (!ok) events.push({ type: 'warp.login.failed', ...about, payload: { ...named, method, message } });
    if (changed !== undefined) {
      const payload = {
        ...named,
        previous_status: app.configuration_status,
        reason: ok ? 'The connector could sign in.' : 'The connector could not sign in.',
      };
      events.push({ type: ok ? 'app.connected' : 'app.disconnected', ...about, payload });
    }
    await recordEvents(tx, events);
    return changed ?? app;
  });
}
