import { sql } from 'kysely';
import type { OrgDb, OrgTx } from '../../../kit/database/organization.ts';
import type { Role } from '../../../kit/identity/principal.ts';

export interface OrganizationView {
  slug: string;
  name: string;
  /** The roles whose people must have a second factor if they sign in with a password. */
  second_factor_roles: Role[];
  /** The roles whose people must use a passkey, unless a provider signs them in. */
  passkey_roles: Role[];
  /** Whether a SCIM client that deletes a person deletes them for good, if no history names them. */
  scim_deletes: boolean;
  /** The attribute of people that says who somebody is, such as `employee_number` (D63). */
  person_key: string | null;
  /** An IANA name: the days of conditions and requests are days there (D67). */
  time_zone: string;
  created_at: Date;
}

/** The settings that a request can change. */
export type OrganizationSettings = Pick<
  OrganizationView,
  'name' | 'second_factor_roles' | 'passkey_roles' | 'scim_deletes' | 'person_key' | 'time_zone'
>;

const view = sql`slug, name, second_factor_roles, passkey_roles, scim_deletes, person_key, time_zone, created_at`;

export async function findOrganization(db: OrgDb): Promise<OrganizationView> {
  const { rows } = await sql<OrganizationView>`
    select ${view} from organization where id = ${db.orgId}`.execute(db);
  return rows[0] as OrganizationView;
}

/** Returns the organization and locks it until `tx` ends. */
export async function lockSettings(tx: OrgTx): Promise<OrganizationView> {
  const { rows } = await sql<OrganizationView>`
    select ${view} from organization where id = ${tx.orgId} for no key update`.execute(tx);
  return rows[0] as OrganizationView;
}

export async function updateOrganization(
  tx: OrgTx,
  { name, second_factor_roles, passkey_roles, scim_deletes, person_key, time_zone }: OrganizationSettings,
): Promise<void> {
  await sql`
    update organization set name = ${name}, second_factor_roles = ${second_factor_roles},
      passkey_roles = ${passkey_roles},
      scim_deletes = ${scim_deletes}, person_key = ${person_key}, time_zone = ${time_zone}
    where id = ${tx.orgId}`.execute(tx);
}

/** Whether the database knows a time zone. Its list can be older than that of Node.js. */
export async function knowsTimeZone(db: OrgDb, name: string): Promise<boolean> {
  const { rows } = await sql`
    select from pg_timezone_names z where lower(z.name) = lower(${name}) limit 1`.execute(db);
  return rows.length > 0;
}
