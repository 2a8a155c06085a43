import { assert, constantFrom, oneof, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { withMarks, withoutMarks } from './csv-marks.ts';

test.each([
  ['=1+1', "'=1+1"],
  ['=x', "'=x"],
  ["'=x", "''=x"],
  ["''=x", "'''=x"],
  ['"=x', `"'=x`],
  ['@handle', "'@handle"],
  ['+c', "'+c"],
  ['-OU=b', "'-OU=b"],
  [' =1+1', " '=1+1"],
  ['\n=1', "\n'=1"],
  ['\tA', "'\tA"],
  ['\rA', "'\rA"],
  ["'\tA", "''\tA"],
  ['\t=1', "'\t'=1"],
  ['\uff1d1', "'\uff1d1"],
  ['\ufeff=1', "\ufeff'=1"],
  ["-2+3+cmd|' /C calc'!A0", "'-2+3+cmd|' /C calc'!A0"],
  // Where the separator is a semicolon, what follows one begins a cell.
  ['Red;=HYPERLINK("https://evil.example")', `Red;'=HYPERLINK("https://evil.example")`],
  [`a;"@SUM(A1)`, `a;"'@SUM(A1)`],
  ["a;'=SUM(A1)", "a;''=SUM(A1)"],
  ['b\n=SUM(A1)', "b\n'=SUM(A1)"],
  ['a\t+cmd|x!A1', "a\t'+cmd|x!A1"],
])('marks the formula in %j', (text, marked) => {
  expect(withMarks(text)).toBe(marked);
  expect(withoutMarks(marked)).toBe(text);
});

test.each([
  ...['', '-1001', '-5', '+49 30 1234', '-1.5e-7', '-5 000,00', '007', '1e5'],
  ...['CN=a,-OU=b;+c', "O'Brien", "'tis", "'quoted'", '\ufeffid', ' padded ', 'a\nb', "a;'b"],
  ...['ada.lovelace+work@acme.example', 'Mary-Ann = Ann; 3 - 2', 'Red;=1+1', 'a, -b'],
])('leaves %j as it is, in both directions', (text) => {
  expect(withMarks(text)).toBe(text);
  expect(withoutMarks(text)).toBe(text);
});

/** Texts of characters that matter here, and any others. */
const texts = oneof(
  string({ unit: constantFrom(...'=+-@\'"; \t\r\n,|(!1e.\ufeff\uff1da'.split('')), maxLength: 12 }),
  string({ unit: 'binary' }),
);
/** Returns whether a cell is a formula for a program that strips spaces and quotes first. */
const beginsAsFormula = (cell: string) =>
  /^[\t\r=@\uff1d]/.test(cell) || (/^[+-]/.test(cell) && !/^[+-]\d[\d .,]*(?:e[+-]?\d+)?%?$/i.test(cell));

test('returns any text as it was', async () => {
  await assert(
    property(texts, (text) => withoutMarks(withMarks(text)) === text),
    { numRuns: 5000 },
  );
});

test('leaves no text that begins as a formula, also without its quotes and spaces', async () => {
  await assert(
    property(texts, (text) => {
      const marked = withMarks(text);
      return !beginsAsFormula(marked) && !beginsAsFormula(marked.replace(/^["\s]+/, ''));
    }),
    { numRuns: 5000 },
  );
});

test('takes time in proportion to the length', () => {
  for (const piece of ["'", '"', ' ', '\t', ';', '-', ';=(', "'\t", '1 ', 'a;']) {
    const text = `=${piece.repeat(100_000)}`;
    expect(withoutMarks(withMarks(text)) === text).toBe(true);
    const late = `${piece.repeat(100_000)}=`;
    expect(withoutMarks(withMarks(late)) === late).toBe(true);
  }
});
