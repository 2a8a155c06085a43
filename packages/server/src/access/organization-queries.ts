import { sql } from 'kysely';
import type { Role } from '../identity/principal.ts';
import type { Db, Tx } from '../platform/database/open.ts';

export interface OrganizationView {
  slug: string;
  name: string;
  /** The roles whose people must have a second factor if they sign in with a password. */
  second_factor_roles: Role[];
  created_at: Date;
}

/** The settings that a request can change. */
export type OrganizationSettings = Pick<OrganizationView, 'name' | 'second_factor_roles'>;

/** Returns undefined if an organization with this slug exists. */
export async function insertOrganization(tx: Tx, slug: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    insert into organization (slug, name) values (${slug}, ${slug}) on conflict (slug) do nothing returning id`.execute(
    tx,
  );
  return rows[0]?.id;
}

const view = sql`slug, name, second_factor_roles, created_at`;

export async function findOrganization(db: Db, orgId: string): Promise<OrganizationView> {
  const { rows } = await sql<OrganizationView>`
    select ${view} from organization where id = ${orgId}`.execute(db);
  return rows[0] as OrganizationView;
}

/** Returns the organization and locks it until `tx` ends. */
export async function lockSettings(tx: Tx, orgId: string): Promise<OrganizationView> {
  const { rows } = await sql<OrganizationView>`
    select ${view} from organization where id = ${orgId} for no key update`.execute(tx);
  return rows[0] as OrganizationView;
}

export async function updateOrganization(
  tx: Tx,
  orgId: string,
  { name, second_factor_roles }: OrganizationSettings,
): Promise<void> {
  await sql`
    update organization set name = ${name}, second_factor_roles = ${second_factor_roles}
    where id = ${orgId}`.execute(tx);
}
