import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashKey, isWellFormed, looksGenerated, newKey } from './key-format.ts';

const URL_SAFE = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

test('a key is gh_, 32 or more url-safe characters, and 6 of checksum (D8)', () => {
  const keys = Array.from({ length: 100 }, newKey);

  for (const key of keys) {
    expect(key).toMatch(/^gh_[A-Za-z0-9_-]{38,}$/);
    expect(looksGenerated(key)).toBe(true);
    expect(isWellFormed(key)).toBe(true);
  }
  expect(new Set(keys)).toHaveLength(100);
});

test('one wrong character anywhere behind gh_ is a typing error', () => {
  fc.assert(
    fc.property(fc.nat(), fc.constantFrom(...URL_SAFE), (place, character) => {
      const key = newKey();
      const at = 3 + (place % (key.length - 3));
      const typed = key.slice(0, at) + character + key.slice(at + 1);

      expect(isWellFormed(typed)).toBe(typed === key);
    }),
  );
});

test('two characters in the wrong order are a typing error', () => {
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
  ['one of the environment', 'a-key-of-the-environment-with-32-characters'],
  ['one that was cut short', newKey().slice(0, -1)],
  ['one with more behind it', `${newKey()}x`],
  ['one with a newline behind it', `${newKey()}\n`],
  ['one of somebody else', newKey().replace('gh_', 'gl_')],
])('%s is not taken for a generated key', (_, key) => {
  expect(looksGenerated(key)).toBe(false);
  expect(isWellFormed(key)).toBe(false);
});

test('what is stored is a SHA-256', () => {
  expect(hashKey('abc').toString('hex')).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
});
