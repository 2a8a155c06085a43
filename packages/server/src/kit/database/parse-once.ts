import pg from 'pg';
import { statementName } from './statement-name.ts';

/** A statement that has run so often is likely to run again. */
const FREQUENT = 3;

/** How many statements a connection keeps. One takes about 80 kB of the server's memory. */
const MOST_KEPT = 200;

/** The end of a statement that is parsed and planned each time, however often it runs. */
export const UNNAMED = '/* unnamed */';

/** How many statements are counted. Their texts have parameters for all values, so there are only so many. */
const MOST_COUNTED = 5_000;

/**
 * Returns the client for a pool whose connections parse a frequent statement once. For a short statement, parsing it and finding
 * out what the names in it mean takes longer than running it. It is planned each time (PLAN_EACH_TIME): a plan for the average
 * organization can be very slow for a large one.
 */
export function parseOnceClient(): typeof pg.Client {
  const nameOf = statementNames();
  return class extends pg.Client {
    override query(...args: unknown[]): never {
      const [text, values, ...rest] = args;
      const hasValues = Array.isArray(values) && values.length > 0;
      const name = typeof text === 'string' && hasValues && !text.endsWith(UNNAMED) ? nameOf(text) : null;
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
function statementNames(): (text: string) => string | null {
  const counted = new Map<string, number>();
  const names = new Map<string, string>();
  return (text) => {
    const name = names.get(text);
    if (name !== undefined) return name;
    if (names.size === MOST_KEPT || counted.size === MOST_COUNTED) return null;
    const runs = (counted.get(text) ?? 0) + 1;
    counted.set(text, runs);
    if (runs === FREQUENT) names.set(text, statementName(text, 'frequent'));
    return null;
  };
}
