import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type Db, type OrgDb, transaction, within } from '#kit/database.ts';
import type { Secrets } from '#kit/secrets/secrets.ts';
import { type CursorKeys, keyIdOf } from './cursor.ts';
import * as queries from './queries/cursor-keys.ts';

const PURPOSE = 'event_cursor_key';
const KEY_BYTES = 32;
const MOST_ORGANIZATIONS = 10_000;
/** How long a deleted key stays valid at most. */
const CACHED_FOR_MS = 60_000;
/** How often at most cursors with an unknown key id cause a query. */
const RELOADED_AFTER_MS = 1000;

/** Caches the cursor keys of organizations, so that a page of events needs no query for them. */
export function cursorKeyring(db: Db, secrets: Secrets) {
  const cache = new LRUCache<string, CursorKeys>({ max: MOST_ORGANIZATIONS, ttl: CACHED_FOR_MS });

  return {
    /** Returns the keys of an organization, including the one that signed `cursor` if it exists. */
    async keysFor(orgId: string, cursor: string | undefined): Promise<CursorKeys> {
      const cached = cache.get(orgId);
      if (cached !== undefined) {
        const isComplete = cursor === undefined || cached.secrets.has(keyIdOf(cursor));
        const age = CACHED_FOR_MS - cache.getRemainingTTL(orgId);
        if (isComplete || age < RELOADED_AFTER_MS) return cached;
      }
      const keys = await readKeys(within(db, orgId), secrets);
      cache.set(orgId, keys);
      return keys;
    },
  };
}

export type CursorKeyring = ReturnType<typeof cursorKeyring>;

/** Adds a key that signs new cursors and returns its id. Existing cursors stay valid. */
export async function rotateCursorKey(org: OrgDb, secrets: Secrets): Promise<number> {
  return queries.insertCursorKey(org, await secrets.seal(org, PURPOSE, randomBytes(KEY_BYTES)));
}

/** Encrypts the keys that an earlier version stored in plain text. Safe to repeat, also on several nodes at the same time. */
export async function sealCursorKeys(db: Db, secrets: Secrets): Promise<void> {
  for (const orgId of await queries.organizationsWithPlainKeys(db)) {
    await transaction(within(db, orgId), async (tx) => {
      for (const { key_id, secret } of await queries.lockPlainKeys(tx)) {
        const sealed_secret = await secrets.seal(tx, PURPOSE, Buffer.from(secret));
        await queries.replacePlainKey(tx, { key_id, sealed_secret });
      }
    });
  }
}

async function readKeys(org: OrgDb, secrets: Secrets): Promise<CursorKeys> {
  const rows = await queries.selectCursorKeys(org);
  const opened = new Map<number, Buffer>();
  for (const { key_id, sealed_secret } of rows)
    opened.set(key_id, await secrets.open(org, PURPOSE, sealed_secret));
  return { current: rows.at(-1)?.key_id ?? 0, secrets: opened };
}
