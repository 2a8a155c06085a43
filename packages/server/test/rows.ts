// The rows that statements of the server return, as the recording keeps them: the kinds of their values instead of the values.
import pg from 'pg';

/**
 * The kinds of values at each path. The path '' is a row, '.id' one of its columns, '.tags[]' an item of an array in it. A kind
 * is 'string', 'number', 'boolean', 'null', 'Date', 'bytes' or 'array', or the names of an object in JSON.
 */
export type Kinds = Record<string, string[]>;

/** The rows of a statement, as they came back to one place of the source. */
export interface Rows {
  /** The name `execute` or `prepared` of the call, as `src/inventory/apps/queries/apps.ts:12:34`. */
  places: string[];
  /** The SQL with `$1` for the first value. */
  text: string;
  kinds: Kinds;
  /** For each column that is read from a column of a table which may be null: that column, as `app.icon`. */
  nullable: Record<string, string>;
}

const ITEMS = 20;
const PATHS = 400;
const KINDS = 30;
/** Rows of a statement that a process looks at. */
const LOOKED_AT = 2000;

/** A text of each type that the driver does not return as a string. The values of JSON follow from the rows only. */
const SAMPLES: Record<number, string | undefined> = {
  16: 't',
  17: '\\x00',
  20: '1',
  21: '1',
  23: '1',
  26: '1',
  114: undefined,
  700: '1',
  701: '1',
  1000: '{t}',
  1005: '{1}',
  1007: '{1}',
  1009: '{a}',
  1015: '{a}',
  1016: '{1}',
  1082: '2026-01-01',
  1114: '2026-01-01 00:00:00',
  1115: '{"2026-01-01 00:00:00"}',
  1182: '{2026-01-01}',
  1184: '2026-01-01 00:00:00+00',
  1185: '{"2026-01-01 00:00:00+00"}',
  1186: '1 day',
  1231: '{1}',
  2951: '{0198a3a0-0000-7000-8000-000000000001}',
  3802: undefined,
};

/** Returns a value as the driver parses it from a column of a type. Undefined if the type says nothing about the value. */
function sampleOf(type: number): unknown {
  const text = type in SAMPLES ? SAMPLES[type] : 'a';
  return text === undefined ? undefined : pg.types.getTypeParser(type, 'text')(text);
}

/** Collects the kinds of the rows of one statement. */
export class RowKinds {
  readonly #kinds = new Map<string, Set<string>>();
  #rows = 0;

  /** Adds the rows of a result. Returns the kinds that are new; undefined if there are none. */
  add({ fields, rows }: Pick<pg.QueryResult, 'fields' | 'rows'>): Kinds | undefined {
    if (this.#rows > LOOKED_AT) return undefined;
    const found: Kinds = {};
    const note = (path: string, kind: string) => {
      const kinds = this.#kinds.get(path) ?? new Set();
      if (kinds.has(kind) || kinds.size === KINDS || this.#kinds.size === PATHS) return;
      this.#kinds.set(path, kinds.add(kind));
      found[path] = [...(found[path] ?? []), kind];
    };
    if (this.#rows === 0) {
      look(Object.fromEntries(fields.map(({ name, dataTypeID }) => [name, sampleOf(dataTypeID)])), '', note);
    }
    for (const row of rows.slice(0, LOOKED_AT)) look(row, '', note);
    this.#rows += rows.length + 1;
    return Object.keys(found).length === 0 ? undefined : found;
  }
}

function look(value: unknown, path: string, note: (path: string, kind: string) => void): void {
  if (value === undefined) return;
  const kind = kindOf(value);
  note(path, kind);
  if (Array.isArray(value)) {
    for (const item of value.slice(0, ITEMS)) look(item, `${path}[]`, note);
  } else if (isNamed(kind)) {
    for (const [name, inner] of Object.entries(value as object)) look(inner, `${path}.${name}`, note);
  }
}

/** Whether a kind is that of an object, whose names it has in JSON. */
export const isNamed = (kind: string): boolean => kind.startsWith('[');

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value !== 'object') return typeof value;
  if (Array.isArray(value)) return 'array';
  if (value instanceof Date) return 'Date';
  if (value instanceof Uint8Array) return 'bytes';
  return JSON.stringify(Object.keys(value).sort());
}

/** Adds kinds to others. */
export function addKinds(kinds: Kinds, more: Kinds): void {
  for (const [path, added] of Object.entries(more))
    kinds[path] = [...new Set([...(kinds[path] ?? []), ...added])];
}
