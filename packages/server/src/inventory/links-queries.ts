import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '../platform/database/open.ts';

/** `changed`: a relation with the `account_id` of accounts that are new or have changed. */
export async function linkChanged(tx: Tx, orgId: string, changed: RawBuilder<unknown>): Promise<void> {
  await sql`
    update account a set user_id = u.id
    from ${changed} c, platform_user u
    where a.org_id = ${orgId} and a.id = c.account_id and not a.user_linked_by_hand and a.email <> ''
      and u.org_id = ${orgId} and lower(u.email) = lower(a.email) and a.user_id is distinct from u.id`.execute(
    tx,
  );
}

/**
 * `people`: a relation with `org_id`, `id` and `email`. An account that somebody is changing at this moment is
 * passed over: waiting for a publication could end in a deadlock with it.
 */
export async function linkUnlinked(db: Db, people: RawBuilder<unknown>): Promise<void> {
  await sql`
    with found as (
      select a.org_id, a.id, u.id as user_id
      from ${people} u
      join account a on a.org_id = u.org_id and lower(a.email) = lower(u.email)
      where a.user_id is null and not a.user_linked_by_hand and a.email <> ''
      for no key update of a skip locked
    )
    update account a set user_id = f.user_id from found f where a.org_id = f.org_id and a.id = f.id`.execute(
    db,
  );
}

export const everybody = sql`platform_user`;

export const peopleWithIds = (orgId: string, ids: string[]) => sql`(
  select p.org_id, p.id, p.email from unnest(${ids}::uuid[]) as wanted (id)
  join platform_user p on p.org_id = ${orgId} and p.id = wanted.id)`;

export async function linkByHand(
  db: Db,
  orgId: string,
  accountId: string,
  userId: string | null,
): Promise<void> {
  await sql`
    update account set user_id = ${userId}, user_linked_by_hand = true
    where org_id = ${orgId} and id = ${accountId}`.execute(db);
}
