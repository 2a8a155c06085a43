import { type TOptional, Type } from 'typebox';
import { PersonReference } from '#directory/people/reference.ts';
import { AppReference } from '#inventory/apps/reference.ts';
import { Component, MapOf, Nullable, Timestamp, Uuid } from '#kit/schemas.ts';
import { giver } from '#log/events/payloads.ts';
import { asOfFields } from '../history/as-of-schemas.ts';
import { ACCOUNT_KINDS, AccountStatus } from './account.ts';
import { DETAIL_SCHEMAS } from './field-schemas.ts';
import { GRANT_KINDS } from './grant-kinds.ts';

/** The group or license that gives access. */
export const Giver = Component('Giver', giver.properties);

export const GrantKind = Type.Enum([...GRANT_KINDS], { title: 'GrantKind' });

/** A grant where the access is shown that it gives. */
export const GrantReference = Component('GrantReference', {
  external_uuid: Uuid,
  kind: GrantKind,
  label: Nullable(
    Type.String({ description: 'The name of the decision at that time. null if a member asks.' }),
  ),
  ends_at: Nullable(Timestamp),
  via: Type.Optional({
    ...Giver,
    description: 'For access that something else gives: the group or license that the grant is on.',
  }),
});

/** Why access is there. */
export const reasons = {
  grants: Type.Array(GrantReference, {
    description: 'The grants in force, without those for another person than the one who has the account.',
  }),
  found: Type.Boolean({
    description: 'Whether a sync found it while no grant was in force or owed. No end of a grant removes it.',
  }),
};

const Entitlements = MapOf(
  Type.Array(
    Component('AccountEntitlement', {
      id: Type.String({ description: 'The id in the external system.' }),
      name: Type.String(),
      granted_at: Type.String({ format: 'date-time', description: 'When Gatehouse first knew of it.' }),
      via: Type.Optional(
        Nullable({
          ...Giver,
          description:
            'The group or license that gives it. null: it was given directly. Missing: with `as_of`, because it is unknown what gave it at that time.',
        }),
      ),
      ...reasons,
      ...asOfFields,
    }),
  ),
  { description: 'By resource type slug.' },
);

/** The person to whom an account may belong, or who is responsible for it. */
export const AccountPerson = Component('AccountUser', {
  ...PersonReference.properties,
  status: Type.Enum(['active', 'deactivated']),
});

export const AccountSummary = Component('AccountSummary', {
  id: Uuid,
  email: Type.String(),
  display_name: Type.String(),
  external_id: Nullable(Type.String()),
});
export const EntitlementSummary = Component('EntitlementSummary', {
  type: Type.Enum(['group', 'license']),
  slug: Type.String(),
  id: Type.String(),
  name: Type.String(),
});

export const AccountKind = Type.Enum([...ACCOUNT_KINDS], { title: 'AccountKind' });

/** Protocol 2.9. The fields after `app` are additions. */
export const ManagedAccount = Component('Account', {
  external_uuid: Uuid,
  email: Type.String(),
  status: AccountStatus,
  app: AppReference,
  external_id: Nullable(
    Type.String({ description: 'The id in the external system; null until it is known.' }),
  ),
  username: Type.String(),
  display_name: Type.String(),
  user: Nullable(Type.String({ format: 'uuid', description: 'The person that the account belongs to.' })),
  person: Nullable(PersonReference),
  kind: Type.Optional(AccountKind),
  owner: Type.Optional(
    Nullable({
      ...AccountPerson,
      description: 'The person who is responsible for a service or shared account.',
    }),
  ),
  owner_confirmed: Type.Optional(
    Type.Boolean({
      description:
        'false: the kind and the owner follow from `owner_email`, and no administrator has confirmed them.',
    }),
  ),
  suspensions: Type.Optional(
    Type.Array(
      Component('AccountSuspension', {
        external_uuid: Uuid,
        kind: Type.Enum(['manual', 'review', 'policy', 'app']),
        label: Nullable(Type.String({ description: 'null for members.' })),
        leaving: Type.Boolean(),
        since: Timestamp,
      }),
      { description: 'The suspensions in force. Missing with `as_of`.' },
    ),
  ),
  memberships: Entitlements,
  assignments: Entitlements,
  ...reasons,
  last_seen_at: Nullable(Timestamp),
  ...(Object.fromEntries(
    Object.entries(DETAIL_SCHEMAS).map(([column, schema]) => [column, Type.Optional(schema)]),
  ) as { [C in keyof typeof DETAIL_SCHEMAS]: TOptional<(typeof DETAIL_SCHEMAS)[C]> }),
  candidates: Type.Optional(
    Type.Array(
      Component('AccountCandidate', {
        account: { ...Uuid, description: 'The account that a sync made of the record.' },
        external_id: Type.String(),
        email: Type.String(),
        username: Type.String(),
        display_name: Type.String(),
        status: AccountStatus,
      }),
      {
        description:
          'Only if there is something to choose: the records of which an administrator has to choose one, because each may be this account, which a task created.',
      },
    ),
  ),
  ...asOfFields,
});
