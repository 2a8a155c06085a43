import type { OrgDb } from '#kit/database.ts';
import { many } from '#kit/sql.ts';

/** Returns these people with their emails. */
export async function emailsOf(db: OrgDb, ids: readonly string[]): Promise<{ id: string; email: string }[]> {
  if (ids.length === 0) return [];
  return many<{ id: string; email: string }>(db)`
    select u.id, u.email from platform_user u where u.org_id = ${db.orgId} and u.id = any(${ids}::uuid[])`;
}
