import pg from 'pg';
import { statementName } from './statement-name.ts';

/** Which statements a connection keeps. */
export interface Kept {
  /** Its first run that uses the kept statement. One that has run three times is likely to run again. */
  runs: number;
  /** How many it keeps. One takes about 80 kB of the server's memory. */
  most: number;
  /** Also queries without values, of which the workers send a few again and again. */
  withoutValues: boolean;
}

const FREQUENT: Kept = { runs: 4, most: 200, withoutValues: false };

/** For tests (KEEP_PLANS). */
export const EVERY: Kept = { runs: 1, most: 2_000, withoutValues: true };

/** The end of a statement that is parsed and planned each time, however often it runs. */
export const UNNAMED = '/* unnamed */';

const ONE_QUERY = /^\s*(select|with)\b[^;]*$/i;

/** How many statements are counted. Their texts have parameters for all values, so there are only so many. */
const MOST_COUNTED = 5_000;

/**
 * Returns the client for a pool whose connections parse a frequent statement once. For a short statement, parsing it and finding
 * out what the names in it mean takes longer than running it. It is planned each time (PLAN_EACH_TIME): a plan for the average
 * organization can be very slow for a large one.
 */
export function parseOnceClient(kept = FREQUENT): typeof pg.Client {
  const nameOf = statementNames(kept);
  return class extends pg.Client {
    override query(...args: unknown[]): never {
      const [text, values, ...rest] = args;
      const hasValues = Array.isArray(values) && values.length > 0;
      const isKept = (query: string) =>
        (hasValues || (kept.withoutValues && ONE_QUERY.test(query))) && !query.endsWith(UNNAMED);
      const name = typeof text === 'string' && isKept(text) ? nameOf(text) : null;
      const query = super.query as (...args: unknown[]) => never;
      return name === null ? query.apply(this, args) : query.call(this, { name, text, values }, ...rest);
    }
  };
}

/**
 * Settings for the sessions of such a pool. Statements are not compiled to machine code either: that takes longer than running them,
 * and a statement over a large table is estimated to be worth it although it stops after a page.
 */
export const PLAN_EACH_TIME = { plan_cache_mode: 'force_custom_plan', jit: 'off' };

/** Settings for tests: in their small databases, each plan is as good as another, and making it takes most of the time. */
export const KEEP_PLANS = { ...PLAN_EACH_TIME, plan_cache_mode: 'force_generic_plan' };

/** Returns a function that counts a run of a statement, and returns the name under which connections keep it, or null. */
function statementNames({ runs, most }: Kept): (text: string) => string | null {
  const counted = new Map<string, number>();
  const names = new Map<string, string>();
  return (text) => {
    const name = names.get(text);
    if (name !== undefined) return name;
    if (names.size === most || counted.size === MOST_COUNTED) return null;
    const before = counted.get(text) ?? 0;
    counted.set(text, before + 1);
    if (before + 1 < runs) return null;
    const given = statementName(text, 'frequent');
    names.set(text, given);
    return given;
  };
}
