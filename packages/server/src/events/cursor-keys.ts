import { LRUCache } from 'lru-cache';
import type { Db } from '../platform/database/open.ts';
import { type CursorKeys, keyIdOf } from './cursor.ts';
import { insertCursorKey, selectCursorKeys } from './queries/cursor-keys.ts';

const MOST_ORGANIZATIONS = 10_000;
/** How long a deleted key stays valid at most. */
const CACHED_FOR_MS = 60_000;
/** How often at most cursors with an unknown key id cause a query. */
const RELOADED_AFTER_MS = 1000;

/** Caches the cursor keys of organizations, so that a page of events needs no query for them. */
export function cursorKeyring(db: Db) {
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
      const keys = await selectCursorKeys(db, orgId);
      cache.set(orgId, keys);
      return keys;
    },
  };
}

export type CursorKeyring = ReturnType<typeof cursorKeyring>;

/** Adds a key that signs new cursors and returns its id. Existing cursors stay valid. */
export const rotateCursorKey = (db: Db, orgId: string): Promise<number> => insertCursorKey(db, orgId);
