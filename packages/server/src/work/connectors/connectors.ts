import { isDeepStrictEqual } from 'node:util';
import { revokeRunKeys } from '#directory/access/run-keys.ts';
import type { ArchiveHook } from '#inventory/apps/admin.ts';
import type { App } from '#inventory/apps/app.ts';
import { lockApp } from '#inventory/apps/facts.ts';
import { setUserNameKind } from '#inventory/apps/user-names/kind.ts';
import { type Db, databaseTime, type Org, type OrgDb, type OrgTx, transaction } from '#kit/database.ts';
import { notFound } from '#kit/errors.ts';
import type { Call, Principal } from '#kit/identity.ts';
import type { Page, Slice } from '#kit/pages.ts';
import type { Secrets } from '#kit/secrets/secrets.ts';
import { type IfMatch, requireVersion, versionOf } from '#kit/versions.ts';
import { recordEvents } from '#log/events/record.ts';
import type { Connector, ConnectorState, Run, SecretView } from './connector.ts';
import { describeDefinition } from './describe.ts';
import * as events from './events.ts';
import type { ConnectorFilter } from './filters.ts';
import * as queries from './queries/connectors.ts';
import * as runs from './queries/runs.ts';
import { nextAfter, nextSync, requireSchedule, type Schedule } from './schedule.ts';
import { connectorRefusals, settingSentences } from './sentences.ts';
import {
  changedSettings,
  type Given,
  invalidAt,
  requireComplete,
  requireSecrets,
  schemaOf,
} from './settings.ts';
import { type ConnectorType, type Described, findType } from './types.ts';

export interface ConnectorTools {
  db: Db;
  secrets: Secrets;
}

/** The fields of a connector that a caller sets. */
export interface Change extends Given {
  definition?: string;
  schedule?: Schedule | null;
  paused?: boolean;
  carries_out_tasks?: boolean;
}

/** A connector with the names of its secrets and its newest run. */
export interface ConnectorDetails {
  connector: Connector;
  secrets: SecretView[];
  lastRun: Run | undefined;
}

export const purpose = (appId: string, name: string) => `connector.secret:${appId}:${name}`;

/** Lists the connectors of the apps that the caller may see. */
export function listConnectors(
  call: Call,
  filter: ConnectorFilter,
  page: Page,
): Promise<Slice<ConnectorState>> {
  const { apps } = call.principal;
  return queries.listConnectors(call, { ...filter, apps: apps === 'all' ? null : [...apps] }, page);
}

/** Throws 404 if the server runs no connector for the app. */
export async function getConnector(db: OrgDb, appId: string): Promise<ConnectorDetails> {
  const connector = await queries.findConnector(db, appId);
  if (connector === undefined) throw notFound('Connector');
  const [secrets, lastRun] = await Promise.all([queries.listSecrets(db, appId), runs.newestRun(db, appId)]);
  return { connector, secrets, lastRun };
}

/** Adds a connector to an app. It runs when its schedule or a caller says so. Throws 409 if the app has one. */
export async function createConnector(
  { secrets }: ConnectorTools,
  call: Call,
  app: App,
  { type: name, ...given }: Change & { type: string },
): Promise<ConnectorDetails> {
  requireBridge(call.principal);
  const { userId } = call.principal;
  const type = findType(name);
  if (type === undefined) throw connectorRefusals.connector_type_unknown({ name });
  const described = await describe(call, type, given.definition ?? null, undefined);
  const schema = schemaOf(type, described);
  const settings = changedSettings(schema, {}, given.settings);
  const secretNames = Object.keys(given.secrets ?? {}).filter((one) => given.secrets?.[one] !== null);
  requireSecrets(schema, given.secrets);
  requireComplete(schema, settings, secretNames);
  const schedule = given.schedule ?? null;
  const paused = given.paused ?? false;
  const stored: queries.Stored = {
    type: name,
    definition: given.definition ?? null,
    settings,
    described,
    paused,
    carries_out_tasks: given.carries_out_tasks ?? false,
    acts_for: userId,
    ...planned(schedule, paused, await databaseTime(call.db)),
  };
  requireTasks(type, stored);
  await transaction(call, async (tx) => {
    if ((await lockApp(tx, app.id)) === undefined) throw notFound('App');
    if (!(await queries.insertConnector(tx, app.id, stored)))
      throw connectorRefusals.connector_taken({ name: app.name });
    await setUserNameKind(tx, app.id, type.user_names);
    await storeSecrets(tx, secrets, app.id, given.secrets);
    await recordEvents(tx, [
      events.connectorAdded(app, name, call.cause),
      ...events.credentialsChanged(app, name, { set: secretNames, removed: [] }, call.cause),
    ]);
  });
  return getConnector(call, app.id);
}

