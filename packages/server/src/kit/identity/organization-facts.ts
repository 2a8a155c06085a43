import { sql } from 'kysely';
import type { OrgTx } from '../database/organization.ts';

/**
 * Makes callers wait for each other until `tx` ends, for example to count rows that have a limit. Others can still reference
 * the organization.
 */
export async function takeTurnsIn(tx: OrgTx): Promise<void> {
  await sql`select from organization where id = ${tx.orgId} for no key update`.execute(tx);
}

/**
 * Returns the condition that an organization is not suspended, for the background work of any feature (D52). It is plain
 * SQL text. `orgId` is a column, such as `t.org_id`.
 */
export const isActiveOrganization = (orgId: string) =>
  `not exists (
    select from organization o
    where o.id = ${orgId} and (o.suspended_at is not null or o.delete_after is not null))`;
