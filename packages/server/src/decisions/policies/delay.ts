import { policyRefusals } from './sentences.ts';

/** The furthest that the time of any task may be ahead (D67). */
const LONGEST_YEARS = 10;

/**
 * Throws 400 unless the text is an ISO 8601 duration of zero or more. Unlike Temporal, accepts fractions of seconds
 * only, in capital letters.
 */
export function requireDelay(text: string): void {
  const isPlain = /^P[^a-z,]*$/.test(text) && !/\.\d+[HM]/.test(text);
  const delay = isPlain ? durationIn(text) : undefined;
  if (delay === undefined || delay.sign < 0) throw policyRefusals.delay_malformed();
  const relativeTo = Temporal.Now.plainDateISO();
  if (Temporal.Duration.compare(delay, { years: LONGEST_YEARS }, { relativeTo }) > 0)
    throw policyRefusals.delay_too_long({ most: LONGEST_YEARS });
}

function durationIn(text: string): Temporal.Duration | undefined {
  try {
    return Temporal.Duration.from(text);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Returns `now` plus an ISO 8601 duration, by the calendar in UTC. Null: no delay. */
export function afterDelay(now: Date, delay: string | null): Date {
  if (delay === null) return now;
  const start = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO('UTC');
  return new Date(start.add(Temporal.Duration.from(delay)).epochMilliseconds);
}
