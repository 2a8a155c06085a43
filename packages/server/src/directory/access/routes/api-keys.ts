import { Type } from 'typebox';
import { type Route, resource } from '#kit/http.ts';
import { type KeyScope, SCOPES } from '#kit/identity.ts';
import { Component, Instant, Nullable, Uuid } from '#kit/schemas.ts';
import { keyFilters } from '../filters.ts';
import { createKey, existingKey, listKeys, revokeKey, transferKey } from '../keys.ts';
import { ApiKey, CreatedApiKey } from '../schemas.ts';

/** API keys are managed by administrators. */
const access = { scope: 'govern', roles: ['owner', 'admin'], apps: 'listed' } as const;

const keys = resource({
  path: '/api/api-keys/',
  tag: 'API keys',
  reading: { access },
  managing: { access },
  id: 'key_id',
  find: existingKey,
  schema: ApiKey,
  view: (key) => key,
});

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

export const keyRoutes: Route[] = [
  keys.list(
    'List API keys',
    {
      description: 'Newest first. An API key sees only keys that do not exceed its own scopes and apps.',
      query: keyFilters.query,
    },
    listKeys,
  ),
  keys.all.post(
    '',
    'Create API key',
    {
      description:
        'The key acts for the person who creates it. An API key can create only keys that do not exceed its own scopes, apps and expiry.',
      config: { access: { ...access, personal: true, stepUp: true } },
      body: NewApiKey,
      reply: CreatedApiKey,
      status: 201,
    },
    ({ call, body }) => {
      const { name, scopes = ['bridge', 'events', 'read'], apps = null, expires_at = null } = body;
      return createKey(call, { name, scopes, apps, expiresAt: expires_at });
    },
  ),
  keys.remove('Revoke API key', { config: { access: { ...access, stepUp: false } } }, ({ call, found }) =>
    revokeKey(call, found.id),
  ),
  keys.act(
    'transfer/',
    'Transfer API key to another person',
    {
      description:
        'The key acts for that person from now on, and stops working when they are deactivated. Requires a signed-in person; only an owner can transfer a key from or to an owner.',
      // A transfer lets the holder of the key act for another person. Only a signed-in person may decide that.
      config: { access: { scope: 'session', roles: ['owner', 'admin'], stepUp: true } },
      body: Component('ApiKeyTransfer', { user: Uuid }),
    },
    ({ call, found, body }) => transferKey(call, found.id, body.user.toLowerCase()),
  ),
];
