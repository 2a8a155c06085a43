import { holds } from '#inventory/records/accounts/facts.ts';
import type { OrgDb } from '#kit/database.ts';
import { many, sql } from '#kit/sql.ts';
import { isBeingTaken } from '#work/provisioning/facts.ts';

interface Access {
  account_id: string;
  entitlement_id: string;
}

/** Returns those of these accesses that accounts have, and that no task is about to take away. */
export async function heldAmong(db: OrgDb, asked: readonly Access[]): Promise<Access[]> {
  if (asked.length === 0) return [];
  return many<Access>(db)`
    select g.account_id, g.entitlement_id
    from unnest(${asked.map(({ account_id }) => account_id)}::uuid[],
      ${asked.map(({ entitlement_id }) => entitlement_id)}::uuid[]) as g (account_id, entitlement_id)
    where ${holds(sql`${db.orgId}`, sql`g.account_id`, sql`g.entitlement_id`)}
      and not ${isBeingTaken(db, sql`g.account_id`, sql`g.entitlement_id`)}`;
}
