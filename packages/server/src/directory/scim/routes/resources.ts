import type { Http, RouteTools } from '#kit/http.ts';
import { bulk, MOST_BULK_BYTES } from '../bulk.ts';
import { one, resourceTypes, schemas, serviceProviderConfig } from '../discovery.ts';
import { ScimError } from '../errors.ts';
import { createGroup, deleteGroup, getGroup, patchGroup, replaceGroup } from '../groups.ts';
import { noteRefusals } from '../notes.ts';
import { includes } from '../project.ts';
import { Group, User } from '../schema.ts';
import { listResponse, readProjection, readQuery, search, searchAll } from '../search.ts';
import { patchUser, replaceUser } from '../users/change.ts';
import { createUser } from '../users/create.ts';
import { deleteUser } from '../users/delete.ts';
import { getUser } from '../users/get.ts';
import { baseOf, callOf, config, describe, idOf, send, sendResource } from './tools.ts';

export function listUsersRoute(http: Http, tools: RouteTools) {
  http.get(
    '/scim/v2/Users',
    { config, schema: describe('List users', { status: 200, hasId: false }) },
    async (request, reply) => {
      const query = readQuery(request.query);
      return send(reply, listResponse(await search(User, callOf(tools, request), query), query.startIndex));
    },
  );
}

export function searchUsersRoute(http: Http, tools: RouteTools) {
  http.post(
    '/scim/v2/Users/.search',
    { config, schema: describe('Search users', { status: 200, hasId: false }) },
    async (request, reply) => {
      const query = readQuery(request.body);
      return send(reply, listResponse(await search(User, callOf(tools, request), query), query.startIndex));
    },
  );
}

export function createUserRoute(http: Http, tools: RouteTools) {
  http.post(
    '/scim/v2/Users',
    { config, schema: describe('Create user', { status: 201, hasId: false }) },
    async (request, reply) => {
      const resource = await createUser(callOf(tools, request), request.body);
      return sendResource(request, reply, User, resource, 201);
    },
  );
}

export function getUserRoute(http: Http, tools: RouteTools) {
  http.get(
    '/scim/v2/Users/:id',
    { config, schema: describe('Get user', { status: 200, hasId: true }) },
    async (request, reply) => {
      return sendResource(request, reply, User, await getUser(callOf(tools, request), idOf(request)));
    },
  );
}

export function replaceUserRoute(http: Http, tools: RouteTools) {
  http.put(
    '/scim/v2/Users/:id',
    { config, schema: describe('Replace user', { status: 200, hasId: true }) },
    async (request, reply) => {
      const resource = await replaceUser(callOf(tools, request), idOf(request), request.body);
      return sendResource(request, reply, User, resource);
    },
  );
}

export function patchUserRoute(http: Http, tools: RouteTools) {
  http.patch(
    '/scim/v2/Users/:id',
    { config, schema: describe('Change user', { status: 200, hasId: true }) },
    async (request, reply) => {
      const resource = await patchUser(callOf(tools, request), idOf(request), request.body);
      return sendResource(request, reply, User, resource);
    },
  );
}

export function deleteUserRoute(http: Http, tools: RouteTools) {
  http.delete(
    '/scim/v2/Users/:id',
    { config, schema: describe('Delete user', { status: 204, hasId: true }) },
    async (request, reply) => {
      await deleteUser(callOf(tools, request), idOf(request));
      return reply.code(204).send();
    },
  );
}

export function listGroupsRoute(http: Http, tools: RouteTools) {
  http.get(
    '/scim/v2/Groups',
    { config, schema: describe('List groups', { status: 200, hasId: false }) },
    async (request, reply) => {
      const query = readQuery(request.query);
      return send(reply, listResponse(await search(Group, callOf(tools, request), query), query.startIndex));
    },
  );
}

export function searchGroupsRoute(http: Http, tools: RouteTools) {
  http.post(
    '/scim/v2/Groups/.search',
    { config, schema: describe('Search groups', { status: 200, hasId: false }) },
    async (request, reply) => {
      const query = readQuery(request.body);
      return send(reply, listResponse(await search(Group, callOf(tools, request), query), query.startIndex));
    },
  );
}

export function createGroupRoute(http: Http, tools: RouteTools) {
  http.post(
    '/scim/v2/Groups',
    { config, schema: describe('Create group', { status: 201, hasId: false }) },
    async (request, reply) => {
      const withMembers = includes(Group, 'members', readProjection(request.query));
      const resource = await createGroup(callOf(tools, request), request.body, withMembers);
      return sendResource(request, reply, Group, resource, 201);
    },
  );
}

