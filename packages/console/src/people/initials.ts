const HUES = 8;
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const isLetter = (text: string) => /^[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(text);

function firstOf(word: string): string {
  for (const { segment } of graphemes.segment(word)) if (isLetter(segment)) return segment;
  return '';
}

/** The first character of the first and of the last part of a name, which may have any number of parts. */
export function initialsOf(name: string): string {
  const parts = (name.includes('@') ? name.slice(0, name.indexOf('@')).split(/[._-]+/) : name.split(/\s+/))
    .map(firstOf)
    .filter((part) => part !== '');
  const [first = '?', ...others] = parts;
  return (first + (others.at(-1) ?? '')).toLocaleUpperCase();
}

/** Returns the same color for the same text: its place in a style sheet. */
export function hueOf(text: string): number {
  let hash = 0;
  for (const character of text) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 65_521;
  return hash % HUES;
}
