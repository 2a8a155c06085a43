/** Whether this is an IANA time zone. Offsets such as +02:00 are refused: they do not follow daylight saving time. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name });
    return !/^[+-]/.test(name);
  } catch {
    return false;
  }
}
