import { Type } from 'typebox';
import { ROLES } from '../../identity/principal.ts';
import { Nullable, Uuid } from '../../platform/http/schemas.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { describeCaller, reachOf } from '../me.ts';
import { baseUrl } from './base-url.ts';
import { Organization, Scope, organizationTags as tags } from './schemas.ts';

const Me = Type.Object({
  external_uuid: Uuid,
  email: Type.String(),
  username: Type.String(),
  first_name: Type.String(),
  last_name: Type.String(),
  role: Type.Enum([...ROLES]),
  organization: Type.Object(Organization),
  base_url: Type.String({ description: 'The address that all API paths start with.' }),
  has_password: Type.Boolean(),
  second_factor: Type.Boolean({ description: 'Whether signing in with a password also requires a code.' }),
  has_reports: Type.Boolean({ description: 'Whether anybody reports to the caller: see `/api/my-team/`.' }),
  second_factor_required: Type.Boolean({
    description: 'Whether the session must set up a second factor before it can do anything else.',
  }),
  api_key: Nullable(Type.String({ format: 'uuid', description: 'The calling key. Null: a session.' })),
  scopes: Nullable(Type.Array(Scope, { description: "The calling key's scopes. Null: a session." })),
  apps: Nullable(
    Type.Array(Uuid, { description: 'The apps that the calling key can access. Null: all apps.' }),
  ),
});

export function getMeRoute(http: Http, { db, origin }: RouteTools) {
  http.get(
    '/api/me/',
    {
      config: { access: { scope: 'read', apps: 'listed' }, allowsMissingFactor: true },
      schema: {
        tags,
        summary: 'Get the caller',
        description: 'Returns the person who is signed in, or for whom the API key acts.',
        response: { 200: Me },
      },
    },
    async (request) => ({
      ...(await describeCaller(db, request.principal)),
      base_url: baseUrl(origin(request), request.principal),
      second_factor_required: request.principal.needsSecondFactor === true,
      ...reachOf(request.principal),
    }),
  );
}
