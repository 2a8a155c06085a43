import { sql } from 'kysely';
import type { OrgTx } from '../database/organization.ts';

/**
 * Makes callers wait for each other until `tx` ends, for example to count rows that have a limit. Others can still reference
 * the organization.
 */
export async function takeTurnsIn(tx: OrgTx): Promise<void> {
  await sql`select from organization where id = ${tx.orgId} for no key update`.execute(tx);
}

/** Returns the attribute that says who somebody is, if the organization has named one (D63). */
export async function findPersonKey(tx: OrgTx): Promise<string | null> {
  const { rows } = await sql<{ person_key: string | null }>`
    select person_key from organization where id = ${tx.orgId}`.execute(tx);
  return rows[0]?.person_key ?? null;
}

/**
 * Returns the condition that an organization is not suspended, for the background work of any feature (D52). It is plain
 * SQL text. `orgId` is a column, such as `t.org_id`.
 */
export const isActiveOrganization = (orgId: string) =>
  `not exists (
    select from organization o
    where o.id = ${orgId} and (o.suspended_at is not null or o.delete_after is not null))`;
