import type { KindName } from './kinds.ts';

/** A notification before it is stored, with everybody who should get it. */
export interface Draft {
  kind: KindName;
  /** Names the reason. A person or channel gets one notification for it. */
  key: string;
  to: readonly Recipient[];
  title: string;
  body: (format: Format) => string;
  /** A path in the console. */
  path: string;
  about?: About;
  /** The app that it concerns. Undefined: channels do not get it. Null: only channels for all apps do. */
  appId?: string | null;
}

export interface Recipient {
  userId: string;
  /** The absent person for whom they act. */
  onBehalfOf?: string | null;
}

/** A thing that a reader must be allowed to see. */
export interface About {
  type: 'ticket' | 'cycle' | 'task' | 'app' | 'organization';
  id: string | null;
}

/** Formats for one reader. */
export interface Format {
  date: (date: Date) => string;
}

/** Formats dates in a person's language and time zone. */
export function formatFor({
  time_zone,
  language,
}: {
  time_zone: string | null;
  language: string | null;
}): Format {
  const format = new Intl.DateTimeFormat(language ?? 'en-US', {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: time_zone ?? 'UTC',
  });
  return { date: (date) => `${format.format(date)} (${time_zone ?? 'UTC'})` };
}

const LONGEST_QUOTE = 500;

/** Returns the beginning of a text that a person wrote. */
export const quote = (text: string): string =>
  text.length > LONGEST_QUOTE ? `"${text.slice(0, LONGEST_QUOTE)}…"` : `"${text}"`;
