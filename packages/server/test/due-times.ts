import { type RawBuilder, sql } from 'kysely';
import { expect } from 'vitest';

const HOUR = 3600;

/** The two statements of a loop that must agree: otherwise, work begins minutes late. */
export interface DueWork {
  name: string;
  find(): Promise<readonly unknown[]>;
  untilDue(): Promise<number | null>;
  /** Makes work due in so many seconds. */
  dueIn(seconds: number): Promise<unknown>;
  /** Takes it away. */
  clear(): Promise<unknown>;
}

/** Expects a loop to sleep until its work is due, and no longer. */
export async function expectToSleepUntilDue({ find, untilDue, dueIn, clear }: DueWork): Promise<void> {
  await dueIn(HOUR);
  expect(await find()).toEqual([]);
  expect(await untilDue()).toBeGreaterThan(HOUR - 300);
  expect(await untilDue()).toBeLessThan(HOUR + 1);

  await dueIn(-1);
  expect(await find()).not.toEqual([]);
  expect(await untilDue()).toBeLessThanOrEqual(0);

  await clear();
  expect(await find()).toEqual([]);
  expect((await untilDue()) ?? Number.POSITIVE_INFINITY).toBe(Number.POSITIVE_INFINITY);
}

/** The time in so many seconds, by the database's clock. Citus refuses volatile functions in updates. */
export const at = (seconds: number): RawBuilder<unknown> => sql`seconds_after(clock_now(), ${seconds})`;
