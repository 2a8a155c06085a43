import { sql } from 'kysely';
import type { Db, Tx } from '../platform/database/open.ts';

/**
 * Claims the uses that no node has recorded within the last hour, in the given order, and marks them as recorded now.
 * `index` is the use's position in `uses`.
 */
export async function claimKeyUses(
  tx: Tx,
  orgId: string,
  uses: { keyId: string; client: string; at: Date }[],
): Promise<{ index: number; name: string; scopes: string[]; user_id: string }[]> {
  const { rows } = await sql<{ index: number; name: string; scopes: string[]; user_id: string }>`
    with use as (
      select distinct on (api_key_id, client) api_key_id, client, at, i
      from unnest(
        ${uses.map((use) => use.keyId)}::uuid[], ${uses.map((use) => use.client)}::text[],
        ${uses.map((use) => use.at.toISOString())}::timestamptz[]
      ) with ordinality as given (api_key_id, client, at, i)
      order by api_key_id, client, i
    ), claimed as (
      insert into api_key_use as known (org_id, api_key_id, client, recorded_at)
      select ${orgId}::uuid, api_key_id, client, at from use order by api_key_id, client
      on conflict (org_id, api_key_id, client) do update set recorded_at = excluded.recorded_at
        where known.recorded_at <= excluded.recorded_at - interval '1 hour'
      returning api_key_id, client
    )
    select (use.i - 1)::integer as index, k.name, k.scopes, k.user_id
    from claimed join use using (api_key_id, client)
      join api_key k on k.org_id = ${orgId} and k.id = use.api_key_id
    where k.revoked_at is null or k.revoked_at > use.at
    order by use.i`.execute(tx);
  return rows;
}

/** Updates each key's last use. Locks the keys in order, so that two nodes never wait for each other. */
export async function updateLastUsed(
  db: Db,
  uses: { orgId: string; keyId: string; at: Date }[],
): Promise<void> {
  await sql`
    with use as (
      select org_id, id, max(at) as at
      from unnest(
        ${uses.map((use) => use.orgId)}::uuid[], ${uses.map((use) => use.keyId)}::uuid[],
        ${uses.map((use) => use.at.toISOString())}::timestamptz[]
      ) as given (org_id, id, at)
      group by org_id, id
    ), locked as (
      select k.org_id, k.id, use.at from api_key k join use using (org_id, id)
      where k.last_used_at is null or k.last_used_at < use.at
      order by k.org_id, k.id for update of k
    )
    update api_key k set last_used_at = locked.at
    from locked where k.org_id = locked.org_id and k.id = locked.id`.execute(db);
}

/** Deletes uses older than an hour: the next use by the same client is recorded again in any case. */
export async function deleteOldKeyUses(db: Db): Promise<void> {
  await sql`delete from api_key_use where recorded_at < now() - interval '1 hour'`.execute(db);
}
