import { hasLeft } from '#directory/people/facts.ts';
import { isOnLeave } from '#directory/people/leave-facts.ts';
import {
  accountOwners,
  entitlements,
  isHighRiskGroup,
  memberships,
  observedApps,
  sourceIdOf,
} from '#inventory/records/accounts/facts.ts';
import { countUsableAccounts } from '#inventory/records/accounts/leaver-facts.ts';
import type { Org } from '#kit/database.ts';
import { isoTime, type RawBuilder, sql } from '#kit/sql.ts';
import { grants, isForAnother, isInForce } from '#reasons/grants/facts.ts';
import type { Question } from '../definition.ts';
import type { AttributePrefix, FieldName, NamedField, Subject } from '../fields.ts';

/** The organization, and the apps of the caller. Null: all. */
export interface Asked extends Org {
  apps: string[] | null;
}

type Values = (asked: Asked) => RawBuilder<unknown>;

const column = (name: string): Values => {
  const value = sql.ref(name);
  return () => value;
};
const never = sql`null`;
/** Read once for the statement, and not for each row. */
const NOW = sql<Date>`(select clock_now())`;

/** The kinds of the grants in force on an account, or on a group or license of it. */
const grantKinds = ({ orgId }: Org, entitlement: RawBuilder<unknown>) => sql`array(
  select distinct held.kind ${grantsOn(orgId, entitlement)} order by held.kind)`;

const grantsOn = (orgId: string, entitlement: RawBuilder<unknown>) => sql`from ${grants} held
  where held.org_id = ${orgId} and held.account_id = a.id and held.entitlement_id is not distinct from ${entitlement}
    and ${isInForce('held', NOW)} and not ${isForAnother('held', sql`a.user_id`)}`;

const ownerOfAccount = ({ orgId }: Org, what: RawBuilder<unknown>) =>
  sql`(select ${what} from ${accountOwners} o where o.org_id = ${orgId} and o.account_id = a.id)`;

const isPrivileged: Values = ({ orgId }) => sql`exists (
  select from ${memberships} hm join ${entitlements} he on he.org_id = ${orgId} and he.id = hm.entitlement_id
  where hm.org_id = ${orgId} and hm.account_id = a.id and he.active and ${isHighRiskGroup('he')})`;

/**
 * The values of fields, with `u` for platform_user, `a` for accounts, `d` for their details, `p` for app, `r` for the risks of apps, `m` for
 * memberships and `e` for entitlements.
 */
const VALUES: Record<FieldName, Values> = {
  'user.email': column('u.email'),
  'user.first_name': column('u.first_name'),
  'user.last_name': column('u.last_name'),
  'user.username': column('u.username'),
  'user.status': column('u.status'),
  'user.left': () => sql`coalesce(${hasLeft('u')}, false)`,
  'user.role': column('u.role'),
  'user.identity_type': column('u.identity_type'),
  'user.domain_type': column('u.domain_type'),
  'user.manager': column('u.manager_id'),
  'user.groups': ({ orgId }) => sql`array(
    select g.display_name from person_group_member gm
    join person_group g on g.org_id = ${orgId} and g.id = gm.group_id
    where gm.org_id = ${orgId} and gm.user_id = u.id order by g.display_name collate "C")`,
  'user.on_leave': (org) => isOnLeave(org, 'u'),
  'user.start_date': column('u.start_date'),
  'user.end_date': column('u.end_date'),
  'user.source': ({ orgId }) => sql`case when u.id is null then null when exists (
    select from person_source s where s.org_id = ${orgId} and s.user_id = u.id and s.deleted_at is null)
    then 'scim' else 'gatehouse' end`,
  'user.created_at': column('u.created_at'),
  'user.accounts': countUsableAccounts,

  'account.id': column('a.external_id'),
  'account.email': column('a.email'),
  'account.username': column('a.username'),
  'account.display_name': column('a.display_name'),
  'account.status': column('a.status'),
  'account.linked': () => sql`(a.user_id is not null)`,
  'account.kind': (org) => sql`coalesce(${ownerOfAccount(org, sql`o.kind`)}, 'person')`,
  'account.owner': (org) => ownerOfAccount(org, sql`o.owner_id`),
  'account.last_sign_in_at': column('d.last_sign_in_at'),
  'account.unused_days': (asked) => sql`case when a.app_id = any(${observedApps(asked, asked.apps)})
    then floor(extract(epoch from ${NOW} - coalesce(d.last_sign_in_at, a.created_at)) / 86400)::bigint end`,
  'account.mfa_enabled': column('d.mfa_enabled'),
  'account.is_own': () => sql`coalesce(d.is_own, false)`,
  'account.privileged': isPrivileged,
  'account.entitlements': ({ orgId }) => sql`(
    select count(*) from ${memberships} hm where hm.org_id = ${orgId} and hm.account_id = a.id)`,
  'account.found': () => sql`(not a.given)`,
  'account.grants': (org) => grantKinds(org, never),
  'account.created_at': column('a.created_at'),

  'app.id': column('p.id'),
  'app.name': column('p.name'),
  'app.risk': () => sql`(array['low', 'medium', 'high'])[r.risk]`,
  'app.owner': column('p.owner_id'),
  'app.last_synced_at': column('p.last_synced_at'),

  'resource.id': column('e.external_id'),
  'resource.name': column('e.name'),
  'resource.type': column('e.type'),
  'resource.slug': column('e.slug'),
  'resource.risk': column('e.risk'),
  'resource.owner': column('e.owner_id'),
  'resource.is_paid': column('e.is_paid'),

  'access.granted_at': column('m.granted_at'),
  'access.direct': () => sql`(m.via_id is null)`,
  'access.found': () => sql`(not m.given)`,
  'access.grants': (org) => grantKinds(org, sourceIdOf(org, 'm')),
  'access.ends_at': (org) => sql`(
    select nullif(max(coalesce(held.ends_at, 'infinity')), 'infinity') ${grantsOn(org.orgId, sourceIdOf(org, 'm'))})`,
};

