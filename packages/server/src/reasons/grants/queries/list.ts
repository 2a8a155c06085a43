import { accounts, entitlements } from '#inventory/records/accounts/facts.ts';
import { personAt } from '#inventory/records/history/link-facts.ts';
import type { Moment } from '#inventory/records/history/moment.ts';
import type { Org, OrgDb } from '#kit/database.ts';
import type { Page, Slice } from '#kit/pages.ts';
import { countFor, exists, many, one, type RawBuilder, sql, values } from '#kit/sql.ts';
import { isForAnother } from '../facts.ts';
import { type GrantFilter, grantFilters, isActive, knownEnd, type When } from '../filters.ts';
import type { GrantView } from '../grant-schemas.ts';

const NOW: When = { at: sql<Date>`clock_now()`, known: null };

/** The time that a request asks about. */
const whenOf = (moment: Moment | null): When =>
  moment === null
    ? NOW
    : { at: sql<Date>`${moment.at}::timestamptz`, known: sql<Date>`${moment.knownAt}::timestamptz` };

/** The limits of a caller. */
export interface Seen {
  /** Null: all apps. */
  apps: readonly string[] | null;
  /** Only accounts of this person and of those who report to them. Null: all. */
  member: string | null;
}

/** The people whose access a member sees: themselves, and who reports to them. Column: id. */
const peopleOf = (org: Org, member: string): RawBuilder<unknown> => sql`(
  select u.id from platform_user u
  where u.org_id = ${org.orgId} and (u.id = ${member} or u.manager_id = ${member} and u.merged_into is null))`;

const personOf = (org: Org, { at, known }: When) =>
  known === null ? sql<string | null>`a.user_id` : personAt(org, sql`a.id`, at);

/** A member sees accounts that are theirs, or of people who report to them, now and at the time in question. */
const isSeen = (org: Org, when: When, { apps, member }: Seen): RawBuilder<unknown>[] => [
  ...(apps === null ? [] : [sql`g.app_id = any(${apps}::uuid[])`]),
  ...(member === null
    ? []
    : [
        sql`g.account_id = any(array(
          select a.id from ${accounts} a
          where a.org_id = ${org.orgId} and a.user_id in ${peopleOf(org, member)}
            and ${personOf(org, when)} is not distinct from a.user_id))`,
      ]),
];

/** Whether an account belongs to somebody whose access a member sees. */
export const isOfMember = (db: OrgDb, accountId: string, member: string) => exists(db)`
    select from ${accounts} a
    where a.org_id = ${db.orgId} and a.id = ${accountId} and a.user_id in ${peopleOf(db, member)}`;

/** Whether a member sees the access of a person. */
export const isPersonOfMember = (db: OrgDb, userId: string, member: string) => exists(db)`
    select from ${peopleOf(db, member)} p where p.id = ${userId}`;

/** Whether grant `g` has ended by the latest time that is known. */
const hasEnded = (when: When): RawBuilder<boolean> =>
  sql`coalesce(${knownEnd(when)} <= least(${when.known ?? sql`null::timestamptz`}, clock_now()), false)`;

/** The columns of a grant. Members see the kinds of decisions, and of other people only those who report to them. */
const view = (org: Org, when: When, { member }: Seen): RawBuilder<unknown> => {
  const ended = hasEnded(when);
  const isOver = sql`${knownEnd(when)} is distinct from g.ended_at`;
  const hide = (kind: RawBuilder<unknown>, id: RawBuilder<unknown>, label: RawBuilder<unknown>) =>
    member === null
      ? sql`jsonb_build_object('kind', ${kind}, 'external_uuid', ${id}, 'label', ${label})`
      : sql`jsonb_build_object('kind', ${kind}, 'external_uuid', null, 'label', null)`;
  return sql`
    g.id as external_uuid, g.account_id as account, coalesce(nullif(a.email, ''), a.username) as account_email,
    w.id as "user",
    ${member === null ? sql`g.for_user` : sql`case when g.for_user in ${peopleOf(org, member)} then g.for_user end`} as for_user,
    g.app_id as app, p.name as app_name, e.slug, e.external_id as resource, e.name as resource_name,
    ${hide(sql`g.kind`, sql`g.source_id`, sql`g.label`)} as source,
    ${member === null ? sql`g.decided_by` : sql`null::uuid`} as decided_by,
    g.starts_at, g.ends_at, case when ${ended} then ${knownEnd(when)} end as ended_at,
    case when ${ended} then case when ${isOver} then ${hide(sql`'end'`, sql`g.source_id`, sql`g.label`)}
      else ${hide(sql`g.ended_kind`, sql`g.ended_source`, sql`coalesce(g.ended_label, '')`)} end end as ended_by,
    g.brought, ${isForAnother('g', sql`w.id`)} as of_another_person`;
};

