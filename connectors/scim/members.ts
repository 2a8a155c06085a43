import type { DirectMembers } from '@gatehouse/connector';
import type { Resource } from './client.ts';

type Value = { value?: string; display?: string; type?: string; $ref?: string };
/** The members of a group as the server lists them. */
export type Members = DirectMembers & {
  /** Ids among the accounts whose type says that they are neither users nor groups. */
  others: readonly string[];
  /** The number of members without an id. */
  nameless: number;
};

/** Returns the values of an attribute. A missing attribute is not an empty one: undefined means that the server did not say. */
export const valuesOf = (resource: Resource, name: string): Value[] | undefined =>
  Array.isArray(resource[name]) ? (resource[name] as Value[]) : undefined;

/** Returns the users and groups in a group, or undefined if the server did not say it. A member that is neither counts as a user. */
export function membersOf(group: Resource): Members | undefined {
  const values = valuesOf(group, 'members');
  if (values === undefined) return undefined;
  const isGroup = ({ type, $ref }: Value) =>
    type?.toLowerCase() === 'group' || $ref?.includes('/Groups/') === true;
  const ids = (some: Value[]) => some.flatMap((each) => idOf(each) ?? []);
  const accounts = values.filter((each) => !isGroup(each));
  return {
    accounts: ids(accounts),
    groups: ids(values.filter(isGroup)),
    others: ids(accounts.filter(isOther)),
    nameless: values.filter((each) => idOf(each) === undefined).length,
  };
}

/** Whether a group names a user. A group that does not say who its members are names nobody. */
export const hasMember = (group: Resource, user: string): boolean =>
  membersOf(group)?.accounts.includes(user) === true;

/** The id of a member is also the end of its address. */
function idOf({ value, $ref = '' }: Value): string | undefined {
  if (value) return value;
  const [, end] = /\/(?:Users|Groups)\/([^/?#]+)$/.exec($ref) ?? [];
  return end === undefined ? undefined : decodeURIComponent(end);
}

function isOther({ type = '', $ref = '' }: Value): boolean {
  const [, collection] = /([^/]+)\/[^/]+$/.exec($ref) ?? [];
  return collection === undefined ? !/^(users?|direct|indirect)?$/i.test(type) : collection !== 'Users';
}
