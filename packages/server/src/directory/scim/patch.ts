import { bad } from './errors.ts';
import { readElementFilter } from './filter.ts';
import { elementsOf, listAfter, type Operation, type Target } from './patch-list.ts';
import {
  attempt,
  type Element,
  isObject,
  type Named,
  type Problem,
  type Resource,
  readSingle,
} from './resource.ts';
import { type Attribute, isIgnored, placeOf, type ResourceType } from './schema.ts';

const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const MOST_OPERATIONS = 1000;
const MOST_KEYS = 1000;
const LONGEST_KEY = 1024;
const LONGEST_PATH = 9216;

/**
 * Reads the body of a PATCH. Operations may be capitalized, as Entra ID sends them. With `problems`, adds what cannot be read there, and
 * returns the other operations.
 */
export function readPatch(type: ResourceType, body: unknown, problems?: Problem[]): Operation[] {
  if (!isObject(body)) throw bad('invalidSyntax', 'Send a PatchOp as a JSON object.');
  const fields = Object.fromEntries(Object.entries(body).map(([name, value]) => [name.toLowerCase(), value]));
  const { schemas, operations } = fields;
  attempt('schemas', problems, () => {
    if (Array.isArray(schemas) && !schemas.some((one) => String(one).toLowerCase() === PATCH.toLowerCase()))
      throw bad('invalidSyntax', `schemas must contain ${PATCH}.`);
  });
  const list = Array.isArray(operations) ? operations : isObject(operations) ? [operations] : [];
  if (list.length === 0) throw bad('invalidSyntax', 'Operations must be a list with at least one operation.');
  attempt('Operations', problems, () => {
    if (list.length > MOST_OPERATIONS)
      throw bad(
        'invalidValue',
        `Operations has ${list.length} entries. At most ${MOST_OPERATIONS} are allowed.`,
      );
  });
  const read = list.length > MOST_OPERATIONS ? list.filter(isAboutStatus) : list;
  return read.slice(0, MOST_OPERATIONS).flatMap((one) => {
    const operations: Operation[] = [];
    attempt(attributeIn(one), problems, () => operations.push(readOperation(type, one, problems)));
    return operations;
  });
}

/** Returns how an operation names its attribute. */
const attributeIn = (operation: unknown): string =>
  isObject(operation) && typeof operation.path === 'string' && operation.path !== ''
    ? statusOr(operation.path)
    : 'Operations';

/** Whether a path is that of `active`, with or without its schema. */
const isStatus = (path: string): boolean => /(^|:)active$/i.test(path.trim());
const statusOr = (path: string): string => (isStatus(path) ? 'active' : path);

const isAboutStatus = (operation: unknown): boolean =>
  isObject(operation) &&
  (isStatus(String(operation.path ?? '')) ||
    (isObject(operation.value) && Object.keys(operation.value).some(isStatus)));

/** Whether one of the operations sets `active` to false. */
export const setsInactive = (operations: readonly Operation[]): boolean =>
  operations.some(({ path, value }) => {
    const isFalse = (part: unknown) => String(part).toLowerCase() === 'false';
    if (path !== undefined) return isStatus(path) && isFalse(value);
    return isObject(value) && Object.entries(value).some(([key, part]) => isStatus(key) && isFalse(part));
  });

function readOperation(type: ResourceType, given: unknown, problems?: Problem[]): Operation {
  if (!isObject(given)) throw bad('invalidSyntax', 'Each operation must be an object.');
  const op = String(given.op).toLowerCase();
  if (op !== 'add' && op !== 'remove' && op !== 'replace')
    throw bad('invalidSyntax', `op must be add, remove or replace, not ${JSON.stringify(given.op)}.`);
  const path = given.path === undefined || given.path === null || given.path === '' ? undefined : given.path;
  if (path !== undefined && typeof path !== 'string') throw bad('invalidPath', 'path must be a string.');
  if (path !== undefined && path.length > LONGEST_PATH)
    throw bad('invalidPath', `path has more than ${LONGEST_PATH} characters. Shorten it.`);
  if (op === 'remove' && path === undefined) throw bad('noTarget', 'A remove operation needs a path.');
  if (op !== 'remove' && given.value === undefined)
    throw bad('invalidValue', `The ${op} operation needs a value.`);
  if (path !== undefined || !isObject(given.value)) return { op, path, value: given.value };
  const value = withoutSchema(type, given.value, problems);
  const keys = Object.keys(value);
  if (keys.length > 0 && !keys.some((key) => isUnderstood(type, key)))
    throw bad('invalidPath', `${type.name} has no attribute ${keys[0]}.`);
  return { op, path, value };
}

