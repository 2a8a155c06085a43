import { expect, test } from 'vitest';
import { hueOf, initialsOf } from './initials.ts';

test.each([
  ['Ada Lovelace', 'AL'],
  ['Ada', 'A'],
  ['María José Carreño Quiñones', 'MQ'],
  ["  Sinéad   O'Connor ", 'SO'],
  ['王小明', '王'],
  ['e\u0301mile zola', 'E\u0301Z'],
  ['👩🏽‍🚀 Sky', '👩🏽‍🚀S'],
  ['ada.lovelace@example.com', 'AL'],
  ['<b>Mallory</b>', 'B'],
  ['', '?'],
])('takes the initials of %s', (name, initials) => expect(initialsOf(name)).toBe(initials));

test('keeps the color of a person', () => {
  expect(hueOf('ada@example.com')).toBe(hueOf('ada@example.com'));
  for (const text of ['', 'x', 'ada@example.com', '王小明']) expect(hueOf(text)).toBeLessThan(8);
});
