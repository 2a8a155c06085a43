import {
  accountDetails,
  accounts,
  entitlements,
  isHighRiskGroup,
  memberships,
} from '#inventory/records/accounts/facts.ts';
import type { Org } from '#kit/database.ts';
import { type RawBuilder, sql } from '#kit/sql.ts';

/** The accounts `a` with memberships `m` of groups `e`, and with details `d`. */
export const heldGroups = (org: Org): RawBuilder<unknown> => sql`
  ${entitlements} e
  join ${memberships} m on m.org_id = ${org.orgId} and m.entitlement_id = e.id
  join ${accounts} a on a.org_id = ${org.orgId} and a.id = m.account_id
  join ${accountDetails} d on d.org_id = ${org.orgId} and d.account_id = a.id`;

/** The condition that the risk of group `e` is high, and that it belongs to one of these apps. Null: all. */
export const isPrivileged = (org: Org, appIds: readonly string[] | null): RawBuilder<boolean> => sql`(
  e.org_id = ${org.orgId} and ${isHighRiskGroup('e')} and e.active and (${appIds}::uuid[] is null or e.app_id = any(${appIds}::uuid[])))`;
