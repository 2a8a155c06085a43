import type { OrgDb } from '#kit/database.ts';
import { emailKey } from '#kit/identity.ts';
import { one, sql } from '#kit/sql.ts';

/** Returns the active person with this email. */
export const findByEmail = (db: OrgDb, email: string) => one<{ id: string }>(db)`
    select id from platform_user
    where org_id = ${db.orgId} and ${emailKey(sql`email`)} = ${emailKey(sql`${email}`)} and status = 'active'`;
