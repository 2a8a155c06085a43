import { featureOf, layerOf } from '../rooms.ts';
import { type Schema, takesAdvisoryLock } from './schema.ts';
import { reExportsOfQueries, type SqlText, sqlIn } from './source.ts';
import { type Uses, usesOf } from './sql.ts';

/** A file below packages/server/src. */
export interface SourceFile {
  /** The path below `src`, such as `inventory/records/queries/all.ts`. */
  path: string;
  code: string;
}

/** Which features use a table, each with the places where it does. */
export interface TableUse {
  writers: Map<string, string[]>;
  readers: Map<string, string[]>;
  lockers: Map<string, string[]>;
}

export interface Report {
  tables: Map<string, TableUse>;
  problems: string[];
}

/**
 * Exceptions from the rules, each with its reason: `trigger <name>`, `advisory lock in <file or function>`, or `tables in <file>`, which
 * writes tables that features declare.
 */
export type Allowed = Record<string, string>;

/** For each feature, the tables that it declares (packages/server/src/references.ts). It writes them. */
export type Declared = Record<string, Record<string, unknown>>;

/**
 * Derives from the SQL of all files, and of the functions that they call, which feature uses which table. Reports SQL in other places
 * than it belongs to (docs/reference/development.md), and re-exported queries.
 */
export function ownersOf(
  schema: Schema,
  files: SourceFile[],
  allowed: Allowed,
  declared: Declared = {},
): Report {
  const tables = new Map<string, TableUse>();
  const problems: string[] = [];
  for (const table of [...schema.tables].sort())
    tables.set(table, { writers: new Map(), readers: new Map(), lockers: new Map() });

  for (const { path, code } of files) {
    for (const name of reExportsOfQueries(code))
      problems.push(
        `${path} re-exports ${name} of a query. Move what others read to facts, or write a rule.`,
      );
    for (const text of sqlIn(code, { isPlaceOfSql: isPlaceOfSql(path) })) {
      const uses = withHoles(usesOf(text.text, { isFragment: text.isTagged }), text, schema);
      const place = `${path}:${text.line}`;
      if (uses !== undefined) note(tables, schema, { feature: featureOf(path), place }, uses);
      problems.push(...problemsOfText(path, text, uses, allowed).map((it) => `${place} ${it}`));
    }
  }
  for (const [feature, declarations] of Object.entries(declared)) {
    for (const table of Object.keys(declarations)) {
      const writers = tables.get(table)?.writers;
      writers?.set(feature, [...(writers.get(feature) ?? []), 'its references.ts']);
    }
  }
  problems.push(...problemsOfSchema(schema, allowed), ...problemsOfTables(tables));
  return { tables, problems };
}

function problemsOfText(path: string, { text }: SqlText, uses: Uses | undefined, allowed: Allowed): string[] {
  const problems: string[] = [];
  if (!isPlaceOfSql(path))
    problems.push('contains SQL. Move it to queries/, or to facts if other features use it.');
  if (uses === undefined && !allowed[`tables in ${path}`])
    problems.push('writes a table whose name is not in that file.');
  if ((isFacts(path) || isFilters(path)) && (uses?.writes.size ?? 1) > 0)
    problems.push('writes. Facts and filters only read: move it to queries/.');
  if (takesAdvisoryLock(text) && !allowed[`advisory lock in ${path}`])
    problems.push('takes an advisory lock. Lock a row or a table instead.');
  if (/\bcreate (or replace )?(constraint )?trigger\b/i.test(text))
    problems.push('creates a trigger. Make the rule a call that can be seen.');
  return problems;
}

/**
 * Queries are private to a feature, facts are what others read or use in their SQL, filters are parameters of lists with their
 * conditions, and kit/database is the database itself.
 */
const isPlaceOfSql = (path: string) =>
  isQueries(path) || isFacts(path) || isFilters(path) || path.startsWith('kit/database/');
const isQueries = (path: string) => path.includes('/queries/');
const isFacts = (path: string) => !isQueries(path) && /[/-]facts[.]ts$/.test(path);
const isFilters = (path: string) => !isQueries(path) && /[/-]filters[.]ts$/.test(path);

/** Puts names into the holes. Undefined if a table is written that cannot be named. */
function withHoles(uses: Uses, text: SqlText, schema: Schema): Uses | undefined {
  const namesIn = (number: number) =>
    (text.holes[number] ?? []).filter((name) => schema.tables.has(name) || schema.views.has(name));
  for (const number of uses.holesWritten) {
    const names = namesIn(number);
    if (names.length === 0) return undefined;
    for (const name of names) uses.writes.add(name);
  }
  for (const number of uses.holesRead) for (const name of namesIn(number)) uses.reads.add(name);
  return uses;
}

/** Notes what a text uses itself, and through views and functions. */
function note(
  tables: Map<string, TableUse>,
  schema: Schema,
  { feature, place }: { feature: string; place: string },
  uses: Uses,
  seen: ReadonlySet<string> = new Set(),
) {
  const add = (names: Set<string>, kind: keyof TableUse) => {
    for (const name of names) {
      const view = schema.views.get(name);
      if (view !== undefined) add(usesOf(view).reads, kind);
      const users = tables.get(name)?.[kind];
      users?.set(feature, [...(users.get(feature) ?? []), place]);
    }
  };
  add(uses.writes, 'writers');
  add(uses.reads, 'readers');
  add(uses.locks, 'lockers');
  for (const name of uses.calls) {
    const body = schema.functions.get(name);
    if (body === undefined || seen.has(name)) continue;
    note(tables, schema, { feature, place: `${place} (${name})` }, usesOf(body), new Set([...seen, name]));
  }
}

function problemsOfSchema({ functions, triggers }: Schema, allowed: Allowed): string[] {
  const problems: string[] = [];
  for (const [name, { table }] of triggers) {
    if (!allowed[`trigger ${name}`])
      problems.push(`Trigger ${name} on ${table} carries a rule. Make the rule a call that can be seen.`);
  }
  for (const [name, body] of functions) {
    if (takesAdvisoryLock(body) && !allowed[`advisory lock in ${name}`])
      problems.push(`Function ${name} takes an advisory lock. Lock a row or a table instead.`);
  }
  return problems;
}

function problemsOfTables(tables: Map<string, TableUse>): string[] {
  const problems: string[] = [];
  for (const [table, { writers }] of tables) {
    if (writers.size === 0) problems.push(`No feature writes ${table}.`);
    if (writers.size < 2) continue;
    const each = [...writers].map(([feature, places]) => `${feature} (${[...new Set(places)].join(', ')})`);
    problems.push(`${table} has ${writers.size} writers: ${each.join('; ')}.`);
  }
  return problems;
}

/** A feature that writes a table, or its layer if no other one does. */
function ownerOf([feature, places]: [string, string[]]): string {
  const layers = new Set(places.filter((place) => place.includes('/')).map(layerOf));
  return layers.size === 1 ? ([...layers][0] as string) : feature;
}

/** The Markdown table of ARCHITECTURE.md. */
export function tableOfOwners(tables: Map<string, TableUse>): string {
  const rows = [...tables].map(([table, { writers, readers, lockers }]) => {
    const others = [...new Set([...readers.keys(), ...lockers.keys()])]
      .filter((feature) => !writers.has(feature))
      .sort()
      .map((feature) => (lockers.has(feature) ? `${feature} (locks)` : feature));
    return `| ${table} | ${[...writers].map(ownerOf).sort().join(', ')} | ${others.join(', ')} |`;
  });
  return ['| table | owner, its only writer | read by |', '| --- | --- | --- |', ...rows].join('\n');
}
