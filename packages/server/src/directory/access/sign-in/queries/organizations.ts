import { sql } from 'kysely';
import type { Db } from '../../../../kit/database/open.ts';
import type { OrgDb } from '../../../../kit/database/organization.ts';

export interface SealedOrganization {
  id: string;
  slug: string;
  name: string;
  sealed_sign_in_secret: string;
}

export async function findOrganizationById(db: OrgDb): Promise<{ slug: string; name: string }> {
  const { rows } = await sql<{ slug: string; name: string }>`
    select slug, name from organization where id = ${db.orgId}`.execute(db);
  return rows[0] as { slug: string; name: string };
}

export async function findOrganization(db: Db, slug: string): Promise<SealedOrganization | undefined> {
  const { rows } = await sql<SealedOrganization>`
    select id, slug, name, sealed_sign_in_secret from organization where slug = ${slug}`.execute(db);
  return rows[0];
}
