import type { OrgDb } from '#kit/database.ts';
import { value } from '#kit/sql.ts';

/** Returns this person if they are active and can read policies. */
export const readerOfPolicies = (db: OrgDb, id: string | null) => value<string | undefined>(db)`
    select u.id from platform_user u
    where u.org_id = ${db.orgId} and u.id = ${id}::uuid and u.status = 'active' and u.role <> 'member'`;