/** Returns the version of what callers set. A secret changes it whenever it is set. */
export const connectorVersion = ({
  connector: { type, definition, settings, schedule, paused, carries_out_tasks },
  secrets,
}: Pick<ConnectorDetails, 'connector' | 'secrets'>): string =>
  versionOf({ type, definition, settings, schedule, paused, carries_out_tasks, secrets });

/**
 * Changes the given fields, if `ifMatch` names their version. From now on, runs act for the caller. A change of the definition, of a setting or of a secret
 * requires all secrets again: they would otherwise go to an address that the person who entered them never saw.
 */
export async function changeConnector(
  { secrets }: ConnectorTools,
  call: Call,
  app: App,
  change: Change,
  ifMatch: IfMatch = null,
): Promise<ConnectorDetails> {
  requireBridge(call.principal);
  const { userId } = call.principal;
  const known = (await getConnector(call, app.id)).connector;
  const type = typeOf(known);
  const described =
    change.definition === undefined ? undefined : await describe(call, type, change.definition, known);
  await transaction(call, async (tx) => {
    if ((await lockApp(tx, app.id)) === undefined) throw notFound('App');
    const before = await queries.lockConnector(tx, app.id);
    if (before === undefined) throw notFound('Connector');
    if (before.type !== known.type) throw connectorRefusals.connector_changed();
    const secretsBefore = await queries.listSecrets(tx, app.id);
    requireVersion(ifMatch, connectorVersion({ connector: before, secrets: secretsBefore }));
    const stored: queries.Stored = {
      ...before,
      ...(change.definition === undefined
        ? {}
        : { definition: change.definition, described: described ?? null }),
      paused: change.paused ?? before.paused,
      carries_out_tasks: change.carries_out_tasks ?? before.carries_out_tasks,
      acts_for: userId,
    };
    const schema = schemaOf(type, stored.described);
    stored.settings = changedSettings(schema, before.settings, change.settings);
    requireSecrets(schema, change.secrets);
    requireTasks(type, stored);
    const names = secretsBefore.map(({ name }) => name);
    const needed = names.filter((name) => schema.properties[name]?.writeOnly === true);
    requireSecretsAgain(before, stored, needed, change.secrets);
    const removed = names.filter((name) => change.secrets?.[name] === null || !needed.includes(name));
    const set = Object.keys(change.secrets ?? {}).filter((name) => change.secrets?.[name] !== null);
    const kept = names.filter((name) => !removed.includes(name));
    requireComplete(schema, stored.settings, [...kept, ...set]);
    Object.assign(stored, replanned(before, stored, change.schedule, await databaseTime(tx)));
    await queries.updateConnector(tx, app.id, stored);
    await queries.deleteSecrets(tx, app.id, removed);
    await storeSecrets(tx, secrets, app.id, change.secrets);
    await recordEvents(tx, [
      ...events.connectorChanged(app, type.type, before, stored, call.cause),
      ...events.credentialsChanged(app, type.type, { set, removed }, call.cause),
    ]);
  });
  return getConnector(call, app.id);
}

/** Deletes the connector with its secrets and cancels its runs. The accounts of the app and its earlier runs stay. */
export const deleteConnector = (call: Call, app: App): Promise<void> =>
  transaction(call, async (tx) => {
    if ((await lockApp(tx, app.id)) === undefined) throw notFound('App');
    const connector = await queries.lockConnector(tx, app.id);
    if (connector === undefined) throw notFound('Connector');
    await end(tx, app.id);
    await recordEvents(tx, [events.connectorRemoved(app, connector.type, call.cause)]);
  });

