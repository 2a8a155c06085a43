import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify/sync';
import type { FastifyReply } from 'fastify';

export type Cell = string | number | boolean | Date | null | undefined;

/**
 * A character that makes a spreadsheet run a cell as a formula, also in full width: at the start of a text, or after a character that
 * separates cells in some country or program. Quotes do not protect a text: with another separator, they are inside a cell.
 * https://owasp.org/www-community/attacks/CSV_Injection
 */
const FORMULA = /((?:^|[,;:|\t\r\n^~])["'\s]*)([=+\-@\uff1d\uff0b\uff0d\uff20])/g;

/** Puts a quote before each character that could start a formula, so that spreadsheets show the text. */
const withoutFormulas = (text: string): string => text.replace(FORMULA, "$1'$2").replace(/^[\t\r]/, "'$&");

/** Returns CSV text (RFC 4180). Cells that a spreadsheet would run as formulas are escaped. */
const csv = (rows: readonly (readonly Cell[])[]): string =>
  stringify(
    rows.map((row) => row.map((cell) => (typeof cell === 'string' ? withoutFormulas(cell) : cell))),
    {
      record_delimiter: '\r\n',
      quoted_match: /[\r\n]/,
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

/** Sends CSV text as a file. The reply is typed as one of the route's JSON answers, which it replaces. */
export function sendCsv(reply: FastifyReply, filename: string, text: AsyncIterable<string>): never {
  reply.header('content-disposition', `attachment; filename="${filename}"`);
  reply.type('text/csv; charset=utf-8');
  return reply.send(Readable.from(text)) as never;
}
