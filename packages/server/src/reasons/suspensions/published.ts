import type { PublishedHook } from '#inventory/records/sessions/session.ts';
import * as queries from './queries/published.ts';

/**
 * Follows a sync (D73): one that shows a suspended account active ends its suspensions, and one that finds an account suspended without any
 * begins one. After a revert, the suspensions that syncs began or ended follow the accounts.
 */
export const followSuspensions: PublishedHook = async (tx, appId, { source }, changedBy) => {
  if (changedBy !== null) {
    await queries.endActivated(tx, appId, changedBy);
    await queries.beginFound(tx, changedBy);
  } else if (source.type !== 'sync') {
    await queries.endReverted(tx, appId);
    await queries.beginReverted(tx, appId);
  }
  return [];
};
