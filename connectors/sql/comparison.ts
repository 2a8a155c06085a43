import type { Row, Session } from './drivers/driver.ts';
import { readable } from './drivers/driver.ts';
import { QueryError } from './errors.ts';
import { asText, type Inputs } from './expressions.ts';
import type { Query } from './plan.ts';
import { bindWhole, type Reader, read } from './statements.ts';

/** A column of a query. */
export type Column = { query: Query; inputs: Inputs; name: string };

/** Compares columns of two queries as the database does. */
export type Comparison = {
  /**
   * Returns the ids of a list by references to them that are written differently, such as 'ANN' for 'ann' or '7.0' for 7, as far
   * as the database says that they are equal. A reference to several ids is left out. Columns that the database cannot compare
   * have no equal values.
   */
  differentlyWritten(reference: Column, id: Column): Promise<Map<string, string>>;
  close(): Promise<void>;
};

/**
 * Opens a connection of its own with the first comparison: with PostgreSQL, a failed one would end the transaction of the listing.
 * The caller closes it.
 */
export function openComparison(reader: Reader): Comparison {
  let session: Promise<Session> | undefined;
  return {
    async differentlyWritten(reference, id) {
      if (reader.driver.quote === undefined) return new Map();
      session ??= reader.driver.connect();
      return compare({ ...reader, session: await session }, reader.driver.quote, reference, id);
    },
    close: async () => (await session?.catch(() => undefined))?.close(),
  };
}

async function compare(
  reader: Reader,
  quote: (name: string) => string,
  reference: Column,
  id: Column,
): Promise<Map<string, string>> {
  const references = bindWhole(reader, reference.query, reference.inputs);
  const ids = bindWhole(reader, id.query, id.inputs, references.values.length);
  const [left, right] = [`a.${quote(reference.name)}`, `b.${quote(id.name)}`];
  // SQLite compares by the collation of the left side, which is that of the list.
  const text = `SELECT DISTINCT ${left} AS reference, ${right} AS id FROM (\n${references.text}\n) a JOIN (\n${ids.text}\n) b ON ${right} = ${left}`;
  const bound = { text, values: [...references.values, ...ids.values] };
  const found = new Map<string, Set<string>>();
  try {
    for await (const rows of read(reader, reference.query.statement.path, bound))
      for (const row of rows.map(readable)) add(found, row);
  } catch (error) {
    if (isIncomparable(error)) return new Map();
    // Anything else leaves open whose the references are, and a sync would take the access away.
    throw error;
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
