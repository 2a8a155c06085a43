import { sql } from 'kysely';
import type { Db } from '../platform/database/open.ts';

export interface OrganizationView {
  slug: string;
  name: string;
  created_at: Date;
}

export async function findOrganization(db: Db, orgId: string): Promise<OrganizationView> {
  const { rows } = await sql<OrganizationView>`
    select slug, name, created_at from organization where id = ${orgId}`.execute(db);
  return rows[0] as OrganizationView;
}

export async function renameOrganization(db: Db, orgId: string, name: string): Promise<OrganizationView> {
  const { rows } = await sql<OrganizationView>`
    update organization set name = ${name} where id = ${orgId} returning slug, name, created_at`.execute(db);
  return rows[0] as OrganizationView;
}
