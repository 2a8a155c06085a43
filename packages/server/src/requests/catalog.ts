import { mayTouchApp, type Principal } from '../identity/principal.ts';
import type { Db } from '../platform/database/open.ts';
import { forbidden, notFound } from '../platform/errors.ts';
import type { Page, Slice } from '../platform/http/lists.ts';
import { isUuid } from '../platform/ids.ts';
import * as queries from './queries/catalog.ts';

export { CATALOG_KINDS } from './queries/catalog.ts';

/** With fewer peers, their number would tell who has what. */
const FEWEST_PEERS = 5;
/** In a larger group, the share says little, and counting it takes long. */
const MOST_PEERS = 1000;

/** The people with whom a person is compared. */
export interface Peers {
  by: 'department' | 'manager';
  /** The name of the department. Null if they have the same manager. */
  name: string | null;
  count: number;
}

export interface Catalog extends Slice<queries.CatalogEntry & { peers: number | null }> {
  /** Null if they are too few or too many, or if the caller may not compare. */
  peers: Peers | null;
}

/**
 * Lists what can be requested for a person: accounts in the apps that are not disconnected, and their groups and
 * licenses. A listed key sees its apps, and gets 403 for another one (D7).
 */
export async function listCatalog(
  db: Db,
  principal: Principal,
  { app, user, ...filter }: Omit<queries.CatalogFilter, 'apps'> & { app: string | null; user: string | null },
  page: Page,
): Promise<Catalog> {
  const { orgId } = principal;
  if (app !== null && !mayTouchApp(principal, app)) throw forbidden('This key does not cover this app.');
  const person = await requireReadableBeneficiary(db, principal, user);
  const keyApps = principal.apps === 'all' ? null : [...principal.apps];
  const apps = app === null ? keyApps : [app];
  const { results, ...counts } = await queries.listCatalog(db, orgId, person.id, { ...filter, apps }, page);
  const isAlone = person.department === null && person.manager_id === null;
  // A manager who compares several reports could find out what one of their colleagues has.
  const mayCompare = person.id === principal.userId || principal.role !== 'member';
  const found = isAlone || !mayCompare ? [] : await queries.findPeers(db, orgId, person, MOST_PEERS + 1);
  const isCounted = found.length >= FEWEST_PEERS && found.length <= MOST_PEERS;
  const holders = isCounted ? await queries.countHolders(db, orgId, found, results) : undefined;
  return {
    ...counts,
    results: results.map((entry) => ({
      ...entry,
      peers: holders === undefined ? null : (holders.get(entry.entitlement_id ?? entry.app_id) ?? 0),
    })),
    peers: isCounted
      ? {
          by: person.department === null ? 'manager' : 'department',
          name: person.department,
          count: found.length,
        }
      : null,
  };
}

/**
 * Returns a person whose access the caller may read: themselves, anybody for administrators, and direct reports for
 * members. 404 for an unknown person.
 */
export async function requireReadableBeneficiary(
  db: Db,
  { orgId, userId, role }: Principal,
  user: string | null,
): Promise<queries.Beneficiary> {
  const id = user?.toLowerCase() ?? userId;
  const person = isUuid(id) ? await queries.findBeneficiary(db, orgId, id) : undefined;
  if (role === 'member' && id !== userId && person?.manager_id !== userId)
    throw forbidden('Members can read the catalog for themselves and for the people who report to them.');
  if (person === undefined) throw notFound('User');
  return person;
}
