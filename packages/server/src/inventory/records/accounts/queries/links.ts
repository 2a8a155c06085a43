import type { Db, OrgDb, OrgTx } from '#kit/database.ts';
import { emailKey } from '#kit/identity.ts';
import { many, one, type RawBuilder, run, sql, values } from '#kit/sql.ts';
import type { Change } from '../../history/change.ts';
import { accountLinks } from '../../history/link-facts.ts';
import { endedLink, keepLinks, linkedBy, linkedNow } from '../../history/queries/periods.ts';
import type { AccountStatus } from '../account.ts';
import { awaitsPerson } from '../facts.ts';
import { countSteps, updatedAccountColumns } from './account-counts.ts';
import { linkedPerson, mayLink } from './link-rule.ts';

// These statements look people and accounts up one by one, through the indexes of their emails. The planner has no
// statistics yet of rows that a first sync has just written; the joins that it would choose take half a minute for
// 100,000 accounts.

/** A link that changed. Null: to nobody. */
export interface LinkMove {
  id: string;
  from: string | null;
  to: string | null;
}

/** Selects the changes of the rows of `linked`. */
export const moves = sql`
  select linked_id as id, former_user_id as "from", present_user_id as "to" from linked`;

/**
 * Links the changed accounts to the people with their emails, as far as the rule allows it (link-rule.ts). `changed` is a relation with the
 * columns `account_id` and `email_changed`. Returns the links that changed.
 */
export async function linkChanged(
  tx: OrgTx,
  change: Change,
  changed: RawBuilder<unknown>,
): Promise<LinkMove[]> {
  const { orgId } = change;
  return many<LinkMove>(tx)`
    with found as materialized (
      select a.id, a.user_id, ${linkedPerson({ orgId }, sql`a.email`)} as person_id
      from ${changed} c
      join account a on a.org_id = ${orgId} and a.id = c.account_id
      where ${mayLink(sql`a.email`, sql`c.email_changed`)}
    ), linked as (
      update account a set user_id = f.person_id, linked_at = ${linkedBy(change)}
      from found f
      where a.org_id = ${orgId} and a.id = f.id
        and f.person_id is not null and f.user_id is distinct from f.person_id
      returning ${updatedAccountColumns}, ${endedLink}
    ), kept as (${keepLinks({ orgId }, sql`linked`)}
    ), counted as (${countSteps({ orgId }, sql`linked`)})
    ${moves}`;
}

/**
 * Links unlinked accounts to these people, and returns the accounts. `people` is a relation with `id` and `email`. Skips accounts that another
 * transaction is changing, because waiting for a publication could end in a deadlock.
 */
const linkUnlinked = (db: OrgDb, people: RawBuilder<unknown>) => values<string>(db)`
    with found as materialized (
      select a.id, u.id as user_id
      from ${people} u
      cross join lateral (
        select a.id from account a
        where a.org_id = ${db.orgId} and ${emailKey(sql`a.email`)} = ${emailKey(sql`u.email`)} and ${awaitsPerson('a')}
        for no key update skip locked
      ) a
    ), linked as (
      update account a set user_id = f.user_id, linked_at = ${linkedNow}
      from found f where a.org_id = ${db.orgId} and a.id = f.id
      returning ${updatedAccountColumns}, ${endedLink}
    ), kept as (${keepLinks(db, sql`linked`)}
    ), counted as (${countSteps(db, sql`linked`)})
    select linked_id as id from linked`;

export const linkPeople = (tx: OrgTx, ids: string[], emails: string[]) =>
  linkUnlinked(tx, sql`(select id, email from unnest(${ids}::uuid[], ${emails}::text[]) as p (id, email))`);

export const linkEveryPerson = (db: OrgDb) =>
  linkUnlinked(
    db,
    sql`(select coalesce(merged_into, id) as id, email from platform_user
      where org_id = ${db.orgId} and succeeded_by is null)`,
  );

export const organizations = (db: Db) => values<string>(db)`select id from organization order by id`;

export interface LinkState {
  user_id: string | null;
  user_linked_by_hand: boolean;
  status: AccountStatus;
  removed_at: Date | null;
}

/** Locks an account and returns its link. */
export const lockLink = (tx: OrgTx, accountId: string) => one<LinkState>(tx)`
    select user_id, user_linked_by_hand, status, removed_at from account
    where org_id = ${tx.orgId} and id = ${accountId} for no key update`;

/** Links a locked account. */
export const linkByHand = (
  tx: OrgTx,
  accountId: string,
  { from, to }: { from: string | null; to: string | null },
) => run(tx)`
    with linked as (
      update account a set user_id = ${to}, user_linked_by_hand = true,
        linked_at = ${from === to ? sql`a.linked_at` : linkedNow}
      where org_id = ${tx.orgId} and id = ${accountId}
      returning ${updatedAccountColumns}, ${endedLink}
    ), kept as (${keepLinks(tx, sql`linked`)})
    ${countSteps(tx, sql`linked`)}`;

