import type { OrgDb, OrgTx } from '#kit/database.ts';
import { hashKey, newKey } from './key-format.ts';
import * as queries from './queries/run-keys.ts';

/**
 * Keys for runs of connectors: for one app, with the scope that a connector needs, and only while the run renews it.
 * They are in no list of keys. The run is their trace, so they leave no events.
 */

export interface RunKeyRequest {
  appId: string;
  /** The person for whom the key acts. */
  userId: string;
  runId: string;
}

/** Creates the key of a run. */
export async function createRunKey(
  tx: OrgTx,
  request: RunKeyRequest,
  leaseSeconds: number,
): Promise<{ id: string; key: string }> {
  const key = newKey();
  const id = await queries.insertRunKey(tx, { ...request, hash: hashKey(key) }, leaseSeconds);
  return { id, key };
}

export const extendRunKey = (db: OrgDb, id: string, leaseSeconds: number): Promise<void> =>
  queries.extendRunKey(db, id, leaseSeconds);

/** Returns when the key was last used, to the minute, or undefined. */
export const lastUseOfRunKey = (db: OrgDb, id: string): Promise<Date | undefined> =>
  queries.lastUseOfRunKey(db, id);

export const revokeRunKeys = (db: OrgDb, ids: readonly string[]): Promise<void> =>
  queries.revokeRunKeys(db, ids);

/** Deletes the keys of forgotten runs. */
export const deleteRunKeys = (tx: OrgTx, runIds: readonly string[]): Promise<void> =>
  queries.deleteRunKeys(tx, runIds);
