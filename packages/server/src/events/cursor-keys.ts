import type { Db } from '../platform/database/open.ts';
import { type CursorKeys, keyIdOf } from './cursor.ts';
import { insertCursorKey, selectCursorKeys } from './queries/cursor-keys.ts';

/** A deleted key is forgotten after this long. */
const REMEMBERED_FOR = 60_000;
/** Made-up key ids send us to the database this often, not more. */
const ASKED_AGAIN_AFTER = 1000;

/** Keeps the organizations' cursor keys at hand, so that a page costs no trip for them. */
export function cursorKeyring(db: Db) {
  const known = new Map<string, { keys: CursorKeys; readAt: number }>();

  return {
    /** The keys of `orgId`, surely with the one that signed `cursor`, if it exists. */
    async keysFor(orgId: string, cursor: string | undefined): Promise<CursorKeys> {
      const entry = known.get(orgId);
      const age = entry === undefined ? Number.POSITIVE_INFINITY : performance.now() - entry.readAt;
      const isMissing =
        cursor !== undefined && entry !== undefined && !entry.keys.secrets.has(keyIdOf(cursor));
      if (entry !== undefined && age < (isMissing ? ASKED_AGAIN_AFTER : REMEMBERED_FOR)) return entry.keys;
      const keys = await selectCursorKeys(db, orgId);
      known.set(orgId, { keys, readAt: performance.now() });
      return keys;
    },
  };
}

export type CursorKeyring = ReturnType<typeof cursorKeyring>;

/** Adds a key that signs from now on; cursors that older ones signed stay valid. Answers its id. */
export const rotateCursorKey = (db: Db, orgId: string): Promise<number> => insertCursorKey(db, orgId);
