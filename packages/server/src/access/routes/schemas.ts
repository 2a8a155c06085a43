import { Type } from 'typebox';
import { ROLES, SCOPES } from '../../identity/principal.ts';
import { Nullable, Timestamp, Uuid } from '../../platform/http/schemas.ts';

export const tags = ['API keys'];
export const organizationTags = ['Organization'];

/** API keys are managed by administrators. */
export const manageKeys = { scope: 'govern', roles: ['owner', 'admin'], apps: 'listed' } as const;
/** A transfer lets the holder of the key act for another person. Only a signed-in person may decide that. */
export const transferKeys = { scope: 'session', roles: ['owner', 'admin'] } as const;

export const Scope = Type.Enum([...SCOPES]);

const apiKeyFields = {
  id: Uuid,
  name: Type.String(),
  scopes: Type.Array(Scope),
  apps: Nullable(Type.Array(Uuid, { description: 'The apps that the key can access. Null: all apps.' })),
  user: Type.String({ format: 'uuid', description: 'The person for whom the key acts.' }),
  created_by: Uuid,
  created_at: Timestamp,
  expires_at: Nullable(Timestamp),
  last_used_at: Nullable(Timestamp),
  revoked_at: Nullable(Timestamp),
  live: Type.Boolean({
    description: 'Whether the key works: not revoked, not expired, and its person is active.',
  }),
};
export const ApiKey = Type.Object(apiKeyFields);
export const CreatedApiKey = Type.Object({
  ...apiKeyFields,
  key: Type.String({ description: 'The key itself. Only this response shows it.' }),
});

export const Organization = { slug: Type.String(), name: Type.String() };
export const secondFactorRoles =
  'The roles whose people must have a second factor if they sign in with a password.';
export const scimDeletes =
  'Whether people whom a SCIM client deletes are deleted for good, unless history names them. Otherwise they are deactivated.';
export const OrganizationView = Type.Object({
  ...Organization,
  base_url: Type.String({ description: 'The address that all API paths start with.' }),
  second_factor_roles: Type.Array(Type.Enum([...ROLES]), { description: secondFactorRoles }),
  scim_deletes: Type.Boolean({ description: scimDeletes }),
  created_at: Timestamp,
});
