import type { OrgDb, OrgTx } from '#kit/database.ts';
import { many, run, value } from '#kit/sql.ts';

export async function insertRunKey(
  tx: OrgTx,
  { appId, userId, runId, hash }: { appId: string; userId: string; runId: string; hash: Buffer },
  leaseSeconds: number,
): Promise<string> {
  const rows = await many<{ id: string }>(tx)`
    insert into api_key (org_id, name, key_hash, scopes, all_apps, expires_at, user_id, created_by, connector_run_id)
    values (${tx.orgId}, 'Connector run', ${hash}, ${['bridge']}, false,
      clock_now() + ${`${leaseSeconds} seconds`}::interval, ${userId}, ${userId}, ${runId})
    returning id`;
  const { id } = rows[0] as { id: string };
  await run(tx)`insert into api_key_app (org_id, key_id, app_id) values (${tx.orgId}, ${id}, ${appId})`;
  return id;
}

export const extendRunKey = (db: OrgDb, id: string, leaseSeconds: number) => run(db)`
    update api_key set expires_at = clock_now() + ${`${leaseSeconds} seconds`}::interval
    where org_id = ${db.orgId} and id = ${id} and revoked_at is null and connector_run_id is not null`;

export async function lastUseOfRunKey(db: OrgDb, id: string): Promise<Date | undefined> {
  return (
    (await value<Date | null | undefined>(db)`
    select last_used_at as at from api_key where org_id = ${db.orgId} and id = ${id}`) ?? undefined
  );
}

export async function revokeRunKeys(db: OrgDb, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await run(db)`
    update api_key set revoked_at = now()
    where org_id = ${db.orgId} and id = any(${[...ids]}::uuid[]) and revoked_at is null
      and connector_run_id is not null`;
}

export async function deleteRunKeys(tx: OrgTx, runIds: readonly string[]): Promise<void> {
  if (runIds.length === 0) return;
  await run(tx)`
    delete from api_key where org_id = ${tx.orgId} and connector_run_id = any(${[...runIds]}::uuid[])`;
}
