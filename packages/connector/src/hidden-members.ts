import type { DirectMembers } from './nested.ts';
import type { Unseen, UnseenRule } from './unseen.ts';

export type Tally = ReturnType<typeof openTally>;

/** Adds up what a listing leaves out, by group or license and rule. */
export function openTally() {
  const counts = new Map<string, Unseen>();
  return {
    add({ slug, id, rule, count }: Unseen): void {
      if (count === 0) return;
      const key = JSON.stringify([slug, id ?? null, rule]);
      counts.set(key, { slug, id, rule, count: count + (counts.get(key)?.count ?? 0) });
    },
    report(unseen: (what: Unseen) => void): void {
      for (const each of counts.values()) unseen(each);
    },
  };
}

/**
 * Follows which members of groups and licenses a list of accounts has. The others are accounts that it does not show: `foreign`,
 * unless more is known about them. Whether 'ANN' is the listed 'ann' is not known, so such a member is `unreadable`.
 */
export function followMembers(members: Iterable<string>) {
  // Ids by their lowercase form.
  const left = new Map<string, string[]>();
  const rules = new Map<string, UnseenRule>();
  for (const id of members) {
    const key = id.toLowerCase();
    left.set(key, [...(left.get(key) ?? []), id]);
  }
  return {
    /** Notes that the list has an account. */
    see(id: string): void {
      const key = id.toLowerCase();
      const others = left.get(key)?.filter((each) => each !== id);
      if (others === undefined) return;
      if (others.length === 0) left.delete(key);
      else left.set(key, others);
      for (const other of others) rules.set(other, 'unreadable');
    },
    /** Notes why the list does not have a member. */
    explain(id: string, rule: UnseenRule): void {
      rules.set(id, rule);
    },
    /** Yields the members that the list does not have. */
    *unlisted(): Generator<[id: string, rule: UnseenRule]> {
      for (const ids of left.values()) for (const id of ids) yield [id, rules.get(id) ?? 'foreign'];
    },
  };
}

/** Returns a group, the groups in it at any depth, and the ids of groups in it that no list has. */
export function groupsWithin(id: string, all: ReadonlyMap<string, DirectMembers>): Set<string> {
  const found = new Set([id]);
  for (const each of found) for (const group of all.get(each)?.groups ?? []) found.add(group);
  return found;
}
