/** A notification as one medium shows it. Its texts contain names that people chose: each medium must escape them. */
export interface Message {
  title: string;
  body: string;
  /** An absolute address of the console. */
  link: string | null;
}

/** The most messages that are listed in one email or post. */
export const MOST_LISTED = 20;

/** Returns the line about the messages that are not listed, or null. */
export const rest = (messages: readonly Message[]): string | null =>
  messages.length <= MOST_LISTED ? null : `${messages.length - MOST_LISTED} more are in Gatehouse.`;

/** Returns text on one line, without control characters. */
export const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();

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
