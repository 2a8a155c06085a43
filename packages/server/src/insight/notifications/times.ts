const STORED = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;

export interface Reader {
  time_zone: string | null;
  language: string | null;
}

/** Returns a text with its times in the language and time zone of its reader. */
export function withTimes(text: string, { time_zone, language }: Reader): string {
  const format = new Intl.DateTimeFormat(language ?? 'en-US', {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: time_zone ?? 'UTC',
  });
  return text.replace(STORED, (time) => `${format.format(new Date(time))} (${time_zone ?? 'UTC'})`);
}
