import { formatTag } from '../../language/language.ts';

const names = new Intl.DateTimeFormat(formatTag, { weekday: 'long', timeZone: 'UTC' });
/** A Monday. */
const FIRST = Date.UTC(2024, 0, 1);
const DAY_MS = 86_400_000;

/** The names of the days of a week, from Monday on. */
export const weekdayNames = (): string[] =>
  Array.from({ length: 7 }, (_, day) => names.format(new Date(FIRST + day * DAY_MS)));
