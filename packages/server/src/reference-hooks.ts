import type { MergeHook } from '#directory/people/merge.ts';
import { namedElsewhere, type PeopleHook } from '#directory/people/people.ts';
import type { ArchiveHook } from '#inventory/apps/admin.ts';
import type { AccountsMergedHook } from '#inventory/records/accounts/correlation.ts';
import {
  areNamed,
  endReferences,
  forgetReferences,
  moveAccountReferences,
  moveReferences,
} from '#kit/database/references.ts';
import { deletedPeople } from '#log/events/deleted-people.ts';
import { type FeatureWithReferences, tablesOf } from '#references.ts';

/** Moves the references of these features to the person who remains after a merge. */
export const moveReferencesOf = (...features: FeatureWithReferences[]): MergeHook => {
  const tables = tablesOf(features);
  return {
    move: async (tx, { from, into }) => ({
      moved: await moveReferences(tx, tables, { fromId: from.id, intoId: into.id }),
    }),
  };
};

/** Refuses to delete people whom history names. */
export const keepNamedPeople: PeopleHook = async (tx, events) => {
  const deleted = deletedPeople(events);
  if (deleted.length > 0 && (await areNamed(tx, tablesOf(), deleted))) throw namedElsewhere();
};

/** Removes deleted people from whatever stays, and deletes what was theirs. */
export const forgetDeletedPeople: PeopleHook = async (tx, events) => {
  const deleted = deletedPeople(events);
  if (deleted.length > 0) await forgetReferences(tx, tablesOf(), deleted);
};

/** Everything about a duplicate follows its record (D24). */
export const moveReferencesOfAccounts: AccountsMergedHook = (tx, merges) =>
  moveAccountReferences(tx, tablesOf(), merges);

/** Deletes what goes with an archived app. */
export const endReferencesOfApp: ArchiveHook = async (tx, { id }) => {
  await endReferences(tx, tablesOf(), id);
  return [];
};
