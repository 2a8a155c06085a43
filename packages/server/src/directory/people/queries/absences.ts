import { sql } from 'kysely';
import type { OrgDb, OrgTx } from '../../../kit/database/organization.ts';
import type { Page, Slice } from '../../../kit/pages.ts';

interface Reference {
  external_uuid: string;
  email: string;
}

/** A time during which a person is away and a deputy decides for them. */
export interface Absence {
  id: string;
  user: Reference;
  deputy: Reference;
  starts_at: Date;
  ends_at: Date;
  created_by: string;
  created_at: Date;
}

const view = sql`
  a.id, jsonb_build_object('external_uuid', u.id, 'email', u.email) as "user",
  jsonb_build_object('external_uuid', d.id, 'email', d.email) as deputy,
  a.starts_at, a.ends_at, a.created_by, a.created_at`;
const joined = sql`
  absence a
  join platform_user u on u.org_id = a.org_id and u.id = a.user_id
  join platform_user d on d.org_id = a.org_id and d.id = a.deputy_id`;

export async function findAbsence(
  db: OrgDb,
  userId: string,
  absenceId: string,
): Promise<Absence | undefined> {
  const { rows } = await sql<Absence>`
    select ${view} from ${joined}
    where a.org_id = ${db.orgId} and a.user_id = ${userId} and a.id = ${absenceId}`.execute(db);
  return rows[0];
}

/** The absence that ends last comes first. */
export async function listAbsences(db: OrgDb, userId: string, page: Page): Promise<Slice<Absence>> {
  const where = sql`a.org_id = ${db.orgId} and a.user_id = ${userId}`;
  const counted = await sql<{ n: number }>`select count(*) as n from absence a where ${where}`.execute(db);
  const { rows } = await sql<Absence>`
    select ${view} from ${joined} where ${where}
    order by a.ends_at desc, a.id limit ${page.limit} offset ${page.offset}`.execute(db);
  return { count: counted.rows[0]?.n ?? 0, results: rows };
}

/** Returns an absence of the person in this time, other than `except`. */
export async function overlapping(
  tx: OrgTx,
  userId: string,
  { startsAt, endsAt, except }: { startsAt: string; endsAt: string; except: string | null },
): Promise<{ starts_at: Date; ends_at: Date } | undefined> {
  const { rows } = await sql<{ starts_at: Date; ends_at: Date }>`
    select starts_at, ends_at from absence
    where org_id = ${tx.orgId} and user_id = ${userId} and starts_at < ${endsAt} and ends_at > ${startsAt}
      and (${except}::uuid is null or id <> ${except}::uuid)
    order by starts_at limit 1`.execute(tx);
  return rows[0];
}

export interface AbsenceRow {
  deputyId: string;
  /** A time in the format of instantForSql. */
  startsAt: string;
  endsAt: string;
}

export async function insertAbsence(
  tx: OrgTx,
  userId: string,
  createdBy: string,
  { deputyId, startsAt, endsAt }: AbsenceRow,
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into absence (org_id, user_id, deputy_id, starts_at, ends_at, created_by)
    values (${tx.orgId}, ${userId}, ${deputyId}, ${startsAt}, ${endsAt}, ${createdBy}) returning id`.execute(
    tx,
  );
  return rows[0]?.id as string;
}

export async function updateAbsence(
  tx: OrgTx,
  absenceId: string,
  { deputyId, startsAt, endsAt }: AbsenceRow,
): Promise<void> {
  await sql`
    update absence set deputy_id = ${deputyId}, starts_at = ${startsAt}, ends_at = ${endsAt}
    where org_id = ${tx.orgId} and id = ${absenceId}`.execute(tx);
}

export async function deleteAbsence(tx: OrgTx, absenceId: string): Promise<void> {
  await sql`delete from absence where org_id = ${tx.orgId} and id = ${absenceId}`.execute(tx);
}

/**
 * Moves the absences of a merged person, and those in which they are the deputy, to the person who remains. Deletes those that
 * would overlap another, or name the absent person as their own deputy. Returns how many moved.
 */
export async function moveAbsences(tx: OrgTx, fromId: string, intoId: string): Promise<number> {
  await sql`
    delete from absence
    where org_id = ${tx.orgId} and ((user_id = ${fromId} and deputy_id = ${intoId})
      or (user_id = ${intoId} and deputy_id = ${fromId}))`.execute(tx);
  await sql`
    delete from absence a
    where a.org_id = ${tx.orgId} and a.user_id = ${fromId} and exists (
      select from absence o where o.org_id = ${tx.orgId} and o.user_id = ${intoId}
        and o.starts_at < a.ends_at and o.ends_at > a.starts_at)`.execute(tx);
  const { rows } = await sql`
    update absence set
      user_id = case when user_id = ${fromId} then ${intoId}::uuid else user_id end,
      deputy_id = case when deputy_id = ${fromId} then ${intoId}::uuid else deputy_id end
    where org_id = ${tx.orgId} and (user_id = ${fromId} or deputy_id = ${fromId})
    returning id`.execute(tx);
  return rows.length;
}

export async function findIdByEmail(db: OrgDb, email: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from platform_user where org_id = ${db.orgId} and email_key(email) = email_key(${email})
      and succeeded_by is null`.execute(db);
  return rows[0]?.id;
}
