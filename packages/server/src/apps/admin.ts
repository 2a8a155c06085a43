import { changedFields, type FieldChange } from '../events/changes.ts';
import { type NewEvent, recordEvents } from '../events/record.ts';
import type { RequestCause } from '../identity/cause.ts';
import { type Principal, requireAllApps } from '../identity/principal.ts';
import { requirePeople } from '../people/people.ts';
import type { Db, Tx } from '../platform/database/open.ts';
import { transaction } from '../platform/database/transaction.ts';
import { notFound } from '../platform/errors.ts';
import type { Page, Slice } from '../platform/http/lists.ts';
import type { AdminApp, AppSettings } from './admin-queries.ts';
import * as queries from './admin-queries.ts';
import { type App, lockApp } from './apps.ts';

export type { AdminApp, ApprovalStep, AppSettings } from './admin-queries.ts';

/** The caller who changes an app, as the cause of the change. */
export interface Caller extends RequestCause {
  principal: Principal;
}

/**
 * Ends what a higher feature has open for an app that is archived, in the same transaction. Returns the events to
 * record.
 */
export type ArchiveHook = (tx: Tx, orgId: string, app: App, caller: Caller) => Promise<NewEvent[]>;

/** The state of an app's newest sync session. */
export interface LastSync {
  sync_id: string;
  status: string;
  held: { accounts: number; memberships: number } | null;
  /** The person who rejected the session's held removals. */
  rejected_by: string | null;
}

/** Returns the newest session of each app, by app. Syncs are a higher feature, so app.ts passes this in. */
export type ReadLastSyncs = (db: Db, orgId: string, appIds: string[]) => Promise<Map<string, LastSync>>;

/** Returns the number of tasks that each app's daily budget holds, by app, without zeros. app.ts passes this in, too. */
export type ReadHeldTasks = (db: Db, orgId: string, appIds: string[]) => Promise<Map<string, number>>;

/** Returns those of the apps whose tasks people carry out. app.ts passes this in, too. */
export type ReadFulfilledByPeople = (db: Db, orgId: string, appIds: string[]) => Promise<Set<string>>;

/** The activity of apps, which higher features know. */
export interface ReadActivity {
  readLastSyncs: ReadLastSyncs;
  readHeldTasks: ReadHeldTasks;
  readFulfilledByPeople: ReadFulfilledByPeople;
}

/** Lists apps by id. A key for listed apps sees only those (D7). */
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

/** Changes the given settings. Throws 404 if the owner or an approver is not in the organization. */
export async function changeSettings(
  db: Db,
  caller: Caller,
  appId: string,
  change: Partial<AppSettings>,
): Promise<AdminApp> {
  if (change.removal_guard !== undefined) requireAllApps(caller.principal, 'changing removal_guard');
  const { orgId } = caller.principal;
  await transaction(db, async (tx) => {
    if ((await lockApp(tx, orgId, appId)) === undefined) throw notFound('App');
    const before = await adminAppOf(tx, orgId, appId);
    const settings = { ...before, ...change };
    await requirePeople(tx, orgId, peopleIn(change));
    await queries.setSettings(tx, orgId, appId, settings);
    await recordEvents(
      tx,
      orgId,
      settingsChanged(settings, caller, changedFields(before, settings, SETTINGS)),
    );
  });
  return adminAppOf(db, orgId, appId);
}

const peopleIn = ({ owner, approval_steps = [], fallback_approvers }: Partial<AppSettings>): string[] => [
  ...(owner == null ? [] : [owner]),
  ...approval_steps.flatMap(({ approvers }) => (typeof approvers === 'string' ? [] : approvers)),
  ...(fallback_approvers ?? []),
];

/** Disconnects an app. No sync and no check connects it until an administrator reconnects it (D13). Idempotent. */
export async function disconnect(db: Db, caller: Caller, appId: string): Promise<AdminApp> {
  const { orgId } = caller.principal;
  await transaction(db, async (tx) => {
    const app = await lockApp(tx, orgId, appId);
    if (app === undefined) throw notFound('App');
    await queries.setConnection(tx, orgId, appId, {
      status: 'DISCONNECTED',
      disconnectedByAdministrator: true,
    });
    await recordEvents(
      tx,
      orgId,
      app.configuration_status === 'DISCONNECTED'
        ? settingsChanged(app, caller, byAdministrator(app.disconnected_by_administrator, true))
        : [disconnected(app, caller, 'An administrator disconnected the app.')],
    );
  });
  return adminAppOf(db, orgId, appId);
}

/** Ends a disconnect: the next completed sync or successful check connects the app. */
export async function reconnect(db: Db, caller: Caller, appId: string): Promise<AdminApp> {
  const { orgId } = caller.principal;
  await transaction(db, async (tx) => {
    const app = await lockApp(tx, orgId, appId);
    if (app === undefined) throw notFound('App');
    if (!app.disconnected_by_administrator) return;
    await queries.setConnection(tx, orgId, appId, {
      status: 'CHECKING_CONFIGURATION',
      disconnectedByAdministrator: false,
    });
    await recordEvents(tx, orgId, settingsChanged(app, caller, byAdministrator(true, false)));
  });
  return adminAppOf(db, orgId, appId);
}

/** Hides an app from connectors and administrators. Its accounts and its history stay. */
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
    events.push(disconnected(app, caller, 'An administrator archived the app.'), archived(app, caller));
    await recordEvents(tx, orgId, events);
  });
}

export const SETTINGS = [
  'name',
  'owner',
  'approval_steps',
  'fallback_approvers',
  'escalate_after_working_days',
  'removal_guard',
] as const;

/** Returns no event without changes. */
export const settingsChanged = (
  app: Pick<App, 'id' | 'name'>,
  { actor, source }: RequestCause,
  changes: FieldChange[],
): NewEvent[] =>
  changes.length === 0
    ? []
    : [
        {
          type: 'app_settings.changed',
          actor,
          subject: { type: 'app', uuid: app.id },
          source,
          payload: { app_id: app.id, app_name: app.name, changes },
        },
      ];

const byAdministrator = (from: boolean, to: boolean): FieldChange[] =>
  from === to ? [] : [{ field: 'disconnected_by_administrator', from, to }];

const archived = (app: App, { actor, source }: RequestCause): NewEvent => ({
  type: 'app_settings.archived',
  actor,
  subject: { type: 'app', uuid: app.id },
  source,
  payload: { app_id: app.id, app_name: app.name },
});

const disconnected = (app: App, { actor, source }: RequestCause, reason: string): NewEvent => ({
  type: 'app.disconnected',
  actor,
  subject: { type: 'app', uuid: app.id },
  source,
  payload: { app_id: app.id, app_name: app.name, reason, previous_status: app.configuration_status },
});
