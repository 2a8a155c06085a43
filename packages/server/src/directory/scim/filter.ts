import { type Filter as Parsed, parse } from 'scim2-parse-filter';
import { isInstant } from '#kit/instants.ts';
import { bad } from './errors.ts';
import type { Element } from './resource.ts';
import { type Attribute, find, type Place, placeOf, type ResourceType } from './schema.ts';

export type Operator = 'eq' | 'ne' | 'co' | 'sw' | 'ew' | 'gt' | 'ge' | 'lt' | 'le';
export type Value = string | boolean | null;

/** A filter with known attributes and values of their types. `each` holds if at least one element of the list matches. */
export type Filter<Where> =
  | { is: 'and' | 'or'; of: Filter<Where>[] }
  | { is: 'not'; of: Filter<Where> }
  | { is: 'compare'; at: Where; op: Operator; value: Value }
  | { is: 'present'; at: Where }
  | { is: 'each'; at: Place; of: Filter<Attribute> };

export type ResourceFilter = Filter<Place>;
export type ElementFilter = Filter<Attribute>;

const LONGEST = 8192;
const MOST_COMPARISONS = 100;
const MOST_LISTS = 20;

/** Reads a filter on resources (RFC 7644, 3.4.2.2). Throws 400 `invalidFilter`. */
export function readFilter(type: ResourceType, text: string): ResourceFilter {
  const { filter, values } = parsed(text);
  requireModest(filter, (name) => placeOf(type, name)?.attribute?.multiValued ?? false);
  return resolve(filter, values, (name) => {
    const place = placeOf(type, name);
    return place?.attribute === undefined
      ? undefined
      : { at: place, attribute: place.sub ?? place.attribute };
  });
}

/** Reads a value filter, such as that in `emails[...]`, which compares the parts of an element. */
export function readElementFilter(attribute: Attribute, text: string): ElementFilter {
  const { filter, values } = parsed(text);
  requireModest(filter, () => false);
  return resolve(filter, values, (name) => elementPart(attribute, name)) as ElementFilter;
}

const elementPart = ({ subAttributes = [] }: Attribute, name: string) => {
  const sub = find(subAttributes, name);
  return sub === undefined ? undefined : { at: sub, attribute: sub };
};

/**
 * Parses a filter. The parser does not decode JSON escapes, so this function decodes the quoted texts and gives the parser
 * their numbers instead.
 */
function parsed(text: string): { filter: Parsed; values: string[] } {
  if (text.length > LONGEST)
    throw bad('invalidFilter', `The filter has more than ${LONGEST} characters. Shorten it.`);
  const values: string[] = [];
  let numbered = '';
  let at = 0;
  for (let open = text.indexOf('"'); open >= 0; open = text.indexOf('"', at)) {
    const quoted = quotedAt(text, open);
    numbered += `${text.slice(at, open)}"${values.push(readText(quoted)) - 1}"`;
    at = open + quoted.length;
  }
  const whole = numbered + text.slice(at);
  // The parser accepts "not" without parentheses, and several in a row.
  if (LOOSE_NOT.test(whole)) throw unreadable();
  try {
    return { filter: parse(whole), values };
  } catch {
    throw unreadable();
  }
}

