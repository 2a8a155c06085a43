import { createHash, randomBytes } from 'node:crypto';

/**
 * The form of generated API keys (D8): `gh_`, 43 URL-safe characters (256 random bits), and a checksum of 6 characters.
 * The prefix lets leak scanners find keys. The checksum rejects a mistyped key without a query.
 */
const PREFIX = 'gh_';
const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
const SHAPE = new RegExp(`^${PREFIX}[A-Za-z0-9_-]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`);

export function newKey(): string {
  const body = PREFIX + randomBytes(32).toString('base64url');
  return body + checksum(body);
}

/** Returns whether `key` has the form of a generated key. Keys from the environment may have any form (D40). */
export const looksGenerated = (key: string) => SHAPE.test(key);

/** Returns whether a generated key's checksum is correct. The checksum is not a secret, so timing may leak it. */
export function isWellFormed(key: string): boolean {
  const end = key.length - CHECKSUM_LENGTH;
  return looksGenerated(key) && key.slice(end) === checksum(key.slice(0, end));
}

/** Hashes a key for storage and lookup. A plain hash is enough: nobody can search 256 random bits (ADR 5). */
export const hashKey = (key: string): Buffer => createHash('sha256').update(key).digest();

const checksum = (body: string) =>
  createHash('sha256').update(body).digest('base64url').slice(0, CHECKSUM_LENGTH);
