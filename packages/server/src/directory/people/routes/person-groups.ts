import { Type } from 'typebox';
import { within } from '../../../kit/database/organization.ts';
import { listReply, longEnvelope, longPageQuery, pageOf } from '../../../kit/http/lists.ts';
import { Component, Nullable } from '../../../kit/http/schemas.ts';
import type { Http, RouteTools } from '../../../kit/http/server.ts';
import { callOf } from '../../../kit/identity/call.ts';
import { listGroups, listMembers } from '../group-facts.ts';
import { deleteGroup, existingGroup, setGroupRole } from '../groups.ts';
import {
  GroupMemberView,
  GroupParams,
  GroupRoleName,
  GroupView,
  PersonGroupView,
  readGroups,
  tags,
} from './schemas.ts';

const Filters = Type.Object({
  ...longPageQuery,
  q: Type.Optional(Type.String({ description: 'Part of the name. Case does not matter.' })),
});

export function listGroupsRoute(http: Http, { origin }: RouteTools) {
  http.get(
    '/api/person-groups/',
    {
      config: { access: readGroups, reads: 'replica' },
      schema: {
        tags,
        summary: 'List groups of people',
        querystring: Filters,
        response: { 200: longEnvelope(GroupView) },
      },
    },
    async (request) => {
      const page = pageOf(request.query);
      const { orgId } = request.principal;
      return listReply(
        request,
        origin(request),
        page,
        await listGroups(within(request.reads.db, orgId), request.query.q || null, page),
      );
    },
  );
}

export function listGroupMembersRoute(http: Http, { db, origin }: RouteTools) {
  http.get(
    '/api/person-groups/:group_id/members/',
    {
      config: { access: readGroups, reads: 'replica' },
      onRequest: async ({ principal, params }) => {
        await existingGroup(within(db, principal.orgId), (params as { group_id: string }).group_id);
      },
      schema: {
        tags,
        summary: 'List members of a group of people',
        params: GroupParams,
        querystring: Type.Object(longPageQuery),
        response: { 200: longEnvelope(GroupMemberView) },
      },
    },
    async (request) => {
      const page = pageOf(request.query);
      const { orgId } = request.principal;
      const slice = await listMembers(within(request.reads.db, orgId), request.params.group_id, page);
      return listReply(request, origin(request), page, slice);
    },
  );
}

export function setGroupRoleRoute(http: Http, { db }: RouteTools) {
  http.put(
    '/api/person-groups/:group_id/role/',
    {
      config: { access: { scope: 'session', roles: ['owner'], stepUp: true } },
      onRequest: async ({ principal, params }) => {
        await existingGroup(within(db, principal.orgId), (params as { group_id: string }).group_id);
      },
      schema: {
        tags,
        summary: 'Set the role that a group gives',
        description:
          'Members get the highest role that their groups give, immediately and whenever they join. Without such a group they become members again. Owners stay owners.',
        params: GroupParams,
        body: Component('UserGroupRole', { role: Nullable(GroupRoleName) }),
        response: { 200: PersonGroupView },
      },
    },
    async (request) => {
      const { params, body } = request;
      return setGroupRole(callOf(db, request), params.group_id, body.role);
    },
  );
}

export function deleteGroupRoute(http: Http, { db }: RouteTools) {
  http.delete(
    '/api/person-groups/:group_id/',
    {
      config: { access: { scope: 'session', roles: ['owner'] } },
      schema: {
        tags,
        summary: 'Delete group of people',
        description:
          'For a group whose identity provider was abandoned. Members lose the role that it gives.',
        params: GroupParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await deleteGroup(callOf(db, request), request.params.group_id);
      reply.code(204);
      return null;
    },
  );
}
