import { Type } from 'typebox';
import {
  type Given,
  IfMatchHeader,
  type NoProperties,
  operations,
  type Route,
  withVersion,
} from '#kit/http.ts';
import { ROLES } from '#kit/identity.ts';
import { Component, Nullable } from '#kit/schemas.ts';
import { changeOrganization, organizationVersion } from '../organization.ts';
import { findOrganization } from '../organization-facts.ts';
import {
  groupGuard,
  MassGuard,
  OrganizationView,
  passkeyRoles,
  peopleGuard,
  personKey,
  scimDeletes,
  secondFactorRoles,
  timeZone,
} from '../schemas.ts';
import { baseUrl } from './base-url.ts';

const OrganizationChange = Component('OrganizationChange', {
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

type Asked = Pick<Given<NoProperties, never, NoProperties>, 'call' | 'request' | 'reply' | 'tools'>;

function show(shown: OrganizationView, { call, request, reply, tools }: Asked) {
  reply.header('ETag', organizationVersion(shown));
  return { ...shown, base_url: baseUrl(tools.origin(request), call.principal) };
}

const organization = operations({
  path: '/api/organization/',
  tag: 'Organization',
  reading: { access: { scope: 'read' } },
  managing: { access: { scope: 'govern', roles: ['owner', 'admin'], stepUp: 'privileged' } },
  reply: withVersion(OrganizationView),
});

export const organizationRoutes: Route[] = [
  organization.get('', 'Get the organization', {}, async (given) =>
    show(await findOrganization(given.call), given),
  ),
  organization.patch(
    '',
    'Change the organization',
    {
      description:
        'Administrators can change the name, scim_deletes, person_key, time_zone, people_guard and group_guard. Only owners who signed in within the last 15 minutes can change second_factor_roles and passkey_roles, and must have used a passkey to add roles to the latter.',
      headers: IfMatchHeader,
      body: OrganizationChange,
    },
    async (given) => show(await changeOrganization(given.call, given.body, given.ifMatch), given),
  ),
];
