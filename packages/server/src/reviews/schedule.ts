export const FREQUENCIES = ['once', 'monthly', 'quarterly', 'annually'] as const;
export type Frequency = (typeof FREQUENCIES)[number];

const MONTHS: Record<Exclude<Frequency, 'once'>, number> = { monthly: 1, quarterly: 3, annually: 12 };

interface Schedule {
  frequency: Frequency;
  starts_at: string | null;
}

/**
 * The first turn after `after`, or null where there is none. Turns fall on the day and the time (UTC) of `starts_at`,
 * or on the last day of a month that is too short for it.
 */
export function nextTurn({ frequency, starts_at }: Schedule, after: Date): Date | null {
  if (starts_at === null) return null;
  const first = new Date(starts_at);
  if (first > after) return first;
  if (frequency === 'once') return null;
  const step = MONTHS[frequency];
  const passed = monthOf(after) - monthOf(first);
  for (let months = passed - (passed % step); ; months += step) {
    const turn = addMonths(first, months);
    if (turn > after) return turn;
  }
}

const monthOf = (date: Date) => date.getUTCFullYear() * 12 + date.getUTCMonth();

function addMonths(date: Date, months: number): Date {
  const moved = new Date(date);
  moved.setUTCMonth(date.getUTCMonth() + months);
  // Day 31 of a month with 30 days has become day 1 of the next: its day 0 is what was meant.
  if (moved.getUTCDate() !== date.getUTCDate()) moved.setUTCDate(0);
  return moved;
}
