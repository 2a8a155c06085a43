import { createHash } from 'node:crypto';

/** Why connections keep a statement: it runs often, or its plan is kept as well. */
type Kind = 'frequent' | 'planned';

/** The number of hashes that are remembered. Only a few hundred texts exist. */
const MOST_REMEMBERED = 2_000;
const hashes = new Map<string, string>();

/**
 * Returns the name under which a connection keeps a statement. It has a hash of the text, so a name means the same statement in every
 * process and every release, even if they share a session behind a pooler. It fits into the 63 bytes that PostgreSQL compares.
 */
export const statementName = (text: string, kind: Kind = 'planned'): string => `${kind}-${hashOf(text)}`;

/** Returns whether a connection keeps a statement under this name because it is frequent. */
export const isFrequent = (name: string): boolean => name.startsWith('frequent-');

function hashOf(text: string): string {
  const known = hashes.get(text);
  if (known !== undefined) return known;
  const hash = createHash('sha256').update(text).digest('base64url');
  if (hashes.size === MOST_REMEMBERED) hashes.clear();
  hashes.set(text, hash);
  return hash;
}
