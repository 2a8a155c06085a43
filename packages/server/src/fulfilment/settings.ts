import type { Caller } from '../apps/admin.ts';
import type { App } from '../apps/apps.ts';
import { ensureAccountType } from '../apps/resource-types.ts';
import { changedFields } from '../events/changes.ts';
import { recordEvents } from '../events/record.ts';
import { takeTurnsIn } from '../identity/organization-facts.ts';
import { requirePeople } from '../people/people.ts';
import type { Db, Tx } from '../platform/database/open.ts';
import { transaction } from '../platform/database/transaction.ts';
import { notFound } from '../platform/errors.ts';
import { ACTIONS, type Action } from '../provisioning/task.ts';
import { type Instructions, requireKnownPlaceholders } from './instructions.ts';
import * as assignments from './queries/assignments.ts';
import * as queries from './queries/settings.ts';

export { findFulfilledByPeople, isFulfilledByPeople } from './queries/settings.ts';

/** How the tasks of an app are carried out by people. */
export interface Settings {
  enabled: boolean;
  /** `owner`: every task goes to the owner of the app. */
  assignment: 'round_robin' | 'owner';
  people: string[];
  groups: string[];
  instructions: Instructions;
  due_in_working_days: Partial<Record<Action, number>>;
  /** Zero: no reminder before the due date. */
  remind_before_working_days: number;
  escalate_after_working_days: number | null;
}

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

export const settingsOf = async (db: Db, orgId: string, appId: string): Promise<Settings> =>
  (await queries.findSettings(db, orgId, appId)) ?? OFF;

/**
 * Replaces the settings of an app. Throws 404 for unknown people or groups and 400 for an unknown placeholder. An app that
 * nothing has synced gets a type of accounts.
 */
export async function changeSettings(db: Db, caller: Caller, app: App, wanted: Settings): Promise<Settings> {
  const saved = await saveSettings(db, caller, app, wanted);
  if (saved.enabled) await ensureAccountType(db, caller, app);
  return saved;
}

function saveSettings(
  db: Db,
  { principal: { orgId }, actor, source }: Caller,
  app: App,
  wanted: Settings,
): Promise<Settings> {
  requireKnownPlaceholders(wanted.instructions);
  const to = { ...wanted, people: sorted(wanted.people), groups: sorted(wanted.groups) };
  return transaction(db, async (tx) => {
    // The first settings of an app have no row to lock.
    await takeTurnsIn(tx, orgId);
    await queries.lockSettings(tx, orgId, app.id);
    const before = await settingsOf(tx, orgId, app.id);
    await requirePeople(tx, orgId, to.people);
    if ((await queries.countGroups(tx, orgId, to.groups)) < to.groups.length) throw notFound('Group');
    const changes = changedFields(before, to, FIELDS);
    if (changes.length === 0) return before;
    await queries.saveSettings(tx, orgId, app.id, to);
    if (to.enabled && !before.enabled) await restartDueDates(tx, orgId, app.id, to);
    await recordEvents(tx, orgId, [
      {
        type: 'fulfilment.configured',
        actor,
        subject: { type: 'app', uuid: app.id },
        source,
        payload: { app_id: app.id, app_name: app.name, changes },
      },
    ]);
    return to;
  });
}

/** Tasks that were assigned before the app was turned off are not overdue at once when it is turned on again. */
async function restartDueDates(tx: Tx, orgId: string, appId: string, { due_in_working_days: due }: Settings) {
  for (const action of ACTIONS)
    await assignments.restartDueDates(tx, orgId, appId, action, due[action] ?? DUE_IN_WORKING_DAYS);
}

const sorted = (ids: string[]) => [...new Set(ids.map((id) => id.toLowerCase()))].sort();
