import { isDeepStrictEqual } from 'node:util';
import { bad } from './errors.ts';
import { type ElementFilter, impliedBy, matches } from './filter.ts';
import { type Element, readSingle, readValue, requireFewValues, requireOnePrimary } from './resource.ts';
import type { Attribute, Place } from './schema.ts';

export interface Operation {
  op: 'add' | 'remove' | 'replace';
  path: string | undefined;
  value: unknown;
}

/** A path of RFC 7644, 3.5.2: `name`, `name.sub`, `name[filter]` or `name[filter].sub`. */
export interface Target extends Place {
  filter: ElementFilter | undefined;
}

export const elementsOf = (value: unknown): Element[] => (Array.isArray(value) ? (value as Element[]) : []);

/** Returns the values of a list after an operation. Undefined if none is left. */
export function listAfter(
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
