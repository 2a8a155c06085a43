import { formatTag } from '../../language/language.ts';

/** The formats of lists in the console's language, for lists with links. */
export const formats = {
  conjunction: new Intl.ListFormat(formatTag, { type: 'conjunction' }),
  disjunction: new Intl.ListFormat(formatTag, { type: 'disjunction' }),
  unit: new Intl.ListFormat(formatTag, { type: 'unit' }),
};

/** Returns a list in words: "a and b", "a or b", or "a, b". */
export const listed = (words: readonly string[], kind: keyof typeof formats = 'conjunction') =>
  formats[kind].format(words);
