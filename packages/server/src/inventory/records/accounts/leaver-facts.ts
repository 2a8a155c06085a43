import { hasLeft, inactiveSince } from '#directory/people/facts.ts';
import type { Org, OrgDb } from '#kit/database.ts';
import type { Page, Slice } from '#kit/pages.ts';
import { countFor, many, type RawBuilder, sql, value } from '#kit/sql.ts';
import { accountOwners } from './facts.ts';
import type { Leaver } from './leaver-schemas.ts';
import type { Risk } from './risk.ts';

export type LeaverWithAccounts = Omit<Leaver, 'accounts'> & {
  accounts: Omit<Leaver['accounts'][number], 'removals'>[];
};

/** The number of accounts that are shown of one person. */
const MOST_SHOWN = sql.lit(50);

const usable = sql`('INVITED', 'ACTIVE', 'SUSPENDED')`;

/** People who have left. The first condition is that of the index. */
const leavers = (org: Org): RawBuilder<boolean> => sql`
  u.org_id = ${org.orgId} and u.merged_into is null and (u.status = 'deactivated' or u.end_date is not null) and ${hasLeft('u')}`;

/** People who have left, and have an account that they could use or resume. `userId`: only this one. */
export const isLeaver = (org: Org, userId: string | null): RawBuilder<boolean> => sql`
  ${leavers(org)} and (${userId}::uuid is null or u.id = ${userId})
  and exists (
    select from account a
    where a.org_id = ${org.orgId} and a.user_id = u.id and a.status in ${usable} and a.removed_at is null
      -- A join would read all accounts of the person, where one is enough.
      and (select p.archived_at is null from app p where p.org_id = ${org.orgId} and p.id = a.app_id) offset 0)`;

/** The accounts `a` of person `u` that they could use or resume, with their apps `p`. */
const usableAccounts = (org: Org) => sql`
  account a join app p on p.org_id = ${org.orgId} and p.id = a.app_id and p.archived_at is null
  where a.org_id = ${org.orgId} and a.user_id = u.id and a.status in ${usable} and a.removed_at is null`;

/** The number of accounts that person `u` could use or resume. */
export const countUsableAccounts = (org: Org): RawBuilder<number> =>
  sql`(select count(*) from ${usableAccounts(org)})`;

/** Whether the app of an account is not archived. */
const isOfPresentApp = (org: Org, account: string) => sql`
  ${sql.ref(`${account}.app_id`)} in (select p.id from app p where p.org_id = ${org.orgId} and p.archived_at is null)`;

/** Accounts that a person who has left could use or resume. `account` is the alias of account. */
export const isOfLeaver = (org: Org, account: string): RawBuilder<boolean> => {
  const column = (name: string) => sql.ref(`${account}.${name}`);
  return sql`${column('removed_at')} is null and ${column('status')} in ${usable}
    and ${column('user_id')} in (select u.id from platform_user u where ${leavers(org)}) and ${isOfPresentApp(org, account)}`;
};

/** Lists leavers with accounts: one person, or all (null). */
export async function listLeavers(
  db: OrgDb,
  userId: string | null,
  page: Page,
): Promise<Slice<LeaverWithAccounts>> {
  const counted = await countFor(db, page)`select from platform_user u where ${isLeaver(db, userId)}`;
  const rows = await many<LeaverWithAccounts>(db)`
    with page as materialized (
      select u.id from platform_user u where ${isLeaver(db, userId)}
      order by u.id limit ${page.limit} offset ${page.offset}
    )
    select u.id as external_uuid, u.email, u.first_name, u.last_name, u.status, to_char(u.end_date, 'YYYY-MM-DD') as end_date,
      case when u.status = 'deactivated' then ${inactiveSince(db, 'u')} end as inactive_since,
      array(
        select jsonb_build_object('external_uuid', a.id, 'email', a.email, 'username', a.username, 'status', a.status,
          'app', jsonb_build_object('external_uuid', p.id, 'name', p.name))
        from ${usableAccounts(db)} order by a.id limit ${MOST_SHOWN}) as accounts
    from page join platform_user u on u.org_id = ${db.orgId} and u.id = page.id order by u.id`;
  return { ...counted, results: rows };
}

/** Returns the groups and licenses of which the apps name a person as the owner. Only the apps can name another one. */
export const countOwnedEntitlements = (db: OrgDb, ownerId: string) => value<number>(db)`
    select count(*)::integer as n from entitlement e
    where e.org_id = ${db.orgId} and e.owner_id = ${ownerId} and e.active and ${isOfPresentApp(db, 'e')}`;

/** Returns the risks of those of these groups and licenses that have one. */
export async function risksOf(db: OrgDb, ids: readonly string[]): Promise<Map<string, Risk>> {
  const rows = await many<{ id: string; risk: Risk }>(db)`
    select e.id, e.risk from entitlement e
    where e.org_id = ${db.orgId} and e.id = any(${[...ids]}::uuid[]) and e.risk is not null`;
  return new Map(rows.map(({ id, risk }) => [id, risk]));
}

/**
 * Active accounts that belong to nobody, and that no administrator has made service or shared accounts. An owner that only the app names does not
 * count: an app must not be able to hide an account (D54). `account` is the alias of account.
 */
export const isOrphaned = (org: Org, account: string): RawBuilder<boolean> => {
  const column = (name: string) => sql.ref(`${account}.${name}`);
  return sql`${column('removed_at')} is null and ${column('status')} = 'ACTIVE' and ${column('user_id')} is null
    and not exists (
      select from ${accountOwners} o where o.org_id = ${org.orgId} and o.account_id = ${column('id')} and o.by_hand
      -- A join may read all accounts for each of them, while the tables have no statistics.
      offset 0)
    and ${isOfPresentApp(org, account)}`;
};

/** Service and shared accounts that exist and have no active owner. `account` is the alias of account. */
export const lacksOwner = (org: Org, account: string): RawBuilder<boolean> => {
  const column = (name: string) => sql.ref(`${account}.${name}`);
  return sql`${column('removed_at')} is null and ${column('status')} <> 'INACTIVE' and ${column('id')} in (
    select o.account_id from ${accountOwners} o
    where o.org_id = ${org.orgId} and not exists (
      select from platform_user u where u.org_id = ${org.orgId} and u.id = o.owner_id and u.status = 'active'))
    and ${isOfPresentApp(org, account)}`;
};
