import { judgeFound } from '#inventory/records/accounts/given.ts';
import type { PublishedHook } from '#inventory/records/sessions/session.ts';
import type { OrgTx } from '#kit/database.ts';
import * as queries from './queries/published.ts';

/**
 * Follows a sync (D73): what came back while a grant was in force or owed is not found, what is gone is missing, and a grant whose access is
 * missing for 30 days ends, whatever the sync has changed. After a revert, all grants of the app are looked at.
 */
export const followSync: PublishedHook = async (tx, appId, { source }, changedBy) => {
  if (source.type !== 'sync' || source.uuid === null) {
    await queries.notePresence(tx, appId);
    return [];
  }
  if (changedBy !== null) await followChanges(tx, changedBy);
  await queries.endMissing(tx, appId, source.uuid);
  return [];
};

async function followChanges(tx: OrgTx, sessionId: string): Promise<void> {
  const judged = await queries.judged(tx, sessionId);
  await judgeFound(tx, {
    given: judged.flatMap(({ account_id, entitlement_id }) =>
      entitlement_id === null ? [] : [{ account_id, entitlement_id }],
    ),
    found: judged.flatMap(({ account_id, entitlement_id }) => (entitlement_id === null ? [account_id] : [])),
  });
  await queries.noteBack(tx, sessionId);
  await queries.noteMissing(tx, sessionId);
}
