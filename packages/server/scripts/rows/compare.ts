// Compares the rows that came back with the types that the source declares for them.
import { isNamed, type Kinds, type Rows } from '#test/rows.ts';
import type { Cast, Declared, DeclaredObject } from './declared.ts';

export interface Comparison {
  /** Sentences about values that their types do not allow, each with its place. */
  differing: string[];
  /** The places that no test reached. */
  unchecked: string[];
  /** The columns of tables among `neverNull` that made a difference. */
  excused: Set<string>;
}

/** Compares the rows of all casts. `neverNull` has columns of tables which are not null in rows that are read. */
export function compare(casts: Cast[], rows: Rows[], neverNull: Record<string, string> = {}): Comparison {
  const byPlace = Map.groupBy(
    rows.flatMap((each) => each.places.map((place) => ({ place, each }))),
    ({ place }) => place,
  );
  const result: Comparison = { differing: [], unchecked: [], excused: new Set() };
  for (const { place, row: declared, isColumn } of casts) {
    const found = new Set<string>();
    for (const { each } of byPlace.get(place) ?? []) {
      const row = isColumn ? rowWith(declared, each.kinds) : declared;
      for (const difference of differencesAt(row, each.kinds, '')) found.add(difference);
      for (const [column, origin] of nullsMissing(row, each)) {
        if (origin in neverNull) result.excused.add(origin);
        else found.add(`${column} is not declared as null, but ${origin} can be null`);
      }
    }
    result.differing.push(...[...found].map((difference) => `${place}: ${difference}`));
    if (!byPlace.has(place)) result.unchecked.push(place);
  }
  return result;
}

/** Finds columns that are not declared as null, but read from a column of a table which can be null, without a condition. */
export const nullsMissing = (
  row: Declared,
  { kinds, nullable, text }: Rows,
): [column: string, origin: string][] =>
  Object.entries(nullable).filter(([column, origin]) => {
    const type = propertyOf(row, column);
    if (type === undefined || type.any || type.kinds.has('null') || excludesNull(text, origin)) return false;
    return !(kinds[`.${column}`] ?? []).includes('null');
  });

function* differencesAt(type: Declared, kinds: Kinds, path: string): Generator<string> {
  if (type.any) return;
  const seen = kinds[path] ?? [];
  for (const kind of seen) {
    if (isNamed(kind)) yield* missing(type, JSON.parse(kind), path);
    else if (kind === 'array' ? type.items === undefined : !type.kinds.has(kind)) {
      yield `${nameOf(path)} is declared as ${wordsFor(type)}, but returned as ${kind}`;
    }
  }
  if (type.items !== undefined) yield* differencesAt(type.items, kinds, `${path}[]`);
  for (const name of new Set(seen.filter(isNamed).flatMap((kind) => JSON.parse(kind) as string[]))) {
    const inner = propertyOf(type, name);
    if (inner !== undefined) yield* differencesAt(inner, kinds, `${path}.${name}`);
  }
}

/** Says which property is missing if an object has none of the declared forms. */
function* missing(type: Declared, names: string[], path: string): Generator<string> {
  const lacking = type.objects.map((object) => lackingIn(object, names));
  if (lacking.some((some) => some.length === 0)) return;
  const [first] = lacking.sort((a, b) => a.length - b.length);
  if (first === undefined) yield `${nameOf(path)} is declared as ${wordsFor(type)}, but returned as object`;
  else yield `${nameOf(path)} has no ${first.join(', ')}, only ${names.join(', ')}`;
}

/** Returns the type of a row whose first column has a type. The recording has the names of columns, but not their order. */
function rowWith(column: Declared, kinds: Kinds): Declared {
  const names = new Set((kinds[''] ?? []).filter(isNamed).flatMap((kind) => JSON.parse(kind) as string[]));
  const properties = new Map([...names].map((name) => [name, { isOptional: false, type: column }]));
  return { any: false, kinds: new Set(), items: undefined, objects: [{ properties, index: undefined }] };
}

const lackingIn = ({ properties }: DeclaredObject, names: string[]) =>
  [...properties]
    .filter(([name, { isOptional }]) => !isOptional && !names.includes(name))
    .map(([name]) => name);

/** Returns the type of a property in any of the declared forms. Undefined if it is not declared: more may be selected than is read. */
function propertyOf({ objects }: Declared, name: string): Declared | undefined {
  const types = objects.map((object) => propertyIn(object, name));
  if (types.length < 2 || !types.every((type) => type !== undefined))
    return types.length < 2 ? types[0] : undefined;
  const items = types.flatMap((type) => type.items ?? []);
  return {
    any: types.some(({ any }) => any),
    kinds: new Set(types.flatMap(({ kinds }) => [...kinds])),
    items: items.find(({ any }) => any) ?? items[0],
    objects: types.flatMap((type) => type.objects),
  };
}

const NULL: Declared = { any: false, kinds: new Set(['null']), items: undefined, objects: [] };

/** In a row declared as `{ id: null }`, such as that of an outer join, all others are null, too. */
function propertyIn({ properties, index }: DeclaredObject, name: string): Declared | undefined {
  const isNull = [...properties.values()].some(
    ({ type: { any, kinds, items, objects } }) =>
      [...kinds].join() === 'null' && !any && items === undefined && objects.length === 0,
  );
  return properties.get(name)?.type ?? index ?? (isNull ? NULL : undefined);
}

const wordsFor = ({ kinds, items, objects }: Declared): string =>
  [...kinds, ...(items ? ['array'] : []), ...(objects.length > 0 ? ['object'] : [])].join(' or ');

const nameOf = (path: string) => (path === '' ? 'the row' : path.slice(1));

/** Returns whether a statement says that a column is not null, or compares it with something. An assignment is not a comparison. */
function excludesNull(text: string, origin: string): boolean {
  const column = origin.slice(origin.indexOf('.') + 1);
  const conditions = text.replace(/\bset\b.*?(?=\b(?:where|from|returning)\b|$)/gis, '');
  return new RegExp(
    String.raw`\b${column}"?\s*(is not null|=|<|>|in\b)|(=|<|>)\s*(\w+\.)?"?${column}\b`,
  ).test(conditions);
}
