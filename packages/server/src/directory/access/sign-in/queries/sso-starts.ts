import { sql } from 'kysely';
import type { OrgDb } from '../../../../kit/database/organization.ts';

/**
 * Sign-ins through a provider, each with a row in the table in which better-auth keeps its own states. A row is a start, is taken by the
 * first response, and then becomes a finish or is deleted.
 */

const startOf = (key: string) => `gatehouse-start:${key}`;
const takenOf = (key: string) => `gatehouse-taken:${key}`;
const finishOf = (key: string) => `gatehouse-finish:${key}`;

export async function insertStart(db: OrgDb, key: string, value: string, seconds: number): Promise<void> {
  await sql`
    insert into sign_in_verification (org_id, identifier, value, expires_at)
    values (${db.orgId}, ${startOf(key)}, ${value}, now() + ${seconds} * interval '1 second')`.execute(db);
}

/** Takes a start that has one of these values, for `seconds`, and returns the value. Returns it only once. */
export async function takeStart(
  db: OrgDb,
  key: string,
  values: readonly string[],
  seconds: number,
): Promise<string | undefined> {
  const { rows } = await sql<{ value: string }>`
    update sign_in_verification
    set identifier = ${takenOf(key)}, expires_at = now() + ${seconds} * interval '1 second'
    where org_id = ${db.orgId} and identifier = ${startOf(key)} and value = any(${values}::text[])
      and expires_at > now()
    returning value`.execute(db);
  return rows[0]?.value;
}

export async function deleteTaken(db: OrgDb, key: string): Promise<void> {
  await sql`
    delete from sign_in_verification
    where org_id = ${db.orgId} and identifier = ${takenOf(key)}`.execute(db);
}

export async function finishTaken(db: OrgDb, key: string, value: string, seconds: number): Promise<void> {
  await sql`
    update sign_in_verification
    set identifier = ${finishOf(key)}, value = ${value}, expires_at = now() + ${seconds} * interval '1 second'
    where org_id = ${db.orgId} and identifier = ${takenOf(key)}`.execute(db);
}

export const hasStart = async (db: OrgDb, key: string) => (await find(db, startOf(key))) !== undefined;

export const findFinish = (db: OrgDb, key: string) => find(db, finishOf(key));

/** Returns whether a start has been taken or finished. Returns undefined if it waits for its response, or no longer exists. */
export async function findResponse(db: OrgDb, key: string): Promise<'taken' | 'finished' | undefined> {
  const { rows } = await sql<{ is_finished: boolean }>`
    select identifier = ${finishOf(key)} as is_finished from sign_in_verification
    where org_id = ${db.orgId} and identifier = any(${[takenOf(key), finishOf(key)]}::text[])
      and expires_at > now() limit 1`.execute(db);
  const [row] = rows;
  return row && (row.is_finished ? 'finished' : 'taken');
}

async function find(db: OrgDb, identifier: string): Promise<string | undefined> {
  const { rows } = await sql<{ value: string }>`
    select value from sign_in_verification
    where org_id = ${db.orgId} and identifier = ${identifier} and expires_at > now() limit 1`.execute(db);
  return rows[0]?.value;
}
