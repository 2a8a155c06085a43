import { type RawBuilder, sql } from '#kit/sql.ts';

type Fields = Record<string, RawBuilder<unknown>>;

/**
 * SQL for the canonical JSON of an object (RFC 8785), as the payloads of set-based writers. `values` are texts, ids, integers,
 * booleans, or arrays of these; a missing one is null. `json` are such texts themselves; a missing one is left out.
 */
export function jsonObject(values: Fields, json: Fields = {}): RawBuilder<string> {
  const members = [
    ...Object.entries(values).map(([name, value]) => ({
      name,
      text: sql`coalesce(to_json(${value})::text, 'null')`,
    })),
    ...Object.entries(json).map(([name, text]) => ({ name, text })),
  ].sort((a, b) => (a.name < b.name ? -1 : 1));
  const texts = members.map(({ name, text }) => sql`${sql.lit(`${JSON.stringify(name)}:`)} || ${text}`);
  return sql`'{' || concat_ws(',', ${sql.join(texts)}) || '}'`;
}

/** SQL for the canonical JSON of an array of such texts. A missing one is left out. */
export const jsonArray = (json: RawBuilder<unknown>[]): RawBuilder<string> =>
  sql`'[' || concat_ws(',', ${sql.join(json)}) || ']'`;
