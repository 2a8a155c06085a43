import { sql } from 'kysely';
import type { Db, Tx } from '../platform/database/open.ts';

export async function insertRunKey(
  tx: Tx,
  orgId: string,
  { appId, userId, runId, hash }: { appId: string; userId: string; runId: string; hash: Buffer },
  leaseSeconds: number,
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into api_key (org_id, name, key_hash, scopes, all_apps, expires_at, user_id, created_by, connector_run_id)
    values (${orgId}, 'Connector run', ${hash}, ${['bridge']}, false,
      clock_now() + ${`${leaseSeconds} seconds`}::interval, ${userId}, ${userId}, ${runId})
    returning id`.execute(tx);
  const { id } = rows[0] as { id: string };
  await sql`insert into api_key_app (org_id, key_id, app_id) values (${orgId}, ${id}, ${appId})`.execute(tx);
  return id;
}

export async function extendRunKey(db: Db, orgId: string, id: string, leaseSeconds: number): Promise<void> {
  await sql`
    update api_key set expires_at = clock_now() + ${`${leaseSeconds} seconds`}::interval
    where org_id = ${orgId} and id = ${id} and revoked_at is null and connector_run_id is not null`.execute(
    db,
  );
}

export async function revokeRunKeys(db: Db, orgId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    update api_key set revoked_at = now()
    where org_id = ${orgId} and id = any(${[...ids]}::uuid[]) and revoked_at is null
      and connector_run_id is not null`.execute(db);
}

export async function deleteRunKeys(tx: Tx, orgId: string, runIds: readonly string[]): Promise<void> {
  if (runIds.length === 0) return;
  await sql`
    delete from api_key where org_id = ${orgId} and connector_run_id = any(${[...runIds]}::uuid[])`.execute(
    tx,
  );
}
