import type { OrgDb } from '#kit/database.ts';
import { many } from '#kit/sql.ts';

export interface Nominee {
  id: string;
  email: string;
  status: string;
  role: string;
}

export const findNominees = (db: OrgDb, ids: readonly string[]) => many<Nominee>(db)`
    select id, email, status, role from platform_user
    where org_id = ${db.orgId} and id = any(${[...ids]}::uuid[])`;
