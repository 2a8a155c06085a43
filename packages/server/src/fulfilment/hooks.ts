import type { ArchiveHook } from '../apps/admin.ts';
import { deletedPeople } from '../events/deleted-people.ts';
import type { MergeHook } from '../people/merge.ts';
import type { PeopleHook } from '../people/people.ts';
import { moveAssignments } from './queries/assignments.ts';
import { deleteSettings, moveFulfiller, removeFulfillers } from './queries/settings.ts';

/** A people hook: deleted people are no longer fulfillers. The next round reassigns their tasks. */
export const forgetDeletedFulfillers: PeopleHook = async (tx, orgId, events) => {
  const deleted = deletedPeople(events);
  if (deleted.length > 0) await removeFulfillers(tx, orgId, deleted);
};

/** The apps and tasks of a merged fulfiller move to the person who remains. The next round reassigns tasks of their own accounts. */
export const moveFulfilmentOfMerged: MergeHook = {
  async move(tx, { orgId, from, into }) {
    const fulfilled_apps = await moveFulfiller(tx, orgId, from.id, into.id);
    const fulfilment_tasks = await moveAssignments(tx, orgId, from.id, into.id);
    return { moved: { fulfilled_apps, fulfilment_tasks } };
  },
};

/** Removes the settings of an archived app. The record of its tasks stays. */
export const endFulfilmentOfApp: ArchiveHook = async (tx, orgId, app) => {
  await deleteSettings(tx, orgId, app.id);
  return [];
};
