import type { Db } from './database.ts';
import { connectionOf, type OrgDb } from './organization.ts';
import { rootOf } from './signals.ts';

/**
 * A place at which features on higher layers take part in a transaction of a lower one, so that both commit together. The hooks
 * belong to the database: `hooks.ts` sets them, and whoever reaches the place finds them by its transaction.
 */
export interface HookPoint<H> {
  /** Sets the hooks of this database, in the order in which they run. */
  set(db: Db, hooks: readonly H[]): void;
  /** Returns the hooks of a database or of a transaction in it. Throws if nobody has set them: a change must not lack its effects. */
  of(where: Db | OrgDb): readonly H[];
}

export function hookPoint<H>(): HookPoint<H> {
  const known = new WeakMap<Db, readonly H[]>();
  return {
    set: (db, hooks) => void known.set(db, hooks),
    of: (where) => {
      const hooks = known.get(rootOf(connectionOf(where)));
      if (hooks === undefined) throw new Error('The hooks of this database are not set.');
      return hooks;
    },
  };
}
