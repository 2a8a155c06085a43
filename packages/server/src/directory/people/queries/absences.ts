import type { OrgDb, OrgTx } from '#kit/database.ts';
import { personJson } from '#kit/identity.ts';
import type { Page, Slice } from '#kit/pages.ts';
import { many, one, run, sql, value } from '#kit/sql.ts';
import type { Absence } from '../schemas.ts';

const view = sql`
  a.id as external_uuid, ${personJson('u')} as "user",
  ${personJson('d')} as deputy,
  a.starts_at, a.ends_at, a.created_by, a.created_at`;
const joined = sql`
  absence a
  join platform_user u on u.org_id = a.org_id and u.id = a.user_id
  join platform_user d on d.org_id = a.org_id and d.id = a.deputy_id`;

export const findAbsence = (db: OrgDb, userId: string, absenceId: string) => one<Absence>(db)`
    select ${view} from ${joined}
    where a.org_id = ${db.orgId} and a.user_id = ${userId} and a.id = ${absenceId}`;

/** The absence that ends last comes first. */
export async function listAbsences(db: OrgDb, userId: string, page: Page): Promise<Slice<Absence>> {
  const where = sql`a.org_id = ${db.orgId} and a.user_id = ${userId}`;
  const counted = await value<number>(db)`select count(*) as n from absence a where ${where}`;
  const rows = await many<Absence>(db)`
    select ${view} from ${joined} where ${where}
    order by a.ends_at desc, a.id limit ${page.limit} offset ${page.offset}`;
  return { count: counted, results: rows };
}

/** Returns an absence of the person in this time, other than `except`. */
export const overlapping = (
  tx: OrgTx,
  userId: string,
  { startsAt, endsAt, except }: { startsAt: string; endsAt: string; except: string | null },
) => one<{ starts_at: Date; ends_at: Date }>(tx)`
    select starts_at, ends_at from absence
    where org_id = ${tx.orgId} and user_id = ${userId} and starts_at < ${endsAt} and ends_at > ${startsAt}
      and (${except}::uuid is null or id <> ${except}::uuid)
    order by starts_at limit 1`;

export interface AbsenceRow {
  deputyId: string;
  /** A time in the format of instantForSql. */
  startsAt: string;
  endsAt: string;
}

export const insertAbsence = (
  tx: OrgTx,
  userId: string,
  createdBy: string,
  { deputyId, startsAt, endsAt }: AbsenceRow,
) => value<string>(tx)`
    insert into absence (org_id, user_id, deputy_id, starts_at, ends_at, created_by)
    values (${tx.orgId}, ${userId}, ${deputyId}, ${startsAt}, ${endsAt}, ${createdBy}) returning id`;

export const updateAbsence = (
  tx: OrgTx,
  absenceId: string,
  { deputyId, startsAt, endsAt }: AbsenceRow,
) => run(tx)`
    update absence set deputy_id = ${deputyId}, starts_at = ${startsAt}, ends_at = ${endsAt}
    where org_id = ${tx.orgId} and id = ${absenceId}`;

export const deleteAbsence = (tx: OrgTx, absenceId: string) =>
  run(tx)`delete from absence where org_id = ${tx.orgId} and id = ${absenceId}`;

/**
 * Moves the absences of a merged person, and those in which they are the deputy, to the person who remains. Deletes those that
 * would overlap another, or name the absent person as their own deputy. Returns how many moved.
 */
export async function moveAbsences(tx: OrgTx, fromId: string, intoId: string): Promise<number> {
  await run(tx)`
    delete from absence
    where org_id = ${tx.orgId} and ((user_id = ${fromId} and deputy_id = ${intoId})
      or (user_id = ${intoId} and deputy_id = ${fromId}))`;
  await run(tx)`
    delete from absence a
    where a.org_id = ${tx.orgId} and a.user_id = ${fromId} and exists (
      select from absence o where o.org_id = ${tx.orgId} and o.user_id = ${intoId}
        and o.starts_at < a.ends_at and o.ends_at > a.starts_at)`;
  const rows = await many(tx)`
    update absence set
      user_id = case when user_id = ${fromId} then ${intoId}::uuid else user_id end,
      deputy_id = case when deputy_id = ${fromId} then ${intoId}::uuid else deputy_id end
    where org_id = ${tx.orgId} and (user_id = ${fromId} or deputy_id = ${fromId})
    returning id`;
  return rows.length;
}

export const findIdByEmail = (db: OrgDb, email: string) => value<string | undefined>(db)`
    select id from platform_user where org_id = ${db.orgId} and email_key(email) = email_key(${email})
      and succeeded_by is null`;
