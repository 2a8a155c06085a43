import { type Connector, typesOf } from './define.ts';
import type { State } from './state.ts';

/** Fewer missing records at the end may be a coincidence: two newest accounts that were deleted. */
const FEWEST = 3;

/**
 * Returns why a listing looks cut off, or undefined if it does not: it ends with a record of the last completed listing, and
 * has every record up to that one, and none of those that followed.
 */
export function missingTail(connector: Connector, state: State): string | undefined {
  for (const { slug, type } of typesOf(connector)) {
    const missing = state.countMissingTail(slug);
    if (missing >= FEWEST)
      return `${missing} ${type.name.toLowerCase()} fewer, all from the end of the list, as if it was cut off`;
  }
  return undefined;
}
