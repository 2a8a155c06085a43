import type { Static } from 'typebox';
import type { Org } from '#kit/database.ts';
import { emailKey } from '#kit/identity.ts';
import { nfc } from '#kit/nfc.ts';
import { type RawBuilder, sql } from '#kit/sql.ts';
import { jsonObject } from '#log/events/json-facts.ts';
import type { giver } from '#log/events/payloads.ts';
import { detailColumns } from './detail-facts.ts';

/**
 * The facts of inventory that other features need in their SQL. Each fragment is written once, here, next to the
 * owner of the tables. Relations are used as `from ${accounts} a`; PostgreSQL plans them like the tables themselves.
 */

const column = (alias: string, name: string) => sql.ref(`${alias}.${name}`);

/**
 * Every account, removed ones included. Columns: org_id, id, app_id, resource_type_id, user_id (the linked person),
 * external_id, email, username, first_name, last_name, display_name, status, user_linked_by_hand, removed_at, seen_at,
 * unseen (the newest sync could not see it), created_at, given (false: a sync found it, D73).
 */
export const accounts = sql`(
  select org_id, id, app_id, resource_type_id, user_id, external_id, email, username, first_name, last_name,
    display_name, status, user_linked_by_hand, removed_at, seen_at, unseen, created_at, given
  from account)`;

/** The fields of accounts that give no access (D54). Accounts of apps that report none have no row. Columns: org_id, account_id, and detailColumns. */
export const accountDetails = sql`(select org_id, account_id, ${detailColumns()} from account_detail)`;

/**
 * The apps that say when accounts were used: otherwise, all of their accounts would count as never used. An array that is
 * computed once for the statement. `apps` limits it; null means all. The order makes the planner use the index:
 * it would expect to find an account of each app soon, and read the whole table for an app without any.
 */
export const observedApps = (org: Org, apps: readonly string[] | null): RawBuilder<string[]> => sql`array(
  select op.id from app op
  where op.org_id = ${org.orgId} and (${apps}::uuid[] is null or op.id = any(${apps}::uuid[])) and (
    select true from account_detail od
    where od.org_id = ${org.orgId} and od.app_id = op.id and od.last_sign_in_at is not null
    order by od.last_sign_in_at limit 1))`;

/** Whether the connector of its app signs in with this account (D66). The account is an SQL expression. */
export const isOwnAccount = (org: Org, accountId: RawBuilder<unknown>): RawBuilder<boolean> => sql`coalesce((
  select own.is_own from account_detail own
  where own.org_id = ${org.orgId} and own.account_id = ${accountId}), false)`;

/** Whether the account with this alias could be used. */
export const isUsable = (account: string): RawBuilder<boolean> => sql`(
  ${column(account, 'removed_at')} is null and ${column(account, 'status')} <> 'INACTIVE'
  and ${column(account, 'external_id')} is not null)`;

/** Whether the account with this alias counts as a member of its groups that could act (D66). */
export const isUsableMember = (account: string): RawBuilder<boolean> =>
  sql`(${column(account, 'status')} <> 'SUSPENDED' and ${isUsable(account)})`;

/** Whether this alias of \`entitlements\` is a group whose risk is high. */
export const isHighRiskGroup = (entitlement: string): RawBuilder<boolean> =>
  sql`(${column(entitlement, 'type')} = 'group' and ${column(entitlement, 'risk')} = 'high')`;

/** Whether the app names no active person as the owner of the group or license with this alias. */
export const lacksActiveOwner = (org: Org, entitlement: string): RawBuilder<boolean> => sql`not exists (
  select from platform_user o where o.org_id = ${org.orgId} and o.id = ${column(entitlement, 'owner_id')} and o.status = 'active')`;

/**
 * Whether the account with this alias was not used for this number of days, and was known for as long if it never was.
 * Accounts of apps that do not say when accounts were used are not dormant (D54). Each account of the other apps has a row
 * of details.
 */
export const isDormant = (
  org: Org,
  account: string,
  days: number,
  apps: readonly string[] | null,
): RawBuilder<boolean> => sql`(
  ${column(account, 'app_id')} = any(${observedApps(org, apps)}) and ${isUsable(account)} and exists (
  select from account_detail ud
  where ud.org_id = ${org.orgId} and ud.account_id = ${column(account, 'id')}
    and (ud.last_sign_in_at < ${daysAgo(days)}
      or ud.last_sign_in_at is null and ${column(account, 'created_at')} < ${daysAgo(days)})))`;

