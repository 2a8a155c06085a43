import { type Sentence, say, sentences, type Value } from './sentences.ts';

/** One invalid place in a request (D5). `path` is like `records[3].id`, and empty for the body itself. */
export interface Issue {
  path: string;
  code: IssueCode;
  /** The values that the message names. */
  values?: Sentence['values'];
  message: string;
  /** Where `path` holds a condition: the place within it. Line and column count from 1. */
  position?: { line: number; column: number; offset: number };
}

/**
 * The codes of `errors[].code`. `cel` marks a condition that does not compile, `bad_row` an invalid line of an imported
 * file, `bad_setting` an invalid setting of a connector, and {@link SESSION_CODES} what a signed-in person must do first.
 * Their message is their value `problem`, a sentence with a code of its own.
 */
export type IssueCode = FixedCode | FreeCode;

/** The codes of refusals that concern the session and not the request (docs/guides/sign-in.md). They are the `code` of the response, too. */
const SESSION_CODES = ['confirmation_required', 'second_factor_required', 'signed_in_as_another'] as const;

const FREE_CODES = ['cel', 'bad_row', 'bad_setting', ...SESSION_CODES] as const;
export type FreeCode = (typeof FREE_CODES)[number];

/** The codes that determine their message. */
export type FixedCode = keyof typeof MESSAGES;

/** The message of each code (protocol 7.2). */
const MESSAGES = {
  missing: 'Field required',
  string_type: 'Input should be a valid string',
  int_type: 'Input should be a valid integer',
  number_type: 'Input should be a valid number',
  bool_type: 'Input should be a valid boolean',
  object_type: 'Input should be a valid object',
  list_type: 'Input should be a valid list',
  wrong_type: 'Input has the wrong type',
  string_too_short: 'String should have at least {least, plural, one {# character} other {# characters}}',
  string_too_long: 'String should have at most {most, plural, one {# character} other {# characters}}',
  string_unicode: 'String should be Unicode text without NUL characters',
  string_format: 'Input should be a valid {format}',
  too_small: 'Input should be greater than or equal to {least}',
  too_large: 'Input should be less than or equal to {most}',
  too_short: 'List should have at least {least, plural, one {# item} other {# items}}',
  too_long: 'List should have at most {most, plural, one {# item} other {# items}}',
  too_many_records: 'List should have at most {most} items after validation, not {given}',
  too_many_refs: '{list} has {given} refs, max is {most}.',
  enum: 'Input should be one of: {allowed}',
  unknown_parameter: 'Unknown query parameter. This address takes {known}',
  account_status: "Input should be 'active', 'inactive' or 'suspended'",
  invalid: 'Input {problem}',
} as const;

sentences(MESSAGES);
sentences(Object.fromEntries(FREE_CODES.map((code) => [code, '{problem}'])));

const general = sentences({
  request_invalid: 'The request is invalid.',
  invalid_field: '{problem} ({path})',
  email_address: 'email address',
});
/** The values of `string_format` that are not names of formats. */
const FORMATS: Record<string, Value> = { uuid: 'UUID', email: general.email_address() };

export const ISSUE_CODES = [...Object.keys(MESSAGES), ...FREE_CODES] as IssueCode[];

/** The values that the message of a code names, in the order of its text. */
export type IssueValues<C extends FixedCode> = Ordered<(typeof MESSAGES)[C]>;
type Ordered<T extends string> = T extends `${string}{${infer Head}}${infer Tail}`
  ? Head extends `${string}, plural, ${string}`
    ? T extends `${string}}}${infer Rest}`
      ? [number, ...Ordered<Rest>]
      : never
    : [Value, ...Ordered<Tail>]
  : [];

/** Makes an issue with the message of its code. */
export function issue<C extends FixedCode>(path: string, code: C, ...values: IssueValues<C>): Issue {
  const template = MESSAGES[code];
  const named = Array.from(template.matchAll(/\{(\w+)/g), ([, name], at) => [name, values[at]] as const);
  const { format, ...others } = Object.fromEntries(named) as Sentence['values'];
  const formats = typeof format === 'string' ? { format: FORMATS[format] ?? format } : {};
  return issueAt(path, code, say(code, template, { ...others, ...formats }));
}

/** Makes an issue whose message is another sentence. */
export const problem = (path: string, code: FreeCode, why: Sentence): Issue =>
  issueAt(path, code, say(code, '{problem}', { problem: why }));

const issueAt = (path: string, code: IssueCode, { values, text }: Sentence): Issue => ({
  path,
  code,
  ...(Object.keys(values).length > 0 && { values }),
  message: text,
});

/** The most issues that one response lists (D5). */
export const MOST_ISSUES = 20;

/** Returns the sentence for `detail`: the first issue and its place (D5). */
export function sentenceOf([first]: readonly Issue[]): Sentence {
  if (first === undefined) return general.request_invalid();
  const { path, code, values = {}, message } = first;
  const said = { code, values, text: message };
  return path === '' ? said : general.invalid_field({ problem: said, path });
}

export const summaryOf = (issues: readonly Issue[]): string => sentenceOf(issues).text;
