import type { Org, OrgDb } from '#kit/database.ts';
import { type RawBuilder, sql, values } from '#kit/sql.ts';

/**
 * The links between accounts and people, open and ended. Columns: org_id, account_id, user_id, since, ended_at (null
 * while the link is open). An account belonged to a person at T if `since <= T and (ended_at is null or T < ended_at)`;
 * no two of its links overlap. A link as old as its account has the `since` -infinity: it covers the time before the
 * account was found, in which it may already have existed. People may have been deleted since.
 */
export const accountLinks = (org: Org): RawBuilder<unknown> => sql`(
  select la.org_id, la.id as account_id, la.user_id, coalesce(la.linked_at, '-infinity') as since,
    null::timestamptz as ended_at
  from account la where la.org_id = ${org.orgId} and la.user_id is not null
  union all
  select lp.org_id, lp.account_id, lp.user_id, lp.since, lp.ended_at
  from account_link_period lp where lp.org_id = ${org.orgId})`;

/** A person and their accounts, with the times between which these belonged to them. Columns: id, since, until. */
export const subjectsOfPerson = (org: Org, userId: string): RawBuilder<unknown> => sql`(
  select ${userId}::uuid as id, '-infinity'::timestamptz as since, 'infinity'::timestamptz as until
  union all
  select l.account_id, l.since, coalesce(l.ended_at, 'infinity') from ${accountLinks(org)} l
  where l.user_id = ${userId}::uuid)`;

/** Whether the link with this alias existed at the time `at`. */
export const isLinked = (link: string, at: RawBuilder<unknown>): RawBuilder<boolean> => sql<boolean>`(
  ${sql.ref(`${link}.since`)} <= ${at}
  and (${sql.ref(`${link}.ended_at`)} is null or ${at} < ${sql.ref(`${link}.ended_at`)}))`;

/** The person to whom an account belonged at the time `at`, or null. `accountId` is an SQL expression. */
export const personAt = (
  org: Org,
  accountId: RawBuilder<unknown>,
  at: RawBuilder<unknown>,
): RawBuilder<string | null> => sql<string | null>`(
  select pl.user_id from ${accountLinks(org)} pl
  where pl.account_id = ${accountId} and ${isLinked('pl', at)} limit 1)`;

/**
 * Whether an account became that of a person within 30 days after they had decided about it at a time (D76): by a link that nobody made, or
 * because their record was merged. All are SQL expressions.
 */
export const becameOwn = (
  org: Org,
  accountId: RawBuilder<unknown>,
  { person, at }: { person: RawBuilder<unknown>; at: RawBuilder<unknown> },
): RawBuilder<boolean> => sql<boolean>`exists (
  select from ${accountLinks(org)} pl left join platform_user decider on decider.org_id = ${org.orgId} and decider.id = ${person}
  where pl.account_id = ${accountId} and pl.user_id in (${person}, decider.merged_into)
    and (pl.since > ${at} and pl.since <= ${at} + interval '30 days' or pl.ended_at is null and pl.user_id = decider.merged_into))`;

/**
 * Returns the accounts of an app that became somebody's, or nobody's, since a time. A sync has no event of a link that it makes where there was
 * none, or that it ends.
 */
export const accountsLinkedSince = (db: OrgDb, appId: string, since: string) => values<string>(db)`
    select la.id from account la
    where la.org_id = ${db.orgId} and la.app_id = ${appId} and la.linked_at >= ${since}::timestamptz
    union
    select lp.account_id from account_link_period lp
    join account la on la.org_id = ${db.orgId} and la.id = lp.account_id and la.app_id = ${appId}
    where lp.org_id = ${db.orgId} and lp.ended_at >= ${since}::timestamptz`;