export const daysAgo = (days: number): RawBuilder<Date> =>
  sql`(clock_now() - make_interval(days => ${days}::integer))`;

/**
 * Every service and shared account. An account of a person is one only if an administrator says so: the owner that an app
 * names never takes an account from its person (D54). Columns: org_id, account_id, kind ('service' or 'shared'), owner_id
 * (or null), by_hand (false if the app named the owner).
 */
export const accountOwners = sql`(
  select so.org_id, so.account_id, so.kind, so.owner_id, so.by_hand
  from account_owner so join account sa on sa.org_id = so.org_id and sa.id = so.account_id
  where so.kind <> 'person' and (so.by_hand or sa.user_id is null))`;

/**
 * Every membership of a group and assignment of a license. Columns: org_id, account_id, entitlement_id, granted_at, via_id (what
 * gives it, or null), given (false: a sync found it, D73).
 */
export const memberships = sql`(select org_id, account_id, entitlement_id, granted_at, via_id, given from membership)`;

/**
 * The giver of the membership with this alias, as JSON: external_uuid, type, slug, id and name of a group or license. Null:
 * it was given directly (D68).
 */
export const giverOf = (org: Org, membership: string): RawBuilder<Giver | null> => sql`(
  select jsonb_build_object('external_uuid', g.id, 'type', gt.type, 'slug', gt.slug, 'id', g.external_id, 'name', g.name)
  from entitlement g join resource_type gt on gt.org_id = g.org_id and gt.id = g.resource_type_id
  where g.org_id = ${org.orgId} and g.id = ${column(membership, 'via_id')})`;

/** The same, as an event contains it. */
export const giverTextOf = (org: Org, membership: string): RawBuilder<string> => sql`(
  select ${jsonObject({ external_uuid: sql`g.id`, type: sql`gt.type`, slug: sql`gt.slug`, id: sql`g.external_id`, name: sql`g.name` })}
  from entitlement g join resource_type gt on gt.org_id = g.org_id and gt.id = g.resource_type_id
  where g.org_id = ${org.orgId} and g.id = ${column(membership, 'via_id')})`;

/** The givers of the membership with this alias: its giver, the giver of that, and so on. Column: id. */
export const giversOf = (org: Org, membership: string): RawBuilder<unknown> => sql`(
  with recursive giver (id) as (
    select ${column(membership, 'via_id')}
    union
    select next.via_id from giver
    join membership next on next.org_id = ${org.orgId} and next.account_id = ${column(membership, 'account_id')}
      and next.entitlement_id = giver.id
    where next.via_id is not null
  )
  select giver.id from giver)`;

/**
 * The one of these givers that the account holds directly, as JSON like giverOf. Null if the membership was given directly, or
 * if no such giver is known.
 */
export const sourceOf = (org: Org, membership: string): RawBuilder<Giver | null> => sql`(
  case when ${column(membership, 'via_id')} is not null then (select ${giverOf(org, 'direct')} from (
    select held.entitlement_id as via_id from ${giversOf(org, membership)} giver
    join membership held on held.org_id = ${org.orgId} and held.account_id = ${column(membership, 'account_id')}
      and held.entitlement_id = giver.id and held.via_id is null) direct) end)`;

/**
 * The entitlement that the account holds directly and from which the membership with this alias comes: its own, or that of its source. Null
 * if the source is not known.
 */
export const sourceIdOf = (org: Org, membership: string): RawBuilder<string | null> => sql<string | null>`(
  case when ${column(membership, 'via_id')} is null then ${column(membership, 'entitlement_id')}
    else (${sourceOf(org, membership)} ->> 'external_uuid')::uuid end)`;

/**
 * The entitlements that an account loses with a group or license: itself and those that come through it (D68). Column: id.
 * The ids are SQL.
 */
