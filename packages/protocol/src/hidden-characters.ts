/**
 * Characters that nobody sees, in names and texts that strangers chose. They reorder a text (U+202E), or make two names look the same
 * (U+200B). Where people read such a text, they are shown by their codes. Data keeps them.
 */

/** Controls, formats, and all others that programs do not draw (Default_Ignorable_Code_Point), and the blank of Braille. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;
const EACH_HIDDEN = new RegExp(HIDDEN, 'gu');

/** Signs of Arabic, Syriac and Kaithi that Unicode counts as formats, but that are drawn. */
const DRAWN = /[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]/u;

/** Scripts in which joiners and non-joiners belong to the spelling of words. */
const JOINING =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Nko}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u;
/** The end of an emoji before a joiner: a pictogram, perhaps with its color or its variant. */
const PICTOGRAM = /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)$/u;
const STARTS_PICTOGRAM = /^(?:\p{Extended_Pictographic}|[\u2640\u2642])/u;
/** The flags of England, Scotland and Wales are written with tags. */
const TAGGED_FLAG =
  /^\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}|\u{e0073}\u{e0063}|\u{e0077}\u{e006c})(?:\u{e0067}|\u{e0074}|\u{e0073})\u{e007f}/u;

/** A part of a text: what is read as it is, or the code of a hidden character, such as `U+202E`. */
export type Part = { text: string } | { code: string };

interface Options {
  /** Whether line breaks and tabs belong to the text. They do not belong to a name. */
  lines?: boolean;
}

/** Splits a text into what is read and what is hidden. */
export function partsOf(text: string, { lines = false }: Options = {}): Part[] {
  if (!HIDDEN.test(text)) return text === '' ? [] : [{ text }];
  const parts: Part[] = [];
  let from = 0;
  for (const { 0: character, index } of text.matchAll(EACH_HIDDEN)) {
    if (isVisible(text, character, index) || (lines && /[\n\r\t]/.test(character))) continue;
    if (index > from) parts.push({ text: text.slice(from, index) });
    parts.push({ code: codeOf(character) });
    from = index + character.length;
  }
  if (from < text.length) parts.push({ text: text.slice(from) });
  return parts;
}

/** Returns a text with the codes of its hidden characters, such as `Read[U+202E]etirw`. */
export const withCodes = (text: string, options?: Options): string =>
  HIDDEN.test(text)
    ? partsOf(text, options)
        .map((part) => ('code' in part ? `[${part.code}]` : part.text))
        .join('')
    : text;

const codeOf = (character: string) =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** Whether a character of HIDDEN is part of what is read, such as a joiner in a Persian word or in an emoji. */
function isVisible(text: string, character: string, index: number): boolean {
  if (DRAWN.test(character)) return true;
  const before = text.slice(Math.max(0, index - 2), index);
  const after = text.slice(index + character.length, index + character.length + 2);
  if (character === '\u200d' || character === '\u200c') {
    if (endsIn(before, JOINING) && startsIn(after, JOINING)) return true;
    return character === '\u200d' && PICTOGRAM.test(before) && STARTS_PICTOGRAM.test(after);
  }
  // A digit is an emoji only in a keycap.
  if (character === '\ufe0f' || character === '\ufe0e')
    return /[0-9#*]$/.test(before) ? after.startsWith('\u20e3') : /\p{Emoji}$/u.test(before);
  if (/[\u{e0100}-\u{e01ef}]/u.test(character)) return endsIn(before, /\p{Ideographic}/u);
  if (/[\u180b-\u180d\u180f]/.test(character)) return endsIn(before, /\p{Script=Mongolian}/u);
  if (/[\u{e0020}-\u{e007f}]/u.test(character)) return isInFlag(text, index);
  return false;
}

const endsIn = (text: string, pattern: RegExp) => pattern.test([...text].at(-1) ?? '');
const startsIn = (text: string, pattern: RegExp) => pattern.test([...text][0] ?? '');

/** A flag has a pictogram and six tags, each of two units. */
function isInFlag(text: string, index: number): boolean {
  for (let start = index - 2; start >= index - 12 && start >= 0; start -= 2)
    if (TAGGED_FLAG.test(text.slice(start, start + 14))) return true;
  return false;
}

const RTL = '[\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefc\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1efff}]';
/** Words that are written from right to left, with what stands between them. */
const RTL_WORDS = new RegExp(`${RTL}+(?:[ \\p{M}\\p{N}\\p{P}]+${RTL}+)*`, 'gu');
const HAS_RTL = new RegExp(RTL, 'u');

/** Whether a text has letters that are written from right to left. */
export const hasRightToLeft = (text: string): boolean => HAS_RTL.test(text);

/** Returns a text in which words from right to left do not reorder what stands beside them: each is between U+2068 and U+2069. */
export const isolated = (text: string): string =>
  HAS_RTL.test(text) ? text.replace(RTL_WORDS, '\u2068$&\u2069') : text;

/** Returns a text of others for places without markup: an email, a chat, a title. Hidden characters have codes, and it reorders nothing. */
export const plainText = (text: string, options?: Options): string => isolated(withCodes(text, options));
