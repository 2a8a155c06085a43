const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Returns the beginning of a text that is too long, with "…" at its end. Never cuts within a character, such as a flag or a letter with its accent. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  let end = 0;
  for (const { index, segment } of characters.segment(text.slice(0, 2 * most))) {
    if (index + segment.length > most - 1) break;
    end = index + segment.length;
  }
  return `${text.slice(0, end).trimEnd()}…`;
}
