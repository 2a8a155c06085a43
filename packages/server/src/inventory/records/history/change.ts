import type { OrgTx } from '#kit/database.ts';
import type { Actor } from '#kit/identity.ts';
import * as queries from './queries/changes.ts';

/**
 * A change of the inventory: one publication of a sync, its removals, or one task. Everything that begins or
 * ends with it has the same bounds, apart from those that are known more exactly (D45).
 */
export interface Change {
  orgId: string;
  id: string;
}

/**
 * Begins the changes that a task makes: it is created (`taskId` is null), completed or given up. The caller has locked
 * the accounts, so that later changes get later times.
 */
export const beginTaskChange = async (
  tx: OrgTx,
  taskId: string | null = null,
  actor: Actor | null = null,
): Promise<Change> => ({ orgId: tx.orgId, id: await queries.insertTaskChange(tx, taskId, actor) });

/**
 * Begins the publication of a sync session. The caller holds the app's lock. An abandoned session proves that records
 * exist, but not that others are gone, so that it never becomes a sighting of the whole app.
 */
export const beginPublication = async (
  tx: OrgTx,
  source: queries.SyncSource,
  kind: 'sync' | 'abandoned_sync',
): Promise<Change> => ({ orgId: source.orgId, id: await queries.insertPublication(tx, source, kind) });

/** Begins the removal of the records that a completed session did not push, with the bounds of its publication. */
export const beginRemoval = async (tx: OrgTx, sessionId: string): Promise<Change> => ({
  orgId: tx.orgId,
  id: await queries.insertRemoval(tx, sessionId),
});

/** Marks a session as completed: what exists was seen by it. */
export const completePublication = (tx: OrgTx, sessionId: string): Promise<void> =>
  queries.setCompleted(tx, sessionId);
