import { sql } from 'kysely';
import type { Role } from '../identity/principal.ts';
import type { Db } from '../platform/database/open.ts';

export interface Me {
  external_uuid: string;
  email: string;
  username: string;
  first_name: string;
  last_name: string;
  role: Role;
  organization: { slug: string; name: string };
  has_password: boolean;
  second_factor: boolean;
}

export async function findMe(db: Db, orgId: string, userId: string): Promise<Me | undefined> {
  const { rows } = await sql<Me>`
    select u.id as external_uuid, u.email, u.username, u.first_name, u.last_name, u.role,
      jsonb_build_object('slug', o.slug, 'name', o.name) as organization,
      exists (
        select from sign_in_account a
        where a.org_id = u.org_id and a.user_id = u.id and a.provider_id = 'credential') as has_password,
      u.two_factor_enabled as second_factor
    from platform_user u join organization o on o.id = u.org_id
    where u.org_id = ${orgId} and u.id = ${userId}`.execute(db);
  return rows[0];
}

export interface OrganizationView {
  slug: string;
  name: string;
  created_at: Date;
}

export async function findOrganizationView(db: Db, orgId: string): Promise<OrganizationView> {
  const { rows } = await sql<OrganizationView>`
    select slug, name, created_at from organization where id = ${orgId}`.execute(db);
  return rows[0] as OrganizationView;
}

export async function renameOrganization(db: Db, orgId: string, name: string): Promise<OrganizationView> {
  const { rows } = await sql<OrganizationView>`
    update organization set name = ${name} where id = ${orgId} returning slug, name, created_at`.execute(db);
  return rows[0] as OrganizationView;
}
