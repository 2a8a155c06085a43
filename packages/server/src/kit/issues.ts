import { counted } from './counted.ts';

/** One invalid place in a request (D5). `path` is like `records[3].id`, and empty for the body itself. */
export interface Issue {
  path: string;
  code: IssueCode;
  message: string;
  /** Where `path` holds a condition: the place within it. Line and column count from 1. */
  position?: { line: number; column: number; offset: number };
}

/**
 * The codes of `errors[].code`. `cel` marks a condition that does not compile, `bad_row` an invalid line of an imported
 * file, `bad_setting` an invalid setting of a connector, and {@link SESSION_CODES} what a signed-in person must do first.
 * Their messages depend on the case.
 */
export type IssueCode = FixedCode | (typeof FREE_CODES)[number];

/** The codes of refusals that concern the session and not the request (docs/sign-in.md). They are the `code` of the response, too. */
export const SESSION_CODES = [
  'confirmation_required',
  'second_factor_required',
  'signed_in_as_another',
] as const;
export type SessionCode = (typeof SESSION_CODES)[number];

const FREE_CODES = ['cel', 'bad_row', 'bad_setting', ...SESSION_CODES] as const;

/** The codes that determine their message. */
export type FixedCode = keyof typeof MESSAGES;

/** The message of each code (protocol 7.2). */
const FORMATS: Record<string, string> = { uuid: 'UUID', email: 'email address' };

const MESSAGES = {
  missing: () => 'Field required',
  string_type: () => 'Input should be a valid string',
  int_type: () => 'Input should be a valid integer',
  number_type: () => 'Input should be a valid number',
  bool_type: () => 'Input should be a valid boolean',
  object_type: () => 'Input should be a valid object',
  list_type: () => 'Input should be a valid list',
  wrong_type: () => 'Input has the wrong type',
  string_too_short: (least: number) => `String should have at least ${counted(least, 'character')}`,
  string_too_long: (most: number) => `String should have at most ${counted(most, 'character')}`,
  string_unicode: () => 'String should be Unicode text without NUL characters',
  string_format: (format: string) => `Input should be a valid ${FORMATS[format] ?? format}`,
  too_small: (least: number) => `Input should be greater than or equal to ${least}`,
  too_large: (most: number) => `Input should be less than or equal to ${most}`,
  too_short: (least: number) => `List should have at least ${counted(least, 'item')}`,
  too_long: (most: number) => `List should have at most ${counted(most, 'item')}`,
  too_many_records: (most: number, given: number) =>
    `List should have at most ${most} items after validation, not ${given}`,
  too_many_refs: (list: string, given: number, most: number) => `${list} has ${given} refs, max is ${most}.`,
  enum: (allowed: readonly unknown[]) => `Input should be one of: ${allowed.join(', ')}`,
  unknown_parameter: (known: readonly string[]) =>
    `Unknown query parameter. This address takes ${known.length === 0 ? 'none' : known.join(', ')}`,
  account_status: () => "Input should be 'active', 'inactive' or 'suspended'",
  invalid: (why: string) => `Input ${why}`,
} as const;

export const ISSUE_CODES = [...Object.keys(MESSAGES), ...FREE_CODES] as IssueCode[];

/** The values that the message of a code names. */
export type IssueValues<C extends FixedCode> = Parameters<(typeof MESSAGES)[C]>;

/** Makes an issue with the message of its code. */
export function issue<C extends FixedCode>(path: string, code: C, ...values: IssueValues<C>): Issue {
  const message = MESSAGES[code] as (...values: unknown[]) => string;
  return { path, code, message: message(...values) };
}

/** Returns the code of a refusal that concerns the session, or undefined. */
export const sessionCodeOf = (issues: readonly Issue[] = []): SessionCode | undefined =>
  SESSION_CODES.find((code) => issues[0]?.code === code);

/** The most issues that one response lists (D5). */
export const MOST_ISSUES = 20;

/** Returns the sentence for `detail`: the first issue and its place (D5). */
export function summaryOf(issues: readonly Issue[]): string {
  const [first] = issues;
  if (first === undefined) return 'The request is invalid.';
  return first.path === '' ? first.message : `${first.message} (${first.path})`;
}
