import type { Http, RouteTools } from '../../platform/http/server.ts';
import { findOrganization } from '../organization.ts';
import { baseUrl } from './base-url.ts';
import { OrganizationView, organizationTags as tags } from './schemas.ts';

export function getOrganizationRoute(http: Http, { db, origin }: RouteTools) {
  http.get(
    '/api/organization/',
    {
      config: { access: { scope: 'read' } },
      schema: { tags, summary: 'Get the organization', response: { 200: OrganizationView } },
    },
    async (request) => ({
      ...(await findOrganization(db, request.principal.orgId)),
      base_url: baseUrl(origin(request), request.principal),
    }),
  );
}
