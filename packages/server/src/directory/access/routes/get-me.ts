import { Type } from 'typebox';
import { type Route, route } from '#kit/http.ts';
import { ROLES } from '#kit/identity.ts';
import { Component, Nullable, Uuid } from '#kit/schemas.ts';
import { describeCaller, reachOf } from '../me.ts';
import { Organization, Scope } from '../schemas.ts';
import { baseUrl } from './base-url.ts';

/** A program for some apps needs to know nothing else of the person for whom it acts. */
const NOT_LISTED = 'Missing for an app-scoped API key.';

const Me = Component('Me', {
  external_uuid: Uuid,
  email: Type.String(),
  username: Type.String(),
  first_name: Type.String(),
  last_name: Type.String(),
  role: Type.Enum([...ROLES]),
  organization: Type.Object({
    ...Organization,
    sample: Type.Boolean({
      description: 'Whether it has a sample company (`POST /api/organization/sample/`).',
    }),
  }),
  base_url: Type.String({ description: 'The address that all API paths start with.' }),
  has_password: Type.Optional(Type.Boolean({ description: NOT_LISTED })),
  second_factor: Type.Optional(
    Type.Boolean({ description: `Whether signing in with a password also requires a code. ${NOT_LISTED}` }),
  ),
  has_reports: Type.Optional(
    Type.Boolean({
      description: `Whether anybody reports to the caller: see \`/api/my-team/\`. ${NOT_LISTED}`,
    }),
  ),
  second_factor_required: Type.Boolean({
    description: 'Whether the session must set up a second factor before it can do anything else.',
  }),
  passkey_required: Type.Boolean({ description: 'Whether that second factor must be a passkey.' }),
  api_key: Nullable(Type.String({ format: 'uuid', description: 'The calling key. Null: a session.' })),
  scopes: Nullable(Type.Array(Scope, { description: "The calling key's scopes. Null: a session." })),
  apps: Nullable(
    Type.Array(Uuid, { description: 'The apps that the calling key can access. Null: all apps.' }),
  ),
});

export const meRoutes: Route[] = [
  route(
    'GET',
    '/api/me/',
    {
      tag: 'Organization',
      config: { access: { scope: 'read', apps: 'listed' }, allowsMissingFactor: true },
      summary: 'Get the caller',
      description: 'Returns the person who is signed in, or for whom the API key acts.',
      reply: Me,
    },
    async ({ call, request, tools }) => ({
      ...(await describeCaller(call)),
      base_url: baseUrl(tools.origin(request), call.principal),
      second_factor_required: (call.principal.missingFactor ?? null) !== null,
      passkey_required: call.principal.missingFactor === 'passkey',
      ...reachOf(call.principal),
    }),
  ),
];
