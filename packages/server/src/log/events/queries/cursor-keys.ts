import { type Db, everywhere, type OrgDb, type OrgTx } from '#kit/database.ts';
import { many, run, value, values } from '#kit/sql.ts';

export interface CursorKeyRow {
  key_id: number;
  sealed_secret: string;
}

/** Returns an organization's keys, oldest first. */
export const selectCursorKeys = (db: OrgDb) => many<CursorKeyRow>(db)`
    select key_id, sealed_secret from event_cursor_key
    where org_id = ${db.orgId} and sealed_secret is not null order by key_id`;

/** Adds the next key of an organization and returns its id, from 1. */
export const insertCursorKey = (db: OrgDb, sealedSecret: string) => value<number>(db)`
    insert into event_cursor_key (org_id, key_id, sealed_secret)
    select ${db.orgId}::uuid, coalesce(max(key_id), 0) + 1, ${sealedSecret}
    from event_cursor_key where org_id = ${db.orgId}
    returning key_id`;

/** Returns the organizations with keys that an earlier version stored in plain text. */
export const organizationsWithPlainKeys = (db: Db) => values<string>(everywhere(db))`
    select distinct org_id from event_cursor_key where secret is not null order by 1`;

/** Locks the keys of an organization that are stored in plain text. */
export const lockPlainKeys = (tx: OrgTx) => many<{ key_id: number; secret: Uint8Array }>(tx)`
    select key_id, secret from event_cursor_key where org_id = ${tx.orgId} and secret is not null
    order by key_id for update`;

/** Replaces a key that is stored in plain text. */
export const replacePlainKey = (tx: OrgTx, { key_id, sealed_secret }: CursorKeyRow) => run(tx)`
    update event_cursor_key set sealed_secret = ${sealed_secret}, secret = null
    where org_id = ${tx.orgId} and key_id = ${key_id}`;
