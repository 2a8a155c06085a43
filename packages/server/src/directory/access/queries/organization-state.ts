import { sql } from 'kysely';
import type { Db, Tx } from '../../../kit/database/open.ts';
import type { OrgTx } from '../../../kit/database/organization.ts';
import { type OrganizationState, stateColumns } from '../organization-facts.ts';

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

/** Locks an organization until `tx` ends. */
export async function lockOrganization(tx: Tx, slug: string): Promise<OrganizationState | undefined> {
  const { rows } = await sql<OrganizationState>`
    select ${stateColumns} from organization where slug = ${slug} for no key update`.execute(tx);
  return rows[0];
}

export type ChangeableState = Pick<OrganizationState, 'suspended_at' | 'suspended_reason' | 'delete_after'>;

export async function setState(
  tx: OrgTx,
  { suspended_at, suspended_reason, delete_after }: ChangeableState,
): Promise<void> {
  await sql`
    update organization set suspended_at = ${suspended_at}, suspended_reason = ${suspended_reason},
      delete_after = ${delete_after}
    where id = ${tx.orgId}`.execute(tx);
}

export async function deleteOrganization(tx: OrgTx): Promise<void> {
  await sql`delete from organization where id = ${tx.orgId}`.execute(tx);
}

export async function setHistoryDays(db: Db, id: string, days: number | null): Promise<void> {
  await sql`update organization set history_days = ${days} where id = ${id}`.execute(db);
}

export async function setConnectorNetworks(db: Db, id: string, networks: string[] | null): Promise<void> {
  await sql`update organization set connector_networks = ${networks} where id = ${id}`.execute(db);
}
