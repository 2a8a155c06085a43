import { Type } from 'typebox';
import { within } from '../../../kit/database/organization.ts';
import { Component, Nullable } from '../../../kit/http/schemas.ts';
import type { Http, RouteTools } from '../../../kit/http/server.ts';
import { IfMatchHeader, ifMatchOf, withVersion } from '../../../kit/http/versions.ts';
import { callOf } from '../../../kit/identity/call.ts';
import { ROLES } from '../../../kit/identity/principal.ts';
import { changeOrganization, organizationVersion } from '../organization.ts';
import { findOrganization } from '../organization-facts.ts';
import { baseUrl } from './base-url.ts';
import {
  groupGuard,
  MassGuard,
  OrganizationView,
  passkeyRoles,
  peopleGuard,
  personKey,
  scimDeletes,
  secondFactorRoles,
  organizationTags as tags,
  timeZone,
} from './schemas.ts';

export function getOrganizationRoute(http: Http, { db, origin }: RouteTools) {
  http.get(
    '/api/organization/',
    {
      config: { access: { scope: 'read' } },
      schema: { tags, summary: 'Get the organization', response: { 200: withVersion(OrganizationView) } },
    },
    async (request, reply) => {
      const organization = await findOrganization(within(db, request.principal.orgId));
      reply.header('ETag', organizationVersion(organization));
      return { ...organization, base_url: baseUrl(origin(request), request.principal) };
    },
  );
}

const Change = Component('OrganizationChange', {
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
  second_factor_roles: Type.Optional(
    Type.Array(Type.Enum([...ROLES]), { maxItems: ROLES.length, description: secondFactorRoles }),
  ),
  passkey_roles: Type.Optional(
    Type.Array(Type.Enum([...ROLES]), { maxItems: ROLES.length, description: passkeyRoles }),
  ),
  scim_deletes: Type.Optional(Type.Boolean({ description: scimDeletes })),
  person_key: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 255, description: personKey }))),
  time_zone: Type.Optional(Type.String({ maxLength: 100, description: timeZone })),
  people_guard: Type.Optional({ ...MassGuard, description: peopleGuard }),
  group_guard: Type.Optional({ ...MassGuard, description: groupGuard }),
});

export function changeOrganizationRoute(http: Http, { db, origin }: RouteTools) {
  http.patch(
    '/api/organization/',
    {
      config: { access: { scope: 'govern', roles: ['owner', 'admin'], stepUp: 'privileged' } },
      schema: {
        tags,
        summary: 'Change the organization',
        description:
          'Administrators can change the name, scim_deletes, person_key, time_zone, people_guard and group_guard. Only owners who signed in within the last 15 minutes can change second_factor_roles and passkey_roles, and must have used a passkey to add roles to the latter.',
        headers: IfMatchHeader,
        body: Change,
        response: { 200: withVersion(OrganizationView) },
      },
    },
    async (request, reply) => {
      const { principal, body } = request;
      const changed = await changeOrganization(callOf(db, request), body, ifMatchOf(request));
      reply.header('ETag', organizationVersion(changed));
      return { ...changed, base_url: baseUrl(origin(request), principal) };
    },
  );
}
