import { sql } from 'kysely';
import { acrossOrganizations } from '../../../kit/database/cluster.ts';
import type { Db } from '../../../kit/database/open.ts';
import type { OrgTx } from '../../../kit/database/organization.ts';

/** Counts attributes that were left as they were. */
export async function countIgnored(
  tx: OrgTx,
  keyId: string,
  entries: readonly { attribute: string; reason: string }[],
): Promise<void> {
  await sql`
    insert into scim_ignored as known (org_id, key_id, attribute, reason, count, last_at)
    select ${tx.orgId}::uuid, ${keyId}::uuid, one.attribute, one.reason, 1, now()
    from unnest(${entries.map(({ attribute }) => attribute)}::text[], ${entries.map(({ reason }) => reason)}::text[])
      as one (attribute, reason)
    order by one.attribute
    on conflict (org_id, key_id, attribute) do update
      set reason = excluded.reason, count = known.count + 1, last_at = excluded.last_at`.execute(tx);
}

/**
 * Claims what happened to be recorded, unless it was within the last `seconds`. `times`: how often each happened; once by default. Returns
 * how often each of the claimed ones has happened so far.
 */
export async function claim(
  tx: OrgTx,
  keyId: string,
  digests: readonly string[],
  seconds: number,
  times: readonly number[] = digests.map(() => 1),
): Promise<Map<string, number>> {
  const { rows } = await sql<{ digest: string; count: number }>`
    with claimed as (
      insert into scim_recorded as known (org_id, key_id, digest, recorded_at, count)
      select ${tx.orgId}::uuid, ${keyId}::uuid, one.digest, now(), one.times
      from unnest(${[...digests]}::text[], ${[...times]}::integer[]) as one (digest, times)
      order by one.digest
      on conflict (org_id, key_id, digest) do update set count = known.count + excluded.count,
        recorded_at = case when excluded.recorded_at - known.recorded_at >= ${seconds}::integer * interval '1 second'
          then excluded.recorded_at else known.recorded_at end
      returning digest, count::float8 as count, recorded_at
    )
    select digest, count from claimed where recorded_at = now()`.execute(tx);
  return new Map(rows.map(({ digest, count }) => [digest, count]));
}

/** Counts refused requests in the present hour. Returns the hour, and for how many of them an event was recorded. */
export async function countRefused(
  tx: OrgTx,
  keyId: string,
  count: number,
): Promise<{ hour: Date; recorded: number }> {
  const { rows } = await sql<{ hour: Date; recorded: number }>`
    insert into scim_refused as known (org_id, key_id, hour, refused, recorded)
    values (${tx.orgId}, ${keyId}, date_trunc('hour', now()), ${count}, 0)
    on conflict (org_id, key_id, hour) do update set refused = known.refused + excluded.refused
    returning hour, recorded`.execute(tx);
  return rows[0] as { hour: Date; recorded: number };
}

/** Counts the refused requests of an hour for which events are recorded. */
export async function countRecorded(tx: OrgTx, keyId: string, hour: Date, count: number): Promise<void> {
  await sql`
    update scim_refused set recorded = recorded + ${count}
    where org_id = ${tx.orgId} and key_id = ${keyId} and hour = ${hour.toISOString()}::timestamptz`.execute(
    tx,
  );
}

/** Deletes what is older than a day: it is counted and recorded again. */
export async function forgetOldNotes(db: Db): Promise<void> {
  await acrossOrganizations(db, async (tx) => {
    await sql`delete from scim_recorded where recorded_at < now() - interval '1 day'`.execute(tx);
    await sql`delete from scim_refused where hour < now() - interval '2 days'`.execute(tx);
  });
}
