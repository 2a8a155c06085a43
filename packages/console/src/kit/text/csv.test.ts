import { expect, test } from 'vitest';
import { csvField } from './csv.ts';

test.each([
  ['text as it is', 'Ada', 'Ada'],
  ['null as an empty field', null, ''],
  ['undefined as an empty field', undefined, ''],
  ['negative numbers as numbers', -5, '-5'],
  ['booleans', true, 'true'],
  ['commas in quotes', 'Lovelace, Ada', '"Lovelace, Ada"'],
  ['quotes doubled', 'the "first" one', '"the ""first"" one"'],
  ['line breaks in quotes', 'one\ntwo', '"one\ntwo"'],
  ['formulas as text', '=1+1', "'=1+1"],
  ['formulas with commas in quotes', '=SUM(A1,A2)', `"'=SUM(A1,A2)"`],
  ['formulas after a separator of another country as text', 'Red;=SUM(1)', `"Red;'=SUM(1)"`],
  ['formulas after a separator and quotes as text', 'a;"@SUM(A1)', `"a;""'@SUM(A1)"`],
  ['formulas after a tab or a line as text', 'a\t+A(1)\n-A(1)', `"a\t'+A(1)\n'-A(1)"`],
  ['text that begins with an apostrophe and a formula with a second one', "'=x", "''=x"],
  ['negative ids and telephone numbers as they are', '-1001', '-1001'],
  ['other separators in quotes', 'CN=a,-OU=b;+c', '"CN=a,-OU=b;+c"'],
  ['spaces at an end in quotes', ' padded ', '" padded "'],
  ['text with a dash as it is', 'Mary-Ann = Ann, 3 - 2', '"Mary-Ann = Ann, 3 - 2"'],
  ['formulas in full width as text', '\uff1d1', "'\uff1d1"],
])('writes %s', (_case, value, field) => expect(csvField(value)).toBe(field));
