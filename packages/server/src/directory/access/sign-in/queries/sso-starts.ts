import { sql } from 'kysely';
import type { OrgDb } from '../../../../kit/database/organization.ts';

/** Sign-ins that were started or finished at a provider, in the table in which better-auth keeps its own states. */

const startOf = (key: string) => `gatehouse-start:${key}`;
const finishOf = (key: string) => `gatehouse-finish:${key}`;

export const insertStart = (db: OrgDb, key: string, value: string, seconds: number) =>
  insert(db, startOf(key), value, seconds);

/** Deletes a start that has one of these values and returns it. Returns it only once. */
export async function takeStart(
  db: OrgDb,
  key: string,
  values: readonly string[],
): Promise<string | undefined> {
  const { rows } = await sql<{ value: string }>`
    delete from sign_in_verification
    where org_id = ${db.orgId} and identifier = ${startOf(key)} and value = any(${values}::text[])
      and expires_at > now()
    returning value`.execute(db);
  return rows[0]?.value;
}

export const hasStart = async (db: OrgDb, key: string) => (await find(db, startOf(key))) !== undefined;

export const insertFinish = (db: OrgDb, key: string, value: string, seconds: number) =>
  insert(db, finishOf(key), value, seconds);

export const findFinish = (db: OrgDb, key: string) => find(db, finishOf(key));

async function insert(db: OrgDb, identifier: string, value: string, seconds: number): Promise<void> {
  await sql`
    insert into sign_in_verification (org_id, identifier, value, expires_at)
    values (${db.orgId}, ${identifier}, ${value}, now() + ${seconds} * interval '1 second')`.execute(db);
}

async function find(db: OrgDb, identifier: string): Promise<string | undefined> {
  const { rows } = await sql<{ value: string }>`
    select value from sign_in_verification
    where org_id = ${db.orgId} and identifier = ${identifier} and expires_at > now() limit 1`.execute(db);
  return rows[0]?.value;
}
