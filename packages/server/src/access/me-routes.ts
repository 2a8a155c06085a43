import { Type } from 'typebox';
import { notFound } from '../platform/errors.ts';
import { Nullable, Timestamp, Uuid } from '../platform/http/schemas.ts';
import type { Http, RouteTools } from '../platform/http/server.ts';
import * as queries from './me-queries.ts';

const Organization = { slug: Type.String(), name: Type.String() };
const OrganizationView = Type.Object({ ...Organization, base_url: Type.String(), created_at: Timestamp });
const Me = Type.Object({
  external_uuid: Uuid,
  email: Type.String(),
  username: Type.String(),
  first_name: Type.String(),
  last_name: Type.String(),
  role: Type.Union([
    Type.Literal('owner'),
    Type.Literal('admin'),
    Type.Literal('auditor'),
    Type.Literal('member'),
  ]),
  organization: Type.Object(Organization),
  base_url: Type.String(),
  has_password: Type.Boolean(),
  second_factor: Type.Boolean({ description: 'Signing in with a password asks for a code as well.' }),
  api_key: Nullable(Uuid),
});

/** Who is calling, and in which organization (contract 5, D1, governance.md "Roles"). */
export function meRoutes(http: Http, { db, origin }: RouteTools) {
  const tags = ['Organization'];
  const baseUrl = (request: Parameters<typeof origin>[0]) =>
    `${origin(request)}/org/${request.principal.orgSlug}`;

  http.get(
    '/api/me/',
    {
      config: { access: { scope: 'read' } },
      schema: {
        tags,
        summary: 'Who is calling',
        description: 'The person who is signed in, or for whom the key acts.',
        response: { 200: Me },
      },
    },
    async (request) => {
      const { orgId, userId, keyId, role } = request.principal;
      const me = await queries.findMe(db, orgId, userId);
      if (me === undefined) throw notFound('User');
      return { ...me, role, base_url: baseUrl(request), api_key: keyId };
    },
  );

  http.get(
    '/api/organization/',
    {
      config: { access: { scope: 'read' } },
      schema: { tags, summary: 'The organization', response: { 200: OrganizationView } },
    },
    async (request) => ({
      ...(await queries.findOrganizationView(db, request.principal.orgId)),
      base_url: baseUrl(request),
    }),
  );

  http.patch(
    '/api/organization/',
    {
      config: { access: { scope: 'govern', roles: ['owner', 'admin'] } },
      schema: {
        tags,
        summary: 'Name the organization',
        body: Type.Object({ name: Type.String({ minLength: 1, maxLength: 255 }) }),
        response: { 200: OrganizationView },
      },
    },
    async (request) => ({
      ...(await queries.renameOrganization(db, request.principal.orgId, request.body.name)),
      base_url: baseUrl(request),
    }),
  );
}
