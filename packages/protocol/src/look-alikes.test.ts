import { expect, test } from 'vitest';
import { lookAlike, lookAlikesAmong, mixedScripts } from './look-alikes.ts';

test.each([
  ['a zero width space', 'Payroll', 'Pay\u200broll'],
  ['a Cyrillic letter', 'Payroll', '\u0420\u0430yroll'],
  ['Greek letters', 'HOME', '\u0397\u039f\u039c\u0395'],
  ['full width', 'Payroll', 'Ｐayroll'],
  ['a digit', 'Payroll', 'Payro1l'],
  ['a capital letter', 'Payroll', 'PayroIl'],
  ['a space that does not break', 'Pay roll', 'Pay\u00a0roll'],
  ['spaces', 'Pay roll', 'Pay  roll '],
  ['a bidi control', 'Payroll', '\u202aPayroll\u202c'],
  ['another composition', 'Zo\u00eb', 'Zoe\u0308'],
  ['a letter without its dot', 'Admin', 'Adm\u0131n'],
  ['a Latin iota', 'Admin', 'Adm\u0269n'],
  ['a Latin alpha', 'Payroll', 'P\u0251yroll'],
  ['a dash', 'read-only', 'read\u2011only'],
])('two names that differ in %s look alike', (_, one, other) => {
  expect(lookAlike(one, other)).toBe(true);
  expect(lookAlikesAmong(['Other', one, other])).toEqual(
    new Map([
      [one, other],
      [other, one],
    ]),
  );
});

test.each([
  ['Payroll', 'Payroll'],
  ['Admins', 'admins'],
  ['Team 1', 'Team 2'],
  ['Zoe', 'Zo\u00eb'],
  ['Payroll', 'Pay'],
])('%j and %j do not look alike', (one, other) => {
  expect(lookAlike(one, other)).toBe(false);
  expect(lookAlikesAmong([one, other])).toEqual(new Map());
});

test.each([
  ['P\u0430yroll', ['Latin', 'Cyrillic']],
  ['Beta \u0392eta', ['Latin', 'Greek']],
  ['\u0448\u043a\u043e\u043b\u0430 school', undefined],
  ['\u03b1-Test', undefined],
  ['Payroll', undefined],
  ['日本 Team', undefined],
  ['5 \u00b5m', undefined],
])('the scripts that a word of %j mixes are %j', (name, scripts) =>
  expect(mixedScripts(name)).toEqual(scripts),
);
