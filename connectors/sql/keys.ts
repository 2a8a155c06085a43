import { createHash } from 'node:crypto';
import { counted } from '@gatehouse/connector';
import type { Row } from './drivers/driver.ts';
import { QueryError } from './errors.ts';
import type { Inputs } from './expressions.ts';
import type { Query } from './plan.ts';
import { bindWhole, type Reader, read } from './statements.ts';

/**
 * Follows the keys of the rows that the pages of a query return, and compares them with the keys of all rows, which the database
 * sorts. A page that begins behind the last key of another one skips rows with an equal key or without one, and rows in another
 * order. Which keys are equal or greater only the database knows: by its collation, 'Ann' and 'ann ' may be one key.
 */
export function followKeys(reader: Reader, query: Query, inputs: Inputs) {
  const { pagination, statement } = query;
  const { quote } = reader.driver;
  const key = pagination?.strategy === 'cursor' ? pagination.primary_key : undefined;
  const digest = createHash('sha256');
  let count = 0;
  const isChecked = quote !== undefined && key !== undefined && statement.tokens.has('cursor');
  const mistake = (message: string) =>
    new QueryError(reader.document.failure(statement.path, message).message, undefined);
  return {
    add(rows: Row[]): void {
      if (!isChecked) return;
      count += rows.length;
      digest.update(spelled(rows, key));
    },
    /** Throws if the pages lack a row. Without `isWhole`, they are only the first of several. */
    async verify(isWhole = true): Promise<void> {
      if (!isChecked || (count === 0 && !isWhole)) return;
      const column = `gatehouse_keys.${quote(key)}`;
      const inner = bindWhole(reader, query, inputs);
      const ask = (select: string, order = '') =>
        read(reader, statement.path, {
          text: `SELECT ${select} FROM (\n${inner.text}\n) gatehouse_keys${order}`,
          values: inner.values,
        });
      for await (const [row = {}] of ask(`COUNT(*) AS n, COUNT(DISTINCT ${column}) AS d`)) {
        const [rows, different] = [Number(row.n), Number(row.d)];
        if (rows !== different)
          throw mistake(
            `the query has ${counted(rows, 'row')}, but "${key}" has only ${counted(different, 'different value that is', 'different values that are')} not empty, as the database compares them, so pages would lose rows; use a primary_key that is unique and never empty`,
          );
      }
      // With a limit of its own, the query has only the rows of one page.
      if (!statement.tokens.has('limit')) return;
      const seen = digest.digest('base64');
      for (const direction of ['ASC', 'DESC']) {
        const sorted = ask(column, ` ORDER BY ${column} ${direction}`);
        if ((await digestOf(sorted, key, isWhole ? undefined : count)) === seen) return;
      }
      throw mistake(
        `the pages do not have all rows in the order of "${key}", so rows would be lost; write ${key} > ?<Cursor> and ORDER BY ${key}`,
      );
    },
  };
}

async function digestOf(
  batches: AsyncIterable<Row[]>,
  key: string,
  most = Number.POSITIVE_INFINITY,
): Promise<string> {
  const digest = createHash('sha256');
  let count = 0;
  for await (const rows of batches) {
    digest.update(spelled(rows.slice(0, most - count), key));
    count += rows.length;
    if (count >= most) break;
  }
  return digest.digest('base64');
}

/** Returns keys, each with an end, so that two lists of keys never look the same. */
function spelled(rows: Row[], key: string): string {
  let all = '';
  for (const { [key]: value } of rows) {
    const text = value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value);
    all += `${typeof value} ${text.length} ${text}\n`;
  }
  return all;
}
