import { Type } from 'typebox';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { renameOrganization } from '../organization.ts';
import { baseUrl } from './base-url.ts';
import { OrganizationView, organizationTags as tags } from './schemas.ts';

export function renameOrganizationRoute(http: Http, { db, origin }: RouteTools) {
  http.patch(
    '/api/organization/',
    {
      config: { access: { scope: 'govern', roles: ['owner', 'admin'] } },
      schema: {
        tags,
        summary: 'Rename the organization',
        body: Type.Object({ name: Type.String({ minLength: 1, maxLength: 255 }) }),
        response: { 200: OrganizationView },
      },
    },
    async (request) => ({
      ...(await renameOrganization(db, request.principal.orgId, request.body.name)),
      base_url: baseUrl(origin(request), request.principal),
    }),
  );
}
