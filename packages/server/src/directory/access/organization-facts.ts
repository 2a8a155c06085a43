import type { Db, OrgDb } from '#kit/database.ts';
import { many, one, sql, value } from '#kit/sql.ts';
import type { OrganizationView } from './schemas.ts';

export interface OrganizationState {
  id: string;
  slug: string;
  name: string;
  created_at: Date;
  suspended_at: Date | null;
  suspended_reason: string | null;
  /** The organization is deleted after this time. */
  delete_after: Date | null;
}

export const stateColumns = sql`id, slug, name, created_at, suspended_at, suspended_reason, delete_after`;

export const listOrganizations = (db: Db) =>
  many<OrganizationState>(db)`select ${stateColumns} from organization order by slug`;

/** Returns the organizations that no request may reach. */
export const listSuspended = (db: Db) => many<OrganizationState>(db)`
    select ${stateColumns} from organization where suspended_at is not null or delete_after is not null`;

/** Returns the organizations whose deletion is due. */
export const listDueForDeletion = (db: Db) => many<OrganizationState>(db)`
    select ${stateColumns} from organization where delete_after <= now() order by slug`;

/** Returns the id of the organization with this slug, or undefined if there is none. */
export async function findOrganizationId(db: Db, slug: string): Promise<string | undefined> {
  // PostgreSQL rejects text with a NUL, so no row can have such a slug.
  if (slug.includes('\0')) return undefined;
  return value<string | undefined>(db)`select id from organization where slug = ${slug}`;
}

/** Returns the networks that an organization's connectors may reach although they are not public. Null: those of the settings. */
export async function findConnectorNetworks(db: Db, id: string): Promise<string[] | null> {
  return (
    (await value<string[] | null | undefined>(db)`
    select connector_networks from organization where id = ${id}`) ?? null
  );
}

export const settingsView = sql`slug, name, second_factor_roles, passkey_roles, scim_deletes, person_key, time_zone, people_guard,
  group_guard, created_at`;

export async function findOrganization(db: OrgDb): Promise<OrganizationView> {
  return (await one<OrganizationView>(db)`
    select ${settingsView} from organization where id = ${db.orgId}`) as OrganizationView;
}

/** The sample company of an organization, by the ids of its parts: the only place that lists them. */
export interface Sample {
  status: 'creating' | 'complete' | 'removing';
  /** The call that works on it, and the time of its last step. Null: none, and the next one may continue. */
  lease: { holder: string; renewed_at: string } | null;
  /** Added to the names in its addresses, because people of an earlier sample company have those without it. */
  suffix: string;
  people: string[];
  apps: { id: string; synced: boolean }[];
  /** The syncs that the creation started. */
  sessions: string[];
  policy: string | null;
  review: string | null;
  /** The parts that a removal is done with. */
  removed: RemovedParts;
}

export interface RemovedParts {
  apps: number;
  /** The apps that had become real. They are archived, and everything in them stays. */
  apps_archived: number;
  people: number;
  /** The people whom history names. */
  people_deactivated: number;
  /** The people who had become real. They stay as they are. */
  people_kept: number;
}

export const findSample = async (db: OrgDb): Promise<Sample | null> =>
  (await value<Sample | null | undefined>(db)`select sample from organization where id = ${db.orgId}`) ??
  null;
