import { sql } from 'kysely';
import type { Db } from '../../platform/database/open.ts';

export async function selectCursorKeys(db: Db, orgId: string) {
  const { rows } = await sql<{ key_id: number; secret: Uint8Array }>`
    select key_id, secret from event_cursor_key where org_id = ${orgId} order by key_id`.execute(db);
  const secrets = new Map(rows.map(({ key_id, secret }) => [key_id, Buffer.from(secret)]));
  return { current: rows.at(-1)?.key_id ?? 0, secrets };
}

/** Adds the next key of an organization and returns its id, from 1. */
export async function insertCursorKey(db: Db, orgId: string): Promise<number> {
  const { rows } = await sql<{ key_id: number }>`
    insert into event_cursor_key (org_id, key_id, secret)
    select ${orgId}::uuid, coalesce(max(key_id), 0) + 1, new_event_cursor_secret()
    from event_cursor_key where org_id = ${orgId}
    returning key_id`.execute(db);
  return rows[0]?.key_id ?? 0;
}
