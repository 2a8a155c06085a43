import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

/** The key that encrypts all data keys (D53). It is a KeyObject, which no log can print. */
export interface SecretKey {
  /** Distinguishes keys without revealing anything about them. */
  id: string;
  key: KeyObject;
}

/** The key for new data, and earlier keys that may still be needed for reading. */
export interface SecretKeys {
  current: SecretKey;
  old: readonly SecretKey[];
}

export const SECRET_KEY_BYTES = 32;

/** Reads a key from base64. Returns undefined unless it has 32 bytes. */
export function parseSecretKey(text: string): SecretKey | undefined {
  const isBase64 = /^[A-Za-z0-9+/_-]{43}=?$/.test(text.trim());
  return isBase64 ? secretKeyOf(Buffer.from(text.trim(), 'base64')) : undefined;
}

export function secretKeyOf(bytes: Buffer): SecretKey {
  const id = createHmac('sha256', bytes).update('gatehouse secret key').digest('hex').slice(0, 16);
  return { id, key: createSecretKey(bytes) };
}
