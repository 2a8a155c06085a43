import type { Detail } from '#log/notices/draft.ts';
import { plainText } from '../../../../protocol/src/hidden-characters.ts';
import { mixedScripts } from '../../../../protocol/src/look-alikes.ts';

/**
 * A notification as one medium shows it. Its texts contain names that people chose: each medium takes them through oneLine() or
 * paragraph(), and escapes its own markup.
 */
export interface Message {
  title: string;
  body: string;
  /** An absolute address of the console. */
  link: string | null;
  /** The words of the button that opens the link. */
  open?: string;
  /** The lines that a channel shows about it. */
  details?: readonly Detail[];
}

/** The most messages that are listed in one email or post. */
export const MOST_LISTED = 20;

/** Returns the line about the messages that are not listed, or null. */
export const rest = (messages: readonly Message[], listed = MOST_LISTED): string | null =>
  messages.length <= listed ? null : `${messages.length - listed} more are in Gatehouse.`;

/** Returns a text for people, with a note if one of its words mixes letters that look alike, such as a Cyrillic `а` among Latin letters. */
function readable(text: string, options?: { lines: boolean }): string {
  const scripts = mixedScripts(text);
  const shown = plainText(text, options);
  return scripts === undefined ? shown : `${shown} [mixed alphabets: ${scripts.join(', ')}]`;
}

/** Returns text on one line. Hidden characters in it are shown by their codes, and it reorders nothing beside it. */
export const oneLine = (text: string): string =>
  readable(text.replace(/[\p{Cc}\p{Zl}\p{Zp} \u00a0]+/gu, ' ').trim());

/** Does the same with a text that may have several lines. */
export const paragraph = (text: string): string => readable(text, { lines: true });
