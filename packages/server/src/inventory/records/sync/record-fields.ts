import { resemblesEmail } from '../../../kit/email.ts';
import { invalidInput } from '../../../kit/errors.ts';
import { instantForSql, isInstant } from '../../../kit/instants.ts';
import { type FixedCode, type Issue, type IssueValues, issue, MOST_ISSUES } from '../../../kit/issues.ts';

/** The fields of pushed records, each read with its issues (protocol 7.2; D19). */

export type Fields = Record<string, unknown>;

const LONGEST_TEXT = 512;
const STATUS: Record<string, string> = { active: 'ACTIVE', inactive: 'INACTIVE', suspended: 'SUSPENDED' };
const RISKS = ['low', 'medium', 'high'];

export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Null and "" count as absent (D19). */
export const isAbsent = (value: unknown) => value === undefined || value === null || value === '';

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

/** Counts characters, which take up to two UTF-16 units each. Never splits a text of many megabytes. */
export const isLongerThan = (longest: number, value: string) =>
  value.length > 2 * longest || (value.length > longest && [...value].length > longest);

export function status(value: unknown, path: string, issues: Issues): string {
  if (isAbsent(value)) return 'ACTIVE';
  const known = typeof value === 'string' && Object.hasOwn(STATUS, value) ? STATUS[value] : undefined;
  if (typeof value !== 'string') issues.add(path, 'string_type');
  else if (known === undefined) issues.add(path, 'account_status');
  return known ?? 'ACTIVE';
}

/** Reads what a system calls an email. One that is not valid, such as `<ada@example.com>`, is kept and belongs to nobody. */
export function email(record: Fields, field: string, path: string, issues: Issues): string | undefined {
  const value = text(record, field, path, issues);
  if (value === undefined || resemblesEmail(value)) return value;
  issues.add(`${path}.${field}`, 'string_format', 'email');
  return undefined;
}

/** Returns the moment as ISO 8601 in UTC, so that two ways to write it are not a difference. */
export function instant(value: unknown, path: string, issues: Issues): string | undefined {
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

export function risk(value: unknown, path: string, issues: Issues): string | undefined {
  if (isAbsent(value)) return undefined;
  if (typeof value === 'string' && RISKS.includes(value)) return value;
  if (typeof value !== 'string') issues.add(path, 'string_type');
  else issues.add(path, 'enum', RISKS);
  return undefined;
}

export function count(value: unknown, path: string, issues: Issues): number | undefined {
  if (isAbsent(value)) return undefined;
  if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number;
  issues.add(path, 'int_type');
  return undefined;
}

export function flag(value: unknown, path: string, issues: Issues): boolean | undefined {
  if (isAbsent(value)) return undefined;
  if (typeof value === 'boolean') return value;
  issues.add(path, 'bool_type');
  return undefined;
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
