import { sql } from 'kysely';
import type { Db, Tx } from '../../../kit/database/open.ts';
import type { OrgTx } from '../../../kit/database/organization.ts';

/** Returns undefined if an organization with this slug exists. */
export async function insertOrganization(tx: Tx, slug: string, name: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    insert into organization (slug, name) values (${slug}, ${name}) on conflict (slug) do nothing returning id`.execute(
    tx,
  );
  return rows[0]?.id;
}

/** Stores an organization's encrypted sign-in secret, and removes the one in plain text. */
export async function setSignInSecret(tx: OrgTx, sealed: string): Promise<void> {
  await sql`
    update organization set sealed_sign_in_secret = ${sealed}, sign_in_secret = null
    where id = ${tx.orgId}`.execute(tx);
}

/** Returns the organizations whose sign-in secret an earlier version stored in plain text. */
export async function organizationsWithPlainSecret(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from organization where sign_in_secret is not null order by id`.execute(db);
  return rows.map(({ id }) => id);
}

/** Locks an organization whose sign-in secret is stored in plain text, and returns the secret. */
export async function lockPlainSecret(tx: OrgTx): Promise<string | undefined> {
  const { rows } = await sql<{ sign_in_secret: string }>`
    select sign_in_secret from organization where id = ${tx.orgId} and sign_in_secret is not null
    for update`.execute(tx);
  return rows[0]?.sign_in_secret;
}

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

const state = sql`id, slug, name, created_at, suspended_at, suspended_reason, delete_after`;

export async function listOrganizations(db: Db): Promise<OrganizationState[]> {
  const { rows } = await sql<OrganizationState>`select ${state} from organization order by slug`.execute(db);
  return rows;
}

/** Returns the organizations that no request may reach. */
export async function listSuspended(db: Db): Promise<OrganizationState[]> {
  const { rows } = await sql<OrganizationState>`
    select ${state} from organization where suspended_at is not null or delete_after is not null`.execute(db);
  return rows;
}

/** Returns the organizations whose deletion is due. */
export async function listDueForDeletion(db: Db): Promise<OrganizationState[]> {
  const { rows } = await sql<OrganizationState>`
    select ${state} from organization where delete_after <= now() order by slug`.execute(db);
  return rows;
}

/** Locks an organization until `tx` ends. */
export async function lockOrganization(tx: Tx, slug: string): Promise<OrganizationState | undefined> {
  const { rows } = await sql<OrganizationState>`
    select ${state} from organization where slug = ${slug} for no key update`.execute(tx);
  return rows[0];
}

export async function setState(
  tx: OrgTx,
  {
    suspended_at,
    suspended_reason,
    delete_after,
  }: Pick<OrganizationState, 'suspended_at' | 'suspended_reason' | 'delete_after'>,
): Promise<void> {
  await sql`
    update organization set suspended_at = ${suspended_at}, suspended_reason = ${suspended_reason},
      delete_after = ${delete_after}
    where id = ${tx.orgId}`.execute(tx);
}

/** Deletes an organization that has nothing left but its name. Its event log ends with it. */
export async function deleteOrganization(tx: OrgTx): Promise<void> {
  await sql`delete from organization where id = ${tx.orgId}`.execute(tx);
}

/** Returns the id of the organization with this slug, or undefined if there is none. */
export async function findOrganizationId(db: Db, slug: string): Promise<string | undefined> {
  // PostgreSQL rejects text with a NUL, so no row can have such a slug.
  if (slug.includes('\0')) return undefined;
  const { rows } = await sql<{ id: string }>`select id from organization where slug = ${slug}`.execute(db);
  return rows[0]?.id;
}

/** Sets how many days ended periods of access are kept. Null keeps them forever. */
export async function setHistoryDays(db: Db, id: string, days: number | null): Promise<void> {
  await sql`update organization set history_days = ${days} where id = ${id}`.execute(db);
}

/** Returns the networks that an organization's connectors may reach although they are not public. Null: those of the settings. */
export async function findConnectorNetworks(db: Db, id: string): Promise<string[] | null> {
  const { rows } = await sql<{ connector_networks: string[] | null }>`
    select connector_networks from organization where id = ${id}`.execute(db);
  return rows[0]?.connector_networks ?? null;
}

export async function setConnectorNetworks(db: Db, id: string, networks: string[] | null): Promise<void> {
  await sql`update organization set connector_networks = ${networks} where id = ${id}`.execute(db);
}
