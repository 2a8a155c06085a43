import {
  accounts,
  entitlements,
  isHighRiskGroup,
  isOwnAccount,
  isUsableMember,
  memberships,
} from '#inventory/records/accounts/facts.ts';
import type { OrgDb } from '#kit/database.ts';
import { many, sql } from '#kit/sql.ts';
import type { Settings } from '../../campaigns/cycle.ts';
import type { DelicateAccount, DelicateGroup } from '../preview-schema.ts';

/** Returns those of these accounts with which a connector signs in, if the scope has accounts. */
export async function ownAccountsAmong(
  db: OrgDb,
  scope: Settings['scope'],
  accountIds: string[],
): Promise<DelicateAccount[]> {
  if (!scope.include.includes('accounts')) return [];
  return many<DelicateAccount>(db)`
    select coalesce(nullif(a.email, ''), a.username) as account, a.id as external_uuid, p.name as app,
      array[]::text[] as groups
    from ${accounts} a join app p on p.org_id = ${db.orgId} and p.id = a.app_id
    where a.org_id = ${db.orgId} and a.id = any(${accountIds}::uuid[]) and ${isOwnAccount(db, sql`a.id`)}
    order by p.name, a.id`;
}

/** Returns those of these accounts that are the only usable member of a group whose risk is high. */
export const lastMembersAmong = (db: OrgDb, accountIds: string[]) => many<DelicateAccount>(db)`
    select coalesce(nullif(a.email, ''), a.username) as account, a.id as external_uuid, p.name as app,
      array_agg(coalesce(nullif(e.name, ''), e.external_id) order by e.name, e.external_id) as groups
    from ${accounts} a
    join app p on p.org_id = ${db.orgId} and p.id = a.app_id
    join ${memberships} m on m.org_id = ${db.orgId} and m.account_id = a.id
    join ${entitlements} e on e.org_id = ${db.orgId} and e.id = m.entitlement_id and ${isHighRiskGroup('e')}
    where a.org_id = ${db.orgId} and a.id = any(${accountIds}::uuid[]) and not exists (
      select from ${memberships} o join ${accounts} b on b.org_id = ${db.orgId} and b.id = o.account_id
      where o.org_id = ${db.orgId} and o.entitlement_id = e.id and b.id <> a.id and ${isUsableMember('b')})
    group by a.id, a.email, a.username, p.name
    order by p.name, a.id`;

/**
 * Returns the groups whose risk is high and whose usable members a cycle of this scope could take away among these accounts, and how
 * many of them (`taken`). Only memberships are taken from the account with which a connector signs in.
 */
export async function highRiskGroupsOf(
  db: OrgDb,
  scope: Settings['scope'],
  accountIds: string[],
): Promise<(DelicateGroup & { taken: number })[]> {
  const takesMemberships = scope.include.includes('memberships') && (scope.risks?.includes('high') ?? true);
  if (!takesMemberships && !scope.include.includes('accounts')) return [];
  return many<DelicateGroup & { taken: number }>(db)`
    select e.id as external_uuid, coalesce(nullif(e.name, ''), e.external_id) as "group", p.name as app, g.taken, (
      select count(*)::integer from ${memberships} o join ${accounts} b on b.org_id = ${db.orgId} and b.id = o.account_id
      where o.org_id = ${db.orgId} and o.entitlement_id = e.id and ${isUsableMember('b')}) as members
    from (
      select m.entitlement_id, count(*)::integer as taken
      from ${accounts} a
      join ${memberships} m on m.org_id = ${db.orgId} and m.account_id = a.id
      join ${entitlements} f on f.org_id = ${db.orgId} and f.id = m.entitlement_id and ${isHighRiskGroup('f')}
      where a.org_id = ${db.orgId} and a.id = any(${accountIds}::uuid[]) and ${isUsableMember('a')}
        and (${takesMemberships} or not ${isOwnAccount(db, sql`a.id`)})
      group by m.entitlement_id) g
    join ${entitlements} e on e.org_id = ${db.orgId} and e.id = g.entitlement_id
    join app p on p.org_id = ${db.orgId} and p.id = e.app_id
    order by p.name, e.name, e.id`;
}
