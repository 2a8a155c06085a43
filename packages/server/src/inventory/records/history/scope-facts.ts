import type { Org } from '#kit/database.ts';
import { type RawBuilder, sql } from '#kit/sql.ts';
import { accountLinks } from './link-facts.ts';

/** The accounts that a question about history concerns. A user's: those that ever were theirs, or one of them. */
export type Scope =
  | { all: true }
  | { account: string }
  | { user: string; account?: string }
  | { app: string }
  | { app: string; entitlement: string };

/**
 * Selects the ids of the accounts in a scope, in order and from `first` on, as `(select id ...)`. At most `limit`
 * accounts, so that a page reads a limited number of rows; null: all. `apps` null: of all apps. `owner` null: of all people.
 */
export function accountsInScope(
  org: Org,
  scope: Scope,
  {
    apps,
    owner,
    first,
    limit,
  }: { apps: readonly string[] | null; owner: string | null; first: string; limit: number | null },
): RawBuilder<unknown> {
  const visible = sql`a.org_id = ${org.orgId} and a.id >= ${first}::uuid
    and ${apps === null ? sql`true` : sql`a.app_id = any(${apps}::uuid[])`}
    and ${owner === null ? sql`true` : sql`a.user_id = ${owner}::uuid`}`;
  if ('entitlement' in scope) {
    // Distinct and filtered before the limit: one account can have had the entitlement any number of times.
    const theirs =
      owner === null
        ? sql`true`
        : sql`h.account_id in (select o.id from account o where o.org_id = ${org.orgId} and o.user_id = ${owner}::uuid)`;
    const holders = (table: RawBuilder<unknown>) => sql`(
      select d.account_id from (
        select distinct h.org_id, h.entitlement_id, h.account_id from ${table} h
        where h.org_id = ${org.orgId} and h.entitlement_id = ${scope.entitlement}::uuid and h.account_id >= ${first}::uuid
          and ${theirs}
        order by h.org_id, h.entitlement_id, h.account_id limit ${limit}) d)`;
    return sql`(
      select a.id from (
        select h.account_id from ${holders(sql`membership`)} h
        union select h.account_id from ${holders(sql`membership_period`)} h
        order by 1 limit ${limit}
      ) h join account a on a.id = h.account_id and ${visible}
      order by h.account_id)`;
  }
  const inScope =
    'all' in scope
      ? sql`true`
      : 'app' in scope
        ? sql`a.app_id = ${scope.app}::uuid`
        : !('user' in scope)
          ? sql`a.id = ${scope.account}::uuid`
          : sql`a.id = any(array(
            select l.account_id from ${accountLinks(org)} l where l.user_id = ${scope.user}::uuid))
            ${scope.account === undefined ? sql`` : sql`and a.id = ${scope.account}::uuid`}`;
  return sql`(select a.id from account a where ${visible} and ${inScope} order by a.org_id, a.id limit ${limit})`;
}

/**
 * Whether a state or membership of an account began or ended after the time `from`, or may have. Much cheaper than
 * comparing the states. `accountId` is an SQL expression. `entitlement` null: all of them, and the account itself. `few`: the
 * planner may not read everything that has changed in the organization, instead of looking at each account.
 */
export const mayHaveChanged = (
  org: Org,
  accountId: RawBuilder<unknown>,
  from: RawBuilder<unknown>,
  entitlement: string | null,
  few: boolean,
): RawBuilder<boolean> => {
  const each = few ? sql`offset 0` : sql``;
  const some = (
    table: RawBuilder<unknown>,
    column: RawBuilder<unknown>,
    condition = sql`true`,
  ) => sql`exists (
    select from ${table} h
    where h.org_id = ${org.orgId} and h.account_id = ${accountId} and h.${column} > ${from} and ${condition} ${each})`;
  const held = entitlement === null ? sql`true` : sql`h.entitlement_id = ${entitlement}::uuid`;
  const memberships = sql`
    ${some(sql`membership`, sql`granted_at`, held)} or ${some(sql`membership_period`, sql`ended_at`, held)}`;
  if (entitlement !== null) return sql<boolean>`(${memberships})`;
  return sql<boolean>`(
    exists (select from account a where a.org_id = ${org.orgId} and a.id = ${accountId} and a.since > ${from} ${each})
    or ${some(sql`account_period`, sql`ended_at`)} or ${memberships})`;
};
