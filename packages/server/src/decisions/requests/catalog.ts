import type { Static } from 'typebox';
import { type Call, mayTouchApp } from '#kit/identity.ts';
import type { Page, Slice } from '#kit/pages.ts';
import { requireBeneficiary } from './beneficiary.ts';
import type { Peers, StoredEntry } from './catalog-schemas.ts';
import * as queries from './queries/catalog.ts';
import { requestRefusals } from './sentences.ts';

/** With fewer peers, their number would tell who has what. */
const FEWEST_PEERS = 5;
/** In a larger group, the share says little, and counting it takes long. */
const MOST_PEERS = 1000;

interface Catalog extends Slice<StoredEntry & { peers: number | null }> {
  peers: Static<typeof Peers>;
}

/**
 * Lists what can be requested for a person: accounts in the apps that are not disconnected, and their groups and
 * licenses. An app-scoped key sees its apps, and gets 403 for another one (D7).
 */
export async function listCatalog(
  call: Call,
  { app, user, ...filter }: Omit<queries.CatalogFilter, 'apps'> & { app: string | null; user: string | null },
  page: Page,
): Promise<Catalog> {
  if (app !== null && !mayTouchApp(call.principal, app)) throw requestRefusals.key_does_not_cover_app();
  const person = await requireBeneficiary(call, user);
  const keyApps = call.principal.apps === 'all' ? null : [...call.principal.apps];
  const apps = app === null ? keyApps : [app];
  const { results, ...counts } = await queries.listCatalog(call, person.id, { ...filter, apps }, page);
  const isAlone = person.department === null && person.manager_id === null;
  // A manager who compares several reports could find out what one of their colleagues has.
  const mayCompare = person.id === call.principal.userId || call.principal.role !== 'member';
  const found = isAlone || !mayCompare ? [] : await queries.findPeers(call, person, MOST_PEERS + 1);
  const isCounted = found.length >= FEWEST_PEERS && found.length <= MOST_PEERS;
  const holders = isCounted ? await queries.countHolders(call, found, results) : undefined;
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
