import { isDeepStrictEqual } from 'node:util';
import { bad } from './errors.ts';
import { type ElementFilter, impliedBy, matches, readElementFilter } from './filter.ts';
import {
  type Element,
  isObject,
  type Named,
  type Resource,
  readSingle,
  readValue,
  requireFewValues,
  requireOnePrimary,
} from './resource.ts';
import { type Attribute, isIgnored, type Place, placeOf, type ResourceType } from './schema.ts';

const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const MOST_OPERATIONS = 1000;
const MOST_KEYS = 1000;
const LONGEST_KEY = 1024;
const LONGEST_PATH = 9216;

export interface Operation {
  op: 'add' | 'remove' | 'replace';
  path: string | undefined;
  value: unknown;
}

/** A path of RFC 7644, 3.5.2: `name`, `name.sub`, `name[filter]` or `name[filter].sub`. */
export interface Target extends Place {
  filter: ElementFilter | undefined;
}

/** Reads the body of a PATCH. Operations may be capitalized, as Entra ID sends them. */
export function readPatch(type: ResourceType, body: unknown): Operation[] {
  if (!isObject(body)) throw bad('invalidSyntax', 'Send a PatchOp as a JSON object.');
  const fields = Object.fromEntries(Object.entries(body).map(([name, value]) => [name.toLowerCase(), value]));
  const { schemas, operations } = fields;
  if (Array.isArray(schemas) && !schemas.some((one) => String(one).toLowerCase() === PATCH.toLowerCase()))
    throw bad('invalidSyntax', `schemas must contain ${PATCH}.`);
  const list = Array.isArray(operations) ? operations : isObject(operations) ? [operations] : [];
  if (list.length === 0) throw bad('invalidSyntax', 'Operations must be a list with at least one operation.');
  if (list.length > MOST_OPERATIONS)
    throw bad(
      'invalidValue',
      `Operations has ${list.length} entries. At most ${MOST_OPERATIONS} are allowed.`,
    );
  return list.map((one) => readOperation(type, one));
}

function readOperation(type: ResourceType, given: unknown): Operation {
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
  const value = withoutSchema(type, given.value);
  const keys = Object.keys(value);
  if (keys.length > 0 && !keys.some((key) => isUnderstood(type, key)))
    throw bad('invalidPath', `${type.name} has no attribute ${keys[0]}.`);
  return { op, path, value };
}

/** Returns a value without a path, or a whole resource, with the attributes below the URN of their schema beside the others. */
function withoutSchema(type: ResourceType, value: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(value).flatMap(([key, part]) =>
    key.toLowerCase() === type.schema.toLowerCase() && isObject(part)
      ? Object.entries(part)
      : [[key, part] as const],
  );
  requireShortKeys(entries.map(([key]) => key));
  return Object.fromEntries(entries);
}