/** Returns a value without a path, or a whole resource, with the attributes below the URN of their schema beside the others. */
function withoutSchema(
  type: ResourceType,
  value: Record<string, unknown>,
  problems?: Problem[],
): Record<string, unknown> {
  const entries = Object.entries(value).flatMap(([key, part]) =>
    [type.schema, type.own?.schema].some((schema) => schema?.toLowerCase() === key.toLowerCase()) &&
    isObject(part)
      ? Object.entries(part)
      : [[key, part] as const],
  );
  const before = problems?.length;
  attempt('value', problems, () => requireShortKeys(entries.map(([key]) => key)));
  return Object.fromEntries(problems?.length === before ? entries : entries.filter(([key]) => isStatus(key)));
}

/**
 * Reads a resource that a client sent. Its keys have the forms that a PATCH without a path accepts. With `problems`, adds what
 * cannot be read there.
 */
export function readResource(type: ResourceType, body: unknown, problems?: Problem[]): Named {
  const read: Named = { resource: {}, named: new Set() };
  applyValue(type, { patched: read, problems }, 'add', attributesOf(type, body, problems));
  return read;
}

/** Returns the attributes of a resource that a client sent. */
export function attributesOf(
  type: ResourceType,
  body: unknown,
  problems?: Problem[],
): Record<string, unknown> {
  if (!isObject(body)) throw bad('invalidSyntax', 'Send the resource as a JSON object.');
  return withoutSchema(type, body, problems);
}

function requireShortKeys(keys: string[]) {
  if (keys.length > MOST_KEYS)
    throw bad('invalidValue', `value has ${keys.length} keys. At most ${MOST_KEYS} are allowed.`);
  if (keys.some((key) => key.length > LONGEST_KEY))
    throw bad('invalidPath', `A key of value has more than ${LONGEST_KEY} characters. Shorten it.`);
}

/** Reads a path. Returns undefined for an ignored attribute. Throws 400 `invalidPath` for an unknown one. */
export function readPath(type: ResourceType, path: string): Target | undefined {
  const open = path.indexOf('[');
  const close = path.lastIndexOf(']');
  const isFiltered = open >= 0 && close > open;
  const name = isFiltered ? path.slice(0, open) : path;
  const rest = isFiltered ? path.slice(close + 1) : '';
  if (isIgnored(name.split(/[.:]/).find((part) => isIgnored(part)) ?? '')) return undefined;
  const place = /^(\.\w+|\.\$ref)?$/.test(rest) ? placeOf(type, name.trim() + rest) : undefined;
  if (place === undefined) throw bad('invalidPath', `${type.name} has no attribute ${path}.`);
  if (!isFiltered) return { ...place, filter: undefined };
  if (place.attribute === undefined || !place.attribute.multiValued)
    throw bad('invalidPath', `The path ${path} has a filter, but its attribute is not a list.`);
  return { ...place, filter: readElementFilter(place.attribute, path.slice(open + 1, close)) };
}

/** A resource that is changed, and where the errors of single attributes go. */
interface Patching {
  patched: Named;
  problems: Problem[] | undefined;
}

/**
 * Returns a resource after these operations, and the attributes and parts of `name` that they touch. Changes `resource`. With
 * `problems`, adds what cannot be applied there.
 */
export function applyPatch(
  type: ResourceType,
  resource: Resource,
  operations: Operation[],
  problems?: Problem[],
): Named {
  const patched: Named = { resource, named: new Set() };
  const patching = { patched, problems };
  for (const operation of operations) {
    const { op, path, value } = operation;
    attempt(attributeIn(operation), problems, () => {
      if (path === undefined) {
        if (!isObject(value))
          throw bad('invalidValue', `The value of ${op} must be an object if there is no path.`);
        return applyValue(type, patching, op, value);
      }
      const target = readPath(type, path);
      if (target === undefined) return;
      if (target.attribute?.mutability === 'readOnly')
        throw bad('mutability', `${target.attribute.name} is read-only.`);
      applyAt(type, patching, op, target, value);
    });
  }
  return patched;
}

