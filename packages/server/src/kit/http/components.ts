import { isDeepStrictEqual } from 'node:util';
import { ErrorBody } from '../schemas.ts';

interface Document {
  paths?: object;
  components?: { schemas?: object; parameters?: object; responses?: object };
}

interface Parameter {
  name: string;
}

const ERROR = {
  description: 'Error',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/ApiError' } } },
};

/** A schema has one of them. Other objects can have a title, too. */
const SHAPES = ['type', 'anyOf', 'enum'];

/** The response of every operation that fails (D5). */
export const ErrorResponse = { $ref: '#/components/responses/Error' };

/**
 * Moves to the components what operations share, and refers to it where it was: schemas with a title (`Component`), and parameters.
 * Throws if two schemas have the same name.
 */
export function withComponents<D extends Document>(document: D): D {
  const schemas = new Map<string, object>();
  nameSchemas(ErrorBody, schemas);
  const { paths, parameters } = shareParameters(nameSchemas(document.paths ?? {}, schemas));
  return {
    ...document,
    paths,
    components: {
      ...document.components,
      schemas: sorted(schemas),
      parameters: sorted(parameters),
      responses: { Error: ERROR },
    },
  };
}

/** Returns a copy with the components in the place of the references to them. */
export function withoutReferences<D extends object>(document: D): D {
  const resolve = (value: unknown): unknown =>
    changed(value, (copy) => {
      if (typeof copy.$ref !== 'string') return copy;
      const { $ref, ...others } = copy;
      const [, ...path] = $ref.split('/');
      const component = path.reduce<unknown>((inner, key) => inner?.[key as never], document);
      if (component === undefined) throw new Error(`${$ref} does not exist.`);
      return { ...(resolve(component) as object), ...others };
    });
  return resolve(document) as D;
}

function nameSchemas<T>(all: T, named: Map<string, object>): T {
  return changed(all, (copy) => {
    if (typeof copy.title !== 'string' || !SHAPES.some((key) => key in copy)) return copy;
    const { title, description, ...schema } = copy;
    const known = named.get(title) ?? schema;
    if (!isDeepStrictEqual(known, schema)) throw new Error(`Two schemas have the name ${title}.`);
    named.set(title, known);
    const $ref = `#/components/schemas/${title}`;
    return description === undefined ? { $ref } : { $ref, description };
  }) as T;
}

/** Parameters with one name can differ. The one that most operations have becomes the component, if it is not the only one. */
function shareParameters(paths: object) {
  const operations = Object.values(paths).flatMap((methods: object) => Object.values(methods)) as {
    parameters?: Parameter[];
  }[];
  const all = operations.flatMap(({ parameters = [] }) => parameters);
  const shared = new Map<string, Parameter>();
  for (const [name, same] of Map.groupBy(all, (parameter) => parameter.name)) {
    const forms = [...Map.groupBy(same, (parameter) => JSON.stringify(parameter)).values()];
    const [form, ...others] = forms.toSorted((one, other) => other.length - one.length)[0] ?? [];
    if (form !== undefined && others.length > 0) shared.set(name, form);
  }
  const refer = (parameter: Parameter) =>
    isDeepStrictEqual(shared.get(parameter.name), parameter)
      ? { $ref: `#/components/parameters/${parameter.name}` }
      : parameter;
  const referring = changed(paths, (copy) =>
    Array.isArray(copy.parameters) ? { ...copy, parameters: copy.parameters.map(refer) } : copy,
  );
  return { paths: referring as object, parameters: shared };
}

/** Copies a value and replaces each object in it, from the inside out. */
function changed(value: unknown, change: (copy: Record<string, unknown>) => unknown): unknown {
  if (Array.isArray(value)) return value.map((inner) => changed(inner, change));
  if (typeof value !== 'object' || value === null) return value;
  const inner = Object.entries(value).map(([key, one]) => [key, changed(one, change)]);
  return change(Object.fromEntries(inner));
}

const sorted = (components: Map<string, object>) =>
  Object.fromEntries([...components].sort(([one], [other]) => (one < other ? -1 : 1)));