/** Reads a resource that a client sent. Its keys have the forms that a PATCH without a path accepts. */
export function readResource(type: ResourceType, body: unknown): Named {
  if (!isObject(body)) throw bad('invalidSyntax', 'Send the resource as a JSON object.');
  const read: Named = { resource: {}, named: new Set() };
  applyValue(type, read, 'add', withoutSchema(type, body));
  return read;
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

/** Returns a resource after these operations, and the attributes and parts of `name` that they touch. Changes `resource`. */
export function applyPatch(type: ResourceType, resource: Resource, operations: Operation[]): Named {
  const patched: Named = { resource, named: new Set() };
  for (const operation of operations) {
    const { op, path, value } = operation;
    if (path !== undefined) {
      const target = readPath(type, path);
      if (target === undefined) continue;
      if (target.attribute?.mutability === 'readOnly')
        throw bad('mutability', `${target.attribute.name} is read-only.`);
      applyAt(type, patched, op, target, value);
      continue;
    }
    if (!isObject(value))
      throw bad('invalidValue', `The value of ${op} must be an object if there is no path.`);
    applyValue(type, patched, op, value);
  }
  return patched;
}

/** Applies a value without a path, whose keys are paths. Leaves out unknown, read-only and ignored attributes. */
function applyValue(type: ResourceType, patched: Named, op: Operation['op'], value: Record<string, unknown>) {
  for (const [key, part] of Object.entries(value)) {
    const target = knownPath(type, key);
    if (target === undefined || target.attribute?.mutability === 'readOnly') continue;
    applyAt(type, patched, op, target, part);
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

function applyAt(type: ResourceType, patched: Named, op: Operation['op'], target: Target, value: unknown) {
  const { resource, named } = patched;
  const { extension, attribute, sub } = target;
  const schema = type.extension?.schema ?? '';
  if (attribute === undefined) return applyToExtension(type, patched, op, value);
  const isPart = sub !== undefined && !attribute.multiValued && attribute.name === 'name';
  named.add(`${extension ? 'ext:' : ''}${attribute.name}${isPart ? `.${sub.name}` : ''}`);
  // A client that writes other parts of the name has not written the formatted one, although the resource has it.
  if (attribute.name === 'name' && sub === undefined && isObject(value) && keyLike(value, 'formatted'))
    named.add('name.formatted');
  const container = extension ? inside(resource, schema) : resource;
  const after = attribute.multiValued
    ? listAfter(attribute, elementsOf(container[attribute.name]), op, target, value)
    : singleAfter(attribute, container[attribute.name], op, sub, value);
  if (after === undefined) delete container[attribute.name];
  else container[attribute.name] = after;
}

const keyLike = (value: Record<string, unknown>, name: string): boolean =>
  Object.keys(value).some((key) => key.toLowerCase() === name);

function applyToExtension(type: ResourceType, patched: Named, op: Operation['op'], value: unknown) {
  if (!isObject(value) && value !== undefined && value !== null)
    throw bad('invalidValue', `${type.extension?.schema} must be an object.`);
  const given = Object.entries(isObject(value) ? value : {});
  for (const attribute of type.extension?.attributes ?? []) {
    const target: Target = { extension: true, attribute, sub: undefined, filter: undefined };
    const entry = given.find(([key]) => key.toLowerCase() === attribute.name.toLowerCase());
    if (op === 'remove') applyAt(type, patched, op, target, undefined);
    else if (entry !== undefined) applyAt(type, patched, op, target, entry[1]);
  }
}

function inside(resource: Resource, schema: string): Record<string, unknown> {
  const found = resource[schema];
  if (isObject(found)) return found;
  const made = {};
  resource[schema] = made;
  return made;
}

const elementsOf = (value: unknown): Element[] => (Array.isArray(value) ? (value as Element[]) : []);

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

function listAfter(
  attribute: Attribute,
  before: Element[],
  op: Operation['op'],
  target: Target,
  value: unknown,
): Element[] | undefined {
  const after =
    target.sub === undefined && target.filter === undefined
      ? wholeAfter(attribute, before, op, value)
      : chosenAfter(attribute, before, op, target, value);
  const present = after.filter((element) => Object.keys(element).length > 0);
  requireFewValues(attribute, present);
  // An element that becomes primary replaces the former primary one.
  const primary = present.findLast(
    (element) => element.primary === true && !before.some((one) => isDeepStrictEqual(one, element)),
  );
  const settled = present.map((element) =>
    primary !== undefined && element !== primary && element.primary === true
      ? { ...element, primary: false }
      : element,
  );
  requireOnePrimary(attribute, settled);
  return settled.length === 0 ? undefined : settled;
}

/** Adds, removes or replaces whole elements of a list. */
function wholeAfter(attribute: Attribute, before: Element[], op: Operation['op'], value: unknown): Element[] {
  const given = elementsOf(readValue(attribute, value));
  if (op === 'replace') return given;
  if (op === 'add') {
    const isKnown = sameAsOneOf(before);
    return [...before, ...given.filter((one) => !isKnown(one))];
  }
  if (value === undefined || value === null) return [];
  // Some clients list the elements to remove in the value instead of the path.
  const isRemoved = sameAsOneOf(given);
  return before.filter((element) => !isRemoved(element));
}

/** Changes the elements that match a filter, or one part of them. */
function chosenAfter(
  attribute: Attribute,
  before: Element[],
  op: Operation['op'],
  { sub, filter }: Target,
  value: unknown,
): Element[] {
  const isChosen = (element: Element) => filter === undefined || matches(filter, element);
  if (op === 'remove' && sub === undefined) return before.filter((element) => !isChosen(element));
  const given =
    sub === undefined
      ? (readSingle(attribute, value) as Element | undefined)
      : { [sub.name]: op === 'remove' ? undefined : readSingle(sub, value) };
  const changed = (element: Element) => withoutEmpty({ ...element, ...given });
  const after = before.map((element) => (isChosen(element) ? changed(element) : element));
  if (op === 'remove' || before.some(isChosen)) return after;
  // RFC 7644, 3.5.2.3. Entra ID replaces emails[type eq "work"].value even if the user has no such email.
  if (op === 'replace' && filter !== undefined && !(sub !== undefined && isOfType(filter)))
    throw bad('noTarget', `No value of ${attribute.name} matches the filter of the path.`);
  return [...after, changed(filter === undefined ? {} : impliedBy(filter))];
}

const isOfType = (filter: ElementFilter): boolean =>
  filter.is === 'compare' && filter.op === 'eq' && filter.at.name === 'type';

const withoutEmpty = (element: Element): Element =>
  Object.fromEntries(Object.entries(element).filter(([, part]) => part !== undefined));

/**
 * Returns a test for elements that equal one of `list`: those with the same value and type, without case. A missing type
 * equals any type. Elements without a value are compared as a whole.
 */
function sameAsOneOf(list: readonly Element[]): (element: Element) => boolean {
  const text = (part: unknown) => String(part).toLowerCase();
  const whole = (element: Element) => JSON.stringify(Object.entries(element).sort());
  const wholes = new Set(list.filter(({ value }) => value === undefined).map(whole));
  const types = new Map<string, unknown[]>();
  for (const { value, type } of list) {
    if (value === undefined) continue;
    const ofValue = types.get(text(value)) ?? [];
    types.set(text(value), [...ofValue, type]);
  }
  return (element) => {
    if (element.value === undefined) return wholes.has(whole(element));
    const ofValue = types.get(text(element.value)) ?? [];
    return ofValue.some(
      (type) => type === undefined || element.type === undefined || text(type) === text(element.type),
    );
  };
}
