import type { OrgDb } from '#kit/database.ts';
import { isUuid } from '#kit/ids.ts';
import type { EventType } from '#log/events/catalog.ts';
import type { LoggedEvent } from '#log/events/follow.ts';
import type { Subject } from './finding.ts';
import { accountsOfPeople, peopleOfAccounts, tasksWithFindings } from './queries/touched.ts';

/** The types of events after which findings can begin or end. */
export const TOUCHING_TYPES: EventType[] = [
  'account.provisioned',
  'account.deprovisioned',
  'account.activated',
  'account.suspended',
  'account.unsuspended',
  'account.group.added',
  'account.group.removed',
  'account_link.changed',
  'account_correlation.changed',
  'account_owner.changed',
  'app.connected',
  'app.disconnected',
  'app.sync.completed',
  'app.sync.failed',
  'app.sync.paused',
  'app_settings.archived',
  'app_settings.changed',
  'fulfillment.assigned',
  'fulfillment.configured',
  'fulfillment.reassigned',
  'removal_guard.approved',
  'removal_guard.rejected',
  'sync.reverted',
  'people.change_held',
  'people.change_confirmed',
  'people.change_discarded',
  'person.merged',
  'policy.actions_confirmed',
  'policy.actions_discarded',
  'policy.deleted',
  'policy.held',
  'policy.updated',
  'task.cancelled',
  'task.completed',
  'task.failed',
  'task.preempted',
  'ticket.approved',
  'user.created',
  'user.deactivated',
  'user.deleted',
  'user.reactivated',
  'user.updated',
];

/** The fields of payloads that name subjects. Fields with other texts than ids are ignored. */
const FIELDS: Record<string, Subject> = {
  account_id: 'account',
  user_id: 'person',
  from: 'person',
  to: 'person',
  policy_id: 'policy',
  hold_id: 'hold',
  task_id: 'task',
};
const SUBJECT_OF: Partial<Record<string, Subject>> = {
  platform_user: 'person',
  app_user: 'account',
  app: 'app',
  task: 'task',
};

/** Returns whether an event can concern any record of an app: a first sync, for example, has no events of single records. */
const concernsAll = ({ type, payload }: LoggedEvent): boolean =>
  type === 'app_settings.archived' ||
  type === 'sync.reverted' ||
  (type === 'app.sync.completed' && payload.baseline === true);

/** Returns the subjects of which the findings may have changed, by their type. Null: all. */
export async function touchedBy(
  db: OrgDb,
  events: readonly LoggedEvent[],
): Promise<Record<Subject, string[]> | null> {
  if (events.some(concernsAll)) return null;
  const sets: Record<Subject, Set<string>> = {
    person: new Set(),
    account: new Set(),
    app: new Set(),
    policy: new Set(),
    hold: new Set(),
    task: new Set(),
  };
  for (const { subject, payload } of events) {
    const type = SUBJECT_OF[subject.type];
    if (type !== undefined) sets[type].add(subject.uuid);
    for (const [field, named] of Object.entries(FIELDS)) {
      const id = payload[field];
      if (typeof id === 'string' && isUuid(id)) sets[named].add(id);
    }
  }
  const [people, accounts, apps] = [[...sets.person], [...sets.account], [...sets.app]];
  const among = async (ids: string[], find: (db: OrgDb, ids: string[]) => Promise<string[]>) =>
    ids.length === 0 ? [] : find(db, ids);
  for (const id of await among(accounts, peopleOfAccounts)) sets.person.add(id);
  for (const id of await among(people, accountsOfPeople)) sets.account.add(id);
  for (const id of await among(apps, tasksWithFindings)) sets.task.add(id);
  return {
    person: [...sets.person],
    account: [...sets.account],
    app: apps,
    policy: [...sets.policy],
    hold: [...sets.hold],
    task: [...sets.task],
  };
}