/** Ends the runs of an archived app, and deletes its connector and its secrets. */
export const endConnector: ArchiveHook = async (tx, app) => {
  const connector = await queries.lockConnector(tx, app.id);
  if (connector === undefined) return [];
  await end(tx, app.id);
  return [events.connectorRemoved(app, connector.type, tx.cause)];
};

/** The keys of running runs stop immediately. The processes end when their nodes notice. */
async function end(tx: OrgTx, appId: string) {
  await revokeRunKeys(tx, await runs.cancelRunsOfApp(tx, appId));
  await queries.deleteConnector(tx, appId);
}

/** Returns the type of a connector. Throws 409 for a type that this release does not have. */
export function typeOf({ type }: Pick<Connector, 'type'>): ConnectorType {
  const found = findType(type);
  if (found === undefined) throw connectorRefusals.connector_type_not_in_release({ type });
  return found;
}

/** Returns what a definition has. Null for a type without one of the app. */
async function describe(
  org: Org,
  type: ConnectorType,
  definition: string | null,
  before: Connector | undefined,
): Promise<Described | null> {
  if (type.definition !== 'custom') {
    if (definition !== null) throw connectorRefusals.definition_not_taken({ type: type.type });
    return null;
  }
  if (definition === null)
    throw invalidAt(['definition'], settingSentences.definition_required({ type: type.type }));
  if (before?.definition === definition) return before.described;
  return describeDefinition(org.orgId, type, definition);
}

/** Returns the settings, resource types and actions of a definition without storing it. Throws 400 with its mistakes. */
export async function checkDefinition({ orgId }: Org, name: string, definition: string): Promise<Described> {
  const type = findType(name);
  if (type?.definition !== 'custom')
    throw invalidAt(['type'], settingSentences.type_without_definition({ name }));
  return describeDefinition(orgId, type, definition);
}

/** Runs use the bridge API, so a key must not reach it through a connector only. */
export function requireBridge({ keyId, scopes }: Principal) {
  if (keyId !== null && !scopes.has('bridge')) throw connectorRefusals.connector_needs_bridge();
}

function requireTasks(type: ConnectorType, { described, carries_out_tasks }: queries.Stored) {
  if (carries_out_tasks && (described ?? type).tasks.length === 0)
    throw connectorRefusals.connector_without_actions_set();
}

function requireSecretsAgain(
  before: Connector,
  after: queries.Stored,
  stored: readonly string[],
  given: Given['secrets'] = {},
) {
  // A definition may use a secret in an address, so another value of one could send the others elsewhere, too.
  const isSame =
    before.definition === after.definition &&
    isDeepStrictEqual(before.settings, after.settings) &&
    Object.keys(given).length === 0;
  const missing = stored.filter((name) => !Object.hasOwn(given, name));
  if (!isSame && missing.length > 0)
    throw invalidAt(
      missing.map((name) => `secrets.${name}`),
      settingSentences.secrets_needed_again({ names: missing }),
    );
}

/** When the first sync of a schedule is due, and since when it counts. */
function planned(schedule: Schedule | null, paused: boolean, now: Date) {
  if (schedule !== null) requireSchedule(schedule);
  const isActive = schedule !== null && !paused;
  return {
    schedule,
    next_sync_at: isActive ? nextSync(schedule, now) : null,
    scheduled_since: isActive ? now : null,
  };
}

/** Plans syncs again for another schedule, and after a pause. Any other change ends the delay after failures. */
function replanned(
  before: Connector,
  { paused }: queries.Stored,
  given: Change['schedule'],
  now: Date,
): Partial<queries.Stored> {
  const schedule = given === undefined ? before.schedule : given;
  if (paused !== before.paused || !isDeepStrictEqual(schedule, before.schedule))
    return planned(schedule, paused, now);
  if (schedule === null || before.next_sync_at === null) return {};
  return { next_sync_at: nextAfter(schedule, 0, { planned: before.next_sync_at, now }) };
}

async function storeSecrets(
  tx: OrgTx,
  secrets: Secrets,
  appId: string,
  given: Given['secrets'] = {},
): Promise<void> {
  for (const [name, value] of Object.entries(given).toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    if (value === null) continue;
    const sealed = await secrets.seal(tx, purpose(appId, name), Buffer.from(value));
    await queries.putSecret(tx, appId, name, sealed);
  }
}
