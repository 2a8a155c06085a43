import { Type } from 'typebox';
import { causeOf } from '../../identity/cause.ts';
import { ROLES } from '../../identity/principal.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { changeOrganization } from '../organization.ts';
import { baseUrl } from './base-url.ts';
import { OrganizationView, scimDeletes, secondFactorRoles, organizationTags as tags } from './schemas.ts';

const Change = Type.Object({
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
  second_factor_roles: Type.Optional(
    Type.Array(Type.Enum([...ROLES]), { maxItems: ROLES.length, description: secondFactorRoles }),
  ),
  scim_deletes: Type.Optional(Type.Boolean({ description: scimDeletes })),
});

export function changeOrganizationRoute(http: Http, { db, origin }: RouteTools) {
  http.patch(
    '/api/organization/',
    {
      config: { access: { scope: 'govern', roles: ['owner', 'admin'] } },
      schema: {
        tags,
        summary: 'Change the organization',
        description:
          'Administrators can change the name and scim_deletes. Only owners who signed in within the last 15 minutes can change second_factor_roles.',
        body: Change,
        response: { 200: OrganizationView },
      },
    },
    async (request) => ({
      ...(await changeOrganization(db, request.principal, causeOf(request), request.body)),
      base_url: baseUrl(origin(request), request.principal),
    }),
  );
}
