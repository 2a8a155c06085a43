import { entitlements, isDormant, memberships } from '#inventory/records/accounts/facts.ts';
import type { Org, OrgDb } from '#kit/database.ts';
import { sql, value } from '#kit/sql.ts';
import type { Include, Settings } from '../cycle.ts';

const TYPES: Record<Include, 'group' | 'license' | null> = {
  accounts: null,
  memberships: 'group',
  assignments: 'license',
};

const typesOf = ({ include }: Settings['scope']) =>
  include.map((part) => TYPES[part]).filter((type) => type !== null);

/** Whether entitlement `e` is in the scope. Licenses have no risk. */
export const isIncluded = (scope: Settings['scope']) => sql`(
  e.type = any(${typesOf(scope)}::text[]) and (${scope.risks ?? null}::text[] is null or e.risk = any(${scope.risks ?? null}::text[])))`;

/** A cycle, or what a cycle that opened now would be. */
export interface Scoped {
  id: string | null;
  settings: Settings;
}

/** Whether account `a` exists, in an app that exists, and has something to review in the cycle's scope. */
export const isInScope = (org: Org, { id, settings: { scope } }: Scoped) => sql`
  a.org_id = ${org.orgId} and a.removed_at is null and a.status in ('ACTIVE', 'INVITED', 'SUSPENDED')
  and ${id === null ? sql`true` : sql`a.created_at <= (select y.begun_at from review_cycle y where y.org_id = ${org.orgId} and y.id = ${id})`}
  and a.app_id in (
    select p.id from app p
    where p.org_id = ${org.orgId} and p.archived_at is null
      and (${scope.apps}::uuid[] is null or p.id = any(${scope.apps}::uuid[])))
  and (${scope.not_used_for_days == null ? sql`true` : isDormant(org, 'a', scope.not_used_for_days, scope.apps)})
  and (${scope.include.includes('accounts') && scope.risks == null} or exists (
    select from ${memberships} m
    join ${entitlements} e on e.org_id = m.org_id and e.id = m.entitlement_id
    where m.org_id = ${org.orgId} and m.account_id = a.id and ${isIncluded(scope)}))`;

/** Counts the items that a cycle of this scope would have for these accounts. */
export async function countItems(db: OrgDb, scope: Settings['scope'], accountIds: string[]): Promise<number> {
  const n = await value<number>(db)`
    select count(*)::integer as n from ${memberships} m
    join ${entitlements} e on e.org_id = ${db.orgId} and e.id = m.entitlement_id
    where m.org_id = ${db.orgId} and m.account_id = any(${accountIds}::uuid[]) and ${isIncluded(scope)}`;
  return n + (scope.include.includes('accounts') ? accountIds.length : 0);
}
