import { type Db, everywhere, type OrgTx } from '#kit/database.ts';
import { many, one, run } from '#kit/sql.ts';

/** Counts attributes that were left as they were. */
export const countIgnored = (
  tx: OrgTx,
  keyId: string,
  entries: readonly { attribute: string; reason: string }[],
) => run(tx)`
    insert into scim_ignored as known (org_id, key_id, attribute, reason, count, last_at)
    select ${tx.orgId}::uuid, ${keyId}::uuid, one.attribute, one.reason, 1, now()
    from unnest(${entries.map(({ attribute }) => attribute)}::text[], ${entries.map(({ reason }) => reason)}::text[])
      as one (attribute, reason)
    order by one.attribute
    on conflict (org_id, key_id, attribute) do update
      set reason = excluded.reason, count = known.count + 1, last_at = excluded.last_at`;

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
  const rows = await many<{ digest: string; count: number }>(tx)`
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
    select digest, count from claimed where recorded_at = now()`;
  return new Map(rows.map(({ digest, count }) => [digest, count]));
}

/** Counts refused requests in the present hour. Returns the hour, and for how many of them an event was recorded. */
export async function countRefused(
  tx: OrgTx,
  keyId: string,
  count: number,
): Promise<{ hour: Date; recorded: number }> {
  return (await one<{ hour: Date; recorded: number }>(tx)`
    insert into scim_refused as known (org_id, key_id, hour, refused, recorded)
    values (${tx.orgId}, ${keyId}, date_trunc('hour', now()), ${count}, 0)
    on conflict (org_id, key_id, hour) do update set refused = known.refused + excluded.refused
    returning hour, recorded`) as { hour: Date; recorded: number };
}

/** Counts the refused requests of an hour for which events are recorded. */
export const countRecorded = (tx: OrgTx, keyId: string, hour: Date, count: number) => run(tx)`
    update scim_refused set recorded = recorded + ${count}
    where org_id = ${tx.orgId} and key_id = ${keyId} and hour = ${hour.toISOString()}::timestamptz`;

/** Deletes what is older than a day: it is counted and recorded again. */
export async function forgetOldNotes(db: Db): Promise<void> {
  await run(everywhere(db))`delete from scim_recorded where recorded_at < now() - interval '1 day'`;
  await run(everywhere(db))`delete from scim_refused where hour < now() - interval '2 days'`;
}
