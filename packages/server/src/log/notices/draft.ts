import type { KindName } from './kinds.ts';
import { shortened } from './shortened.ts';

/** A notification before it is stored, with everybody who should get it. */
export interface Draft {
  kind: KindName;
  /** Names the reason. A person or channel gets one notification for it. */
  key: string;
  to: readonly Recipient[];
  title: string;
  /** Times in it are in ISO 8601: each reader sees them in a time zone of their own. */
  body: string;
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
  type: 'ticket' | 'cycle' | 'task' | 'app' | 'webhook' | 'policy' | 'hold' | 'organization';
  id: string | null;
}

/** A time as it is stored in a text. */
export const date = (time: Date): string => time.toISOString();

/** A line about something that waits. Times in it are in ISO 8601. */
export interface Detail {
  label: string;
  text: string;
  /** Whether it should make the reader hesitate. */
  isWarning?: boolean;
}

/** "Ada Lovelace (ada@example.com)" */
export function named({
  first_name,
  last_name,
  email,
}: {
  first_name: string;
  last_name: string;
  email: string;
}): string {
  const name = `${first_name} ${last_name}`.trim();
  return name === '' ? email : `${name} (${email})`;
}

/** Returns the first `most` words, and how many more there are. */
export function someOf(words: readonly string[], most: number): string {
  const more = words.length - most;
  return more <= 0 ? words.join(', ') : `${words.slice(0, most).join(', ')} and ${more} more`;
}

const LONGEST_QUOTE = 500;

/** Returns the beginning of a text that a person wrote. */
export const quote = (text: string): string => `"${shortened(text, LONGEST_QUOTE)}"`;
