import { expect, test } from 'vitest';
import { csvOf } from '../csv.ts';

async function fileOf(...texts: string[]): Promise<string> {
  async function* slices() {
    yield texts;
  }
  const parts = csvOf({ text: (text: string) => text, number: () => -5 }, slices());
  return (await Array.fromAsync(parts)).join('');
}

test('marks formulas, and leaves numbers and the inside of texts as they are', async () => {
  expect(await fileOf('=1+1', '-1001', 'CN=a,-OU=b;+c', "'=x", '+49 30 1234', '@handle')).toBe(
    [
      'text,number',
      "'=1+1,-5",
      '-1001,-5',
      '"CN=a,-OU=b;+c",-5',
      "''=x,-5",
      '+49 30 1234,-5',
      "'@handle,-5",
      '',
    ].join('\r\n'),
  );
});

test('quotes what a program could cut or trim, and marks a formula behind another separator', async () => {
  expect(await fileOf('a;"=SUM(1)', 'b\n=1', ' padded ', 'a|b', '\ufeffid')).toBe(
    `text,number\r\n"a;""'=SUM(1)",-5\r\n"b\n=1",-5\r\n" padded ",-5\r\n"a|b",-5\r\n"\ufeffid",-5\r\n`,
  );
});
