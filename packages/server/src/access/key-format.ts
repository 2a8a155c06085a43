import { createHash, randomBytes } from 'node:crypto';

/**
 * API keys (D8): `gh_`, 43 url-safe characters of 256 random bits, 6 characters of checksum. The prefix lets leak
 * scanners find them; the checksum refuses a typing error without a look-up.
 */
const PREFIX = 'gh_';
const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
const SHAPE = new RegExp(`^${PREFIX}[A-Za-z0-9_-]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`);

export function newKey(): string {
  const body = PREFIX + randomBytes(32).toString('base64url');
  return body + checksum(body);
}

/** Whether `key` has the shape that newKey makes; keys given by the environment need not (D40). */
export const looksGenerated = (key: string) => SHAPE.test(key);

/** Whether the checksum of a generated key fits. It is not a secret, so the comparison may leak time. */
export function isWellFormed(key: string): boolean {
  const end = key.length - CHECKSUM_LENGTH;
  return looksGenerated(key) && key.slice(end) === checksum(key.slice(0, end));
}

/** What is stored and looked up. The key holds 256 random bits, so a plain hash cannot be searched (ADR 5). */
export const hashKey = (key: string): Buffer => createHash('sha256').update(key).digest();

const checksum = (body: string) =>
  createHash('sha256').update(body).digest('base64url').slice(0, CHECKSUM_LENGTH);
