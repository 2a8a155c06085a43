/** A column, and ?<Cursor>, also as another type. */
const COLUMN = String.raw`[\w$."\x60\[\]]+(?:::\w+)?`;
const CURSOR = String.raw`(?:\?<cursor>(?:::\w+)?|cast\(\s*\?<cursor>\s+as\s+\w+(?:\([\d, ]+\))?\s*\))`;
const COMPARED = String.raw`(?:${COLUMN}\s*[<>]=?\s*${CURSOR}|${CURSOR}\s*[<>]=?\s*${COLUMN})`;
/** Only a whole condition is replaced, not a part of a longer expression. */
const CONDITION = new RegExp(
  String.raw`(?<=\b(?:where|and|or|on|when|then|else)\s+|\(\s*)${COMPARED}(?=\s*(?:$|\)|;|(?:and|or|then|else|end|order|group|having|limit|offset|fetch|union)\b))`,
  'gi',
);

/**
 * Returns the query without its cursor: a condition such as `id > ?<Cursor>` is always true, so that the result also has rows
 * without a key, which no page has.
 */
export const withoutCursor = (sql: string): string =>
  sql.replaceAll(CONDITION, '1 = 1').replace(/[;\s]+$/, '');
