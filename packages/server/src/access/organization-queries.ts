import { sql } from 'kysely';
import type { Db, Tx } from '../platform/database/open.ts';

export interface OrganizationView {
  slug: string;
  name: string;
  created_at: Date;
}

/** Returns undefined if an organization with this slug exists. */
export async function insertOrganization(tx: Tx, slug: string, name: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    insert into organization (slug, name) values (${slug}, ${name}) on conflict (slug) do nothing returning id`.execute(
    tx,
  );
  return rows[0]?.id;
}

/** Stores an organization's encrypted sign-in secret, and removes the one in plain text. */
export async function setSignInSecret(tx: Tx, orgId: string, sealed: string): Promise<void> {
  await sql`
    update organization set sealed_sign_in_secret = ${sealed}, sign_in_secret = null
    where id = ${orgId}`.execute(tx);
}

/** Returns the organizations whose sign-in secret an earlier version stored in plain text. */
export async function organizationsWithPlainSecret(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from organization where sign_in_secret is not null order by id`.execute(db);
  return rows.map(({ id }) => id);
}

/** Locks an organization whose sign-in secret is stored in plain text, and returns the secret. */
export async function lockPlainSecret(tx: Tx, orgId: string): Promise<string | undefined> {
  const { rows } = await sql<{ sign_in_secret: string }>`
    select sign_in_secret from organization where id = ${orgId} and sign_in_secret is not null
    for update`.execute(tx);
  return rows[0]?.sign_in_secret;
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
