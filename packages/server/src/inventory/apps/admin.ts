import { requirePeople } from '#directory/people/people.ts';
import { hookPoint, type OrgDb, transaction } from '#kit/database.ts';
import { notFound } from '#kit/errors.ts';
import { type Call, type CallTx, type RequestCause, requireAllApps } from '#kit/identity.ts';
import type { Page, Slice } from '#kit/pages.ts';
import type { ValuesOf } from '#kit/sql.ts';
import { type IfMatch, requireVersion, versionOf } from '#kit/versions.ts';
import { changedFields, type FieldChange } from '#log/events/changes.ts';
import { type NewEvent, recordEvents } from '#log/events/record.ts';
import type { AdminApp, App, AppSettings } from './app.ts';
import { lockApp } from './facts.ts';
import type { appFilters } from './filters.ts';
import type { Held } from './held.ts';
import * as queries from './queries/admin.ts';
import type { SyncStatus } from './sync-status.ts';
import type { Unseen, UnseenCounts } from './unseen.ts';

/**
 * Ends what a higher feature has open for an app that is archived, in the same transaction. Returns the events to
 * record.
 */
export type ArchiveHook = (tx: CallTx, app: App) => Promise<NewEvent[]>;

export const archiveHooks = hookPoint<ArchiveHook>();

/** The state of an app's newest sync session. */
export interface LastSync {
  sync_id: string;
  status: SyncStatus;
  held: Held | null;
  /** The person who rejected the session's held removals. */
  rejected_by: string | null;
  /** Only present if the next sync is overdue. */
  overdue?: true;
}

/** Returns the newest session of each app, by app. Syncs are a higher feature, so app.ts passes this in. */
export type ReadLastSyncs = (db: OrgDb, appIds: string[]) => Promise<Map<string, LastSync>>;

/** Returns the number of tasks that each app's daily budget holds, by app, without zeros. app.ts passes this in, too. */
export type ReadHeldTasks = (db: OrgDb, appIds: string[]) => Promise<Map<string, number>>;

/**
 * The party that carries out the tasks of an app: people, the connector that this server runs, or nobody. Null: a connector
 * that runs elsewhere may ask for them.
 */
export type Carrier = 'people' | 'connector' | 'nobody' | null;

/** Returns who carries out the tasks of each app. app.ts passes this in, too. */
export type ReadCarriers = (db: OrgDb, appIds: string[]) => Promise<Map<string, Carrier>>;

/** The report on what the newest sync of an app could not see. */
export interface ReadUnseen {
  /** Returns the sums of several apps, by app. Apps without are left out. */
  readUnseenCounts: (db: OrgDb, appIds: string[]) => Promise<Map<string, UnseenCounts>>;
  readUnseen: (db: OrgDb, appId: string) => Promise<Unseen[]>;
}

/** The activity of apps, which higher features know. */
export interface ReadActivity extends ReadUnseen {
  readLastSyncs: ReadLastSyncs;
  readHeldTasks: ReadHeldTasks;
  readCarriers: ReadCarriers;
}

/** Lists apps by id. An app-scoped key sees only those (D7). */
export function listAdminApps(
  call: Call,
  filter: ValuesOf<typeof appFilters>,
  page: Page,
): Promise<Slice<AdminApp>> {
  const only = call.principal.apps === 'all' ? null : [...call.principal.apps];
  return queries.listAdminApps(call, { ...filter, only }, page);
}

export async function adminAppOf(db: OrgDb, appId: string): Promise<AdminApp> {
  const app = await queries.findAdminApp(db, appId);
  if (app === undefined) throw notFound('App');
  return app;
}

/** Changes the given settings, if `ifMatch` names their version. Throws 404 if the owner or an approver is not in the organization. */
export async function changeSettings(
  call: Call,
  appId: string,
  change: Partial<AppSettings>,
  ifMatch: IfMatch = null,
): Promise<AdminApp> {
  if (change.removal_guard !== undefined) requireAllApps(call.principal, 'changing removal_guard');
  await transaction(call, async (tx) => {
    if ((await lockApp(tx, appId)) === undefined) throw notFound('App');
    const before = await adminAppOf(tx, appId);
    requireVersion(ifMatch, settingsVersion(before));
    const settings = { ...before, ...change };
    await requirePeople(tx, peopleIn(change));
    await queries.setSettings(tx, appId, settings);
    await recordEvents(tx, settingsChanged(settings, call.cause, changedFields(before, settings, SETTINGS)));
  });
  return adminAppOf(call, appId);
}

const peopleIn = ({ owner, approval_steps = [], fallback_approvers }: Partial<AppSettings>): string[] => [
  ...(owner == null ? [] : [owner]),
  ...approval_steps.flatMap(({ approvers }) => (typeof approvers === 'string' ? [] : approvers)),
  ...(fallback_approvers ?? []),
];

/** Disconnects an app. No sync and no check connects it until an administrator reconnects it (D13). Idempotent. */
export async function disconnect(call: Call, appId: string): Promise<AdminApp> {
  await transaction(call, async (tx) => {
    const app = await lockApp(tx, appId);
    if (app === undefined) throw notFound('App');
    await queries.setConnection(tx, appId, {
      status: 'DISCONNECTED',
      disconnectedByAdministrator: true,
    });
    await recordEvents(
      tx,
      app.configuration_status === 'DISCONNECTED'
        ? settingsChanged(app, call.cause, byAdministrator(app.disconnected_by_administrator, true))
        : [disconnected(app, call.cause, 'An administrator disconnected the app.')],
    );
  });
  return adminAppOf(call, appId);
}

/** Ends a disconnect: the next completed sync or successful check connects the app. */
export async function reconnect(call: Call, appId: string): Promise<AdminApp> {
  await transaction(call, async (tx) => {
    const app = await lockApp(tx, appId);
    if (app === undefined) throw notFound('App');
    if (!app.disconnected_by_administrator) return;
    await queries.setConnection(tx, appId, {
      status: 'CHECKING_CONFIGURATION',
      disconnectedByAdministrator: false,
    });
    await recordEvents(tx, settingsChanged(app, call.cause, byAdministrator(true, false)));
  });
  return adminAppOf(call, appId);
}

/** Hides an app from connectors and administrators. Its accounts and its history stay. */
export async function archive(call: Call, appId: string): Promise<void> {
  await transaction(call, async (tx) => {
    const app = await lockApp(tx, appId);
    if (app === undefined) throw notFound('App');
    await queries.setArchived(tx, appId);
    const events: NewEvent[] = [];
    for (const hook of archiveHooks.of(tx)) events.push(...(await hook(tx, app)));
    events.push(
      disconnected(app, call.cause, 'An administrator archived the app.'),
      archived(app, call.cause),
    );
    await recordEvents(tx, events);
  });
}

export const SETTINGS = [
  'name',
  'owner',
  'approval_steps',
  'fallback_approvers',
  'escalate_after_working_days',
  'removal_guard',
  'user_name',
] as const;

/** Returns the version of an app's settings. */
export const settingsVersion = (app: AppSettings): string => versionOf(SETTINGS.map((field) => app[field]));

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
