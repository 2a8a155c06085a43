import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '../platform/database/open.ts';

// These look people and accounts up one by one, through the indexes of their emails: the planner knows nothing yet of
// what a first sync has just written, and the joins that it would then choose take half a minute for 100,000 accounts.

/** The id of the person with this email, as an expression. `email` is in lower case. */
export const personWithEmail = (orgId: string, email: RawBuilder<unknown>) => sql`(
  select u.id from platform_user u where u.org_id = ${orgId} and lower(u.email) = ${email})`;

/** `changed`: a relation with the `account_id` of accounts that have changed. */
export async function linkChanged(tx: Tx, orgId: string, changed: RawBuilder<unknown>): Promise<void> {
  await sql`
    with mine as materialized (
      select a.id, a.user_id, lower(a.email) as email
      from ${changed} c
      join account a on a.org_id = ${orgId} and a.id = c.account_id
      where not a.user_linked_by_hand and a.email <> ''
    ), found as materialized (
      select m.id, m.user_id, ${personWithEmail(orgId, sql`m.email`)} as person_id from mine m
    )
    update account a set user_id = f.person_id
    from found f
    where a.org_id = ${orgId} and a.id = f.id
      and f.person_id is not null and f.user_id is distinct from f.person_id`.execute(tx);
}

/**
 * `people`: a relation with `org_id`, `id` and `email`. An account that somebody is changing at this moment is
 * passed over: waiting for a publication could end in a deadlock with it.
 */
async function linkUnlinked(db: Db, people: RawBuilder<unknown>): Promise<void> {
  await sql`
    with found as materialized (
      select u.org_id, a.id, u.id as user_id
      from ${people} u
      cross join lateral (
        select a.id from account a
        where a.org_id = u.org_id and lower(a.email) = lower(u.email)
          and a.user_id is null and not a.user_linked_by_hand and a.email <> ''
        for no key update skip locked
      ) a
    )
    update account a set user_id = f.user_id from found f where a.org_id = f.org_id and a.id = f.id`.execute(
    db,
  );
}

export const linkEverybody = (db: Db) => linkUnlinked(db, sql`platform_user`);

export const linkPeople = (tx: Tx, orgId: string, ids: string[], emails: string[]) =>
  linkUnlinked(
    tx,
    sql`(select ${orgId}::uuid as org_id, id, email from unnest(${ids}::uuid[], ${emails}::text[]) as p (id, email))`,
  );

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
