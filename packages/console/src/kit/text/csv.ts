import { withMarks } from '../../../../protocol/src/csv-marks.ts';
import type { Column } from '../table/table-view.tsx';

type Value = string | number | boolean | null | undefined;

/** The same fields have quotes as in the exports of the server. */
const QUOTED = /[",;|\t\r\n]|^\s|\s$/;

/** Returns a value as a CSV field (RFC 4180). Formulas have a mark, so that spreadsheets show them as text, and imports remove it again. */
export function csvField(value: Value): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' ? withMarks(value) : String(value);
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Downloads rows as CSV. Exports the columns with a `csv` function. */
export async function saveCsv<T>(name: string, columns: readonly Column<T>[], rows: AsyncIterable<T>) {
  const exported = columns.flatMap(({ id, csv }) => (csv === undefined ? [] : [{ id, csv }]));
  const lines = [exported.map(({ id }) => csvField(id)).join(',')];
  for await (const row of rows) lines.push(exported.map(({ csv }) => csvField(csv(row))).join(','));
  save(`${name}.csv`, `${lines.join('\r\n')}\r\n`, 'text/csv');
}

/** Downloads a file. */
export function save(name: string, content: string | Blob, type: string) {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
