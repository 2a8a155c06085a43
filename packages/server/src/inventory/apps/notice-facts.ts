import type { OrgDb } from '#kit/database.ts';
import type { Role } from '#kit/identity.ts';
import { many, one } from '#kit/sql.ts';

/** Returns the owner of an app, if they are active. */
export const ownerOf = (db: OrgDb, appId: string) => one<{ id: string; role: Role }>(db)`
    select u.id, u.role from app a
    join platform_user u on u.org_id = ${db.orgId} and u.id = a.owner_id
    where a.org_id = ${db.orgId} and a.id = ${appId} and u.status = 'active'`;

/** Returns the owner if they may read what happens in the app: members see neither its syncs nor the tasks of others. */
export async function readingOwnerOf(db: OrgDb, appId: string): Promise<string | undefined> {
  const owner = await ownerOf(db, appId);
  return owner?.role === 'member' ? undefined : owner?.id;
}

/** Returns those of the apps that the person owns. */
export async function appsOwnedBy(
  db: OrgDb,
  appIds: readonly string[],
  userId: string,
): Promise<Set<string>> {
  const rows = await many<{ id: string }>(db)`
    select id from app
    where org_id = ${db.orgId} and id = any(${appIds}::uuid[]) and owner_id = ${userId}`;
  return new Set(rows.map(({ id }) => id));
}
