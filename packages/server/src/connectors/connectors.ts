import { isDeepStrictEqual } from 'node:util';
import { revokeRunKeys } from '../access/run-keys.ts';
import type { ArchiveHook } from '../apps/admin.ts';
import { type App, lockApp } from '../apps/apps.ts';
import { recordEvents } from '../events/record.ts';
import type { RequestCause } from '../identity/cause.ts';
import type { Principal } from '../identity/principal.ts';
import type { Db, Tx } from '../platform/database/open.ts';
import { transaction } from '../platform/database/transaction.ts';
import { conflict, forbidden, invalid, notFound } from '../platform/errors.ts';
import type { Page, Slice } from '../platform/http/lists.ts';
import type { Secrets } from '../platform/secrets/secrets.ts';
import type { Connector, ConnectorState, Run, SecretView } from './connector.ts';
import { describeDefinition } from './describe.ts';
import * as events from './events.ts';
import * as queries from './queries/connectors.ts';
import * as runs from './queries/runs.ts';
import { nextAfter, nextSync, requireSchedule, type Schedule } from './schedule.ts';
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

/** Lists the connectors of one app or of all that the caller may see. */
export function listConnectors(
  db: Db,
  principal: Principal,
  app: string | undefined,
  page: Page,
): Promise<Slice<ConnectorState>> {
  const visible = principal.apps === 'all' ? null : [...principal.apps];
  const wanted = app === undefined ? visible : (visible ?? [app]).filter((id) => id === app);
  return queries.listConnectors(db, principal.orgId, wanted, page);
}

/** Throws 404 if the server runs no connector for the app. */
export async function getConnector(db: Db, orgId: string, appId: string): Promise<ConnectorDetails> {
  const connector = await queries.findConnector(db, orgId, appId);
  if (connector === undefined) throw notFound('Connector');
  const [secrets, lastRun] = await Promise.all([
    queries.listSecrets(db, orgId, appId),
    runs.newestRun(db, orgId, appId),
  ]);
  return { connector, secrets, lastRun };
}

/** Adds a connector to an app. It runs when its schedule or a caller says so. Throws 409 if the app has one. */
export async function createConnector(
  { db, secrets }: ConnectorTools,
  principal: Principal,
  app: App,
  { type: name, ...given }: Change & { type: string },
  cause: RequestCause,
): Promise<ConnectorDetails> {
  requireBridge(principal);
  const { orgId, userId } = principal;
  const type = findType(name);
  if (type === undefined)
    throw invalid(`${name} is not a type of connector. GET /api/connectors/ lists them.`);
  const described = await describe(orgId, type, given.definition ?? null, undefined);
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
    ...planned(schedule, paused),
  };
  requireTasks(type, stored);
  await transaction(db, async (tx) => {
    if ((await lockApp(tx, orgId, app.id)) === undefined) throw notFound('App');
    if (!(await queries.insertConnector(tx, orgId, app.id, stored)))
      throw conflict(`${app.name} already has a connector. Change that one, or delete it first.`);
    await storeSecrets(tx, secrets, orgId, app.id, given.secrets);
    await recordEvents(tx, orgId, [
      events.connectorAdded(app, name, cause),
      ...events.credentialsChanged(app, name, { set: secretNames, removed: [] }, cause),
    ]);
  });
  return getConnector(db, orgId, app.id);
}

/**
 * Changes the given fields. From now on, runs act for the caller. A change of the definition, of a setting or of a secret
 * requires all secrets again: they would otherwise go to an address that the person who entered them never saw.
 */
export async function changeConnector(
  { db, secrets }: ConnectorTools,
  principal: Principal,
  app: App,
  change: Change,
  cause: RequestCause,
): Promise<ConnectorDetails> {
  requireBridge(principal);
  const { orgId, userId } = principal;
  const known = (await getConnector(db, orgId, app.id)).connector;
  const type = typeOf(known);
  const described =
    change.definition === undefined ? undefined : await describe(orgId, type, change.definition, known);
  await transaction(db, async (tx) => {
    if ((await lockApp(tx, orgId, app.id)) === undefined) throw notFound('App');
    const before = await queries.lockConnector(tx, orgId, app.id);
    if (before === undefined) throw notFound('Connector');
    if (before.type !== known.type) throw conflict('The connector was replaced meanwhile. Read it again.');
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
    const names = (await queries.listSecrets(tx, orgId, app.id)).map(({ name }) => name);
    const needed = names.filter((name) => schema.properties[name]?.writeOnly === true);
    requireSecretsAgain(before, stored, needed, change.secrets);
    const removed = names.filter((name) => change.secrets?.[name] === null || !needed.includes(name));
    const set = Object.keys(change.secrets ?? {}).filter((name) => change.secrets?.[name] !== null);
    const kept = names.filter((name) => !removed.includes(name));
    requireComplete(schema, stored.settings, [...kept, ...set]);
    Object.assign(stored, replanned(before, stored, change.schedule));
    await queries.updateConnector(tx, orgId, app.id, stored);
    await queries.deleteSecrets(tx, orgId, app.id, removed);
    await storeSecrets(tx, secrets, orgId, app.id, change.secrets);
    await recordEvents(tx, orgId, [
      ...events.connectorChanged(app, type.type, before, stored, cause),
      ...events.credentialsChanged(app, type.type, { set, removed }, cause),
    ]);
  });
  return getConnector(db, orgId, app.id);
}

