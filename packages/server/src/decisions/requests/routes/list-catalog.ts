import { Type } from 'typebox';
import { PersonReference } from '#directory/people/reference.ts';
import { AppReference, appReference } from '#inventory/apps/reference.ts';
import { Risk } from '#inventory/records/accounts/resource-filters.ts';
import { list } from '#kit/http.ts';
import { Component, Nullable, Uuid } from '#kit/schemas.ts';
import { listCatalog } from '../catalog.ts';
import { CATALOG_KINDS } from '../ticket.ts';
import { requesting, tag } from './schemas.ts';

const CatalogEntry = Component('CatalogEntry', {
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

const Peers = Nullable(
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

export const listCatalogRoute = list(
  '/api/catalog/',
  {
    tag,
    config: { ...requesting, reads: 'replica' },
    summary: 'List what can be requested',
    description:
      'Accounts in apps that are not disconnected, with their groups and licenses, by app and name. Members list it for themselves and for the people who report to them.',
    query: {
      app: Type.Optional(Uuid),
      user: Type.Optional({ ...Uuid, description: 'The user who needs access. Default: the caller.' }),
      kind: Type.Optional(Type.Enum([...CATALOG_KINDS])),
      q: Type.Optional(
        Type.String({
          maxLength: 200,
          description: 'Part of the name, the description, or the name of the app, compared without case.',
        }),
      ),
    },
    item: CatalogEntry,
    isLong: true,
    beside: Component('Catalog', { peers: Peers }),
  },
  async ({ call, query }, page) => {
    const { app = null, user = null, kind = null, q } = query;
    const { results, ...rest } = await listCatalog(call, { app, user, kind, q: q?.trim() || null }, page);
    const entries = results.map((entry) => ({
      ...entry,
      app: appReference(entry.app_id, entry.app_name),
      external_uuid: entry.entitlement_id,
    }));
    return { ...rest, results: entries };
  },
);
