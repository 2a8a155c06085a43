import { type NewEvent, recordEvents } from '../events/record.ts';
import { type Actor, sourceOf } from '../identity/cause.ts';
import type { Principal } from '../identity/principal.ts';
import { requirePeople } from '../people/people.ts';
import type { Db, Tx } from '../platform/database/open.ts';
import { transaction } from '../platform/database/transaction.ts';
import { notFound } from '../platform/errors.ts';
import type { Page, Slice } from '../platform/http/lists.ts';
import type { AdminApp, AppSettings } from './admin-queries.ts';
import * as queries from './admin-queries.ts';
import { type App, lockApp } from './apps.ts';

export type { AdminApp, ApprovalStep, AppSettings } from './admin-queries.ts';

/** Who changes an app. */
export interface Caller {
  principal: Principal;
  actor: Actor;
}

/**
 * What higher floors do when an app is archived, in its transaction: they end what is under way, and answer the
 * events that tell of it.
 */
export type ArchiveHook = (tx: Tx, orgId: string, app: App, caller: Caller) => Promise<NewEvent[]>;

/** A listed key sees its apps (D7). */
export function listAdminApps(
  db: Db,
  { orgId, apps }: Principal,
  q: string | null,
  page: Page,
): Promise<Slice<AdminApp>> {
  return queries.listAdminApps(db, orgId, { only: apps === 'all' ? null : [...apps], q }, page);
}

export async function adminAppOf(db: Db, orgId: string, appId: string): Promise<AdminApp> {
  const app = await queries.findAdminApp(db, orgId, appId);
  if (app === undefined) throw notFound('App');
  return app;
}

/** 404 where an owner or an approver is nobody of the organization. */
export async function changeSettings(
  db: Db,
  orgId: string,
  appId: string,
  change: Partial<AppSettings>,
): Promise<AdminApp> {
  await transaction(db, async (tx) => {
    if ((await lockApp(tx, orgId, appId)) === undefined) throw notFound('App');
    const settings = { ...(await adminAppOf(tx, orgId, appId)), ...change };
    await requirePeople(tx, orgId, peopleIn(change));
    await queries.setSettings(tx, orgId, appId, settings);
  });
  return adminAppOf(db, orgId, appId);
}

const peopleIn = ({ owner, approval_steps = [], fallback_approvers }: Partial<AppSettings>): string[] => [
  ...(owner == null ? [] : [owner]),
  ...approval_steps.flatMap(({ approvers }) => (typeof approvers === 'string' ? [] : approvers)),
  ...(fallback_approvers ?? []),
];

/** D13: until an administrator reconnects it, no sync and no check makes it CONNECTED. Repeating changes nothing. */
export async function disconnect(db: Db, caller: Caller, appId: string): Promise<AdminApp> {
  const { orgId } = caller.principal;
  await transaction(db, async (tx) => {
    const app = await lockApp(tx, orgId, appId);
    if (app === undefined) throw notFound('App');
    await queries.setConnection(tx, orgId, appId, {
      status: 'DISCONNECTED',
      disconnectedByAdministrator: true,
    });
    if (app.configuration_status !== 'DISCONNECTED') {
      await recordEvents(tx, orgId, [disconnected(app, caller, 'An administrator disconnected it.')]);
    }
  });
  return adminAppOf(db, orgId, appId);
}

/** Takes back a disconnect: the next completed sync, or check that passes, connects the app. */
export async function reconnect(db: Db, orgId: string, appId: string): Promise<AdminApp> {
  await transaction(db, async (tx) => {
    const app = await lockApp(tx, orgId, appId);
    if (app === undefined) throw notFound('App');
    if (!app.disconnected_by_administrator) return;
    await queries.setConnection(tx, orgId, appId, {
      status: 'CHECKING_CONFIGURATION',
      disconnectedByAdministrator: false,
    });
  });
  return adminAppOf(db, orgId, appId);
}

/** The app is gone for connectors and administrators; its accounts and its history stay. */
export async function archive(
  db: Db,
  caller: Caller,
  appId: string,
  hooks: readonly ArchiveHook[],
): Promise<void> {
  const { orgId } = caller.principal;
  await transaction(db, async (tx) => {
    const app = await lockApp(tx, orgId, appId);
    if (app === undefined) throw notFound('App');
    await queries.setArchived(tx, orgId, appId);
    const events: NewEvent[] = [];
    for (const hook of hooks) events.push(...(await hook(tx, orgId, app, caller)));
    events.push(disconnected(app, caller, 'An administrator archived it.'));
    await recordEvents(tx, orgId, events);
  });
}

const disconnected = (app: App, { principal, actor }: Caller, reason: string): NewEvent => ({
  type: 'app.disconnected',
  actor,
  subject: { type: 'app', uuid: app.id },
  source: sourceOf(principal),
  payload: { app_id: app.id, app_name: app.name, reason, previous_status: app.configuration_status },
});
