import { Type } from 'typebox';
import { causeOf } from '../../identity/cause.ts';
import { type KeyScope, SCOPES } from '../../identity/principal.ts';
import { Instant, Nullable, Uuid } from '../../platform/http/schemas.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { createKey } from '../keys.ts';
import { CreatedApiKey, manageKeys, tags } from './schemas.ts';

// Ajv compares each item with all others, unless the type of the items says that they are text.
const ScopeText = Type.Unsafe<KeyScope>({ type: 'string', enum: [...SCOPES] });

const NewApiKey = Type.Object({
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
      config: { access: { ...manageKeys, personal: true } },
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
      return createKey(db, request.principal, causeOf(request), {
        name,
        scopes: scopes ?? ['bridge', 'events', 'read'],
        apps: apps ?? null,
        expiresAt: expires_at ?? null,
      });
    },
  );
}
