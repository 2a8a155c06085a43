/* oxlint-disable lingui/no-unlocalized-strings -- patterns of dates in both languages. */
/** A text with a day of the past: "dilan 15 Oct", "gestern ada". */
export interface Dated {
  /** The day, at its beginning in the reader's time zone. */
  day: Date;
  /** The text without the day. */
  rest: string;
}

type Part = string | undefined;
type Reader = (today: Date, ...parts: Part[]) => Date | undefined;

const MONTHS = ['en', 'de'].map((tag) =>
  Array.from({ length: 12 }, (_, month) =>
    new Intl.DateTimeFormat(tag, { month: 'long' }).format(new Date(2026, month)).toLowerCase(),
  ),
);

const monthNamed = (word: Part) =>
  MONTHS.map((names) => names.findIndex((name) => name.startsWith(word?.toLowerCase() ?? '?'))).find(
    (month) => month >= 0,
  );

/** Returns a day of the calendar. Without a year, it is the last such day. */
function calendarDay(today: Date, day: Part, month: number | undefined, year: Part): Date | undefined {
  if (month === undefined) return undefined;
  const date = new Date(Number(year ?? today.getFullYear()), month, Number(day));
  if (date.getMonth() !== month || date.getDate() !== Number(day)) return undefined;
  if (year !== undefined || date <= today) return date;
  return calendarDay(today, day, month, String(today.getFullYear() - 1));
}

const daysBefore = (today: Date, days: number) =>
  new Date(today.getFullYear(), today.getMonth(), today.getDate() - days);

function monthsBefore(today: Date, months: number): Date {
  const last = new Date(today.getFullYear(), today.getMonth() - months + 1, 0);
  return new Date(last.getFullYear(), last.getMonth(), Math.min(today.getDate(), last.getDate()));
}

type Unit = 'day' | 'week' | 'month' | 'year';
const UNITS: Record<string, Unit> = { tag: 'day', woche: 'week', monat: 'month', jahr: 'year' };
const unitOf = (word: Part) => UNITS[word?.toLowerCase() ?? ''] ?? (word?.toLowerCase() as Unit);

function ago(today: Date, count: Part, word: Part): Date {
  const number = /^\d/.test(count ?? '') ? Number(count) : 1;
  const unit = unitOf(word);
  if (unit === 'month' || unit === 'year') return monthsBefore(today, number * (unit === 'year' ? 12 : 1));
  return daysBefore(today, number * (unit === 'week' ? 7 : 1));
}

/** Returns the last day of the last week, month or year. Weeks begin on Monday. */
function endOfLast(today: Date, word: Part): Date {
  const unit = unitOf(word);
  if (unit === 'week') return daysBefore(today, today.getDay() || 7);
  return new Date(today.getFullYear(), unit === 'year' ? 0 : today.getMonth(), 0);
}

const FORMS: readonly (readonly [form: string, Reader])[] = [
  ['(\\d{4})-(\\d\\d)-(\\d\\d)', (today, y, m, d) => calendarDay(today, d, Number(m) - 1, y)],
  ['(\\d{1,2})\\. ?(\\d{1,2})\\. ?(\\d{4})?', (today, d, m, y) => calendarDay(today, d, Number(m) - 1, y)],
  [
    '(\\d{1,2})\\.? (\\p{L}{3,})\\.?(?:,? (\\d{4}))?',
    (today, d, m, y) => calendarDay(today, d, monthNamed(m), y),
  ],
  [
    '(\\p{L}{3,})\\.? (\\d{1,2})(?:,? (\\d{4}))?',
    (today, m, d, y) => calendarDay(today, d, monthNamed(m), y),
  ],
  ['day before yesterday|vorgestern', (today) => daysBefore(today, 2)],
  ['yesterday|gestern', (today) => daysBefore(today, 1)],
  ['last (week|month|year)', endOfLast],
  ['letzte[nrsm]? (woche|monat|jahr)', endOfLast],
  ['(\\d{1,3}|an?|one) (day|week|month|year)s? ago', ago],
  ['vor (\\d{1,3}|eine[mr]) (tag|woche|monat|jahr)e?n?', ago],
];

const READERS = FORMS.flatMap(([form, read]) => [
  [new RegExp(`^(?<rest>.+) (?:${form})$`, 'iu'), read] as const,
  [new RegExp(`^(?:${form}) (?<rest>.+)$`, 'iu'), read] as const,
]);

const BEFORE = /^(?:who had|what had|wer hatte|was hatte|had|hatte) /i;
const BETWEEN = / (?:on|at|as of|in|am|im|zum|per|had|hatte)$|^(?:had|hatte) /i;

/** Finds a day at the end or the beginning of a text. A day in the future, or one that does not exist, is part of the name. */
export function dateIn(text: string, now = new Date()): Dated | undefined {
  const today = daysBefore(now, 0);
  const spaced = text.trim().replace(/\s+/g, ' ');
  for (const [form, read] of READERS) {
    const match = form.exec(spaced);
    const rest = match?.groups?.rest?.replace(BETWEEN, '').replace(BEFORE, '').replace(BETWEEN, '') ?? '';
    // The group with a name is also a part: the last, or the first.
    const parts = match?.slice(form.source.startsWith('^(?<rest>') ? 2 : 1) ?? [];
    const day = rest === '' ? undefined : read(today, ...parts);
    if (day !== undefined && day <= today) return { day, rest };
  }
  return undefined;
}

/** Returns the end of a day, or now for a day that is not over. */
export function endOf(day: Date, now = new Date()): string {
  const end = new Date(day.getFullYear(), day.getMonth(), day.getDate() + 1).getTime() - 1;
  return new Date(Math.min(end, now.getTime())).toISOString();
}
