/** The direct members of a group. */
export type DirectMembers = { accounts: readonly string[]; groups: readonly string[] };

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
    const seen = new Set([id]);
    const open = [child];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (seen.has(next)) continue;
      seen.add(next);
      for (const account of all.get(next)?.accounts ?? []) yield [account, child];
      open.push(...(all.get(next)?.groups ?? []));
    }
  }
}

/** Returns the group below a group that has an account as a direct member, or undefined. */
export async function giverBelow(
  id: string,
  account: string,
  read: (group: string) => Promise<DirectMembers>,
): Promise<string | undefined> {
  const seen = new Set([id]);
  const open = [...(await read(id)).groups];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    const { accounts, groups } = await read(next);
    if (accounts.includes(account)) return next;
    open.push(...groups);
  }
  return undefined;
}
