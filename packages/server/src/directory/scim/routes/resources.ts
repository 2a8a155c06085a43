import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { type Method, type Route, route, type Shape } from '#kit/http.ts';
import { bulk, MOST_BULK_BYTES } from '../bulk.ts';
import type { Call } from '../call.ts';
import { one, resourceTypes, schemas, serviceProviderConfig } from '../discovery.ts';
import { ScimError } from '../errors.ts';
import { createGroup, deleteGroup, getGroup, patchGroup, replaceGroup } from '../groups.ts';
import { noteRefusals } from '../notes.ts';
import { includes } from '../project.ts';
import type { Resource } from '../resource.ts';
import { Group, type ResourceType, User } from '../schema.ts';
import {
  type Found,
  listResponse,
  type Query,
  readProjection,
  readQuery,
  search,
  searchAll,
} from '../search.ts';
import { patchUser, replaceUser } from '../users/change.ts';
import { createUser } from '../users/create.ts';
import { deleteUser } from '../users/delete.ts';
import { getUser } from '../users/get.ts';
import { callOf, config, send, sendResource } from './tools.ts';

const Id = { id: Type.String() };

interface Given {
  call: Call;
  id: string;
  body: unknown;
  request: FastifyRequest;
  reply: FastifyReply;
}

/**
 * Declares an operation. The bodies have no JSON schema here: RFC 7644 defines them, SCIM describes them in /Schemas, and this feature
 * validates them.
 */
const scim = (
  method: Method,
  path: string,
  summary: string,
  handle: (given: Given) => unknown,
  { status = 200, options = {} }: Pick<Shape<never, never, never, never>, 'status' | 'options'> = {},
): Route =>
  route(
    method,
    `/scim/v2${path}`,
    {
      tag: 'SCIM',
      summary,
      config,
      ...(path.endsWith('/:id') ? { params: Id } : {}),
      status,
      reply: status === 204 ? Type.Null() : Type.Unknown({ description: 'See docs/guides/scim.md.' }),
      options,
    },
    ({ request, reply, body, params, tools }) =>
      handle({ call: callOf(tools, request), id: params.id, body, request, reply }),
  );

/** Returns a handler for a list or a search. */
const finding = (find: (call: Call, query: Query) => Promise<Found>) => async (given: Given) => {
  const { call, request, reply } = given;
  const query = readQuery(request.method === 'POST' ? request.body : request.query);
  return send(reply, listResponse(await find(call, query), query.startIndex));
};

/** A rule may return nothing instead of the resource. */
type Rule = (given: Given, withMembers: boolean) => Promise<Resource | undefined>;

interface Rules {
  create: Rule;
  get: Rule;
  replace: Rule;
  patch: Rule;
  patchStatus: 200 | 204;
  remove: (call: Call, id: string) => Promise<void>;
}

/** Declares the operations on users or on groups. */
function operationsOn(type: ResourceType, noun: string, rules: Rules): Route[] {
  const { endpoint } = type;
  const searching = finding((call, query) => search(type, call, query));
  const showing = (rule: Rule) => async (given: Given) => {
    const { request, reply } = given;
    const resource = await rule(given, includes(type, 'members', readProjection(request.query)));
    return resource === undefined ? reply.code(204).send() : sendResource(request, reply, type, resource);
  };
  return [
    scim('GET', endpoint, `List ${noun}s`, searching),
    scim('POST', `${endpoint}/.search`, `Search ${noun}s`, searching),
    scim('POST', endpoint, `Create ${noun}`, showing(rules.create), { status: 201 }),
    scim('GET', `${endpoint}/:id`, `Get ${noun}`, showing(rules.get)),
    scim('PUT', `${endpoint}/:id`, `Replace ${noun}`, showing(rules.replace)),
    scim('PATCH', `${endpoint}/:id`, `Change ${noun}`, showing(rules.patch), { status: rules.patchStatus }),
    scim('DELETE', `${endpoint}/:id`, `Delete ${noun}`, ({ call, id }) => rules.remove(call, id), {
      status: 204,
    }),
  ];
}

const userOperations = operationsOn(User, 'user', {
  create: ({ call, body }) => createUser(call, body),
  get: ({ call, id }) => getUser(call, id),
  replace: ({ call, id, body }) => replaceUser(call, id, body),
  patch: ({ call, id, body }) => patchUser(call, id, body),
  patchStatus: 200,
  remove: deleteUser,
});

const groupOperations = operationsOn(Group, 'group', {
  create: ({ call, body }, withMembers) => createGroup(call, body, withMembers),
  get: ({ call, id }, withMembers) => getGroup(call, id, withMembers),
  replace: ({ call, id, body }, withMembers) => replaceGroup(call, id, body, withMembers),
  async patch({ call, id, body, request }, withMembers) {
    await patchGroup(call, id, body);
    // Groups can be too large to return after each change. Clients can request attributes (RFC 7644, 3.5.2).
    const { attributes } = readProjection(request.query);
    return attributes.length === 0 ? undefined : getGroup(call, id, withMembers);
  },
  patchStatus: 204,
  remove: deleteGroup,
});

export const scimOperations: Route[] = [
  ...userOperations,
  ...groupOperations,
  scim('POST', '/.search', 'Search users and groups', finding(searchAll)),
  scim(
    'POST',
    '/Bulk',
    'Carry out many operations',
    async ({ call, request, reply }) => {
      const { refused, ...response } = await bulk(call, request.body);
      await noteRefusals(call, refused, request.log);
      return send(reply, response);
    },
    { options: { bodyLimit: MOST_BULK_BYTES } },
  ),
  scim('GET', '/ServiceProviderConfig', 'Get the configuration of the service provider', ({ call, reply }) =>
    send(reply, serviceProviderConfig(call.base)),
  ),
  scim('GET', '/ResourceTypes', 'List resource types', ({ call, reply }) =>
    send(reply, listResponse(resourceTypes(call.base), 1)),
  ),
  scim('GET', '/ResourceTypes/:id', 'Get resource type', ({ call, id, reply }) =>
    send(reply, one(resourceTypes(call.base), id)),
  ),
  scim('GET', '/Schemas', 'List schemas', ({ call, reply }) =>
    send(reply, listResponse(schemas(call.base), 1)),
  ),
  scim('GET', '/Schemas/:id', 'Get schema', ({ call, id, reply }) =>
    send(reply, one(schemas(call.base), id)),
  ),
  // An API key is not a user (RFC 7644, 3.11).
  scim('GET', '/Me', 'Refuse /Me', () => {
    throw new ScimError('unprocessable', 'Gatehouse does not support /Me. Use /Users instead.', {
      status: 501,
    });
  }),
];
