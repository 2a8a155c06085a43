import { isInstant } from '../../kit/instants.ts';
import { bad } from './errors.ts';
import { type Attribute, COMMON, find, isIgnored, type ResourceType } from './schema.ts';

/** A resource with names spelled as in the schemas. The attributes of an extension are below its URN. */
export type Resource = Record<string, unknown>;
export type Element = Record<string, unknown>;

const MOST_VALUES = 100;
const LONGEST_TEXT = 4096;

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * A resource, and the names of the attributes that a client has named, even if they have no value. Those of an extension have
 * the prefix `ext:`.
 */
export interface Named {
  resource: Resource;
  named: Set<string>;
}

/** Reads a resource that a client sent. Names may be in any case. Leaves out unknown, read-only and ignored attributes. */
export function readResource(type: ResourceType, body: unknown): Named {
  if (!isObject(body)) throw bad('invalidSyntax', 'Send the resource as a JSON object.');
  const known = [...COMMON, ...type.attributes];
  const parts = Object.entries(body).map(([key, value]): Named => {
    const { extension } = type;
    if (extension === undefined || key.toLowerCase() !== extension.schema.toLowerCase()) {
      const name = key.toLowerCase().startsWith(`${type.schema.toLowerCase()}:`)
        ? key.slice(type.schema.length + 1)
        : key;
      return readAttributes(known, { [name]: value }, '');
    }
    if (value === null || value === undefined) return { resource: {}, named: new Set() };
    if (!isObject(value)) throw bad('invalidValue', `${extension.schema} must be an object.`);
    const { resource, named } = readAttributes(extension.attributes, value, 'ext:');
    return { resource: { [extension.schema]: resource }, named };
  });
  return {
    resource: Object.assign({}, ...parts.map(({ resource }) => resource)),
    named: new Set(parts.flatMap(({ named }) => [...named])),
  };
}

function readAttributes(
  attributes: readonly Attribute[],
  body: Record<string, unknown>,
  prefix: string,
): Named {
  const resource: Resource = {};
  const named = new Set<string>();
  for (const [key, value] of Object.entries(body)) {
    const attribute = isIgnored(key) ? undefined : find(attributes, key);
    if (attribute === undefined || attribute.mutability === 'readOnly') continue;
    named.add(`${prefix}${attribute.name}`);
    const coerced = readValue(attribute, value);
    if (coerced !== undefined) resource[attribute.name] = coerced;
  }
  return { resource, named };
}

/** Converts a value to the type of its attribute. Returns undefined for no value. Throws 400 for a value of another type. */
export function readValue(attribute: Attribute, value: unknown): unknown {
  if (value === null || value === undefined) return undefined;
  if (!attribute.multiValued) return readSingle(attribute, value);
  const list = Array.isArray(value) ? value : [value];
  requireFewValues(attribute, list);
  const elements = list.flatMap((one) => {
    const element = readSingle(attribute, isObject(one) ? one : { value: one });
    return element === undefined ? [] : [element as Element];
  });
  requireOnePrimary(attribute, elements);
  return elements.length === 0 ? undefined : elements;
}

export function requireFewValues({ name }: Attribute, list: readonly unknown[]) {
  if (name !== 'members' && list.length > MOST_VALUES)
    throw bad('invalidValue', `${name} has ${list.length} values. At most ${MOST_VALUES} are allowed.`);
}

export function requireOnePrimary({ name }: Attribute, elements: readonly Element[]) {
  if (elements.filter(({ primary }) => primary === true).length > 1)
    throw bad('invalidValue', `${name} has more than one primary value. Mark only one as primary.`);
}

export function readSingle(attribute: Attribute, value: unknown): unknown {
  const { name, type } = attribute;
  if (value === null || value === undefined || value === '') return undefined;
  switch (type) {
    case 'boolean':
      return booleanOf(name, value);
    case 'complex':
      return complexOf(attribute, value);
    case 'dateTime':
      if (!isInstant(value))
        throw bad('invalidValue', `${name} must be a time, such as "2026-11-21T12:00:00Z".`);
      return value;
    default:
      if (typeof value === 'string') {
        if (value.length > LONGEST_TEXT)
          throw bad('invalidValue', `${name} has more than ${LONGEST_TEXT} characters. Shorten it.`);
        return value;
      }
      throw bad('invalidValue', `${name} must be a string.`);
  }
}

/** Reads a boolean. Entra ID sends booleans as strings, such as "False". */
function booleanOf(name: string, value: unknown): boolean {
  const text = String(value).toLowerCase();
  if (text === 'true' || text === 'false') return text === 'true';
  throw bad('invalidValue', `${name} must be true or false.`);
}

function complexOf({ name, subAttributes = [] }: Attribute, value: unknown): Element | undefined {
  // Entra ID sends the manager as a plain id. Some clients send a list with one element.
  const one = Array.isArray(value) && value.length === 1 ? value[0] : value;
  const given = isObject(one) ? one : find(subAttributes, 'value') === undefined ? undefined : { value: one };
  if (given === undefined || Array.isArray(one)) throw bad('invalidValue', `${name} must be an object.`);
  const element: Element = {};
  for (const [key, part] of Object.entries(given)) {
    const sub = find(subAttributes, key);
    if (sub === undefined) continue;
    const read = readSingle(sub, part);
    if (read !== undefined) element[sub.name] = read;
  }
  return Object.keys(element).length === 0 ? undefined : element;
}
