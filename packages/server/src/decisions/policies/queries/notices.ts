import type { OrgDb } from '#kit/database.ts';
import { value, values } from '#kit/sql.ts';

/** Returns this person if they are active and can read policies. */
export const readerOfPolicies = (db: OrgDb, id: string | null) => value<string | undefined>(db)`
    select u.id from platform_user u
    where u.org_id = ${db.orgId} and u.id = ${id}::uuid and u.status = 'active' and u.role <> 'member'`;

/** Returns the active people who wrote or enabled these policies, and can read them. */
export const authorsOfPolicies = (db: OrgDb, policyIds: readonly string[]) => values<string>(db)`
    select u.id from platform_user u
    where u.org_id = ${db.orgId} and u.status = 'active' and u.role <> 'member' and exists (
      select from policy p
      where p.org_id = ${db.orgId} and p.id = any(${policyIds}::uuid[]) and (p.created_by = u.id or p.enabled_by = u.id))
    order by u.id`;
