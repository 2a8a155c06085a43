import type { OrgTx } from '#kit/database.ts';
import { emailKey } from '#kit/identity.ts';
import { many, type RawBuilder, run, sql } from '#kit/sql.ts';
import { DETAILS, type Detail, type DetailColumn } from '../../../../../../protocol/src/records.ts';
import { DETAIL_TYPES, detailColumns, shownDetail } from '../../accounts/detail-facts.ts';
import { personWithEmail } from '../../accounts/facts.ts';
import { isAnotherEmail } from '../../accounts/queries/link-rule.ts';
import { NO_DETAILS } from '../../accounts/queries/owners.ts';
import type { changedDetail, changedOwner, pushedAccount, Scope } from '../relations.ts';
import { rowsOf } from './relations.ts';

/**
 * Whether the app has rows of details, and whether it says when accounts were used. Each part has an index, which the order
 * makes the planner use.
 */
export async function findDetails(
  tx: OrgTx,
  { orgId, appId }: Scope,
): Promise<{ found: boolean; observed: boolean }> {
  const some = (when: RawBuilder<unknown>, order: RawBuilder<unknown>) => sql`coalesce((
    select true from account_detail where org_id = ${orgId} and app_id = ${appId} and last_sign_in_at is ${when}
    order by ${order} limit 1), false)`;
  const rows = await many<{ used: boolean; unused: boolean }>(tx)`
    select ${some(sql`not null`, sql`last_sign_in_at`)} as used, ${some(sql`null`, sql`account_id`)} as unused`;
  const { used = false, unused = false } = rows[0] ?? {};
  return { found: used || unused, observed: used };
}

