import { sql } from 'kysely';
import type { Role } from '../identity/principal.ts';
import type { Db, Tx } from '../platform/database/open.ts';

export interface OrganizationView {
  slug: string;
  name: string;
  /** The roles whose people must have a second factor if they sign in with a password. */
  second_factor_roles: Role[];
  /** Whether a SCIM client that deletes a person deletes them for good, if no history names them. */
  scim_deletes: boolean;
  created_at: Date;
}

/** The settings that a request can change. */
export type OrganizationSettings = Pick<OrganizationView, 'name' | 'second_factor_roles' | 'scim_deletes'>;

const view = sql`slug, name, second_factor_roles, scim_deletes, created_at`;

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
  { name, second_factor_roles, scim_deletes }: OrganizationSettings,
): Promise<void> {
  await sql`
    update organization set name = ${name}, second_factor_roles = ${second_factor_roles},
      scim_deletes = ${scim_deletes}
    where id = ${orgId}`.execute(tx);
}
