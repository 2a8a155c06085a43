import type { Org } from '#kit/database.ts';
import { emailKey } from '#kit/identity.ts';
import { type RawBuilder, sql } from '#kit/sql.ts';
import { personWithEmail } from '../../accounts/facts.ts';
import { isAnotherEmail, linkedPerson, mayLink } from '../../accounts/queries/link-rule.ts';
import type {
  adoptedAccount,
  droppedMembership,
  lostMembership,
  plannedAccount,
  plannedDifference,
  plannedEntitlement,
  Scope,
  stagedAccount,
  stagedEntitlement,
  stagedReference,
  staleAccount,
  unchangedAccount,
} from '../relations.ts';
import { accountDiffers } from './accounts.ts';
import { accountState, differenceColumns, entitlementState } from './differences.ts';
import { entitlementDiffers, isStagedEntitlement, publishedName } from './entitlements.ts';
import { rowsOf } from './relations.ts';

/*
 * Predicts the changes of a publication, without making them. The conditions are those of the statements that publish. Each `select`
 * of differences has the columns of `difference` (differences.ts).
 */

/** Selects the account, if there is one, that each pushed record belongs to. */
export const selectPlannedAccounts = (
  scope: Scope,
  { accounts, unchanged }: { accounts: typeof stagedAccount; unchanged: typeof unchangedAccount },
  adopted: typeof adoptedAccount,
): RawBuilder<unknown> => sql`
  select coalesce(a.id, d.account_id), s.page, s.place, false from ${rowsOf(scope, accounts)} s
  left join account a on a.org_id = ${scope.orgId} and a.app_id = ${scope.appId}
    and a.resource_type_id = s.resource_type_id and a.external_id = s.external_id
  left join ${rowsOf(scope, adopted)} d
    on d.resource_type_id = s.resource_type_id and d.external_id = s.external_id
  union all select account_id, page, place, true from ${rowsOf(scope, unchanged)}`;

/** Selects all entitlements that the app would have, with the names that they would have. */
export const selectPlannedEntitlements = (
  scope: Scope,
  staged: typeof stagedEntitlement,
): RawBuilder<unknown> => sql`
  select e.id, coalesce(s.resource_type_id, e.resource_type_id), coalesce(s.external_id, e.external_id),
    case when s.external_id is null then e.name when e.id is null then s.name else ${publishedName} end
  from (select * from entitlement where org_id = ${scope.orgId} and app_id = ${scope.appId}) e
  full join ${rowsOf(scope, staged)} s
    on s.resource_type_id = e.resource_type_id and s.external_id = e.external_id`;

/** Selects the accounts that exist, as `pushedAccount`. */
export const selectExisting = (scope: Scope, planned: typeof plannedAccount): RawBuilder<unknown> => sql`
  select account_id, page, place, unchanged from ${rowsOf(scope, planned)} where account_id is not null`;

export const selectIdsOf = (scope: Scope, accounts: typeof staleAccount): RawBuilder<unknown> => sql`
  select account_id from ${rowsOf(scope, accounts)}`;

/** Selects the dropped memberships and those of the stale accounts. */
export const selectLost = (
  scope: Scope,
  dropped: typeof droppedMembership,
  stale: typeof staleAccount,
): RawBuilder<unknown> => sql`
  select account_id, entitlement_id from ${rowsOf(scope, dropped)}
  union all
  select m.account_id, m.entitlement_id from ${rowsOf(scope, stale)} r
  join membership m on m.org_id = ${scope.orgId} and m.account_id = r.account_id`;

/**
 * The person that account `a`, which may not exist yet, belongs to after record `s` is published (accounts/queries/link-rule.ts). Null
 * columns of `s` mean that no record of the account was pushed.
 */
const publishedUser = (org: Org) => sql`
  case when s.email is null then a.user_id
    when a.id is null then ${personWithEmail(org, emailKey(sql`s.email`))}
    when (${accountDiffers} or a.tasked_at is not null)
      and ${mayLink(sql`s.email`, isAnotherEmail(sql`a.email`, sql`s.email`))}
    then coalesce(${linkedPerson(org, sql`s.email`)}, a.user_id)
    else a.user_id end`;

/** Selects the rows of previewPublication, with the columns of `difference`. */
export const selectPlanned = (scope: Scope, planned: typeof plannedDifference): RawBuilder<unknown> =>
  sql`select ${differenceColumns} from ${rowsOf(scope, planned)}`;

const noResource = sql`null::text, null::text, null::text, null::text`;

