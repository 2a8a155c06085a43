import { requirePeople } from '#directory/people/people.ts';
import type { App } from '#inventory/apps/app.ts';
import { ensureAccountType } from '#inventory/apps/resource-types.ts';
import { type OrgDb, type OrgTx, transaction } from '#kit/database.ts';
import { invalidInput, notFound } from '#kit/errors.ts';
import { type Call, type CallTx, type RequestCause, takeTurnsIn } from '#kit/identity.ts';
import { issue } from '#kit/issues.ts';
import { type IfMatch, requireVersion, versionOf } from '#kit/versions.ts';
import { changedFields } from '#log/events/changes.ts';
import { type NewEvent, recordEvents } from '#log/events/record.ts';
import { ACTIONS } from '#work/provisioning/task.ts';
import { findFulfilledByPeople } from './facts.ts';
import { requireKnownPlaceholders } from './instructions.ts';
import * as assignments from './queries/assignments.ts';
import type { Settings } from './queries/settings.ts';
import * as queries from './queries/settings.ts';
import { settingsSentences } from './sentences.ts';

/** Working days until a task is due, unless the app says otherwise for its action. */
export const DUE_IN_WORKING_DAYS = 3;

const OFF: Settings = {
  enabled: false,
  assignment: 'round_robin',
  people: [],
  groups: [],
  instructions: {},
  due_in_working_days: {},
  remind_before_working_days: 1,
  escalate_after_working_days: 3,
};

const FIELDS = Object.keys(OFF) as (keyof Settings)[];

export const settingsOf = async (db: OrgDb, appId: string): Promise<Settings> =>
  (await queries.findSettings(db, appId)) ?? OFF;

export const fulfillmentVersion = (settings: Settings): string =>
  versionOf(FIELDS.map((field) => settings[field]));

/**
 * Replaces the settings of an app, if `ifMatch` names their version. Throws 404 for unknown people or groups and 400 for an unknown placeholder. An app that
 * nothing has synced gets a type of accounts.
 */
export async function changeSettings(
  call: Call,
  app: App,
  wanted: Settings,
  ifMatch: IfMatch = null,
): Promise<Settings> {
  const saved = await saveSettings(call, app, wanted, ifMatch);
  if (saved.enabled) await ensureAccountType(call, app);
  return saved;
}

function saveSettings(call: Call, app: App, wanted: Settings, ifMatch: IfMatch): Promise<Settings> {
  requireKnownPlaceholders(wanted.instructions);
  const to = { ...wanted, people: sorted(wanted.people), groups: sorted(wanted.groups) };
  return transaction(call, async (tx) => {
    // The first settings of an app have no row to lock.
    await takeTurnsIn(tx);
    await queries.lockSettings(tx, app.id);
    const before = await settingsOf(tx, app.id);
    requireVersion(ifMatch, fulfillmentVersion(before));
    await requirePeople(tx, to.people);
    if ((await queries.countGroups(tx, to.groups)) < to.groups.length) throw notFound('Group');
    const changes = changedFields(before, to, FIELDS);
    if (changes.length === 0) return before;
    await queries.saveSettings(tx, app.id, to);
    if (to.enabled) await requireSomebody(tx, app, to);
    if (to.enabled && !before.enabled) await restartDueDates(tx, app.id, to);
    await recordEvents(tx, [configured(app, call.cause, changes)]);
    return settingsOf(tx, app.id);
  });
}

/**
 * Lets another person carry out tasks in the place of one who leaves, wherever settings name that one. The caller holds lockLeaver, and records the
 * events. Null: only counts the apps.
 */
export async function replaceFulfiller(
  tx: CallTx,
  fromId: string,
  toId: string | null,
): Promise<{ found: number; moved: number; events: NewEvent[] }> {
  const apps = await queries.appsFulfilledBy(tx, fromId);
  const events: NewEvent[] = [];
  for (const app of toId === null ? [] : apps) {
    await queries.lockSettings(tx, app.id);
    const before = await settingsOf(tx, app.id);
    const people = sorted(before.people.map((id) => (id === fromId ? (toId as string) : id)));
    const after = { ...before, people };
    await queries.saveSettings(tx, app.id, after);
    events.push(configured(app, tx.cause, changedFields(before, after, FIELDS)));
  }
  return { found: apps.length, moved: events.length, events };
}

/** Throws 400 if nobody could get the tasks of an app whose settings were just saved. */
async function requireSomebody(tx: OrgTx, app: App, { assignment }: Settings): Promise<void> {
  if ((await findFulfilledByPeople(tx, [app.id])).get(app.id) === true) return;
  const found =
    assignment === 'owner'
      ? issue('assignment', 'invalid', settingsSentences.names_missing_owner())
      : issue('people', 'invalid', settingsSentences.names_nobody());
  throw invalidInput([found]);
}

/**
 * Lets people carry out the tasks of an app, unless somebody has decided about that before. The owner of the app gets them, or else the
 * person who did this, so that no task is left without an assignee.
 */
export function fulfillByDefault(call: Call, app: App): Promise<void> {
  const { uuid } = call.cause.actor;
  return transaction(call, async (tx) => {
    await takeTurnsIn(tx);
    if ((await queries.findSettings(tx, app.id)) !== undefined) return;
    const people = uuid === null || (await queries.hasOwner(tx, app.id)) ? [] : [uuid];
    const on = { ...OFF, enabled: true, people };
    await queries.saveSettings(tx, app.id, on);
    await recordEvents(tx, [configured(app, call.cause, changedFields(OFF, on, FIELDS))]);
  });
}

const configured = (
  app: { id: string; name: string },
  { actor, source }: RequestCause,
  changes: ReturnType<typeof changedFields>,
): NewEvent => ({
  type: 'fulfillment.configured',
  actor,
  subject: { type: 'app', uuid: app.id },
  source,
  payload: { app_id: app.id, app_name: app.name, changes },
});

/** Tasks that were assigned before the app was turned off are not overdue as soon as it is turned on again. */
async function restartDueDates(tx: OrgTx, appId: string, { due_in_working_days: due }: Settings) {
  for (const action of ACTIONS)
    await assignments.restartDueDates(tx, appId, action, due[action] ?? DUE_IN_WORKING_DAYS);
}

const sorted = (ids: string[]) => [...new Set(ids.map((id) => id.toLowerCase()))].sort();
