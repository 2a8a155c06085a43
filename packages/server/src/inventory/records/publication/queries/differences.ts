import type { Org } from '#kit/database.ts';
import { type RawBuilder, sql } from '#kit/sql.ts';
import { difference } from '../differences.ts';

/** The states of accounts and entitlements as differences show them. The argument is an alias of the table's columns. */

const object = (alias: string, columns: readonly string[]): RawBuilder<unknown> =>
  sql`jsonb_build_object(${sql.join(columns.flatMap((name) => [sql.lit(name), sql.ref(`${alias}.${name}`)]))})`;

export const accountState = (alias: string): RawBuilder<unknown> =>
  object(alias, ['status', 'email', 'username', 'first_name', 'last_name', 'display_name']);

export const entitlementState = (alias: string): RawBuilder<unknown> =>
  object(alias, [
    'name',
    'description',
    'max_count',
    'used_count',
    'is_paid',
    'is_unlimited',
    'risk',
    'owner_email',
  ]);

/**
 * Selects the differences that removing these accounts and entitlements makes, with the columns of `difference`. The
 * arguments select `account_id` and `entitlement_id`.
 */
export const removedDifferences = (
  org: Org,
  removed: { accounts: RawBuilder<unknown>; entitlements: RawBuilder<unknown> },
): RawBuilder<unknown> => sql`
  select 'account', 'removed', a.id, t.slug, a.external_id, a.email, a.display_name, a.user_id,
    null::text, null::text, null::text, null::text, ${accountState('a')}, null::jsonb
  from (${removed.accounts}) r
  join account a on a.org_id = ${org.orgId} and a.id = r.account_id
  join resource_type t on t.org_id = a.org_id and t.id = a.resource_type_id
  union all
  select 'resource', 'removed', null::uuid, null::text, null::text, null::text, null::text, null::uuid,
    et.slug, et.type, e.external_id, e.name, ${entitlementState('e')}, null::jsonb
  from (${removed.entitlements}) r
  join entitlement e on e.org_id = ${org.orgId} and e.id = r.entitlement_id
  join resource_type et on et.org_id = e.org_id and et.id = e.resource_type_id`;

/** Selects the differences of accounts that lose their access by a status. `ended` selects `account_id` and `status`. */
export const endedDifferences = (org: Org, ended: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select 'account', 'changed', a.id, t.slug, a.external_id, a.email, a.display_name, a.user_id,
    null::text, null::text, null::text, null::text, ${accountState('a')},
    ${accountState('a')} || jsonb_build_object('status', r.status)
  from (${ended}) r
  join account a on a.org_id = ${org.orgId} and a.id = r.account_id
  join resource_type t on t.org_id = a.org_id and t.id = a.resource_type_id`;

/** Selects the differences of memberships of existing accounts. `memberships` selects both ids and their `change`. */
export const membershipDifferences = (
  orgId: string,
  memberships: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  select 'membership', r.change, a.id, t.slug, a.external_id, a.email, a.display_name, a.user_id,
    et.slug, et.type, e.external_id, e.name, null::jsonb, null::jsonb
  from (${memberships}) r
  join account a on a.org_id = ${orgId} and a.id = r.account_id
  join entitlement e on e.org_id = ${orgId} and e.id = r.entitlement_id
  join resource_type t on t.org_id = a.org_id and t.id = a.resource_type_id
  join resource_type et on et.org_id = e.org_id and et.id = e.resource_type_id`;

/** Selects the differences of memberships that are removed. `memberships` selects both ids. */
export const lostDifferences = (orgId: string, memberships: RawBuilder<unknown>): RawBuilder<unknown> =>
  membershipDifferences(
    orgId,
    sql`select account_id, entitlement_id, 'removed' as change from (${memberships}) lost`,
  );

export const differenceColumns: RawBuilder<unknown> = sql.join(
  Object.keys(difference).map((name) => sql.ref(name)),
);
