import { plural, t } from '@lingui/core/macro';

/** One entry of an error reply's `errors`. */
export interface Issue {
  path: string;
  /** Missing in replies of older servers. */
  code?: string;
  message: string;
}

/** The messages of the codes that determine theirs (protocol 7.2). `limit` is the number in it. */
const WORDS: Record<string, (limit: number) => string> = {
  missing: () => t`Field required`,
  int_type: () => t`Input should be a valid integer`,
  number_type: () => t`Input should be a valid number`,
  string_unicode: () => t`String should be Unicode text without NUL characters`,
  string_too_short: (limit) =>
    plural(limit, {
      one: 'String should have at least # character',
      other: 'String should have at least # characters',
    }),
  string_too_long: (limit) =>
    plural(limit, {
      one: 'String should have at most # character',
      other: 'String should have at most # characters',
    }),
  too_small: (limit) => t`Input should be greater than or equal to ${limit}`,
  too_large: (limit) => t`Input should be less than or equal to ${limit}`,
  too_short: (limit) =>
    plural(limit, { one: 'List should have at least # item', other: 'List should have at least # items' }),
  too_long: (limit) =>
    plural(limit, { one: 'List should have at most # item', other: 'List should have at most # items' }),
};

/** Returns the message of an issue in the reader's language, where its code says what it is. */
export function issueWords({ code = '', message }: Issue): string {
  const words = Object.hasOwn(WORDS, code) ? WORDS[code] : undefined;
  return words?.(Number(/-?\d+(\.\d+)?/.exec(message)?.[0])) ?? message;
}
