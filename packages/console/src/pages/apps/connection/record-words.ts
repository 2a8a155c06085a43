/** The fields that come first, in this order. */
const FIRST = ['id', 'name', 'username', 'email', 'display_name', 'first_name', 'last_name', 'status'];

/** Returns the names of the fields that have a value in some record. */
export function columnNames(records: readonly Record<string, unknown>[]): string[] {
  const names = new Set(records.flatMap((record) => Object.keys(record)));
  const rank = (name: string) => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length);
  return [...names]
    .filter((name) => records.some((record) => recordWords(record[name]) !== ''))
    .sort((a, b) => rank(a) - rank(b));
}

/** Returns the value of a field of a record as text. References are shown by their names, and empty lists are left out. */
export function recordWords(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map(recordWords).filter(Boolean).join(', ');
  if (typeof value !== 'object') return String(value);
  const { id, name, ...others } = value as Record<string, unknown>;
  if (id !== undefined && Object.keys(others).length === 0) return String(name ?? id);
  return Object.entries(value)
    .map(([field, one]) => [field, recordWords(one)])
    .filter(([, words]) => words !== '')
    .map(([field, words]) => `${field}: ${words}`)
    .join('; ');
}
