import type { Column } from '../table/table-view.tsx';

type Value = string | number | boolean | null | undefined;

/**
 * A character that makes a spreadsheet run a cell as a formula, also in full width: at the start of a text, or after a character that
 * separates cells in some country or program. The exports of the server escape the same characters.
 */
const FORMULA = /((?:^|[,;:|\t\r\n^~])["'\s]*)([=+\-@\uff1d\uff0b\uff0d\uff20])/g;

/** Returns a value as a CSV field (RFC 4180). Puts a quote before formulas, so that spreadsheets show them as text. */
export function csvField(value: Value): string {
  if (value === null || value === undefined) return '';
  const text =
    typeof value === 'string' ? value.replace(FORMULA, "$1'$2").replace(/^[\t\r]/, "'$&") : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Downloads rows as CSV. Exports the columns with a `csv` function. */
export async function saveCsv<T>(name: string, columns: readonly Column<T>[], rows: AsyncIterable<T>) {
  const exported = columns.flatMap(({ id, csv }) => (csv === undefined ? [] : [{ id, csv }]));
  const lines = [exported.map(({ id }) => id).join(',')];
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