export const lostWith = (
  org: Org,
  accountId: RawBuilder<unknown>,
  entitlementId: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`(
  with recursive lost (id) as (
    select ${entitlementId}
    union
    select given.entitlement_id from lost
    join membership given on given.org_id = ${org.orgId} and given.account_id = ${accountId} and given.via_id = lost.id
  )
  select lost.id from lost)`;

export type Giver = Static<typeof giver>;

/** The accounts of records that may be an account that a task created and that no record has taken over (D24): org_id, account_id. */
export const expectedAccounts = sql`(
  select k.org_id, k.candidate_id as account_id
  from account_candidate k join account w on w.org_id = k.org_id and w.id = k.account_id
  where w.external_id is null and w.status in ('NEW', 'INVITED'))`;

/**
 * Every group and license, inactive ones included. Columns: org_id, id, app_id, external_id, name (empty for a placeholder),
 * description, type ('group' or 'license'), slug (of the resource type), active, max_count, used_count, is_paid,
 * is_unlimited, risk ('low', 'medium' or 'high'; null if unknown), owner_email (of the owner that the app names, or null),
 * owner_id (the person whom it names, or null), is_hiding (whether the newest sync could not show
 * all members, D81), hidden_members (how many).
 */
export const entitlements = sql`(
  select fe.org_id, fe.id, fe.app_id, fe.external_id, fe.name, fe.description, ft.type, ft.slug, fe.active,
    fe.max_count, fe.used_count, fe.is_paid, fe.is_unlimited, fe.risk, fe.owner_email, fe.owner_id,
    fe.hidden is not null as is_hiding, (select coalesce(sum(h.value::bigint), 0)::bigint from jsonb_each_text(fe.hidden) h) as hidden_members
  from entitlement fe join resource_type ft on ft.org_id = fe.org_id and ft.id = fe.resource_type_id)`;

/**
 * The number of accounts, as steps to add up. Columns: org_id, app_id, status, linked (whether the account belongs to
 * a person), n (may be negative). Much cheaper than counting accounts.
 */
export const accountCounts = sql`(select org_id, app_id, status, linked, n from account_count)`;

/**
 * When a sync last saw an account, or null. `account` and `app` are aliases of relations with the columns of the
 * tables. A sync does not write unchanged accounts, so that the app's last sync counts for all that exist, and that it could see.
 */
export const lastSeenAt = (account: string, app: string): RawBuilder<Date | null> => sql`
  case when ${column(account, 'removed_at')} is null and ${column(account, 'seen_at')} is not null
      and not ${column(account, 'unseen')}
    then greatest(${column(account, 'seen_at')}, ${column(app, 'last_synced_at')})
    else ${column(account, 'seen_at')} end`;

/** Whether the email, the username or the display name of the account with this alias contains a text, in any case. */
export const accountMatches = (account: string, text: string): RawBuilder<boolean> =>
  inEachForm(text, (form) => formMatches(account, form));

/** Searches for a text as it is, and in NFC (D89). */
const inEachForm = (text: string, search: (form: string) => RawBuilder<boolean>): RawBuilder<boolean> =>
  sql`(${sql.join([...new Set([text, nfc(text)])].map(search), sql` or `)})`;

const formMatches = (account: string, text: string): RawBuilder<boolean> => {
  const [email, username, name] = ['email', 'username', 'display_name'].map((field) =>
    column(account, field),
  );
  const searched = sql`search_key(${email} || ' ' || ${username} || ' ' || ${name})`;
  const matches = sql<boolean>`${searched} like ${containing(text)}`;
  if (text.length !== 2) return matches;
  // The index account_part finds parts of three characters. If the character before the text is ASCII, the part is one
  // of 128 (in Turkish, the lower case of an ASCII letter may be ı). Otherwise, account_beyond_ascii has the account.
  const beyondAscii = sql`octet_length(${email} || ${username} || ${name}) - char_length(${email} || ${username} || ${name}) > 0`;
  const literal = text.replace(/[!-/:-@[-`{-~]/g, '\\$&');
  return sql`(${matches} and (
    ${searched} ~ ('(^|[\\u0001-\\u007fı])' || lower(${literal})) or ${beyondAscii} and ${matches}))`;
};

/** Whether the email of the account with this alias contains a text, in any case. */
export const accountEmailContains = (account: string, text: string): RawBuilder<boolean> =>
  inEachForm(
    text,
    (form) =>
      sql`(${formMatches(account, form)} and search_key(${column(account, 'email')}) like ${containing(form)})`,
  );

/** PostgreSQL lowers the text, since its case mapping differs from JavaScript's in some scripts. */
const containing = (text: string) => sql`lower(${`%${text.replace(/[\\%_]/g, '\\$&')}%`})`;

/** Whether the account with this alias exists: not removed, and not one whose creation failed. */
export const accountExists = (account: string): RawBuilder<boolean> => sql`(
  ${column(account, 'removed_at')} is null
  and (${column(account, 'status')} <> 'INACTIVE' or ${column(account, 'external_id')} is not null))`;

/** Whether an account holds a group or license. All three arguments are SQL expressions. */
export const holds = (
  orgId: RawBuilder<unknown>,
  accountId: RawBuilder<unknown>,
  entitlementId: RawBuilder<unknown>,
): RawBuilder<boolean> => sql`exists (
  select from membership held
  where held.org_id = ${orgId} and held.account_id = ${accountId} and held.entitlement_id = ${entitlementId})`;

/** Whether an account holds a group or license and nothing else gives it (D68). */
export const holdsDirectly = (
  orgId: RawBuilder<unknown>,
  accountId: RawBuilder<unknown>,
  entitlementId: RawBuilder<unknown>,
): RawBuilder<boolean> => sql`exists (
  select from membership held
  where held.org_id = ${orgId} and held.account_id = ${accountId} and held.entitlement_id = ${entitlementId}
    and held.via_id is null)`;

/** The number of accounts that hold the entitlement with this alias. Adds up the maintained counts. */
export const memberCount = (org: Org, entitlement: string): RawBuilder<number> => sql`(
  select coalesce(sum(held.n), 0)::bigint from member_count held
  where held.org_id = ${org.orgId} and held.entitlement_id = ${column(entitlement, 'id')})`;

/** The ids of the groups and licenses that the account with this alias holds, as text with commas; null if none. */
export const entitlementIdsOfAccount = (org: Org, account: string): RawBuilder<string | null> => sql`(
  select string_agg(held.entitlement_id::text, ',') from membership held
  where held.org_id = ${org.orgId} and held.account_id = ${column(account, 'id')})`;

/**
 * The groups and licenses with these names, inactive ones included. `named` is a relation with the columns app_id,
 * slug and id (the external id). Columns: org_id, app_id, entitlement_id, type, slug, id, name, active.
 */
export const entitlementsByName = (org: Org, named: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  select ne.org_id, ne.app_id, ne.id as entitlement_id, nt.type, nt.slug, ne.external_id as id, ne.name, ne.active
  from (select distinct app_id, slug, id from ${named} as given) n
  join app na on na.org_id = ${org.orgId} and na.id = n.app_id
  join resource_type nt on nt.org_id = na.org_id and nt.clone_group_id = na.clone_group_id and nt.slug = n.slug
    and nt.type in ('group', 'license')
  join entitlement ne on ne.org_id = na.org_id and ne.app_id = na.id and ne.resource_type_id = nt.id
    and ne.external_id = n.id)`;

/**
 * The id of the person with this email, or null. `email` is an expression of emailKey. The email of a person who was merged
 * stands for the person who remained, and that of a succeeded person for the successor.
 */
export const personWithEmail = (org: Org, email: RawBuilder<unknown>): RawBuilder<string | null> => sql`(
  select coalesce(u.merged_into, u.id) from platform_user u where u.org_id = ${org.orgId} and ${emailKey(sql`u.email`)} = ${email}
    and u.succeeded_by is null)`;

/** Accounts that link to a person as soon as one has their email. `account` is an alias. */
export const awaitsPerson = (account: string): RawBuilder<boolean> => sql`(
  ${column(account, 'user_id')} is null and not ${column(account, 'user_linked_by_hand')}
  and ${column(account, 'email')} <> '')`;

/**
 * The accounts of people in all apps: those linked to them, and those with their email that are about to be linked.
 * Columns: person_id, and those of `accounts`. Reads each account once, through the indexes of people and of emails, whatever the
 * planner believes.
 */
export const accountsOfPeople = (
  org: Org,
  people: readonly { id: string; email: string }[],
): RawBuilder<unknown> => sql`(
  with given as materialized (
    select one.id, ${emailKey(sql`one.email`)} as key
    from unnest(${people.map(({ id }) => id)}::uuid[], ${people.map(({ email }) => email)}::text[]) as one (id, email)
  )
  select pa.user_id as person_id, pa.* from ${accounts} pa
  where pa.org_id = ${org.orgId} and pa.user_id = any(array(select given.id from given))
  union all
  select given.id, found.* from given cross join lateral (
    select pa.* from ${accounts} pa
    where pa.org_id = ${org.orgId} and ${emailKey(sql`pa.email`)} = given.key and ${awaitsPerson('pa')}
      -- Looked up for found accounts only.
      and (
        select su.succeeded_by from platform_user su
        where su.org_id = ${org.orgId} and su.id = given.id and su.org_id = pa.org_id) is null
    offset 0) found)`;
