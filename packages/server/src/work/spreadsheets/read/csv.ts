import { Readable } from 'node:stream';
import { type CsvError, parse } from 'csv-parse';
import { DomainError } from '#kit/errors.ts';
import { uploadRefusals } from '../sentences.ts';
import { type Bytes, type Encoding, LONGEST_ROW, type Separator, type SheetRow } from './sheet.ts';
import { decode } from './text.ts';

/** Reads the rows of a CSV file as its bytes arrive. Empty rows are counted, and left out. */
export async function* csvRows(
  bytes: Bytes,
  encoding: Encoding,
  separator: Separator,
): AsyncGenerator<SheetRow> {
  const parser = parse({
    delimiter: separator,
    // Any of them at each row: the parser would otherwise expect that of the first row everywhere.
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: false,
    max_record_size: LONGEST_ROW,
    trim: true,
  });
  const source = Readable.from(decode(bytes, encoding));
  source.on('error', (error) => parser.destroy(error)).pipe(parser);
  let number = 0;
  try {
    for await (const cells of parser as AsyncIterable<string[]>) {
      number += 1;
      if (number === 1 && isSeparatorLine(cells)) continue;
      if (cells.some((cell) => cell !== '')) yield { number, cells, faults: [] };
    }
  } catch (error) {
    throw error instanceof DomainError ? error : malformed(error as CsvError, number + 1);
  } finally {
    source.destroy();
  }
}

/** A first line `sep=;` names the separator for Excel, and holds no data. */
const isSeparatorLine = ([first = '', ...others]: string[]) =>
  /^sep=.?$/i.test(first) && others.every((cell) => cell === '');

const malformed = ({ code, message }: CsvError, row: number) =>
  code === 'CSV_MAX_RECORD_SIZE'
    ? uploadRefusals.row_too_long({ row, most: LONGEST_ROW })
    : uploadRefusals.csv_invalid({ row, message });
