import type { Column } from './table-view.tsx';

/** RFC 4180. A value that a spreadsheet would take for a formula is given a quote in front. */
function field(value: string | number | boolean | null | undefined): string {
  if (value === null || value === undefined) return '';
  const written = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(written) ? `"${written.replaceAll('"', '""')}"` : written;
}

/** Downloads rows as CSV: those columns that say what they are in a file. */
export async function saveCsv<T>(name: string, columns: readonly Column<T>[], rows: AsyncIterable<T>) {
  const exported = columns.flatMap(({ id, csv }) => (csv === undefined ? [] : [{ id, csv }]));
  const lines = [exported.map(({ id }) => id).join(',')];
  for await (const row of rows) lines.push(exported.map(({ csv }) => field(csv(row))).join(','));
  save(`${name}.csv`, `${lines.join('\r\n')}\r\n`, 'text/csv');
}

/** Hands a text to the browser as a file. */
export function save(name: string, text: string, type: string) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
