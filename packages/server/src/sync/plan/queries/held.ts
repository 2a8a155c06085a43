import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../platform/database/open.ts';

export interface HeldPlan {
  accounts: number;
  memberships: number;
  resources: number;
  /** A digest of the ids of all records. */
  digest: string;
}

/** Returns the size of a removal and a digest of what it takes, whatever the order of its records. */
export async function digestRemoval(
  tx: Tx,
  removed: {
    accounts: RawBuilder<unknown>;
    entitlements: RawBuilder<unknown>;
    memberships: RawBuilder<unknown>;
  },
): Promise<HeldPlan> {
  const { rows } = await sql<HeldPlan>`
    with part as (
      select 'a' as part, count(*) as n, ${digest(sql`account_id::text`)} as digest from (${removed.accounts}) a
      union all
      select 'm', count(*), ${digest(sql`account_id::text || entitlement_id::text`)} from (${removed.memberships}) m
      union all
      select 'r', count(*), ${digest(sql`entitlement_id::text`)} from (${removed.entitlements}) r
    )
    select max(n) filter (where part = 'a') as accounts, max(n) filter (where part = 'm') as memberships,
      max(n) filter (where part = 'r') as resources, md5(string_agg(digest, ' ' order by part)) as digest
    from part`.execute(tx);
  return rows[0] as HeldPlan;
}

/** Combines the hashes of all rows, with two seeds against collisions. */
const digest = (key: RawBuilder<unknown>) => sql`
  concat(count(*), ' ', bit_xor(hashtextextended(${key}, 1)), ' ', bit_xor(hashtextextended(${key}, 2)))`;
