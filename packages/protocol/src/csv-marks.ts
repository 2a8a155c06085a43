/**
 * Cells of CSV files that a spreadsheet program would run as formulas. Exports put one apostrophe, the mark, before such a formula, and
 * imports remove one, so that every text comes back as it was: a text that already has an apostrophe there gets a second one.
 * https://owasp.org/www-community/attacks/CSV_Injection
 */

/** Signs that begin a formula, also in full width. */
const SIGNS = new Set('=+-@\uff1d\uff0b\uff0d\uff20');
/** A number or a telephone number is shown as it is, or calculated, which does no harm. */
const NUMBER = /^[+-]\d[\d .,\u00a0\u202f]*(?:e[+-]?\d+)?%?$/i;
/** Characters that programs may ignore before a formula. Quotes do not protect: with another separator, they are inside a cell. */
const IGNORED = /["'\s]/;
/** Characters that begin another cell or row where the separator is not a comma. Commas are within quotes. */
const SEPARATOR = /[;\t\r\n]/;
/** A formula that does more than calculate calls a function, or names another program, file or sheet. */
const EFFECT = /[(!|]/;

/** Returns a text with a mark before each formula. Takes time in proportion to its length. */
export function withMarks(text: string): string {
  const marked = rewritten(text, (before) => `${before}'`);
  return startsWithTab(marked) ? `'${marked}` : marked;
}

/** Returns a text without the marks of withMarks. A text that has none stays as it is. */
export function withoutMarks(text: string): string {
  if (!text.includes("'")) return text;
  const inner = text.startsWith("'") && startsWithTab(text) ? text.slice(1) : text;
  return rewritten(inner, (before) => (before.endsWith("'") ? before.slice(0, -1) : before));
}

/** Replaces what stands before each formula of a text: quotes and spaces. */
function rewritten(text: string, replace: (before: string) => string): string {
  const parts: string[] = [];
  let from = 0;
  let isFirst = true;
  while (from < text.length) {
    const start = skip(text, from, isFirst ? isIgnored : isIgnoredWithin);
    const end = nextSeparator(text, start);
    const before = text.slice(from, start);
    const isMarked = SIGNS.has(text[start] ?? '') && isRun(text, start, end, isFirst);
    parts.push(isMarked ? replace(before) : before, text.slice(start, end + 1));
    from = end + 1;
    isFirst = false;
  }
  return parts.join('');
}

/** The first formula of a cell may be any. Others are formulas only for a program that cuts the cell at the separator before them. */
const isRun = (text: string, start: number, end: number, isFirst: boolean): boolean =>
  isFirst ? !NUMBER.test(text.slice(start)) : EFFECT.test(text.slice(start, end));

const isIgnored = (character: string) => IGNORED.test(character);
const isIgnoredWithin = (character: string) => IGNORED.test(character) && !SEPARATOR.test(character);

function skip(text: string, from: number, isSkipped: (character: string) => boolean): number {
  let at = from;
  while (at < text.length && isSkipped(text[at] as string)) at++;
  return at;
}

const nextSeparator = (text: string, from: number) =>
  skip(text, from, (character) => !SEPARATOR.test(character));

/** Some programs drop a tab or a line break at the start, and run what follows. */
function startsWithTab(text: string): boolean {
  const first = text[skip(text, 0, (character) => character === "'")];
  return first === '\t' || first === '\r';
}
