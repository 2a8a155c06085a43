import { resource } from '#kit/http.ts';
import { Component, Nullable } from '#kit/schemas.ts';
import { groupFilters } from '../filters.ts';
import { listGroups, listMembers } from '../group-facts.ts';
import { deleteGroup, existingGroup, setGroupRole } from '../groups.ts';
import {
  GroupMemberView,
  GroupRoleName,
  GroupView,
  type ListedGroup,
  PersonGroupView,
  surveying,
  tag,
} from '../schemas.ts';

const groups = resource({
  path: '/api/person-groups/',
  tag,
  reading: surveying,
  managing: { access: { scope: 'session', roles: ['owner'] } },
  id: 'group_id',
  find: existingGroup,
  schema: GroupView,
  view: (group: ListedGroup) => group,
});

export const groupRoutes = [
  groups.list('List groups of people', { isLong: true, query: groupFilters.query }, listGroups),
  groups.listOf(
    'members/',
    'List members of a group of people',
    { isLong: true, item: GroupMemberView },
    ({ call, found }, page) => listMembers(call, found.id, page),
  ),
  groups.one.put(
    'role/',
    'Set the role that a group gives',
    {
      description:
        'Members get the highest role that their groups give, immediately and whenever they join. Without such a group they become members again. Owners stay owners.',
      config: { access: { scope: 'session', roles: ['owner'], stepUp: true } },
      body: Component('UserGroupRole', { role: Nullable(GroupRoleName) }),
      reply: PersonGroupView,
    },
    ({ call, found, body }) => setGroupRole(call, found.id, body.role),
  ),
  groups.remove(
    'Delete group of people',
    {
      description: 'For a group whose identity provider was abandoned. Members lose the role that it gives.',
    },
    ({ call, found }) => deleteGroup(call, found.id),
  ),
];
