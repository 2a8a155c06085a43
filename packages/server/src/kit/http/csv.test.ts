import { expect, test } from 'vitest';
import { csvOf } from './csv.ts';

const cells: [string, string][] = [
  ['=1+1', "'=1+1"],
  ['Red;=1+1', "Red;'=1+1"],
  ['Red; =1+1', "Red; '=1+1"],
  ['a|@SUM(A1)', "a|'@SUM(A1)"],
  ['a:-1', "a:'-1"],
  ['a\t+1', "a\t'+1"],
  ['\tA', "'\tA"],
  [' =1+1', " '=1+1"],
  ['\uff1d1', "'\uff1d1"],
  ['ada.lovelace+work@acme.example', 'ada.lovelace+work@acme.example'],
  ['Mary-Ann = Ann; 3 - 2', 'Mary-Ann = Ann; 3 - 2'],
];

test('escapes what a spreadsheet could run, whichever separator it uses, and nothing else', async () => {
  async function* rows() {
    yield cells.map(([text]) => text);
  }
  const lines: string[] = [];
  for await (const part of csvOf({ text: (text: string) => text, number: () => -5 }, rows()))
    lines.push(part);
  expect(lines.join('')).toBe(['text,number', ...cells.map(([, text]) => `${text},-5`), ''].join('\r\n'));

  // A cell with a quote or a line break is quoted, and its formula is escaped as well.
  const odd = await csvOf(
    { text: (text: string) => text },
    (async function* () {
      yield ['a;"=1', 'b\n=1'];
    })(),
  );
  const text: string[] = [];
  for await (const part of odd) text.push(part);
  expect(text.join('')).toBe(`text\r\n"a;""'=1"\r\n"b\n'=1"\r\n`);
});