export const selectPushedDifferences = (
  scope: Scope,
  accounts: typeof plannedAccount,
  staged: typeof stagedAccount,
): RawBuilder<unknown> => sql`
  select 'account', case when a.id is null or a.removed_at is not null then 'created' else 'changed' end, a.id,
    t.slug, s.external_id, s.email, s.display_name, ${publishedUser(scope)}, ${noResource},
    case when a.id is not null and a.removed_at is null then ${accountState('a')} end, ${accountState('s')}
  from ${rowsOf(scope, accounts)} p
  join ${rowsOf(scope, staged)} s on s.page = p.page and s.place = p.place
  join resource_type t on t.org_id = ${scope.orgId} and t.id = s.resource_type_id
  left join account a on a.org_id = ${scope.orgId} and a.id = p.account_id
  where a.id is null or ${accountDiffers}`;

export const selectAddedDifferences = (
  scope: Scope,
  planned: { accounts: typeof plannedAccount; entitlements: typeof plannedEntitlement },
  staged: { accounts: typeof stagedAccount; references: typeof stagedReference },
): RawBuilder<unknown> => sql`
  select 'membership', 'added', p.account_id, t.slug, s.external_id, s.email, s.display_name,
    ${publishedUser(scope)}, et.slug, et.type, e.external_id, e.name, null::jsonb, null::jsonb
  from ${rowsOf(scope, staged.references)} f
  join ${rowsOf(scope, planned.accounts)} p on p.page = f.page and p.place = f.place
  join ${rowsOf(scope, staged.accounts)} s on s.page = f.page and s.place = f.place
  join ${rowsOf(scope, planned.entitlements)} e
    on e.resource_type_id = f.resource_type_id and e.external_id = f.external_id
  join resource_type t on t.org_id = ${scope.orgId} and t.id = s.resource_type_id
  join resource_type et on et.org_id = ${scope.orgId} and et.id = e.resource_type_id
  left join account a on a.org_id = ${scope.orgId} and a.id = p.account_id
  where not exists (
    select from membership m
    where m.org_id = ${scope.orgId} and m.account_id = p.account_id and m.entitlement_id = e.entitlement_id)`;

/** The memberships that would be lost, with the accounts and entitlements as they would be published. */
export const selectLostDifferences = (
  scope: Scope,
  lost: typeof lostMembership,
  planned: { accounts: typeof plannedAccount; entitlements: typeof plannedEntitlement },
  staged: typeof stagedAccount,
): RawBuilder<unknown> => sql`
  select 'membership', 'removed', a.id, t.slug, coalesce(s.external_id, a.external_id), coalesce(s.email, a.email),
    coalesce(s.display_name, a.display_name), ${publishedUser(scope)}, et.slug, et.type, e.external_id, e.name,
    null::jsonb, null::jsonb
  from ${rowsOf(scope, lost)} m
  join account a on a.org_id = ${scope.orgId} and a.id = m.account_id
  join ${rowsOf(scope, planned.entitlements)} e on e.entitlement_id = m.entitlement_id
  left join ${rowsOf(scope, planned.accounts)} p on p.account_id = a.id
  left join ${rowsOf(scope, staged)} s on s.page = p.page and s.place = p.place
  join resource_type t on t.org_id = ${scope.orgId} and t.id = coalesce(s.resource_type_id, a.resource_type_id)
  join resource_type et on et.org_id = ${scope.orgId} and et.id = e.resource_type_id`;

/** The entitlements that the publication would create or change. */
export const selectEntitlementDifferences = (
  scope: Scope,
  staged: typeof stagedEntitlement,
): RawBuilder<unknown> => sql`
  select 'resource', case when e.active then 'changed' else 'created' end, null::uuid,
    null::text, null::text, null::text, null::text, null::uuid, t.slug, t.type, s.external_id, n.name,
    case when e.active then ${entitlementState('e')} end, ${entitlementState('n')}
  from ${rowsOf(scope, staged)} s
  left join entitlement e on ${isStagedEntitlement(scope)}
  join resource_type t on t.org_id = ${scope.orgId} and t.id = s.resource_type_id
  cross join lateral (
    select case when e.id is null then s.name else ${publishedName} end as name,
      ${kept('description')}, ${kept('max_count')}, ${kept('used_count')}, ${kept('is_paid')}, ${kept('is_unlimited')},
      ${kept('risk')}, ${kept('owner_email')}) n
  where e.id is null or ${entitlementDiffers}`;

/** A column that a placeholder leaves as it is. */
function kept(column: string): RawBuilder<unknown> {
  const name = sql.ref(column);
  return sql`case when s.pushed or e.id is null then s.${name} else e.${name} end as ${name}`;
}
