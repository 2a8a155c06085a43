import { Type } from 'typebox';
import { withApp } from '../apps/with-app.ts';
import { envelope, listReply, pageOf, pageQuery } from '../platform/http/lists.ts';
import { Nullable, Timestamp, Uuid } from '../platform/http/schemas.ts';
import type { Http, RouteTools } from '../platform/http/server.ts';
import { listResources, membersOf } from './resources.ts';

const Resource = Type.Object({
  external_uuid: Uuid,
  id: Type.String({ description: "The external system's own id." }),
  slug: Type.String({ description: 'Of its resource type.' }),
  type: Type.String({ description: 'group or license.' }),
  name: Type.String({ description: 'Empty while it has only been referred to.' }),
  description: Type.String(),
  active: Type.Boolean({ description: 'false: a sync has found it gone.' }),
  members: Nullable(Type.Integer({ description: 'How many accounts have it; null to members.' })),
  max_count: Nullable(Type.Integer({ description: 'Seats of a license; 0: unlimited.' })),
  used_count: Nullable(Type.Integer({ description: 'Seats in use, as the external system counts them.' })),
  is_paid: Nullable(Type.Boolean()),
  is_unlimited: Nullable(Type.Boolean()),
});

const Member = Type.Object({
  external_uuid: Uuid,
  email: Type.String(),
  username: Type.String(),
  display_name: Type.String(),
  status: Type.String(),
  user: Nullable(Uuid),
  granted_at: Timestamp,
});

const Filters = Type.Object({
  ...pageQuery,
  slug: Type.Optional(Type.String()),
  q: Type.Optional(Type.String({ description: 'Part of the name, without case.' })),
  active: Type.Optional(Type.Boolean({ default: true, description: 'false: those that are gone.' })),
});

const scope = 'govern';
const tags = ['Apps'];

/** Groups and licenses of an app (governance.md "Apps as administrators see them"). */
export function resourceRoutes(http: Http, { db, origin }: RouteTools) {
  const onRequest = withApp(db);

  http.get(
    '/api/apps/:app_id/resources/',
    {
      config: { access: { scope } },
      onRequest,
      schema: {
        tags,
        summary: 'List groups and licenses of an app, by name',
        params: Type.Object({ app_id: Uuid }),
        querystring: Filters,
        response: { 200: envelope(Resource) },
      },
    },
    async (request) => {
      const page = pageOf(request.query);
      const { slug, q, active = true } = request.query;
      const filter = { slug: slug || null, q: q || null, active };
      const slice = await listResources(db, request.principal, request.bridgeApp.id, filter, page);
      return listReply(request, origin(request), page, slice);
    },
  );

  http.get(
    '/api/apps/:app_id/resources/:resource_id/members/',
    {
      config: { access: { scope, roles: ['owner', 'admin', 'auditor'] } },
      onRequest,
      schema: {
        tags,
        summary: 'List the accounts that have a group or license',
        params: Type.Object({ app_id: Uuid, resource_id: Uuid }),
        querystring: Type.Object(pageQuery),
        response: { 200: envelope(Member) },
      },
    },
    async (request) => {
      const page = pageOf(request.query);
      const { orgId } = request.principal;
      const slice = await membersOf(db, orgId, request.bridgeApp.id, request.params.resource_id, page);
      return listReply(request, origin(request), page, slice);
    },
  );
}
