import { countOpenHolds } from '#decisions/holds/facts.ts';
import { tasksOfDiscoveries } from '#decisions/policies/facts.ts';
import type { Carrier, ReadCarriers } from '#inventory/apps/admin.ts';
import { unseenCountsOf, unseenOfApp } from '#inventory/records/sessions/unseen.ts';
import { newestSessions } from '#inventory/records/sessions/view.ts';
import { readGrants } from '#reasons/grants/brief.ts';
import { suspensionsOfAccounts } from '#reasons/suspensions/list.ts';
import { findCarriers } from '#work/connectors/facts.ts';
import { findFulfilledByPeople, fulfillmentOf, isFulfilledByPeople } from '#work/fulfillment/facts.ts';
import { accountsTouchedSince, cancelTasks } from '#work/provisioning/create.ts';
import { countHeldTasks, findFetchedApps } from '#work/provisioning/facts.ts';
import { openRemovals } from '#work/provisioning/find.ts';
import { readStillSuspended } from '#work/provisioning/still-suspended.ts';
import { countConfirmed, countExpecting } from '#work/provisioning/vanished.ts';
import { findUploadedApps } from '#work/spreadsheets/facts.ts';

/** Says who carries out the tasks of apps, of which several features know a part. */
const readCarriers: ReadCarriers = async (db, appIds) => {
  const [byPeople, connectors, uploaded] = await Promise.all([
    findFulfilledByPeople(db, appIds),
    findCarriers(db, appIds),
    findUploadedApps(db, appIds),
  ]);
  const carrierOf = (id: string): Carrier => {
    const hasPeople = byPeople.get(id);
    if (hasPeople !== undefined) return hasPeople ? 'people' : 'nobody';
    if (connectors.get(id)) return 'connector';
    return connectors.has(id) || uploaded.has(id) ? 'nobody' : null;
  };
  // Only of these does it matter whether a connector that runs elsewhere has fetched tasks.
  const without = appIds.filter((id) => carrierOf(id) === 'nobody' && !byPeople.has(id));
  const fetched = await findFetchedApps(db, without);
  return new Map(appIds.map((id) => [id, fetched.has(id) ? null : carrierOf(id)]));
};

/** Reads that features need from higher layers, which they cannot import. `hooks.ts` has what higher layers do in their transactions. */
export const fromHigherLayers = {
  people: { readStillSuspended },
  scim: { countHolds: countOpenHolds },
  apps: {
    readLastSyncs: newestSessions,
    readHeldTasks: countHeldTasks,
    readCarriers,
    readUnseenCounts: unseenCountsOf,
    readUnseen: unseenOfApp,
  },
  records: {
    revertHook: { findTouched: accountsTouchedSince, findCaused: tasksOfDiscoveries, cancel: cancelTasks },
    readRemovals: openRemovals,
    countExpecting,
    countConfirmed,
    readSuspensions: suspensionsOfAccounts,
    readGrants,
  },
  provisioning: { isFulfilledByPeople, readFulfillment: fulfillmentOf },
};