export function getGroupRoute(http: Http, tools: RouteTools) {
  http.get(
    '/scim/v2/Groups/:id',
    { config, schema: describe('Get group', { status: 200, hasId: true }) },
    async (request, reply) => {
      const withMembers = includes(Group, 'members', readProjection(request.query));
      const resource = await getGroup(callOf(tools, request), idOf(request), withMembers);
      return sendResource(request, reply, Group, resource);
    },
  );
}

export function replaceGroupRoute(http: Http, tools: RouteTools) {
  http.put(
    '/scim/v2/Groups/:id',
    { config, schema: describe('Replace group', { status: 200, hasId: true }) },
    async (request, reply) => {
      const withMembers = includes(Group, 'members', readProjection(request.query));
      const resource = await replaceGroup(callOf(tools, request), idOf(request), request.body, withMembers);
      return sendResource(request, reply, Group, resource);
    },
  );
}

export function patchGroupRoute(http: Http, tools: RouteTools) {
  http.patch(
    '/scim/v2/Groups/:id',
    { config, schema: describe('Change group', { status: 204, hasId: true }) },
    async (request, reply) => {
      const call = callOf(tools, request);
      await patchGroup(call, idOf(request), request.body);
      // Groups can be too large to return after each change. Clients can request attributes (RFC 7644, 3.5.2).
      const projection = readProjection(request.query);
      if (projection.attributes.length === 0) return reply.code(204).send();
      const resource = await getGroup(call, idOf(request), includes(Group, 'members', projection));
      return sendResource(request, reply, Group, resource);
    },
  );
}

export function deleteGroupRoute(http: Http, tools: RouteTools) {
  http.delete(
    '/scim/v2/Groups/:id',
    { config, schema: describe('Delete group', { status: 204, hasId: true }) },
    async (request, reply) => {
      await deleteGroup(callOf(tools, request), idOf(request));
      return reply.code(204).send();
    },
  );
}

export function searchRoute(http: Http, tools: RouteTools) {
  http.post(
    '/scim/v2/.search',
    { config, schema: describe('Search users and groups', { status: 200, hasId: false }) },
    async (request, reply) => {
      const query = readQuery(request.body);
      return send(reply, listResponse(await searchAll(callOf(tools, request), query), query.startIndex));
    },
  );
}

export function bulkRoute(http: Http, tools: RouteTools) {
  http.post(
    '/scim/v2/Bulk',
    {
      config,
      schema: describe('Carry out many operations', { status: 200, hasId: false }),
      bodyLimit: MOST_BULK_BYTES,
    },
    async (request, reply) => {
      const call = callOf(tools, request);
      const { refused, ...response } = await bulk(call, request.body);
      await noteRefusals(call, refused, request.log);
      return send(reply, response);
    },
  );
}

export function getServiceProviderConfigRoute(http: Http, tools: RouteTools) {
  http.get(
    '/scim/v2/ServiceProviderConfig',
    {
      config,
      schema: describe('Get the configuration of the service provider', { status: 200, hasId: false }),
    },
    async (request, reply) => {
      return send(reply, serviceProviderConfig(baseOf(tools, request)));
    },
  );
}

export function listResourceTypesRoute(http: Http, tools: RouteTools) {
  http.get(
    '/scim/v2/ResourceTypes',
    { config, schema: describe('List resource types', { status: 200, hasId: false }) },
    async (request, reply) => {
      return send(reply, listResponse(resourceTypes(baseOf(tools, request)), 1));
    },
  );
}

export function getResourceTypeRoute(http: Http, tools: RouteTools) {
  http.get(
    '/scim/v2/ResourceTypes/:id',
    { config, schema: describe('Get resource type', { status: 200, hasId: true }) },
    async (request, reply) => {
      return send(reply, one(resourceTypes(baseOf(tools, request)), idOf(request)));
    },
  );
}

export function listSchemasRoute(http: Http, tools: RouteTools) {
  http.get(
    '/scim/v2/Schemas',
    { config, schema: describe('List schemas', { status: 200, hasId: false }) },
    async (request, reply) => {
      return send(reply, listResponse(schemas(baseOf(tools, request)), 1));
    },
  );
}

export function getSchemaRoute(http: Http, tools: RouteTools) {
  http.get(
    '/scim/v2/Schemas/:id',
    { config, schema: describe('Get schema', { status: 200, hasId: true }) },
    async (request, reply) => {
      return send(reply, one(schemas(baseOf(tools, request)), idOf(request)));
    },
  );
}

/** Replies 501, since an API key is not a user (RFC 7644, 3.11). */
export function meRoute(http: Http) {
  http.get(
    '/scim/v2/Me',
    { config, schema: describe('Refuse /Me', { status: 200, hasId: false }) },
    async () => {
      throw new ScimError('unprocessable', 'Gatehouse does not support /Me. Use /Users instead.', {
        status: 501,
      });
    },
  );
}
