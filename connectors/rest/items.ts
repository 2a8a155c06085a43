import { createHash } from 'node:crypto';
import type { CompiledList } from './compiled.ts';
import { kindOf } from './expression.ts';
import { RequestError } from './failures.ts';
import { evaluate } from './mapping.ts';
import { pagesOf } from './pages.ts';
import type { System } from './system.ts';

export type Receivers = {
  /** Called before each further page, see `pagesOf`. */
  beforeNext?: () => void;
  /** Receives the items that `skip` of the definition leaves out. */
  leaveOut?: (item: unknown) => void;
};

/** Yields the items of a list that the definition does not skip, with their places in it. */
export async function* itemsOf(
  system: System,
  list: CompiledList,
  scope: Record<string, unknown> = {},
  { beforeNext, leaveOut = () => {} }: Receivers = {},
) {
  let place = 0;
  for await (const items of pagesOf(system, list, scope, beforeNext)) {
    for (const item of items) {
      place++;
      const isSkipped =
        list.skip && evaluate(list.skip, { ...scope, item, settings: system.settings }, 'skip');
      if (isSkipped !== undefined && typeof isSkipped !== 'boolean')
        throw new Error(`skip is ${kindOf(isSkipped)}, but must be true or false`);
      if (isSkipped) leaveOut(item);
      else yield { item, place };
    }
  }
}

const MOST_READINGS = 3;

/**
 * Reads a list whose items the runner does not compare with those of the last sync: members, references, joined items, and the groups
 * whose members are read. If it has several pages, an item can move to a page that was already read, and be missing. So two readings in
 * a row must have the same keys. If both repeat a key and differ, the order of the list is not stable, and they prove nothing. `earlier`
 * is the digest of a reading before. `what` names the list in the error.
 */
export async function settledItems<T>(
  what: string,
  read: (beforeNext: () => void) => AsyncIterable<T>,
  keyOf: (item: T) => string,
  earlier?: string,
): Promise<T[]> {
  let before: { digest: string | undefined; repeats: boolean } = { digest: earlier, repeats: false };
  for (let reading = 1; reading <= MOST_READINGS; reading++) {
    let isPaged = false;
    const items = await Array.fromAsync(
      read(() => {
        isPaged = true;
      }),
    );
    if (!isPaged) return items;
    const keys = items.map(keyOf);
    const now = { digest: digestOf(keys), repeats: new Set(keys).size < keys.length };
    if (now.digest === before.digest) return items;
    if (now.repeats && before.repeats) break;
    before = now;
  }
  throw new RequestError(
    `each reading of ${what} had other items, so one may be missing; it changes while it is read, try again`,
  );
}

/** Returns the digest of the keys of a list, in any order. */
export const digestOf = (keys: string[]): string =>
  createHash('sha256').update(JSON.stringify(keys.toSorted())).digest('base64');