const ATTRIBUTES: Record<AttributePrefix, RawBuilder<unknown>> = {
  'user.attributes.': sql`u.attributes`,
  'account.attributes.': sql`d.attributes`,
};

/** Fields that are true or false, as a condition that an index may serve: it is not true where the value is null. */
const HOLDS: Partial<Record<FieldName, Values>> = {
  'user.left': () => hasLeft('u'),
  'account.is_own': column('d.is_own'),
  'account.privileged': isPrivileged,
};
export const holds = (asked: Asked, { known }: NamedField): RawBuilder<unknown> | undefined =>
  known === undefined ? undefined : HOLDS[known]?.(asked);

/**
 * Grants are looked up one by one: in a join, PostgreSQL would read all grants of the organization (`offset 0`). This comes after the conditions on
 * groups and licenses, whose id it reads.
 */
const isWithoutGrants = (org: Org, entitlement: RawBuilder<unknown>) =>
  sql`not exists (select ${grantsOn(org.orgId, entitlement)} offset 0)`;

/** Whether no decision in force gives the account, or a group or license of it. */
const UNGRANTED: Partial<Record<FieldName, Values>> = {
  'account.grants': (org) => isWithoutGrants(org, never),
  'access.grants': (org) =>
    isWithoutGrants(org, sql`case when m.via_id is null then e.id else ${sourceIdOf(org, 'm')} end`),
};
export const isUngranted = (asked: Asked, { known }: NamedField): RawBuilder<unknown> | undefined =>
  known === undefined ? undefined : UNGRANTED[known]?.(asked);

/** The value of a field that conditions compare: the id of a person or an app. */
export const comparedValue = (asked: Asked, { known, attribute }: NamedField): RawBuilder<unknown> =>
  known === undefined ? sql`(${ATTRIBUTES[attribute.of]} ->> ${attribute.name})` : VALUES[known](asked);

/** The value as rows show it and lists sort it: the email of a person, and the name of an app. */
function shownValue(asked: Asked, field: NamedField): RawBuilder<unknown> {
  const value = comparedValue(asked, field);
  if (field.names === 'user')
    return sql`(select named.email from platform_user named where named.org_id = ${asked.orgId} and named.id = ${value})`;
  return field.names === 'app' ? sql`p.name` : value;
}

/** The value in JSON. */
export function jsonValue(asked: Asked, field: NamedField): RawBuilder<unknown> {
  const value = shownValue(asked, field);
  if (field.type === 'time') return isoTime(value);
  return field.type === 'day' ? sql`to_char(${value}, 'YYYY-MM-DD')` : value;
}

const RANKS = new Set<FieldName>(['app.risk', 'resource.risk']);

/** The orders for which there is an index, in the words of the index. All rows of the subject have the value. */
const INDEXED: Record<Subject, Partial<Record<FieldName, RawBuilder<unknown>>>> = {
  people: { 'user.email': sql`email_key(u.email)` },
  accounts: { 'account.email': sql`lower(a.email)` },
  access: { 'account.email': sql`lower(a.email)`, 'resource.name': sql`name_key(e.name)` },
};

/** The value by which a list is sorted. Rows without one are last. */
export function sortOf(
  asked: Asked,
  { subject, sort: { field, isDown } }: Question,
): { value: RawBuilder<unknown>; direction: RawBuilder<unknown> } {
  const indexed = field.known === undefined ? undefined : INDEXED[subject][field.known];
  const direction = isDown ? sql`desc` : sql`asc`;
  if (indexed !== undefined) return { value: indexed, direction };
  return { value: sortValue(asked, field), direction: sql`${direction} nulls last` };
}

function sortValue(asked: Asked, field: NamedField): RawBuilder<unknown> {
  const value = shownValue(asked, field);
  if (field.known !== undefined && RANKS.has(field.known))
    return sql`array_position(array['low', 'medium', 'high'], ${value})`;
  return field.type === 'text' || field.type === 'id' ? sql`name_key(${value})` : value;
}
