/**
 * Returns the JSON of a value as RFC 8785 writes it, so that equal values have equal texts: members in the order of the UTF-16 code
 * units of their names, no spaces. JavaScript's texts of numbers and strings are those of the RFC. Half a surrogate pair becomes U+FFFD.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.toWellFormed());
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (value instanceof Date) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  // Two names with half a surrogate pair may become the same one.
  return `{${[...new Map(members.map(([name, member]) => [name.toWellFormed(), member]))]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`)
    .join(',')}}`;
}
