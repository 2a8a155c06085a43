import type { OrgDb } from '#kit/database.ts';
import { one, run, value } from '#kit/sql.ts';

/**
 * Sign-ins through a provider, each with a row in the table in which better-auth keeps its own states. A row is a start, is taken by the
 * first response, and then becomes a finish or is deleted.
 */

const startOf = (key: string) => `gatehouse-start:${key}`;
const takenOf = (key: string) => `gatehouse-taken:${key}`;
const finishOf = (key: string) => `gatehouse-finish:${key}`;

export const insertStart = (db: OrgDb, key: string, value: string, seconds: number) => run(db)`
    insert into sign_in_verification (org_id, identifier, value, expires_at)
    values (${db.orgId}, ${startOf(key)}, ${value}, now() + ${seconds} * interval '1 second')`;

/** Takes a start that has one of these values, for `seconds`, and returns the value. Returns it only once. */
export const takeStart = (db: OrgDb, key: string, values: readonly string[], seconds: number) => value<
  string | undefined
>(db)`
    update sign_in_verification
    set identifier = ${takenOf(key)}, expires_at = now() + ${seconds} * interval '1 second'
    where org_id = ${db.orgId} and identifier = ${startOf(key)} and value = any(${values}::text[])
      and expires_at > now()
    returning value`;

export const deleteTaken = (db: OrgDb, key: string) => run(db)`
    delete from sign_in_verification
    where org_id = ${db.orgId} and identifier = ${takenOf(key)}`;

export const finishTaken = (db: OrgDb, key: string, value: string, seconds: number) => run(db)`
    update sign_in_verification
    set identifier = ${finishOf(key)}, value = ${value}, expires_at = now() + ${seconds} * interval '1 second'
    where org_id = ${db.orgId} and identifier = ${takenOf(key)}`;

export const hasStart = async (db: OrgDb, key: string) => (await find(db, startOf(key))) !== undefined;

export const findFinish = (db: OrgDb, key: string) => find(db, finishOf(key));

/** Returns whether a start has been taken or finished. Returns undefined if it waits for its response, or no longer exists. */
export async function findResponse(db: OrgDb, key: string): Promise<'taken' | 'finished' | undefined> {
  const row = await one<{ is_finished: boolean }>(db)`
    select identifier = ${finishOf(key)} as is_finished from sign_in_verification
    where org_id = ${db.orgId} and identifier = any(${[takenOf(key), finishOf(key)]}::text[])
      and expires_at > now() limit 1`;
  return row && (row.is_finished ? 'finished' : 'taken');
}

const find = (db: OrgDb, identifier: string) => value<string | undefined>(db)`
    select value from sign_in_verification
    where org_id = ${db.orgId} and identifier = ${identifier} and expires_at > now() limit 1`;
