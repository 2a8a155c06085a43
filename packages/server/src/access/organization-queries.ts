import { sql } from 'kysely';
import type { Db, Tx } from '../platform/database/open.ts';

export interface OrganizationView {
  slug: string;
  name: string;
  created_at: Date;
}

/** Returns undefined if an organization with this slug exists. */
export async function insertOrganization(tx: Tx, slug: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    insert into organization (slug, name) values (${slug}, ${slug}) on conflict (slug) do nothing returning id`.execute(
    tx,
  );
  return rows[0]?.id;
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

export async function findOrganizationId(db: Db, slug: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`select id from organization where slug = ${slug}`.execute(db);
  return rows[0]?.id;
}
