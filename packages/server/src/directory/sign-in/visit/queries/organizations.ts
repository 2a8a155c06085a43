import type { Db, OrgDb } from '#kit/database.ts';
import { one } from '#kit/sql.ts';

export interface SealedOrganization {
  id: string;
  slug: string;
  name: string;
  sealed_sign_in_secret: string;
}

export async function findOrganizationById(db: OrgDb): Promise<{ slug: string; name: string }> {
  return (await one<{ slug: string; name: string }>(db)`
    select slug, name from organization where id = ${db.orgId}`) as { slug: string; name: string };
}

export const findOrganization = (db: Db, slug: string) => one<SealedOrganization>(db)`
    select id, slug, name, sealed_sign_in_secret from organization where slug = ${slug}`;
