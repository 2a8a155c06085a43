/** More decisions than this in one step, or within a minute, take a reason. */
export const MOST_AT_ONCE = 50;
export const MOST_A_MINUTE = 30;
const MINUTE_MS = 60_000;

interface Burst {
  times: number[];
  /** Why the person decides so fast. Undefined until they were asked. */
  reason: string | undefined;
}

const IDLE: Burst = { times: [], reason: undefined };
let burst = IDLE;

/** Returns the decisions of the last minute. A minute without any ends the burst. */
function current(now: number): Burst {
  const last = burst.times.at(-1);
  if (last === undefined || now - last > MINUTE_MS) burst = IDLE;
  else burst = { ...burst, times: burst.times.filter((at) => now - at <= MINUTE_MS) };
  return burst;
}

/** Whether the next decision is one too many for a minute, and its reason was not given yet. */
export function needsReason(now = Date.now()): boolean {
  const { times, reason } = current(now);
  return reason === undefined && times.length >= MOST_A_MINUTE;
}

/** Returns the reason of the burst, for the comment of a decision without another one. */
export const reasonOfBurst = (now = Date.now()): string | null => current(now).reason ?? null;

export function giveReason(reason: string, now = Date.now()): void {
  burst = { ...current(now), reason };
}

export function countDecision(now = Date.now()): void {
  const { times, reason } = current(now);
  burst = { times: [...times, now], reason };
}
