import { withCodes } from '../../protocol/src/hidden-characters.ts';
import { lookAlike, lookOf } from '../../protocol/src/look-alikes.ts';
import type { Log } from './progress.ts';

/** How many pairs of names a line shows. */
const MOST_SHOWN = 5;

/** Keeps the first name of each look, by resource type. Returns the one that was there before, or else the name. */
export type FirstWithLook = (slug: string, look: string, name: string) => string;

export type LookAlikes = ReturnType<typeof lookAlikes>;

/** Collects the groups and licenses of a listing whose names look like those of others. */
export function lookAlikes(firstWithLook: FirstWithLook = inMemory()) {
  const shown: string[] = [];
  let count = 0;
  return {
    add(slug: string, name: string): void {
      const first = firstWithLook(slug, lookOf(name), name);
      if (!lookAlike(first, name)) return;
      count++;
      if (shown.length < MOST_SHOWN) shown.push(`${slug} '${withCodes(first)}' and '${withCodes(name)}'`);
    },
    /** Warns once. */
    say(log: Log): void {
      const more = count > shown.length ? `, and ${count - shown.length} more` : '';
      if (count > 0) log.warn(`these names look alike and are different: ${shown.join(', ')}${more}`);
    },
  };
}

function inMemory(): FirstWithLook {
  const names = new Map<string, string>();
  return (slug, look, name) => {
    const key = `${slug}\n${look}`;
    const first = names.get(key);
    if (first === undefined) names.set(key, name);
    return first ?? name;
  };
}