const LOOSE_NOT = /(?:^|[\s([])not(?=\s)(?!\s*\()/i;

const unreadable = () =>
  bad(
    'invalidFilter',
    'The filter has a syntax error. Write it as RFC 7644, section 3.4.2.2 describes, such as userName eq "ada".',
  );

/** Returns the quoted text that starts at `open`. Reads each character once. Throws if the quote is never closed. */
function quotedAt(text: string, open: number): string {
  const quoted = /"(?:[^"\\]|\\.)*"/sy;
  quoted.lastIndex = open;
  const [found] = quoted.exec(text) ?? [];
  if (found === undefined) throw unreadable();
  return found;
}

/** Rejects a filter that is too expensive. Each comparison with a list reads all elements of the list. */
function requireModest(filter: Parsed, isList: (name: string) => boolean): void {
  let comparisons = 0;
  let lists = 0;
  const count = (part: Parsed): void => {
    if ('filters' in part) {
      part.filters.forEach(count);
      return;
    }
    comparisons++;
    if (comparisons > MOST_COMPARISONS)
      throw bad('invalidFilter', `The filter has more than ${MOST_COMPARISONS} comparisons. Shorten it.`);
    if ('attrPath' in part && isList(String(part.attrPath)) && ++lists > MOST_LISTS)
      throw bad(
        'invalidFilter',
        `The filter has more than ${MOST_LISTS} comparisons with lists. Shorten it.`,
      );
    if (part.op === '[]') count(part.valFilter);
    else if (part.op === 'not') count(part.filter);
  };
  count(filter);
}

/** Decodes a quoted text. Some clients do not escape backslashes, as in DOMAIN\user. */
function readText(quoted: string): string {
  try {
    return JSON.parse(quoted);
  } catch {
    return quoted.slice(1, -1);
  }
}

function resolve<Where>(
  filter: Parsed,
  values: string[],
  look: (name: string) => { at: Where; attribute: Attribute } | undefined,
): Filter<Where> {
  switch (filter.op) {
    case 'and':
    case 'or':
      return { is: filter.op, of: filter.filters.map((part) => resolve(part, values, look)) };
    case 'not':
      return { is: 'not', of: resolve(filter.filter, values, look) };
    case '[]': {
      const { at, attribute } = required(look, filter.attrPath);
      if (!attribute.multiValued || attribute.subAttributes === undefined)
        throw bad(
          'invalidFilter',
          `${filter.attrPath} is not a list of objects, so it cannot have a filter in brackets.`,
        );
      const of = resolve(filter.valFilter, values, (name) => elementPart(attribute, name)) as ElementFilter;
      return { is: 'each', at: at as Place, of };
    }
    case 'pr':
      return { is: 'present', at: required(look, filter.attrPath).at };
    default: {
      const { at, attribute } = required(look, filter.attrPath);
      const { compValue, op } = filter;
      const value = typeof compValue === 'string' ? (values[Number(compValue)] ?? '') : compValue;
      return { is: 'compare', at, op, value: comparable(filter.attrPath, attribute, op, value) };
    }
  }
}

function required<Found>(look: (name: string) => Found | undefined, name: string): Found {
  const found = look(name);
  if (found === undefined) throw bad('invalidFilter', `The filter uses the unknown attribute ${name}.`);
  return found;
}

function comparable(
  name: string,
  attribute: Attribute,
  op: Operator,
  value: string | number | boolean | null,
): Value {
  const compared =
    attribute.type === 'complex' ? (find(attribute.subAttributes ?? [], 'value') ?? attribute) : attribute;
  const isEquality = op === 'eq' || op === 'ne';
  if (compared.type === 'complex')
    throw bad('invalidFilter', `${name} is an object. Compare one of its parts, such as ${name}.formatted.`);
  if (value === null) {
    if (!isEquality) throw bad('invalidFilter', 'null can only be compared with eq or ne.');
    return null;
  }
  if (compared.type === 'boolean') {
    const text = String(value).toLowerCase();
    if (!isEquality || (text !== 'true' && text !== 'false'))
      throw bad('invalidFilter', `Compare ${name} with true or false, using eq or ne.`);
    return text === 'true';
  }
  if (compared.type === 'dateTime' && (!isInstant(value) || ['co', 'sw', 'ew'].includes(op)))
    throw bad(
      'invalidFilter',
      `Compare ${name} with a time such as "2026-11-21T12:00:00Z". Times do not support co, sw and ew.`,
    );
  if (typeof value !== 'string') throw bad('invalidFilter', `Compare ${name} with a text in quotes.`);
  return value;
}

/** Returns whether an element of a list matches. */
export function matches(filter: ElementFilter, element: Element): boolean {
  switch (filter.is) {
    case 'and':
      return filter.of.every((part) => matches(part, element));
    case 'or':
      return filter.of.some((part) => matches(part, element));
    case 'not':
      return !matches(filter.of, element);
    case 'present':
      return (element[filter.at.name] ?? '') !== '';
    case 'compare':
      return compares(filter.at, element[filter.at.name], filter.op, filter.value);
    case 'each':
      return false;
  }
}

function compares(
  { caseExact = false, type }: Attribute,
  given: unknown,
  op: Operator,
  value: Value,
): boolean {
  if (value === null) return (given === undefined) === (op === 'eq');
  // Elements that are not primary rarely have the attribute.
  if (type === 'boolean') return ((given ?? false) === value) === (op === 'eq');
  if (typeof given !== 'string') return op === 'ne';
  const [one, other] = caseExact
    ? [given, String(value)]
    : [given.toLowerCase(), String(value).toLowerCase()];
  switch (op) {
    case 'eq':
      return one === other;
    case 'ne':
      return one !== other;
    case 'co':
      return one.includes(other);
    case 'sw':
      return one.startsWith(other);
    case 'ew':
      return one.endsWith(other);
    case 'gt':
      return one > other;
    case 'ge':
      return one >= other;
    case 'lt':
      return one < other;
    case 'le':
      return one <= other;
  }
}

/** Returns the parts that every matching element has, from the `eq` comparisons that `and` joins. */
export function impliedBy(filter: ElementFilter): Element {
  if (filter.is === 'and') return Object.assign({}, ...filter.of.map(impliedBy));
  return filter.is === 'compare' && filter.op === 'eq' && filter.value !== null
    ? { [filter.at.name]: filter.value }
    : {};
}
