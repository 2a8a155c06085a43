import { expect, test } from 'vitest';
import { readTags } from './tags.ts';

test.each([
  ['en-US@posix', 'en-US'],
  ['de_DE', 'de-DE'],
  ['de_DE.UTF-8@euro', 'de-DE'],
  ['EN-gb', 'en-GB'],
  ['zh-Hant-TW', 'zh-Hant-TW'],
])('reads %s as %s', (given, tag) => {
  expect(readTags([given])).toEqual([tag]);
  expect(new Intl.DateTimeFormat(tag).format(0)).not.toBe('');
});

test('skips invalid language tags, and keeps the order of the others', () => {
  expect(readTags(['C', '*', '', 'x-private', null, undefined, 7, 'a'.repeat(300), 'de', '@', 'fr'])).toEqual(
    ['de', 'fr'],
  );
  expect(readTags([])).toEqual([]);
  expect(readTags(Array.from({ length: 300 }, () => '*'))).toEqual([]);
});
