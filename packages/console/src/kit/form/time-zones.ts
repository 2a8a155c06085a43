const isKnown = (zone: string | undefined): zone is string => {
  try {
    return zone !== undefined && new Intl.DateTimeFormat('en', { timeZone: zone }).format(0) !== '';
  } catch {
    return false;
  }
};

/** The time zone of the browser, or UTC if it does not know its own. */
export function ownTimeZone(): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return isKnown(timeZone) ? timeZone : 'UTC';
}

/** The time zones to choose from: those that the browser knows, and the chosen one, which it may not know. */
export function timeZones(chosen: string): string[] {
  // Old browsers do not list them.
  const known = Intl.supportedValuesOf?.('timeZone') ?? [ownTimeZone()];
  return [...new Set(['UTC', ...known, chosen])];
}
