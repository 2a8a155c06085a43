import { Type } from 'typebox';
import { SCOPES } from '../../identity/principal.ts';
import { Nullable, Timestamp, Uuid } from '../../platform/http/schemas.ts';

export const tags = ['API keys'];
export const organizationTags = ['Organization'];

/** API keys are managed by administrators. */
export const manageKeys = { scope: 'govern', roles: ['owner', 'admin'] } as const;

const Scope = Type.Enum([...SCOPES]);

const apiKeyFields = {
  id: Uuid,
  name: Type.String(),
  scopes: Type.Array(Scope),
  apps: Nullable(Type.Array(Uuid, { description: 'The apps that the key can access. Null: all apps.' })),
  created_by: Uuid,
  created_at: Timestamp,
  expires_at: Nullable(Timestamp),
  last_used_at: Nullable(Timestamp),
  revoked_at: Nullable(Timestamp),
};
export const ApiKey = Type.Object(apiKeyFields);
export const CreatedApiKey = Type.Object({
  ...apiKeyFields,
  key: Type.String({ description: 'The key itself. Only this response shows it.' }),
});

export const Organization = { slug: Type.String(), name: Type.String() };
export const OrganizationView = Type.Object({
  ...Organization,
  base_url: Type.String({ description: 'The address that all API paths start with.' }),
  created_at: Timestamp,
});