/** Selects the details that differ from those of the inventory, with the columns of `changedDetail`. */
export const selectChangedDetails = (
  scope: Scope,
  pushed: typeof pushedAccount,
  details: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  select p.account_id, ${sql.join(DETAILS.map(({ column }) => pushedDetail(column)))}, s.digest
  from (${details}) s join ${rowsOf(scope, pushed)} p on p.page = s.page and p.place = s.place
  where s.digest is not null and not exists (
    select from account_detail d
    where d.org_id = ${scope.orgId} and d.account_id = p.account_id and d.digest = s.digest)`;

const pushedDetail = (column: DetailColumn) => {
  const type = DETAIL_TYPES[column];
  if (type === 'jsonb') return sql`s.detail::jsonb -> ${sql.lit(column)}`;
  const value = sql`(s.detail::json ->> ${sql.lit(column)})::${sql.raw(type.replace(' not null', ''))}`;
  return type.endsWith('not null') ? shownDetail(column, value) : value;
};

const setDetails = (value: (field: Detail) => RawBuilder<unknown>) =>
  sql.join(DETAILS.map((field) => sql`${sql.ref(field.column)} = ${value(field)}`));

export const storeDetails = (tx: OrgTx, scope: Scope, changed: typeof changedDetail) => run(tx)`
    insert into account_detail (org_id, account_id, app_id, ${detailColumns()}, digest)
    select ${scope.orgId}::uuid, c.account_id, ${scope.appId}::uuid, ${detailColumns('c')}, c.digest
    from ${rowsOf(scope, changed)} c
    on conflict (org_id, account_id) do update set app_id = excluded.app_id,
      ${setDetails(({ column }) => sql.ref(`excluded.${column}`))}, digest = excluded.digest`;

/** Selects the `account_id` of each account that was pushed without details. */
export const selectWithout = (
  scope: Scope,
  pushed: typeof pushedAccount,
  details: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  select p.account_id from (${details}) s
  join ${rowsOf(scope, pushed)} p on p.page = s.page and p.place = s.place where s.digest is null`;

/** Clears the details of accounts. `accounts` selects their `account_id`. Their rows stay, with the choices of administrators. */
export const clearDetails = (tx: OrgTx, { orgId, appId }: Scope, accounts: RawBuilder<unknown>) => run(tx)`
    update account_detail d set ${setDetails(({ absent = null }) => sql.lit(absent))}, digest = ${NO_DETAILS}
    where d.org_id = ${orgId} and d.app_id = ${appId} and d.digest <> ${NO_DETAILS} and d.account_id in (${accounts})`;

/** Adds rows for the pushed accounts that have none, so that an index finds the accounts that were never used. */
export const addUnused = (tx: OrgTx, scope: Scope, pushed: typeof pushedAccount) => run(tx)`
    insert into account_detail (org_id, account_id, app_id, digest)
    select ${scope.orgId}::uuid, p.account_id, ${scope.appId}::uuid, ${NO_DETAILS}::uuid
    from ${rowsOf(scope, pushed)} p
    where not exists (select from account_detail d where d.org_id = ${scope.orgId} and d.account_id = p.account_id)
    on conflict (org_id, account_id) do nothing`;

/**
 * Selects the accounts of the app whose kind or owner should change because of the owner that the app names, with the
 * columns of `changedOwner`. Such an account counts as a service account unless it belongs to a person. The choice of an
 * administrator stays. So does the owner who was found by the email that the app still names, whoever has it now (D83): only
 * other emails are looked up. A row of the kind person remembers them for an app that names nobody for a while. The subqueries make the planner use the primary keys: without statistics, in a first sync, it
 * would join the accounts through an index that finds all of the organization.
 */
export const selectChangedOwners = ({ orgId, appId }: Scope): RawBuilder<unknown> => sql`
  with named as (
    select d.account_id, d.owner_email, o.owner_id, coalesce(not ${isAnotherEmail(sql`o.named_email`, sql`d.owner_email`)}, false) as stays
    from account_detail d
    left join lateral (
      select every.* from account_owner every where every.org_id = ${orgId} and every.account_id = d.account_id offset 0
    ) o on true
    where d.org_id = ${orgId} and d.app_id = ${appId} and d.owner_email is not null and not d.owner_overruled
      and (select a.user_id is null from account a where a.org_id = ${orgId} and a.id = d.account_id)
      and not coalesce(o.by_hand, false)
  ), wanted as materialized (
    select account_id, owner_email, stays,
      case when stays then owner_id else ${personWithEmail({ orgId }, emailKey(sql`owner_email`))} end as owner_id
    from named
  ), present as (
    select o.account_id, o.kind, case when o.kind <> 'person' then o.owner_id end as owner_id, o.named_email
    from account_owner o
    where o.org_id = ${orgId} and not o.by_hand
      and (select a.app_id from account a where a.org_id = ${orgId} and a.id = o.account_id) = ${appId}
  )
  select coalesce(w.account_id, p.account_id), coalesce(p.kind, 'person'),
    case when w.account_id is null then 'person' else coalesce(nullif(p.kind, 'person'), 'service') end, p.owner_id, w.owner_id,
    case when w.account_id is null then p.named_email when w.stays or w.owner_id is not null then w.owner_email end
  from wanted w full join present p on p.account_id = w.account_id
  where (w.account_id is null) <> (coalesce(p.kind, 'person') = 'person') or w.owner_id is distinct from p.owner_id
    or not w.stays and (w.owner_id is not null or p.named_email is not null)`;

/** Writes the kinds and owners that changed, except those that an administrator has chosen in the meantime. */
export async function storeOwners(tx: OrgTx, scope: Scope, changed: typeof changedOwner): Promise<void> {
  const { orgId } = scope;
  await run(tx)`
    insert into account_owner (org_id, account_id, kind, owner_id, by_hand, named_email)
    select ${orgId}::uuid, c.account_id, c.new_kind, c.new_owner, false, c.named_email
    from ${rowsOf(scope, changed)} c where c.new_kind <> 'person'
    on conflict (org_id, account_id) do update set kind = excluded.kind, owner_id = excluded.owner_id,
      named_email = excluded.named_email
      where not account_owner.by_hand`;
  const isNobodys = sql`o.org_id = ${orgId} and not o.by_hand and o.account_id in (
    select c.account_id from ${rowsOf(scope, changed)} c where c.new_kind = 'person')`;
  await run(tx)`delete from account_owner o where ${isNobodys} and o.named_email is null`;
  await run(tx)`update account_owner o set kind = 'person' where ${isNobodys}`;
}