/** Applies a value without a path, whose keys are paths. Leaves out unknown, read-only and ignored attributes. */
function applyValue(
  type: ResourceType,
  patching: Patching,
  op: Operation['op'],
  value: Record<string, unknown>,
) {
  for (const [key, part] of Object.entries(value)) {
    const target = knownPath(type, key);
    if (target === undefined || target.attribute?.mutability === 'readOnly') continue;
    applyAt(type, patching, op, target, part);
  }
}

/** Reads a key of a value without a path, which is itself a path. Returns undefined for unknown and ignored attributes. */
export const knownPath = (type: ResourceType, key: string): Target | undefined =>
  isUnderstood(type, key) ? readPath(type, key) : undefined;

function isUnderstood(type: ResourceType, key: string): boolean {
  try {
    readPath(type, key);
    return true;
  } catch {
    return false;
  }
}

function applyAt(
  type: ResourceType,
  patching: Patching,
  op: Operation['op'],
  target: Target,
  value: unknown,
) {
  const { patched, problems } = patching;
  const { extension, attribute, sub } = target;
  if (attribute === undefined)
    return attempt('extension', problems, () => applyToExtension(type, patching, op, value));
  const isPart = sub !== undefined && !attribute.multiValued && attribute.name === 'name';
  const name = `${extension ? 'ext:' : ''}${attribute.name}${isPart ? `.${sub.name}` : ''}`;
  attempt(name, problems, () => {
    const { resource, named } = patched;
    const container = extension ? (resource[type.extension?.schema ?? ''] ?? {}) : resource;
    const before = (container as Resource)[attribute.name];
    const after = attribute.multiValued
      ? listAfter(attribute, elementsOf(before), op, target, value)
      : singleAfter(attribute, before, op, sub, value);
    named.add(name);
    // A client that writes other parts of the name has not written the formatted one, although the resource has it.
    if (attribute.name === 'name' && sub === undefined && isObject(value) && keyLike(value, 'formatted'))
      named.add('name.formatted');
    setIn(extension ? inside(resource, type.extension?.schema ?? '') : resource, attribute.name, after);
  });
}

function setIn(container: Record<string, unknown>, name: string, value: unknown) {
  if (value === undefined) delete container[name];
  else container[name] = value;
}

/** Sets attributes of a resource, as `named` has them, to what they are in another one. */
export function restore(type: ResourceType, resource: Resource, before: Resource, names: Iterable<string>) {
  const schema = type.extension?.schema ?? '';
  for (const name of names) {
    const [attribute = '', part] = name.replace(/^ext:/, '').split('.');
    const isExtension = name.startsWith('ext:');
    const from = isExtension ? before[schema] : before;
    const to = isExtension ? inside(resource, schema) : resource;
    const value = isObject(from) ? from[attribute] : undefined;
    if (part === undefined) setIn(to, attribute, value);
    else setIn(inside(to, attribute), part, isObject(value) ? value[part] : undefined);
  }
}

const keyLike = (value: Record<string, unknown>, name: string): boolean =>
  Object.keys(value).some((key) => key.toLowerCase() === name);

function applyToExtension(type: ResourceType, patching: Patching, op: Operation['op'], value: unknown) {
  if (!isObject(value) && value !== undefined && value !== null)
    throw bad('invalidValue', `${type.extension?.schema} must be an object.`);
  const given = Object.entries(isObject(value) ? value : {});
  for (const attribute of type.extension?.attributes ?? []) {
    const target: Target = { extension: true, attribute, sub: undefined, filter: undefined };
    const entry = given.find(([key]) => key.toLowerCase() === attribute.name.toLowerCase());
    if (op === 'remove') applyAt(type, patching, op, target, undefined);
    else if (entry !== undefined) applyAt(type, patching, op, target, entry[1]);
  }
}

function inside(resource: Resource, schema: string): Record<string, unknown> {
  const found = resource[schema];
  if (isObject(found)) return found;
  const made = {};
  resource[schema] = made;
  return made;
}

function singleAfter(
  attribute: Attribute,
  before: unknown,
  op: Operation['op'],
  sub: Attribute | undefined,
  value: unknown,
): unknown {
  if (sub === undefined) {
    if (op === 'remove') return undefined;
    const given = readSingle(attribute, value);
    return isObject(given) && isObject(before) ? { ...before, ...given } : given;
  }
  if (sub.mutability === 'readOnly') return before;
  const after: Element = { ...(isObject(before) ? before : {}) };
  const part = op === 'remove' ? undefined : readSingle(sub, value);
  if (part === undefined) delete after[sub.name];
  else after[sub.name] = part;
  return Object.keys(after).length === 0 ? undefined : after;
}
