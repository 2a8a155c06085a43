import { type Static, Type } from 'typebox';
import { ROLES, SCOPES } from '#kit/identity.ts';
import { Component, Nullable, Timestamp, Uuid } from '#kit/schemas.ts';

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
export const ApiKey = Component('ApiKey', apiKeyFields);
export type ApiKey = Static<typeof ApiKey>;
export const CreatedApiKey = Component('CreatedApiKey', {
  ...apiKeyFields,
  key: Type.String({ description: 'The key itself. Only this response shows it.' }),
});

export const Organization = { slug: Type.String(), name: Type.String() };
export const secondFactorRoles =
  'The roles whose people must have a second factor if they sign in with a password.';
export const passkeyRoles =
  'The roles whose people must use a passkey, at sign-in or to confirm. People whom a provider signs in need none.';
export const scimDeletes =
  'Whether people whom a SCIM client deletes are deleted for good, unless history names them. Otherwise they are deactivated.';
export const timeZone =
  'An IANA name, such as Europe/Berlin. Today in conditions, and days without a time in requests, are days there. Daily policies run when a day begins there.';
export const personKey =
  'The attribute of people that says who somebody is, such as employee_number. Imports compare it. Null: none.';
const about = (what: string) =>
  `${what} before what follows is held (D78): more than this share, and at least this number. Null: no limit.`;
export const peopleGuard = about(
  'How many of its active people a client may deactivate, delete or replace in 24 hours',
);
export const groupGuard = about('How many of its members a group of people may lose in an hour');
export const MassGuard = Nullable(
  Component('MassGuard', {
    percent: Type.Number({ minimum: 1, maximum: 100 }),
    at_least: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
  }),
);
export const OrganizationView = Component('Organization', {
  ...Organization,
  base_url: Type.String({ description: 'The address that all API paths start with.' }),
  second_factor_roles: Type.Array(Type.Enum([...ROLES]), { description: secondFactorRoles }),
  passkey_roles: Type.Array(Type.Enum([...ROLES]), { description: passkeyRoles }),
  scim_deletes: Type.Boolean({ description: scimDeletes }),
  person_key: Nullable(Type.String({ description: personKey })),
  time_zone: Type.String({ description: timeZone }),
  people_guard: { ...MassGuard, description: peopleGuard },
  group_guard: { ...MassGuard, description: groupGuard },
  created_at: Timestamp,
});
export type OrganizationView = Omit<Static<typeof OrganizationView>, 'base_url'>;
