import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { within } from '../../../kit/database/organization.ts';
import { envelope, listReply, pageOf, pageQuery } from '../../../kit/http/lists.ts';
import { Component, Instant, Nullable, Uuid } from '../../../kit/http/schemas.ts';
import type { Http, RouteTools } from '../../../kit/http/server.ts';
import { callOf } from '../../../kit/identity/call.ts';
import { type KeyScope, SCOPES } from '../../../kit/identity/principal.ts';
import { createKey, existingKey, listKeys, revokeKey, transferKey } from '../keys.ts';
import { ApiKey, CreatedApiKey, manageKeys, tags, transferKeys } from './schemas.ts';

const Filters = Type.Object({
  ...pageQuery,
  user: Type.Optional(Uuid),
  live: Type.Optional(
    Type.Boolean({ description: 'true: only keys that work. false: only keys that do not.' }),
  ),
});

export function listApiKeysRoute(http: Http, { db, origin }: RouteTools) {
  http.get(
    '/api/api-keys/',
    {
      config: { access: manageKeys },
      schema: {
        tags,
        summary: 'List API keys',
        description: 'Newest first. An API key sees only keys that do not exceed its own scopes and apps.',
        querystring: Filters,
        response: { 200: envelope(ApiKey) },
      },
    },
    async (request) => {
      const page = pageOf(request.query);
      const { user = null, live = null } = request.query;
      const keys = await listKeys(callOf(db, request), { user, live }, page);
      return listReply(request, origin(request), page, keys);
    },
  );
}

// Ajv compares each item with all others, unless the type of the items says that they are text.
const ScopeText = Type.Unsafe<KeyScope>({ type: 'string', enum: [...SCOPES] });

const NewApiKey = Component('NewApiKey', {
  name: Type.String({ minLength: 1, maxLength: 255 }),
  scopes: Type.Optional(
    Type.Array(ScopeText, {
      minItems: 1,
      maxItems: SCOPES.length,
      uniqueItems: true,
      description: 'Defaults to bridge, events and read.',
    }),
  ),
  apps: Type.Optional(
    Nullable(
      Type.Array(Uuid, { maxItems: 1000, description: 'The apps that the key can access. Null: all apps.' }),
    ),
  ),
  expires_at: Type.Optional(Nullable(Instant)),
});

export function createApiKeyRoute(http: Http, { db }: RouteTools) {
  http.post(
    '/api/api-keys/',
    {
      config: { access: { ...manageKeys, personal: true, stepUp: true } },
      schema: {
        tags,
        summary: 'Create API key',
        description:
          'The key acts for the person who creates it. An API key can create only keys that do not exceed its own scopes, apps and expiry.',
        body: NewApiKey,
        response: { 201: CreatedApiKey },
      },
    },
    async (request, reply) => {
      const { name, scopes, apps, expires_at } = request.body;
      reply.code(201);
      return createKey(callOf(db, request), {
        name,
        scopes: scopes ?? ['bridge', 'events', 'read'],
        apps: apps ?? null,
        expiresAt: expires_at ?? null,
      });
    },
  );
}

export function revokeApiKeyRoute(http: Http, { db }: RouteTools) {
  http.delete(
    '/api/api-keys/:key_id/',
    {
      config: { access: { ...manageKeys, stepUp: false } },
      schema: {
        tags,
        summary: 'Revoke API key',
        params: Type.Object({ key_id: Uuid }),
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await revokeKey(callOf(db, request), request.params.key_id);
      reply.code(204);
      return null;
    },
  );
}

export function transferApiKeyRoute(http: Http, { db }: RouteTools) {
  http.post(
    '/api/api-keys/:key_id/transfer/',
    {
      config: { access: transferKeys },
      // Before the body is validated, so that 404 comes before 400 (D6).
      onRequest: async ({ principal, params }: FastifyRequest) => {
        await existingKey(within(db, principal.orgId), (params as { key_id: string }).key_id);
      },
      schema: {
        tags,
        summary: 'Transfer API key to another person',
        description:
          'The key acts for that person from now on, and stops working when they are deactivated. Requires a signed-in person; only an owner can transfer a key from or to an owner.',
        params: Type.Object({ key_id: Uuid }),
        body: Component('ApiKeyTransfer', { user: Uuid }),
        response: { 200: ApiKey },
      },
    },
    async (request) => {
      const { params, body } = request;
      return transferKey(callOf(db, request), params.key_id, body.user.toLowerCase());
    },
  );
}
