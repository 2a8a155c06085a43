import { formatTag } from '../../language/language.ts';
/** The time that a timeline shows, in milliseconds. */
export interface Scale {
  from: number;
  to: number;
}

export interface Tick {
  /** Percent of the width. */
  at: number;
  label: string;
}

const DAY_MS = 86_400_000;

/** Returns how far a time is from the left edge, in percent. Times outside the scale are at its edges. */
export const shareOf = ({ from, to }: Scale, time: number) =>
  (Math.min(Math.max(time, from), to) - from) * (100 / Math.max(1, to - from));

const hour = new Intl.DateTimeFormat(formatTag, { hour: 'numeric', minute: '2-digit' });
const day = new Intl.DateTimeFormat(formatTag, { month: 'short', day: 'numeric' });
const month = new Intl.DateTimeFormat(formatTag, { month: 'short', year: 'numeric' });
const year = new Intl.DateTimeFormat(formatTag, { year: 'numeric' });

const plus = (months: number, days: number, hours: number) => (date: Date) =>
  new Date(
    date.getFullYear(),
    date.getMonth() + months,
    months > 0 ? 1 : date.getDate() + days,
    date.getHours() + hours,
  );

/** Steps from fine to coarse. Each starts at a round time. */
const STEPS = [
  { next: plus(0, 0, 1), format: hour },
  { next: plus(0, 0, 6), format: hour },
  { next: plus(0, 1, 0), format: day },
  { next: plus(0, 7, 0), format: day },
  { next: plus(1, 0, 0), format: month },
  { next: plus(3, 0, 0), format: month },
  { next: plus(12, 0, 0), format: year },
  { next: plus(60, 0, 0), format: year },
];

/** Returns the marks of a time axis: the finest step with at most this many. */
export const ticksOf = (scale: Scale, most = 8): Tick[] =>
  momentsOf(scale, most).map(({ time, label }) => ({ at: shareOf(scale, time), label }));

/** Returns the times of the marks, in milliseconds. */
export function momentsOf(scale: Scale, most: number): { time: number; label: string }[] {
  for (const { next, format } of STEPS) {
    const start = startFor(format, new Date(scale.from));
    // A step that is far too fine would take long to walk.
    if ((scale.to - scale.from) / (next(start).getTime() - start.getTime()) > most) continue;
    const ticks: { time: number; label: string }[] = [];
    for (let at = start; at.getTime() < scale.to; at = next(at)) {
      const time = at.getTime();
      if (time >= scale.from) ticks.push({ time, label: format.format(at) });
    }
    return ticks;
  }
  return [];
}

function startFor(format: Intl.DateTimeFormat, date: Date): Date {
  if (format === hour || format === day) return new Date(date.getFullYear(), date.getMonth(), date.getDate());
  return new Date(date.getFullYear(), 0, 1);
}

/** Returns a scale from the first of these moments until now, with some space before it. */
export function scaleFrom(moments: readonly number[], now = Date.now()): Scale {
  const first = Math.min(now - DAY_MS / 24, ...moments);
  return { from: first - (now - first) * 0.06, to: now };
}
