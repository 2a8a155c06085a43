import type { Ref } from '@gatehouse/connector';
import { fieldsOf as fieldsIn, RECORD_FIELDS } from '@gatehouse/connector/declarative';
import { kindOf, type Scope, type Value } from './expression.ts';

export type Fields = Record<string, unknown> & { id: string };

/** The fields that are not text. */
const AS_FOUND = Object.values(RECORD_FIELDS)
  .flatMap(fieldsIn)
  .filter(([, { type }]) => ['flag', 'count', 'attributes'].includes(type))
  .map(([name]) => name);

/** Maps the item of a scope to the fields of a record. */
export function fieldsOf(record: [string, Value][], scope: Scope): Fields {
  const fields: Record<string, unknown> = {};
  for (const [name, value] of record) {
    try {
      const found = evaluate(value, scope, name);
      fields[name] = AS_FOUND.includes(name) ? found : textOf(found, name);
      if (name === 'id') required(fields.id, 'id');
    } catch (error) {
      if (error instanceof MappingError) error.id ??= typeof fields.id === 'string' ? fields.id : undefined;
      throw error;
    }
  }
  return fields as Fields;
}

/** An item that the expressions of the definition do not fit. */
export class MappingError extends Error {
  override name = 'MappingError';
  id: string | undefined;
}

export function evaluate(value: Value, scope: Scope, what: string): unknown {
  try {
    return value(scope);
  } catch (error) {
    throw new MappingError(`${what}: ${(error as Error).message}`);
  }
}

/** Returns a value as text. Ids are often numbers. */
export function textOf(value: unknown, what = 'the value'): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  throw new MappingError(`${what} is ${kindOf(value)}, but must be text`);
}

export function required(value: unknown, what: string): string {
  if (typeof value !== 'string' || value === '') throw new MappingError(`${what} is empty`);
  return value;
}

/** Accepts ids, and maps with id, name and via. A missing list is not an empty one: nobody would notice what is lost. */
export function refsIn(value: unknown, what: string): Ref[] {
  if (!Array.isArray(value)) throw new MappingError(`${what} is ${kindOf(value)}, but must be a list`);
  return value.map((each) =>
    refOf(typeof each === 'object' && each !== null ? (each as RawRef) : { id: each }, what),
  );
}

type RawRef = { id?: unknown; name?: unknown; via?: unknown };

export function refOf({ id, name, via }: RawRef, what: string): Ref {
  const label = textOf(name, what);
  const giver = via === undefined || via === null ? undefined : giverOf(via, what);
  return {
    id: required(textOf(id, what), what),
    ...(label ? { name: label } : {}),
    ...(giver ? { via: giver } : {}),
  };
}

function giverOf(via: unknown, what: string): { slug: string; id: string } {
  const { slug, id } = (typeof via === 'object' ? via : {}) as { slug?: unknown; id?: unknown };
  return { slug: required(slug, `via.slug of ${what}`), id: required(textOf(id), `via.id of ${what}`) };
}

/** Returns each group or license once. Keeps a direct one, or else the one whose giver sorts first. */
export function distinct(refs: Ref[]): Ref[] {
  const rank = ({ via }: Ref) => (via ? `${via.slug} ${via.id}` : '');
  const found = new Map<string, Ref>();
  for (const ref of refs) {
    const other = found.get(ref.id);
    if (!other || rank(ref) < rank(other)) found.set(ref.id, ref);
  }
  return [...found.values()];
}
