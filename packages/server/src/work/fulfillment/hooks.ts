import type { MergeHook } from '../../directory/people/merge.ts';
import type { PeopleHook } from '../../directory/people/people.ts';
import type { ArchiveHook } from '../../inventory/apps/admin.ts';
import type { PublishedHook } from '../../inventory/records/sync/session.ts';
import { within } from '../../kit/database/organization.ts';
import { deletedPeople } from '../../log/events/deleted-people.ts';
import { endVanished } from '../provisioning/vanished.ts';
import { isFulfilledByPeople } from './facts.ts';
import { moveAssignments } from './queries/assignments.ts';
import { deleteSettings, moveFulfiller, removeFulfillers } from './queries/settings.ts';

/** A people hook: deleted people are no longer fulfillers. The next round reassigns their tasks. */
export const forgetDeletedFulfillers: PeopleHook = async (tx, events) => {
  const deleted = deletedPeople(events);
  if (deleted.length > 0) await removeFulfillers(tx, deleted);
};

/** The apps and tasks of a merged fulfiller move to the person who remains. The next round reassigns tasks of their own accounts. */
export const moveFulfillmentOfMerged: MergeHook = {
  async move(tx, { orgId, from, into }) {
    const fulfilled_apps = await moveFulfiller(within(tx, orgId), from.id, into.id);
    const fulfillment_tasks = await moveAssignments(within(tx, orgId), from.id, into.id);
    return { moved: { fulfilled_apps, fulfillment_tasks } };
  },
};

/**
 * A published hook: ends the tasks of people whose account or access a sync no longer shows. A connector asks the system itself, and
 * reports what it finds.
 */
export const endVanishedTasks: PublishedHook = async (tx, appId, cause) =>
  (await isFulfilledByPeople(tx, appId)) ? endVanished(tx, appId, cause) : [];

/** Removes the settings of an archived app. The record of its tasks stays. */
export const endFulfillmentOfApp: ArchiveHook = async (tx, app) => {
  await deleteSettings(tx, app.id);
  return [];
};
