import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashKey, isWellFormed, looksGenerated, newKey } from './key-format.ts';

const URL_SAFE = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

test('makes keys of gh_, at least 32 URL-safe characters and a checksum of 6 (D8)', () => {
  const keys = Array.from({ length: 100 }, newKey);

  for (const key of keys) {
    expect(key).toMatch(/^gh_[A-Za-z0-9_-]{38,}$/);
    expect(looksGenerated(key)).toBe(true);
    expect(isWellFormed(key)).toBe(true);
  }
  expect(new Set(keys)).toHaveLength(100);
});

test('detects one wrong character anywhere after gh_', () => {
  fc.assert(
    fc.property(fc.nat(), fc.constantFrom(...URL_SAFE), (place, character) => {
      const key = newKey();
      const at = 3 + (place % (key.length - 3));
      const typed = key.slice(0, at) + character + key.slice(at + 1);

      expect(isWellFormed(typed)).toBe(typed === key);
    }),
  );
});

test('detects two swapped characters', () => {
  fc.assert(
    fc.property(fc.nat(), (place) => {
      const key = newKey();
      const at = 3 + (place % (key.length - 4));
      const typed = key.slice(0, at) + key.charAt(at + 1) + key.charAt(at) + key.slice(at + 2);

      expect(isWellFormed(typed)).toBe(typed === key);
    }),
  );
});

test.each([
  ['a key from the environment', 'a-key-of-the-environment-with-32-characters'],
  ['a key that is too short', newKey().slice(0, -1)],
  ['a key that is too long', `${newKey()}x`],
  ['a key followed by a newline', `${newKey()}\n`],
  ['a key of another product', newKey().replace('gh_', 'gl_')],
])('does not treat %s as a generated key', (_, key) => {
  expect(looksGenerated(key)).toBe(false);
  expect(isWellFormed(key)).toBe(false);
});

test('hashes keys with SHA-256', () => {
  expect(hashKey('abc').toString('hex')).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
});