const joined = (org: Org, when: When) => sql`
  join ${accounts} a on a.org_id = ${org.orgId} and a.id = g.account_id
  join app p on p.org_id = ${org.orgId} and p.id = g.app_id
  left join ${entitlements} e on e.org_id = ${org.orgId} and e.id = g.entitlement_id
  cross join lateral (select ${personOf(org, when)} as id) w`;

/** The subject of a list: its filters and its time, within the limits of the caller. */
export type Question = Seen & { filter: GrantFilter; resources: string[]; moment: Moment | null };

/** Returns the ids of the groups and licenses that a filter names. */
export const resourcesOf = (db: OrgDb, { app, slug, resource }: GrantFilter) => values<string>(db)`
    select e.id from ${entitlements} e
    where e.org_id = ${db.orgId} and e.slug = ${slug} and e.external_id = ${resource}
      and e.app_id = coalesce(${app ?? null}::uuid, e.app_id)`;

const whereOf = (db: OrgDb, { filter, resources, moment, ...seen }: Question): RawBuilder<unknown> => {
  const when = whenOf(moment);
  const asked = { ...db, ...when, resources };
  const known = when.known === null ? [] : [sql`g.recorded_at <= ${when.known}`];
  const others = [sql`g.org_id = ${db.orgId}`, ...known, ...isSeen(db, when, seen)];
  return grantFilters.where(asked, { status: 'active', ...filter }, ...others);
};

/** Lists grants, those that began last first. */
export async function listGrants(db: OrgDb, question: Question, page: Page): Promise<Slice<GrantView>> {
  const where = whereOf(db, question);
  const counted = await countFor(db, page)`select from access_grant g where ${where}`;
  const results = await read(db, question, where, sql`limit ${page.limit} offset ${page.offset}`);
  return { ...counted, results };
}

/** Returns the grants of a list after the one with this id. Every slice costs the same, however far it is in. */
export function grantsAfter(
  db: OrgDb,
  question: Question,
  after: string | null,
  limit: number,
): Promise<GrantView[]> {
  const last = sql`(select l.starts_at from access_grant l where l.org_id = ${db.orgId} and l.id = ${after})`;
  const where = whereOf(db, question);
  const rest = after === null ? where : sql`${where} and (g.starts_at, g.id) < (${last}, ${after}::uuid)`;
  return read(db, question, rest, sql`limit ${limit}`);
}

function read(
  db: OrgDb,
  { moment, ...seen }: Question,
  where: RawBuilder<unknown>,
  part: RawBuilder<unknown>,
): Promise<GrantView[]> {
  const when = whenOf(moment);
  const order = sql`g.starts_at desc, g.id desc`;
  return many<GrantView>(db)`
    with page as materialized (select g.* from access_grant g where ${where} order by ${order} ${part})
    select ${view(db, when, seen)} from page g ${joined(db, when)} order by ${order}`;
}

/** Returns a grant as it is now. */
export const findGrant = (db: OrgDb, id: string, seen: Seen) => one<GrantView>(db)`
    select ${view(db, NOW, seen)} from access_grant g ${joined(db, NOW)}
    where g.org_id = ${db.orgId} and g.id = ${id}`;

/** A grant in force, where the access is shown that it gives. */
export interface BriefGrant {
  account_id: string;
  entitlement_id: string | null;
  external_uuid: string;
  kind: GrantView['source']['kind'];
  label: string;
  decided_by: string | null;
  ends_at: Date | null;
}

/** Returns the grants in force on these accounts and, with `only`, these groups and licenses. Without those for another person. */
export function briefGrants(
  db: OrgDb,
  accountIds: readonly string[],
  { moment = null, only }: { moment?: Moment | null; only?: readonly string[] },
): Promise<BriefGrant[]> {
  const when = whenOf(moment);
  return many<BriefGrant>(db)`
    select g.account_id, g.entitlement_id, g.id as external_uuid, g.kind, g.label, g.decided_by, g.ends_at
    from access_grant g
    join ${accounts} a on a.org_id = ${db.orgId} and a.id = g.account_id
    cross join lateral (select ${personOf(db, when)} as id) w
    where g.org_id = ${db.orgId} and g.account_id = any(${accountIds}::uuid[])
      and ${only === undefined ? sql`true` : sql`g.entitlement_id = any(${only}::uuid[])`}
      and ${when.known === null ? sql`true` : sql`g.recorded_at <= ${when.known}`} and ${isActive(when)}
      and not ${isForAnother('g', sql`w.id`)}
    order by g.starts_at, g.id`;
}
