const numbers = new Intl.NumberFormat('en', { useGrouping: true });
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** "1,234,567" */
export const grouped = (value: number) => numbers.format(value);

/** "1 app", "1,204 apps". */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${grouped(value)} ${value === 1 ? one : many}`;
}

const UNITS = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** "3 minutes ago", "in 2 days". */
export function fromNow(moment: Date, now = Date.now()): string {
  const seconds = Math.round((moment.getTime() - now) / 1000);
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? [];
  if (unit === undefined || size === undefined)
    return Math.abs(seconds) < 10 ? 'just now' : relative.format(seconds, 'second');
  return relative.format(Math.trunc(seconds / size), unit);
}

/** "2026-11-21 04:05:06 UTC" */
export const exact = (moment: Date) => `${moment.toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** Returns a person's name, or the email if there is none. */
export function personName(person: { first_name?: string; last_name?: string; email: string }): string {
  const name = [person.first_name, person.last_name]
    .filter((part) => part !== undefined && part !== '')
    .join(' ');
  return name === '' ? person.email : name;
}

/** Returns a duration: "850 ms", "12 s", "3 min", "2 h". */
export function lasted(from: string, to: string): string {
  const ms = Math.max(0, new Date(to).getTime() - new Date(from).getTime());
  if (ms < 1000) return `${ms} ms`;
  if (ms < 120_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;
  if (ms < 7_200_000) return `${Math.round(ms / 60_000)} min`;
  return `${Math.round(ms / 3_600_000)} h`;
}
