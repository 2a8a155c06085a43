/** The direct members of a group. */
export type DirectMembers = { accounts: readonly string[]; groups: readonly string[] };

/** Gives the groups below a group, each once, so that cycles end. */
function groupsBelow(id: string, first: readonly string[]) {
  const seen = new Set([id]);
  const open = [...first];
  return {
    add: (groups: readonly string[] = []): void => void open.push(...groups),
    next(): string | undefined {
      let next = open.pop();
      while (next !== undefined && seen.has(next)) next = open.pop();
      if (next !== undefined) seen.add(next);
      return next;
    },
  };
}

/**
 * Yields the accounts of a group, and those of groups in it, each with the group in it through which they belong to it. An account can
 * occur more than once.
 */
export function* membersWithin(
  id: string,
  all: ReadonlyMap<string, DirectMembers>,
): Generator<[account: string, through: string | undefined]> {
  const group = all.get(id);
  for (const account of group?.accounts ?? []) yield [account, undefined];
  for (const child of group?.groups ?? []) {
    const below = groupsBelow(id, [child]);
    for (let next = below.next(); next !== undefined; next = below.next()) {
      for (const account of all.get(next)?.accounts ?? []) yield [account, child];
      below.add(all.get(next)?.groups);
    }
  }
}

/** Returns the group below a group that has an account as a direct member, or undefined. */
export async function giverBelow(
  id: string,
  account: string,
  read: (group: string) => Promise<DirectMembers>,
): Promise<string | undefined> {
  const below = groupsBelow(id, (await read(id)).groups);
  for (let next = below.next(); next !== undefined; next = below.next()) {
    const { accounts, groups } = await read(next);
    if (accounts.includes(account)) return next;
    below.add(groups);
  }
  return undefined;
}
