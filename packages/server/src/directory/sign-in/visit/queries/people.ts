import { sql } from 'kysely';
import type { OrgDb } from '../../../../kit/database/organization.ts';
import { one } from '../../../../kit/database/statements.ts';
import { emailKey } from '../../../../kit/identity/person-facts.ts';

/** Returns the active person with this email. */
export const findByEmail = (db: OrgDb, email: string) => one<{ id: string }>(db)`
    select id from platform_user
    where org_id = ${db.orgId} and ${emailKey(sql`email`)} = ${emailKey(sql`${email}`)} and status = 'active'`;