/** Shares the locks of the apps in which a person has accounts, so that no publication runs there. */
export const holdAppsOf = (tx: OrgTx, userId: string) => run(tx)`
    select from app p where p.org_id = ${tx.orgId}
      and p.id in (select a.app_id from account a where a.org_id = ${tx.orgId} and a.user_id = ${userId})
    order by p.id for share`;

/** An account whose link moves, with its former person. */
interface MovedLink {
  app_id: string;
  app_name: string;
  account_id: string;
  external_id: string | null;
  email: string;
  username: string;
  user_id: string | null;
}

/** Links the accounts of a person, and those that await them, to another person, as if by hand. */
export async function moveLinks(
  tx: OrgTx,
  from: { id: string; email: string },
  toId: string,
): Promise<MovedLink[]> {
  const locked = async (which: RawBuilder<unknown>) => {
    return values<string>(tx)`
      select a.id from account a where a.org_id = ${tx.orgId} and ${which} order by a.id for no key update`;
  };
  const ids = [
    ...(await locked(sql`a.user_id = ${from.id}`)),
    ...(await locked(
      sql`${emailKey(sql`a.email`)} = ${emailKey(sql`${from.email}`)} and ${awaitsPerson('a')}
        and (select u.succeeded_by from platform_user u where u.org_id = ${tx.orgId} and u.id = ${from.id}) is null`,
    )),
  ];
  if (ids.length === 0) return [];
  const { rows } = await sql<MovedLink>`
    select a.app_id, p.name as app_name, a.id as account_id, a.external_id, a.email, a.username, a.user_id
    from account a join app p on p.org_id = ${tx.orgId} and p.id = a.app_id
    where a.org_id = ${tx.orgId} and a.id = any(${ids}::uuid[]) order by a.id`.execute(tx);
  await run(tx)`
    with linked as (
      update account a set user_id = ${toId}, user_linked_by_hand = true, linked_at = ${linkedNow}
      where org_id = ${tx.orgId} and id = any(${ids}::uuid[])
      returning ${updatedAccountColumns}, ${endedLink}
    ), kept as (${keepLinks(tx, sql`linked`)})
    ${countSteps(tx, sql`linked`)}`;
  return rows;
}

/** Moves accounts that were linked to a person while that person was merged into another. */
export const moveMissedLinks = (db: OrgTx) => many<LinkMove>(db)`
    with missed as materialized (
      select a.id, u.merged_into from platform_user u
      cross join lateral (
        select a.id from account a where a.org_id = ${db.orgId} and a.user_id = u.id for no key update skip locked) a
      where u.org_id = ${db.orgId} and u.merged_into is not null
    ), linked as (
      update account a set user_id = m.merged_into, linked_at = ${linkedNow}
      from missed m where a.org_id = ${db.orgId} and a.id = m.id
      returning ${updatedAccountColumns}, ${endedLink}
    ), kept as (${keepLinks(db, sql`linked`)}
    ), counted as (${countSteps(db, sql`linked`)})
    ${moves}`;

/** Keeps the accounts of these people theirs, whoever has their emails later. */
export const pinLinks = (tx: OrgTx, userIds: readonly string[]) => run(tx)`
    update account set user_linked_by_hand = true
    where org_id = ${tx.orgId} and user_id = any(${userIds}::uuid[])`;

/** Unlinks the accounts of deleted people. Nobody with the same email obtains them by it (D63). */
export const unlinkPeople = (tx: OrgTx, userIds: readonly string[]) => run(tx)`
    with unlinked as (
      update account a set user_id = null, user_linked_by_hand = true, linked_at = ${linkedNow}
      where org_id = ${tx.orgId} and user_id = any(${userIds}::uuid[])
      returning ${updatedAccountColumns}, ${endedLink}
    ), kept as (${keepLinks(tx, sql`unlinked`)})
    ${countSteps(tx, sql`unlinked`)}`;

/** A person whose account it is or was. */
export interface Holder {
  account_id: string;
  user_id: string;
}

const lately = (db: OrgDb, which: RawBuilder<unknown>, days: number) => many<Holder>(db)`
    select distinct l.account_id, l.user_id from ${accountLinks(db)} l
    where l.org_id = ${db.orgId} and ${which}
      and (l.ended_at is null or l.ended_at > now() - ${days} * interval '1 day')`;

export const holdersLately = (db: OrgDb, accountIds: string[], days: number) =>
  lately(db, sql`l.account_id = any(${accountIds}::uuid[])`, days);

export const accountsLately = (db: OrgDb, userIds: string[], days: number) =>
  lately(db, sql`l.user_id = any(${userIds}::uuid[])`, days);
