import { stringify } from 'csv-stringify/sync';
import { withMarks } from '../../../protocol/src/csv-marks.ts';

export type Cell = string | number | boolean | Date | null | undefined;

/** Text that a program could read differently without quotes: it has another separator or a line break, or spaces around it. */
const QUOTED = /[;|\t\r\n]|^\s|\s$/;

/** Returns CSV text (RFC 4180). Formulas have a mark, so that spreadsheets show them as text, and imports remove it again. */
const csv = (rows: readonly (readonly Cell[])[]): string =>
  stringify(
    rows.map((row) => row.map((cell) => (typeof cell === 'string' ? withMarks(cell) : cell))),
    {
      record_delimiter: '\r\n',
      quoted_match: QUOTED,
      cast: { boolean: String, date: (date) => date.toISOString() },
    },
  );

/** Yields CSV text: the names of the columns, then a line for each row of the slices. */
export async function* csvOf<T>(
  columns: Record<string, (row: T) => Cell>,
  slices: AsyncIterable<readonly T[]>,
): AsyncGenerator<string> {
  yield csv([Object.keys(columns)]);
  for await (const slice of slices)
    yield csv(slice.map((row) => Object.values(columns).map((cell) => cell(row))));
}