/** Deletes the connector with its secrets and cancels its runs. The accounts of the app and its earlier runs stay. */
export const deleteConnector = (
  { db }: ConnectorTools,
  { orgId }: Principal,
  app: App,
  cause: RequestCause,
): Promise<void> =>
  transaction(db, async (tx) => {
    if ((await lockApp(tx, orgId, app.id)) === undefined) throw notFound('App');
    const connector = await queries.lockConnector(tx, orgId, app.id);
    if (connector === undefined) throw notFound('Connector');
    await end(tx, orgId, app.id);
    await recordEvents(tx, orgId, [events.connectorRemoved(app, connector.type, cause)]);
  });

/** Ends the runs of an archived app, and deletes its connector and its secrets. */
export const endConnector: ArchiveHook = async (tx, orgId, app, caller) => {
  const connector = await queries.lockConnector(tx, orgId, app.id);
  if (connector === undefined) return [];
  await end(tx, orgId, app.id);
  return [events.connectorRemoved(app, connector.type, caller)];
};

/** The keys of running runs stop at once. The processes end when their nodes notice. */
async function end(tx: Tx, orgId: string, appId: string) {
  await revokeRunKeys(tx, orgId, await runs.cancelRunsOfApp(tx, orgId, appId));
  await queries.deleteConnector(tx, orgId, appId);
}

/** Returns the type of a connector. Throws 409 for a type that this release does not have. */
export function typeOf({ type }: Pick<Connector, 'type'>): ConnectorType {
  const found = findType(type);
  if (found === undefined)
    throw conflict(`This release has no connector of the type ${type}. Delete it and add another one.`);
  return found;
}

/** Returns what a definition has. Null for a type without one of the app. */
async function describe(
  orgId: string,
  type: ConnectorType,
  definition: string | null,
  before: Connector | undefined,
): Promise<Described | null> {
  if (type.definition !== 'custom') {
    if (definition !== null) throw invalid(`A connector of the type ${type.type} takes no definition.`);
    return null;
  }
  if (definition === null)
    throw invalidAt(['definition'], `A connector of the type ${type.type} needs a definition.`);
  if (before?.definition === definition) return before.described;
  return describeDefinition(orgId, type, definition);
}

/** Returns the settings, resource types and actions of a definition without storing it. Throws 400 with its mistakes. */
export async function checkDefinition(
  { orgId }: Principal,
  name: string,
  definition: string,
): Promise<Described> {
  const type = findType(name);
  if (type?.definition !== 'custom')
    throw invalidAt(['type'], `${name} is not a type of connector that takes a definition.`);
  return describeDefinition(orgId, type, definition);
}

/** Runs use the bridge API, so a key must not reach it through a connector only. */
export function requireBridge({ keyId, scopes }: Principal) {
  if (keyId !== null && !scopes.has('bridge'))
    throw forbidden(
      'A connector pushes records and carries out tasks: adding, changing or running one requires a key with the scope bridge, too.',
    );
}

function requireTasks(type: ConnectorType, { described, carries_out_tasks }: queries.Stored) {
  if (carries_out_tasks && (described ?? type).tasks.length === 0)
    throw invalid(
      'This connector has no actions, so it cannot carry out tasks. Set carries_out_tasks to false.',
    );
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
      `Send the secrets again: ${missing.join(', ')}. A change of the settings or of another secret could send them to another system.`,
    );
}

/** When the first sync of a schedule is due, and since when it counts. */
function planned(schedule: Schedule | null, paused: boolean) {
  if (schedule !== null) requireSchedule(schedule);
  const now = new Date();
  const isActive = schedule !== null && !paused;
  return {
    schedule,
    next_sync_at: isActive ? nextSync(schedule, now) : null,
    scheduled_since: isActive ? now : null,
  };
}

/** Plans syncs anew for another schedule, and after a pause. Any other change ends the delay after failures. */
function replanned(
  before: Connector,
  { paused }: queries.Stored,
  given: Change['schedule'],
): Partial<queries.Stored> {
  const schedule = given === undefined ? before.schedule : given;
  if (paused !== before.paused || !isDeepStrictEqual(schedule, before.schedule))
    return planned(schedule, paused);
  if (schedule === null || before.next_sync_at === null) return {};
  return { next_sync_at: nextAfter(schedule, 0, { planned: before.next_sync_at, now: new Date() }) };
}

async function storeSecrets(
  tx: Tx,
  secrets: Secrets,
  orgId: string,
  appId: string,
  given: Given['secrets'] = {},
): Promise<void> {
  for (const [name, value] of Object.entries(given).toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    if (value === null) continue;
    const sealed = await secrets.seal(tx, orgId, purpose(appId, name), Buffer.from(value));
    await queries.putSecret(tx, orgId, appId, name, sealed);
  }
}
