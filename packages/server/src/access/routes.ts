import { Type } from 'typebox';
import { actorOf } from '../identity/cause.ts';
import { SCOPES } from '../identity/principal.ts';
import { envelope, listReply, pageOf, pageQuery } from '../platform/http/lists.ts';
import { Instant, Nullable, Timestamp, Uuid } from '../platform/http/schemas.ts';
import type { Http, RouteTools } from '../platform/http/server.ts';
import * as keys from './keys.ts';

const Scope = Type.Union(SCOPES.map((scope) => Type.Literal(scope)));

const apiKeyFields = {
  id: Uuid,
  name: Type.String(),
  scopes: Type.Array(Type.String()),
  apps: Nullable(Type.Array(Uuid, { description: 'Null: all apps.' })),
  created_by: Uuid,
  created_at: Timestamp,
  expires_at: Nullable(Timestamp),
  last_used_at: Nullable(Timestamp),
  revoked_at: Nullable(Timestamp),
};
const ApiKey = Type.Object(apiKeyFields);
const CreatedApiKey = Type.Object({
  ...apiKeyFields,
  key: Type.String({ description: 'The key itself. It is shown in this answer only.' }),
});

const NewApiKey = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 255 }),
  scopes: Type.Optional(
    Type.Array(Scope, { minItems: 1, uniqueItems: true, description: 'All but govern by default.' }),
  ),
  apps: Type.Optional(Nullable(Type.Array(Uuid))),
  expires_at: Type.Optional(Nullable(Instant)),
});

const access = { scope: 'govern', roles: ['owner', 'admin'] } as const;
const tags = ['API keys'];

/** API keys (contract 5, D8, governance "Roles"). */
export function keyRoutes(http: Http, { db, origin }: RouteTools) {
  http.get(
    '/api/api-keys/',
    {
      config: { access },
      schema: {
        tags,
        summary: 'List API keys',
        querystring: Type.Object(pageQuery),
        response: { 200: envelope(ApiKey) },
      },
    },
    async (request) => {
      const page = pageOf(request.query);
      return listReply(
        request,
        origin(request),
        page,
        await keys.listKeys(db, request.principal.orgId, page),
      );
    },
  );

  http.post(
    '/api/api-keys/',
    {
      config: { access },
      schema: { tags, summary: 'Create an API key', body: NewApiKey, response: { 201: CreatedApiKey } },
    },
    async (request, reply) => {
      const { name, scopes, apps, expires_at } = request.body;
      reply.code(201);
      return keys.createKey(db, request.principal, actorOf(request), {
        name,
        scopes: scopes ?? ['bridge', 'events', 'read'],
        apps: apps ?? null,
        expiresAt: expires_at ?? null,
      });
    },
  );

  http.delete(
    '/api/api-keys/:key_id/',
    {
      config: { access },
      schema: {
        tags,
        summary: 'Revoke an API key',
        params: Type.Object({ key_id: Uuid }),
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await keys.revokeKey(db, request.principal, actorOf(request), request.params.key_id);
      reply.code(204);
      return null;
    },
  );
}
