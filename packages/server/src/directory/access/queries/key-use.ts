import { type Db, everywhere, type OrgTx } from '#kit/database.ts';
import { many, run } from '#kit/sql.ts';

/**
 * Claims the uses that no node has recorded within the last hour, in the given order, and marks them as recorded now.
 * `index` is the use's position in `uses`.
 */
export const claimKeyUses = (tx: OrgTx, uses: { keyId: string; client: string; at: Date }[]) => many<{
  index: number;
  name: string;
  scopes: string[];
  user_id: string;
}>(tx)`
    with use as (
      select distinct on (api_key_id, client) api_key_id, client, at, i
      from unnest(
        ${uses.map((use) => use.keyId)}::uuid[], ${uses.map((use) => use.client)}::text[],
        ${uses.map((use) => use.at.toISOString())}::timestamptz[]
      ) with ordinality as given (api_key_id, client, at, i)
      order by api_key_id, client, i
    ), claimed as (
      insert into api_key_use as known (org_id, api_key_id, client, recorded_at)
      select ${tx.orgId}::uuid, api_key_id, client, at from use order by api_key_id, client
      on conflict (org_id, api_key_id, client) do update set recorded_at = excluded.recorded_at
        where excluded.recorded_at - known.recorded_at >= interval '1 hour'
      returning api_key_id, client
    )
    select (use.i - 1)::integer as index, k.name, k.scopes, k.user_id
    from claimed join use using (api_key_id, client)
      join api_key k on k.org_id = ${tx.orgId} and k.id = use.api_key_id
    where (k.revoked_at is null or k.revoked_at > use.at) and k.connector_run_id is null
    order by use.i`;

/** A time at which a key was used. */
export interface KeyTime {
  keyId: string;
  at: Date;
}

/** Locks keys in the order of their ids, so that two nodes never wait for each other. */
export const lockKeys = (tx: OrgTx, ids: string[]) => run(tx)`
    select from api_key where org_id = ${tx.orgId} and id = any(${ids}::uuid[]) order by id for update`;

/** Updates when keys were last used, unless a later use is known. */
export const updateLastUsed = (tx: OrgTx, uses: KeyTime[]) => run(tx)`
    update api_key k set last_used_at = use.at
    from (
      select id, max(at) as at
      from unnest(${uses.map((use) => use.keyId)}::uuid[], ${uses.map((use) => use.at.toISOString())}::timestamptz[])
        as given (id, at)
      group by id
    ) use
    where k.org_id = ${tx.orgId} and k.id = use.id and (k.last_used_at is null or k.last_used_at < use.at)`;

/** Deletes uses older than an hour: the next use by the same client is recorded again in any case. */
export const deleteOldKeyUses = (db: Db) =>
  run(everywhere(db))`delete from api_key_use where recorded_at < now() - interval '1 hour'`;
