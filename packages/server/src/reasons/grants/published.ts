import { judgeFound } from '#inventory/records/accounts/given.ts';
import type { PublishedHook } from '#inventory/records/sessions/session.ts';
import * as queries from './queries/published.ts';

/**
 * Follows a sync (D73): what came back while a grant was in force or owed is not found, what is gone is missing, and a grant whose access is
 * missing for 30 days ends. After a revert, all grants of the app are looked at.
 */
export const followSync: PublishedHook = async (tx, appId, { source }) => {
  if (source.type !== 'sync' || source.uuid === null) {
    await queries.notePresence(tx, appId);
    return [];
  }
  const judged = await queries.judged(tx, source.uuid);
  await judgeFound(tx, {
    given: judged.flatMap(({ account_id, entitlement_id }) =>
      entitlement_id === null ? [] : [{ account_id, entitlement_id }],
    ),
    found: judged.flatMap(({ account_id, entitlement_id }) => (entitlement_id === null ? [account_id] : [])),
  });
  await queries.noteBack(tx, source.uuid);
  await queries.noteMissing(tx, source.uuid);
  await queries.endMissing(tx, appId, source.uuid);
  return [];
};
