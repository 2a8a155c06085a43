import type { Db, Tx } from '../platform/database/open.ts';
import { hashKey, newKey } from './key-format.ts';
import * as queries from './run-key-queries.ts';

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
  tx: Tx,
  orgId: string,
  request: RunKeyRequest,
  leaseSeconds: number,
): Promise<{ id: string; key: string }> {
  const key = newKey();
  const id = await queries.insertRunKey(tx, orgId, { ...request, hash: hashKey(key) }, leaseSeconds);
  return { id, key };
}

export const extendRunKey = (db: Db, orgId: string, id: string, leaseSeconds: number): Promise<void> =>
  queries.extendRunKey(db, orgId, id, leaseSeconds);

export const revokeRunKeys = (db: Db, orgId: string, ids: readonly string[]): Promise<void> =>
  queries.revokeRunKeys(db, orgId, ids);

/** Deletes the keys of forgotten runs. */
export const deleteRunKeys = (tx: Tx, orgId: string, runIds: readonly string[]): Promise<void> =>
  queries.deleteRunKeys(tx, orgId, runIds);
