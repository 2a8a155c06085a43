import { accounts } from '#inventory/records/accounts/facts.ts';
import type { OrgDb } from '#kit/database.ts';
import { namedPersonJson } from '#kit/identity.ts';
import type { Page, Slice } from '#kit/pages.ts';
import { many, one, type RawBuilder, sql, value } from '#kit/sql.ts';
import type { EndKind } from '../../grants/grant.ts';
import { type SuspensionFilter, suspensionFilters } from '../filters.ts';
import type { SuspensionKind } from '../suspension.ts';

/** A suspension with its account's person. */
export interface SuspensionView {
  id: string;
  account_id: string;
  user_id: string | null;
  app_id: string;
  kind: SuspensionKind;
  source_id: string | null;
  label: string;
  decided_by: { external_uuid: string; email: string; first_name: string; last_name: string } | null;
  leaving: boolean;
  reason: string | null;
  since: Date;
  ended_at: Date | null;
  ended_kind: EndKind | null;
  ended_source: string | null;
  ended_label: string | null;
}

/** The time that a list is about, and what was known then. Null: now. */
export interface Moment {
  at: string;
  knownAt: string;
}

/** Whom a list shows. */
export interface Seen {
  /** Null: all apps. */
  apps: readonly string[] | null;
  /** Only the accounts of this person and of their reports. Null: all. */
  only: string | null;
}

/** The end as it was known at a time. */
const known = (moment: Moment | null, name: string) =>
  moment === null
    ? sql.ref(`s.${name}`)
    : sql`case when s.end_recorded_at <= ${moment.knownAt}::timestamptz then ${sql.ref(`s.${name}`)} end`;

const view = (db: OrgDb, moment: Moment | null) => sql`
  s.id, s.account_id, a.user_id, s.app_id, s.kind, s.source_id, s.label, s.leaving, s.reason, s.since,
  ${known(moment, 'ended_at')} as ended_at, ${known(moment, 'ended_kind')} as ended_kind, ${known(moment, 'ended_source')} as ended_source,
  ${known(moment, 'ended_label')} as ended_label,
  (select ${namedPersonJson('u')} from platform_user u where u.org_id = ${db.orgId} and u.id = s.decided_by) as decided_by`;

const from = (db: OrgDb) =>
  sql`suspension s join ${accounts} a on a.org_id = ${db.orgId} and a.id = s.account_id`;

const isSeen = (db: OrgDb, { apps, only }: Seen): RawBuilder<unknown> => sql`s.org_id = ${db.orgId}
  and (${apps}::uuid[] is null or s.app_id = any(${apps}::uuid[]))
  and (${only}::uuid is null or a.user_id = ${only}::uuid or exists (
    select from platform_user u
    where u.org_id = ${db.orgId} and u.id = a.user_id and u.manager_id = ${only}::uuid and u.merged_into is null))`;

/** Lists suspensions, newest first. */
export async function listSuspensions(
  db: OrgDb,
  filter: SuspensionFilter,
  { moment, ...seen }: Seen & { moment: Moment | null },
  page: Page,
): Promise<Slice<SuspensionView>> {
  const at = moment === null ? sql<Date>`clock_now()` : sql<Date>`${moment.at}::timestamptz`;
  const asked = { ...db, at, endedAt: sql<Date | null>`${known(moment, 'ended_at')}` };
  const isKnown = moment === null ? sql`true` : sql`s.recorded_at <= ${moment.knownAt}::timestamptz`;
  const where = suspensionFilters.where(asked, filter, isSeen(db, seen), isKnown);
  const count = await value<number>(db)`select count(*) as n from ${from(db)} where ${where}`;
  const results = await many<SuspensionView>(db)`
    select ${view(db, moment)} from ${from(db)} where ${where}
    order by s.since desc, s.id desc limit ${page.limit} offset ${page.offset}`;
  return { count, results };
}

export const findSuspension = (db: OrgDb, id: string) => one<SuspensionView>(db)`
    select ${view(db, null)} from ${from(db)} where s.org_id = ${db.orgId} and s.id = ${id}`;

/** Returns the account of a suspension if it is one of this person or of their reports. */
export const isOfPerson = (db: OrgDb, id: string, userId: string) => value<string | undefined>(db)`
    select s.account_id from ${from(db)} where s.id = ${id} and ${isSeen(db, { apps: null, only: userId })}`;
