import { expect, test } from 'vitest';
import { fieldNamed, isSame } from './nfc.ts';

const [NFC, NFD] = ['Köln'.normalize('NFC'), 'Köln'.normalize('NFD')];

test.each([
  [NFC, NFD, true],
  [{ [NFC]: [NFD, 1] }, { [NFD]: [NFC, 1] }, true],
  [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
  [NFC, 'Koln', false],
  [['a', 'b'], ['b', 'a'], false],
  [{ a: 1 }, [['a', 1]], false],
  ['1', 1, false],
  [null, '', false],
])('compares %j and %j: %s', (one, other, same) => {
  expect(isSame(one, other)).toBe(same);
});

test('finds the field of a name in another form', () => {
  expect(fieldNamed({ [NFD]: 1 }, NFC)).toBe(NFD);
  expect(fieldNamed({ [NFC]: 1, [NFD]: 2 }, NFD)).toBe(NFD);
  expect(fieldNamed({ a: 1 }, NFD)).toBe(NFC);
  expect(fieldNamed({}, 'constructor')).toBe('constructor');
});
