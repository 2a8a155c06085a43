import { followMembers, groupsWithin, type ListContext, openTally, type Ref } from '@gatehouse/connector';
import type { Members } from './members.ts';

type Known = {
  groups: ReadonlyMap<string, Ref>;
  members: ReadonlyMap<string, Members>;
  /** The groups of each member. */
  held: ReadonlyMap<string, readonly Ref[]>;
};

/**
 * Finds what the listed groups leave out: members that no list of users has, members without an id, and groups in groups that no list
 * has. Their members are unknown. So is whether a member with the id of a group, but without a type, is that group.
 */
export function openHidden({ groups, members, held }: Known) {
  const followed = followMembers(held.keys());
  for (const { others } of members.values()) for (const id of others) followed.explain(id, 'class');
  for (const id of held.keys()) if (groups.has(id)) followed.explain(id, 'unreadable');
  return {
    see: followed.see,
    report(unseen: ListContext['unseen']): void {
      const hidden = openTally();
      for (const { id } of groups.values())
        for (const inner of groupsWithin(id, members)) {
          const count = groups.has(inner) ? (members.get(inner)?.nameless ?? 0) : 1;
          hidden.add({ slug: 'group', id, rule: 'unreadable', count });
        }
      for (const [member, rule] of followed.unlisted())
        for (const { id } of held.get(member) ?? []) hidden.add({ slug: 'group', id, rule, count: 1 });
      hidden.report(unseen);
    },
  };
}
