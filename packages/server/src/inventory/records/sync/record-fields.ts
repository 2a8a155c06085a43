import { resemblesEmail } from '#kit/email.ts';
import { invalidInput } from '#kit/errors.ts';
import { instantForSql, isInstant } from '#kit/instants.ts';
import { type FixedCode, type Issue, type IssueValues, issue, MOST_ISSUES } from '#kit/issues.ts';
import {
  isAbsent,
  isLongerThan,
  LONGEST_ATTRIBUTE_NAME,
  LONGEST_TEXT,
  MOST_ATTRIBUTES,
  type RecordField,
} from '../../../../../protocol/src/records.ts';

/** The fields of pushed records, each read with its issues (protocol 7.2; D19). */

export type Fields = Record<string, unknown>;

const STATUS: Record<string, string> = { active: 'ACTIVE', inactive: 'INACTIVE', suspended: 'SUSPENDED' };

export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The place of a field in a page. It becomes a text only in an issue. */
export interface Path {
  toString(): string;
}

interface TextRule {
  required?: boolean;
  longest?: number;
}

export function text(
  record: Fields,
  field: string,
  path: Path,
  issues: Issues,
  rule: TextRule = {},
): string | undefined {
  const value = record[field];
  if (isAbsent(value)) {
    if (rule.required) issues.add(`${path}.${field}`, 'missing');
    return undefined;
  }
  const longest = rule.longest ?? LONGEST_TEXT;
  if (typeof value !== 'string') issues.add(`${path}.${field}`, 'string_type');
  else if (isLongerThan(longest, value)) issues.add(`${path}.${field}`, 'string_too_long', longest);
  else if (value.includes('\0') || !value.isWellFormed()) issues.add(`${path}.${field}`, 'string_unicode');
  else return value;
  return undefined;
}

export function status(value: unknown, path: string, issues: Issues): string {
  if (isAbsent(value)) return 'ACTIVE';
  const known = typeof value === 'string' && Object.hasOwn(STATUS, value) ? STATUS[value] : undefined;
  if (typeof value !== 'string') issues.add(path, 'string_type');
  else if (known === undefined) issues.add(path, 'account_status');
  return known ?? 'ACTIVE';
}

/** Returns the moment as ISO 8601 in UTC, so that two ways to write it are not a difference. */
function instant(value: unknown, path: string, issues: Issues): string | undefined {
  if (isAbsent(value)) return undefined;
  if (isInstant(value)) {
    const at = new Date(instantForSql(value));
    // Systems write "never" as a time long ago, such as the year 1.
    return at.getTime() < 0 ? undefined : at.toISOString();
  }
  if (typeof value !== 'string') issues.add(path, 'string_type');
  else issues.add(path, 'string_format', 'date-time');
  return undefined;
}

/** Reads the value of a field. Returns undefined if it is absent or wrong. */
export type Read = (record: Fields, name: string, path: Path, issues: Issues) => unknown;

const reader =
  (code: 'int_type' | 'bool_type', isValid: (value: unknown) => boolean): Read =>
  (record, name, path, issues) => {
    const value = record[name];
    if (isAbsent(value)) return undefined;
    if (isValid(value)) return value;
    issues.add(`${path}.${name}`, code);
    return undefined;
  };

/** Returns how a field is read. */
export function readerOf({ type, required, longest = LONGEST_TEXT, values = [] }: RecordField): Read {
  switch (type) {
    case 'text':
      return (record, name, path, issues) =>
        text(record, name, path, issues, { required: required === true, longest });
    // One that is not valid, such as `<ada@example.com>`, is kept and belongs to nobody.
    case 'email':
      return (record, name, path, issues) => {
        const value = text(record, name, path, issues);
        if (value === undefined || resemblesEmail(value)) return value;
        issues.add(`${path}.${name}`, 'string_format', 'email');
        return undefined;
      };
    case 'time':
      return (record, name, path, issues) => instant(record[name], `${path}.${name}`, issues);
    case 'flag':
      return reader('bool_type', (value) => typeof value === 'boolean');
    case 'count':
      return reader('int_type', (value) => Number.isSafeInteger(value) && (value as number) >= 0);
    case 'choice':
      return (record, name, path, issues) => {
        const value = record[name];
        if (isAbsent(value) || values.includes(value as string)) return isAbsent(value) ? undefined : value;
        if (typeof value !== 'string') issues.add(`${path}.${name}`, 'string_type');
        else issues.add(`${path}.${name}`, 'enum', [...values]);
        return undefined;
      };
    case 'attributes':
      return (record, name, path, issues) => attributes(record[name], `${path}.${name}`, issues);
  }
}

function attributes(map: unknown, path: string, issues: Issues): Fields | undefined {
  if (isAbsent(map)) return undefined;
  if (!isObject(map)) {
    issues.add(path, 'object_type');
    return undefined;
  }
  const given = Object.entries(map).filter(([, value]) => !isAbsent(value));
  if (given.length > MOST_ATTRIBUTES) {
    issues.add(path, 'invalid', `should have at most ${MOST_ATTRIBUTES} attributes, not ${given.length}`);
    return undefined;
  }
  for (const [name, value] of given) checkAttribute(map, name, value, path, issues);
  if (given.length === 0) return undefined;
  return Object.fromEntries(given.sort(([one], [other]) => (one < other ? -1 : 1)));
}

function checkAttribute(map: Fields, name: string, value: unknown, path: string, issues: Issues) {
  if (name === '' || isLongerThan(LONGEST_ATTRIBUTE_NAME, name))
    issues.add(path, 'invalid', `should have attribute names of 1 to ${LONGEST_ATTRIBUTE_NAME} characters`);
  else if (name.includes('\0') || !name.isWellFormed()) issues.add(path, 'string_unicode');
  else if (typeof value === 'string') text(map, name, path, issues);
  else if (typeof value !== 'boolean' && !(typeof value === 'number' && Number.isFinite(value)))
    issues.add(`${path}.${name}`, 'invalid', 'should be a string, a number, true or false');
}
/** Collects the issues of a page, up to the most that a response lists. */
export class Issues {
  readonly #found: Issue[] = [];

  add<C extends FixedCode>(path: string, code: C, ...values: IssueValues<C>) {
    if (this.#found.length < MOST_ISSUES) this.#found.push(issue(path, code, ...values));
  }

  get isEmpty(): boolean {
    return this.#found.length === 0;
  }

  throwIfAny() {
    if (this.#found.length > 0) throw invalidInput(this.#found);
  }
}
