import { Type } from 'typebox';
import { appReference } from '#inventory/apps/reference.ts';
import { list } from '#kit/http.ts';
import { Component, Uuid } from '#kit/schemas.ts';
import { listCatalog } from '../catalog.ts';
import { CatalogEntry, Peers } from '../catalog-schemas.ts';
import { CATALOG_KINDS } from '../ticket.ts';
import { requesting, tag } from './schemas.ts';

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
