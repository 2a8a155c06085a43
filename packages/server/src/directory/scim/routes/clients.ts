import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { within } from '../../../kit/database/organization.ts';
import { envelope, listReply, pageOf, pageQuery } from '../../../kit/http/lists.ts';
import { Component, Nullable, Timestamp, Uuid } from '../../../kit/http/schemas.ts';
import type { Http, RouteTools } from '../../../kit/http/server.ts';
import { callOf } from '../../../kit/identity/call.ts';
import { type CountHolds, listClients, releaseAll, requireClient } from '../clients.ts';

const tags = ['SCIM clients'];
const read = { scope: 'govern', roles: ['owner', 'admin', 'auditor'] } as const;
/** Only an owner decides that an identity provider no longer manages people, as for one person. */
const release = { scope: 'govern', roles: ['owner'] } as const;

const Count = Type.Integer({ minimum: 0 });
const keptIds =
  'The people whom the client no longer manages, because they were released or it deleted them, and whose externalId is kept. forget_ids forgets it.';

const ClientView = Component('ScimClient', {
  key: Component('ScimClientKey', {
    id: Uuid,
    name: Nullable(Type.String({ description: 'Null: the key was deleted together with its person.' })),
    user: Nullable(Type.String({ format: 'uuid', description: 'The person for whom the key acts.' })),
    live: Type.Boolean({
      description: 'Whether the key works: not revoked, not expired, and its person is active.',
    }),
    expires_at: Nullable(Timestamp),
    revoked_at: Nullable(Timestamp),
  }),
  people: { ...Count, description: 'The number of people whom the client manages.' },
  groups: { ...Count, description: 'The number of groups that the client keeps.' },
  kept_ids: { ...Count, description: keptIds },
  last_request_at: Nullable(Timestamp),
  refused: { ...Count, description: 'The number of its requests that were refused in the last 24 hours.' },
  ignored: Type.Array(
    Component('ScimIgnoredAttribute', {
      attribute: Type.String({ description: 'As SCIM names it.' }),
      reason: Type.String({ description: 'Why it was left the last time.' }),
      count: { ...Count, description: 'How often it was left.' },
      last_at: Timestamp,
    }),
    { description: 'The attributes that were left as they were, although requests named them.' },
  ),
  holds: { ...Count, description: 'The number of open holds of changes that the client made.' },
});

export function listClientsRoute(http: Http, { db, origin }: RouteTools, countHolds: CountHolds) {
  http.get(
    '/api/scim-clients/',
    {
      config: { access: read },
      schema: {
        tags,
        summary: 'List SCIM clients',
        description:
          'The API keys with the scope scim that work, and those that still manage people or groups, or whose externalIds are kept. Newest first.',
        querystring: Type.Object(pageQuery),
        response: { 200: envelope(ClientView) },
      },
    },
    async (request) => {
      const page = pageOf(request.query);
      const org = within(db, request.principal.orgId);
      return listReply(request, origin(request), page, await listClients(org, page, countHolds));
    },
  );
}

const ReleaseView = Component('ScimClientRelease', {
  dry_run: Type.Boolean(),
  people: { ...Count, description: 'The people who were managed by the client. They stay as they are.' },
  active: { ...Count, description: 'The active ones among them.' },
  groups: { ...Count, description: 'The groups that the client kept. They and their members stay.' },
  with_role: { ...Count, description: 'The groups among them that give a role.' },
  kept_ids: { ...Count, description: keptIds },
  fields: Type.Array(Type.Object({ field: Type.String(), people: Count }), {
    description: 'The fields that can be edited in Gatehouse afterwards, with the number of people.',
  }),
});

export function releaseClientRoute(http: Http, { db }: RouteTools) {
  http.post(
    '/api/scim-clients/:key_id/release/',
    {
      config: { access: release },
      // Before the body is validated, so that 404 comes before 400 (D6).
      onRequest: async ({ principal, params }: FastifyRequest) => {
        await requireClient(within(db, principal.orgId), (params as { key_id: string }).key_id);
      },
      schema: {
        tags,
        summary: 'Release all people and groups of a SCIM client',
        description:
          'Makes the fields that the client manages editable. The externalId of each person is kept: a user whom a client creates with it is that person. Repeat the request if it was interrupted.',
        params: Type.Object({ key_id: Uuid }),
        body: Component('NewScimClientRelease', {
          dry_run: Type.Optional(
            Type.Boolean({ default: false, description: 'Return what would change, and change nothing.' }),
          ),
          forget_ids: Type.Optional(
            Type.Boolean({
              default: false,
              description:
                'Forget the externalIds as well, also those of people who were released from this client before, or whom it deleted. For another provider, which has other ids.',
            }),
          ),
        }),
        response: { 200: ReleaseView },
      },
    },
    async (request) => {
      const { dry_run: dryRun = false, forget_ids: forgetIds = false } = request.body;
      return releaseAll(callOf(db, request), request.params.key_id.toLowerCase(), { dryRun, forgetIds });
    },
  );
}
