import { Type } from 'typebox';
import { withApp } from '../../apps/with-app.ts';
import { envelope, listReply, pageOf, pageQuery } from '../../platform/http/lists.ts';
import { Nullable, Uuid } from '../../platform/http/schemas.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { listResources } from '../resources.ts';

const Resource = Type.Object({
  external_uuid: Uuid,
  id: Type.String({ description: 'The id in the external system.' }),
  slug: Type.String({ description: 'The slug of its resource type.' }),
  type: Type.Enum(['group', 'license']),
  name: Type.String({
    description: 'Empty for a stub: an entitlement that has only been referenced so far.',
  }),
  description: Type.String(),
  active: Type.Boolean({ description: 'false: the last sync no longer found it.' }),
  members: Nullable(
    Type.Integer({ description: 'The number of accounts that hold it; null if a member asks.' }),
  ),
  max_count: Nullable(Type.Integer({ description: 'Seats of a license; 0 means unlimited.' })),
  used_count: Nullable(Type.Integer({ description: 'Seats in use, as the external system counts them.' })),
  is_full: Nullable(
    Type.Boolean({ description: 'Whether a license has no free seats, for every role; null for groups.' }),
  ),
  is_paid: Nullable(Type.Boolean()),
  is_unlimited: Nullable(Type.Boolean()),
});

const Filters = Type.Object({
  ...pageQuery,
  slug: Type.Optional(Type.String()),
  q: Type.Optional(Type.String({ description: 'Part of the name, compared without case.' })),
  active: Type.Optional(
    Type.Boolean({ default: true, description: 'false: entitlements that no longer exist.' }),
  ),
});

/** Protocol 11. */
export function listResourcesRoute(http: Http, { db, origin }: RouteTools) {
  http.get(
    '/api/apps/:app_id/resources/',
    {
      config: { access: { scope: 'govern', apps: 'listed' } },
      onRequest: withApp(db),
      schema: {
        tags: ['Apps'],
        summary: 'List groups and licenses of an app',
        description: 'By name. Members of the organization do not see how many accounts hold an entitlement.',
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
}
