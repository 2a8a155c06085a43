import type { OrgTx } from '#kit/database.ts';
import { exists, one, type RawBuilder, run, sql } from '#kit/sql.ts';
import type { Removal } from '../../queries/removal.ts';
import type { Scope } from '../../relations.ts';

export interface HeldPlan {
  /** Those that are removed, and those that lose their access by a status. */
  accounts: number;
  memberships: number;
  resources: number;
  /** A digest of the ids of all records. */
  digest: string;
}

/** Returns the size of a removal and a digest of what it takes, whatever the order of its records. */
export async function digestRemoval(tx: OrgTx, removed: Removal): Promise<HeldPlan> {
  return (await one<HeldPlan>(tx)`
    with part as (
      select 'a' as part, count(*) as n, ${digest(sql`account_id::text`)} as digest from (${removed.accounts}) a
      union all
      select 'e', count(*), ${digest(sql`account_id::text || status`)} from (${removed.ended}) e
      union all
      select 'm', count(*), ${digest(sql`account_id::text || entitlement_id::text`)} from (${removed.memberships}) m
      union all
      select 'r', count(*), ${digest(sql`entitlement_id::text`)} from (${removed.entitlements}) r
    )
    select sum(n) filter (where part in ('a', 'e'))::bigint as accounts, max(n) filter (where part = 'm') as memberships,
      max(n) filter (where part = 'r') as resources, md5(string_agg(digest, ' ' order by part)) as digest
    from part`) as HeldPlan;
}

/** Combines the hashes of all rows, with two seeds against collisions. */
const digest = (key: RawBuilder<unknown>) => sql`
  concat(count(*), ' ', bit_xor(hashtextextended(${key}, 1)), ' ', bit_xor(hashtextextended(${key}, 2)))`;

/** Versions of a session's held removal that are kept. */
const VERSIONS_KEPT = 5;

export const isRemembered = (tx: OrgTx, { orgId, sessionId }: Scope, version: string) => exists(tx)`
    select from sync_plan_shown
    where org_id = ${orgId} and session_id = ${sessionId} and version = ${version}`;

/** Keeps the records of a removal under its version, and forgets the oldest versions of the session. */
export async function rememberRemoval(
  tx: OrgTx,
  { orgId, sessionId }: Scope,
  version: string,
  { accounts, entitlements, memberships, ended }: Removal,
): Promise<void> {
  await run(tx)`
    insert into sync_plan_shown (org_id, session_id, version, shown_at, accounts, entitlements, ended_accounts, ended_statuses,
      member_accounts, member_entitlements)
    select ${orgId}, ${sessionId}, ${version}, clock_now(),
      array(select account_id from (${accounts}) a), array(select entitlement_id from (${entitlements}) e),
      array(select account_id from (${ended}) s order by account_id),
      array(select status from (${ended}) s order by account_id),
      coalesce(array_agg(m.account_id), '{}'), coalesce(array_agg(m.entitlement_id), '{}')
    from (${memberships}) m
    on conflict do nothing`;
  await run(tx)`
    delete from sync_plan_shown
    where org_id = ${orgId} and session_id = ${sessionId} and version not in (
      select version from sync_plan_shown where org_id = ${orgId} and session_id = ${sessionId}
      order by shown_at desc limit ${VERSIONS_KEPT})`;
}

/** The records of a removal that was shown. */
const rememberedRemoval = ({ orgId, sessionId }: Scope, version: string): Removal => {
  const shown = sql`sync_plan_shown s
    where s.org_id = ${orgId} and s.session_id = ${sessionId} and s.version = ${version}`;
  return {
    accounts: sql`select unnest(s.accounts) as account_id from ${shown}`,
    entitlements: sql`select unnest(s.entitlements) as entitlement_id from ${shown}`,
    memberships: sql`
      select unnest(s.member_accounts) as account_id, unnest(s.member_entitlements) as entitlement_id from ${shown}`,
    ended: sql`select unnest(s.ended_accounts) as account_id, unnest(s.ended_statuses) as status from ${shown}`,
  };
};

const without = (one: Removal, other: Removal): Removal => ({
  accounts: sql`${one.accounts} except ${other.accounts}`,
  entitlements: sql`${one.entitlements} except ${other.entitlements}`,
  memberships: sql`(${one.memberships}) except (${other.memberships})`,
  ended: sql`${one.ended} except ${other.ended}`,
});

/** The records that a removal took when this version was shown and would not take now, and the opposite. */
export const differenceSince = (
  scope: Scope,
  version: string,
  now: Removal,
): { spared: Removal; added: Removal } => {
  const shown = rememberedRemoval(scope, version);
  return { spared: without(shown, now), added: without(now, shown) };
};
