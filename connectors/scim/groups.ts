import type { GroupRecord, ListContext } from '@gatehouse/connector';
import { type Resource, read, resources, type Scim, text } from './client.ts';

const lastListed = new WeakMap<Scim, ReadonlySet<string>>();
/** How many groups that are missing are read one by one. Reading the list again is then cheaper. */
const MOST_LOOKUPS = 100;

const recordOf = (group: Resource): GroupRecord => ({
  id: group.id,
  name: text(group.displayName) ?? group.id,
});

export async function* listGroups(
  scim: Scim,
  { mayShift }: Pick<ListContext, 'mayShift'>,
): AsyncGenerator<GroupRecord> {
  const ids = new Set<string>();
  for await (const group of resources(scim, 'Groups', { beforeNext: mayShift })) {
    ids.add(group.id);
    yield recordOf(group);
  }
  lastListed.set(scim, ids);
}

export async function readGroup(scim: Scim, id: string): Promise<GroupRecord | null> {
  const group = await read(scim, 'Groups', id);
  return group && recordOf(group);
}

/**
 * Yields each group once, as far as several readings have it: in a list of several pages, a group can move to a page that was already
 * read, and all its memberships would be lost. The last reading of the list counts as one of them, so it is only read twice if this is
 * the first time.
 */
export async function* everyGroup(scim: Scim): AsyncGenerator<Resource> {
  const ids = new Set<string>();
  let isPaged = false;
  const beforeNext = () => {
    isPaged = true;
  };
  for await (const group of resources(scim, 'Groups', { beforeNext })) {
    if (ids.has(group.id))
      throw new Error(
        `the SCIM server lists the group "${text(group.displayName) ?? group.id}" twice, so another one may be missing`,
      );
    ids.add(group.id);
    yield group;
  }
  const missing = isPaged ? missingGroups(scim, ids) : [];
  for await (const group of missing) {
    if (ids.has(group.id)) continue;
    ids.add(group.id);
    yield group;
  }
  lastListed.set(scim, ids);
}

/** Yields groups that a reading of the list may lack. */
async function* missingGroups(scim: Scim, ids: ReadonlySet<string>): AsyncGenerator<Resource> {
  const last = lastListed.get(scim);
  const missing = [...(last ?? [])].filter((id) => !ids.has(id));
  if (last === undefined || missing.length > MOST_LOOKUPS) {
    yield* resources(scim, 'Groups');
    return;
  }
  for (const id of missing) {
    const group = await read(scim, 'Groups', id);
    if (group) yield group;
  }
}
