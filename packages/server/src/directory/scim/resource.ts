import { DomainError } from '#kit/errors.ts';
import { isInstant } from '#kit/instants.ts';
import { bad } from './errors.ts';
import { type Attribute, find } from './schema.ts';

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

/** A part of a request that cannot be read. */
export interface Problem {
  /** The attribute as `named` has it, if it is known, or how the client wrote it. */
  attribute: string;
  error: DomainError;
}

/**
 * Runs `work` on a part of a request. With `problems`, adds its error there, so that the other parts can be read (D79). Otherwise throws
 * it.
 */
export function attempt(attribute: string, problems: Problem[] | undefined, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (problems === undefined || !(error instanceof DomainError)) throw error;
    problems.push({ attribute, error });
  }
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
        if (value.includes('\0')) throw bad('invalidValue', `${name} contains a NUL character. Remove it.`);
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
