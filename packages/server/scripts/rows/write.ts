// Writes the types of rows that the tests saw into statements that declare none, such as many(db)`select …`.
import { isNamed, type Kinds, type Rows } from '../../test/rows.ts';
import { nullsMissing } from './compare.ts';

const TEMPLATE = /\b(many|one|values?)(?=\([\w.]+(?:\(\w+\))?\)`)/g;
const KINDS: Record<string, string> = { bytes: 'Buffer', bigint: 'bigint' };

/** Returns the source with types, and the places of statements without a recording. `path` is that of the source, as in a place. */
export function withTypes(path: string, source: string, rows: Rows[]): { text: string; unknown: string[] } {
  const unknown: string[] = [];
  const text = source.replace(TEMPLATE, (name, ...rest) => {
    const at = rest.at(-2) as number;
    const before = source.slice(0, source.indexOf('`', at)).split('\n');
    const place = `${path}:${before.length}:${(before.at(-1) as string).length + 1}`;
    const found = rows.filter(({ places }) => places.includes(place));
    if (found.length === 0) {
      unknown.push(place);
      return name;
    }
    return `${name}<${name.startsWith('value') ? columnType(found) : typeOf('', found)}>`;
  });
  return { text, unknown };
}

/** The type of the only column. A value is undefined if a test saw no row, which the recording does not have. */
function columnType(rows: Rows[]): string {
  const [column, ...others] = rows.flatMap(({ kinds }) => namesIn(kinds, ''));
  if (column === undefined || others.some((other) => other !== column)) return typeOf('', rows);
  return typeOf(`.${column}`, rows);
}

const namesIn = (kinds: Kinds, path: string): string[] => [
  ...new Set((kinds[path] ?? []).filter(isNamed).flatMap((kind) => JSON.parse(kind) as string[])),
];

function typeOf(path: string, rows: Rows[]): string {
  const kinds = new Set(rows.flatMap(({ kinds: all }) => all[path] ?? []));
  const forms = [...kinds].filter(isNamed).map((kind) => JSON.parse(kind) as string[]);
  const types = [...kinds].filter((kind) => !isNamed(kind) && kind !== 'null' && kind !== 'array');
  const texts = types.map((kind) => KINDS[kind] ?? kind);
  if (kinds.has('array')) texts.push(`${wrapped(typeOf(`${path}[]`, rows))}[]`);
  if (forms.length > 0) texts.push(objectOf(path, forms, rows));
  if (kinds.has('null') || rows.some((row) => canBeNull(path, row))) texts.push('null');
  return texts.length === 0 ? 'unknown' : texts.join(' | ');
}

function objectOf(path: string, forms: string[][], rows: Rows[]): string {
  const names = [...new Set(forms.flat())];
  const properties = names.map((name) => {
    const isOptional = forms.some((form) => !form.includes(name));
    return `${name}${isOptional ? '?' : ''}: ${typeOf(`${path}.${name}`, rows)}`;
  });
  return `{ ${properties.join('; ')} }`;
}

/** Whether a column is read from one that can be null, without a condition that excludes it. */
const canBeNull = (path: string, row: Rows): boolean =>
  nullsMissing(
    { any: false, kinds: new Set(), items: undefined, objects: [{ properties: new Map(), index: ANY }] },
    row,
  ).some(([column]) => path === `.${column}`);

const ANY = { any: false, kinds: new Set<string>(), items: undefined, objects: [] };

const wrapped = (type: string) => (type.includes(' | ') ? `(${type})` : type);
