import { type Static, Type } from 'typebox';
import { PersonReference } from '#directory/people/reference.ts';
import { AppReference } from '#inventory/apps/reference.ts';
import { Risk } from '#inventory/records/accounts/risk.ts';
import { Component, Nullable, Uuid } from '#kit/schemas.ts';
import { CATALOG_KINDS } from './ticket.ts';

/** Something that can be requested: an account in an app, or one of its groups or licenses. */
export const CatalogEntry = Component('CatalogEntry', {
  kind: Type.Enum([...CATALOG_KINDS], { description: 'account: an account in the app, without any group.' }),
  app: AppReference,
  external_uuid: Nullable({ ...Uuid, description: 'Null for an account.' }),
  slug: Nullable(Type.String({ description: 'The slug of its resource type. Null for an account.' })),
  id: Nullable(Type.String({ description: 'The id in the external system. Null for an account.' })),
  name: Type.String({ description: 'Empty for an account, and for an entitlement without a name.' }),
  description: Type.String(),
  owner: Nullable(PersonReference),
  risk: Nullable(Risk),
  is_full: Nullable(Type.Boolean({ description: 'Whether a license has no free seats; null otherwise.' })),
  has_account: Type.Boolean({ description: 'Whether the user has an account in the app.' }),
  held: Type.Boolean({ description: 'Whether the user already has it.' }),
  pending: Nullable(
    Type.Object(
      { external_uuid: Uuid, label: Type.String() },
      { description: 'A pending ticket that requests it for the user.' },
    ),
  ),
  peers: Nullable(Type.Integer({ description: 'The number of peers who have it. Null without `peers`.' })),
});

/** An entry as it is read. Its owner is that of the app for accounts, and of the entitlement otherwise. */
export type StoredEntry = Omit<Static<typeof CatalogEntry>, 'app' | 'external_uuid' | 'peers'> & {
  app_id: string;
  app_name: string;
  entitlement_id: string | null;
};

export const Peers = Nullable(
  Component(
    'CatalogPeers',
    {
      by: Type.Enum(['department', 'manager']),
      name: Nullable(Type.String({ description: 'The department. Null for people with the same manager.' })),
      count: Type.Integer(),
    },
    {
      description:
        'The other active people of the same department, or with the same manager. Null if they are fewer than 5 or more than 1,000, and for members who list it for somebody else.',
    },
  ),
);
