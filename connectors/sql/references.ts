import type { Row } from './drivers/driver.ts';
import { readable } from './drivers/driver.ts';
import { QueryError } from './errors.ts';
import { asText, type Inputs } from './expressions.ts';
import type { Query } from './plan.ts';
import { bindWhole, type Reader, read } from './statements.ts';

/** A column of a query. */
export type Column = { query: Query; inputs: Inputs; name: string };

/**
 * Returns the ids of a list by references to them that are written differently, such as 'ANN' for 'ann' or '7.0' for 7, as far
 * as the database says that they are equal. A reference to several ids is left out. Columns that the database cannot compare
 * have no equal values.
 */
export async function differentlyWritten(
  reader: Reader,
  reference: Column,
  id: Column,
): Promise<Map<string, string>> {
  const { quote } = reader.driver;
  if (quote === undefined) return new Map();
  const references = bindWhole(reader, reference.query, reference.inputs);
  const ids = bindWhole(reader, id.query, id.inputs, references.values.length);
  const [left, right] = [`a.${quote(reference.name)}`, `b.${quote(id.name)}`];
  // SQLite compares by the collation of the left side, which is that of the list.
  const text = `SELECT DISTINCT ${left} AS reference, ${right} AS id FROM (\n${references.text}\n) a JOIN (\n${ids.text}\n) b ON ${right} = ${left}`;
  const found = new Map<string, Set<string>>();
  // A separate connection: with PostgreSQL, a failed comparison would end the transaction of the listing.
  const session = await reader.driver.connect();
  try {
    const bound = { text, values: [...references.values, ...ids.values] };
    for await (const rows of read({ ...reader, session }, reference.query.statement.path, bound))
      for (const row of rows.map(readable)) add(found, row);
  } catch (error) {
    if (isIncomparable(error)) return new Map();
    // Anything else leaves open whose the references are, and a sync would take the access away.
    throw error;
  } finally {
    await session.close();
  }
  const clear = [...found].filter(([, { size }]) => size === 1);
  return new Map(clear.map(([written, [only = '']]) => [written, only]));
}

/** Only PostgreSQL refuses to compare columns: classes 22 (wrong form) and 42 (no such operator), except missing privileges. */
const isIncomparable = (error: unknown): boolean =>
  error instanceof QueryError &&
  /^(?:22|42(?!501))/.test(String((error.source as { code?: unknown } | undefined)?.code ?? ''));

function add(found: Map<string, Set<string>>, { reference, id }: Row): void {
  const [written, listed] = [asText(reference), asText(id)];
  // MySQL and MariaDB compare a text with a number by the number that it begins with: 'x' equals 0.
  if (typeof reference !== typeof id && Number(written) !== Number(listed)) return;
  const ids = found.get(written) ?? new Set<string>();
  found.set(written, ids.add(listed));
}
