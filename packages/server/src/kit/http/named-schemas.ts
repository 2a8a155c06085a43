import { isDeepStrictEqual } from 'node:util';
import { ErrorBody } from './schemas.ts';

interface Document {
  paths?: object;
  components?: { schemas?: object };
}

/**
 * Moves the schemas with a title (`Component`) to the components, and refers to them where they were. Throws if two schemas
 * have the same name.
 */
export function nameSchemas<D extends Document>(document: D): D {
  const named = new Map<string, object>();
  const refer = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(refer);
    if (typeof value !== 'object' || value === null) return value;
    const copy = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, refer(inner)]));
    if (!(typeof copy.title === 'string' && copy.type === 'object')) return copy;
    const { title, description, ...schema } = copy;
    const known = named.get(title) ?? schema;
    if (!isDeepStrictEqual(known, schema)) throw new Error(`Two schemas have the name ${title}.`);
    named.set(title, known);
    const $ref = `#/components/schemas/${title}`;
    return description === undefined ? { $ref } : { $ref, description };
  };
  refer(ErrorBody);
  const paths = refer(document.paths);
  const schemas = Object.fromEntries([...named].sort(([one], [other]) => (one < other ? -1 : 1)));
  return { ...document, paths, components: { ...document.components, schemas } };
}
