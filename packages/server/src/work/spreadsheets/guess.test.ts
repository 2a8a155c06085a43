import { expect, test } from 'vitest';
import { type Column, chooseId, guessAccounts, guessPeople } from './guess.ts';

const column = (name: string, ...samples: string[]) => ({ name, samples });
const fieldsOf = ({ columns }: ReturnType<typeof guessAccounts>) =>
  columns.map(({ column: name, field }) => `${name}=${field}`);

test.each([
  [
    ['Id', 'Email'],
    ['Id=id', 'Email=email'],
  ],
  [
    ['Email', 'First name'],
    ['Email=email', 'First name=first_name', 'Email=id'],
  ],
  [
    ['Login', 'Email'],
    ['Login=username', 'Email=email', 'Login=id'],
  ],
  [['First name'], ['First name=first_name']],
])('suggests an ID for an account file with the columns %j', (names, expected) => {
  expect(fieldsOf(guessAccounts(names.map((name) => column(name))))).toEqual(expected);
});

test.each([['Cost Center'], ['costCenter'], ['Kostenstelle'], ['cost_center']])(
  'recognizes the cost center of people in %s',
  (name) => expect(fieldsOf(guessPeople([column(name)]))).toEqual([`${name}=cost_center`]),
);

test('finds the email by its values, in files of accounts and of people', () => {
  const contact = column('Contact', 'ada@acme.example', 'alan@acme.example');

  expect(fieldsOf(guessAccounts([contact]))).toEqual(['Contact=email', 'Contact=id']);
  expect(fieldsOf(guessPeople([column('Team', 'Sales'), contact]))).toEqual([
    'Contact=email',
    'Team=attribute',
  ]);
});

const cells = (name: string, ...values: string[]): Column => {
  const filled = values.filter((value) => value !== '');
  const kind =
    filled.length < values.length
      ? 'missing'
      : new Set(values).size < values.length
        ? 'repeated'
        : 'distinct';
  return { name, samples: filled, values: kind };
};
const MAIL = cells('Mail', 'ada@x.example', '', 'joan@x.example');

test.each<[why: string, columns: Column[], expected: ReturnType<typeof chooseId>]>([
  ['a named ID', [cells('Kennung', '7', '8', '9'), MAIL], { column: 'Kennung', why: 'named' }],
  [
    'a number of the person',
    [cells('Ausweisnummer', '71', '12', '33'), MAIL],
    { column: 'Ausweisnummer', why: 'distinct' },
  ],
  ['codes', [cells('Badge', 'B-1', 'B-9', 'C-4'), MAIL], { column: 'Badge', why: 'distinct' }],
  [
    'names, if nothing else is distinct',
    [cells('Full name', 'Ada', 'Alan', 'Joan'), MAIL],
    { column: 'Full name', why: 'distinct' },
  ],
  [
    'the email before the name',
    [cells('Full name', 'A', 'B'), cells('Mail', 'a@x.example', 'b@x.example')],
    { column: 'Mail', why: 'distinct' },
  ],
  [
    'another column than an ID with gaps',
    [cells('ID', '1', '', '5'), cells('Login', 'a', 'b', 'c')],
    { column: 'Login', why: 'distinct' },
  ],
  [
    'an ID that several rows share',
    [cells('ID', '1', '1', '5'), cells('Login', 'a', 'b', 'c')],
    { column: 'ID', why: 'only_named' },
  ],
  ['not the number of the row', [cells('No', '1', '2', '3'), MAIL], { column: 'Mail', why: 'needed' }],
  ['not a phone number', [cells('Phone number', '71', '12', '33'), MAIL], { column: 'Mail', why: 'needed' }],
  [
    'not a day',
    [cells('Since', '2026-01-01', '2026-02-01', '2026-03-01'), MAIL],
    { column: 'Mail', why: 'needed' },
  ],
  ['nothing', [cells('Team', 'Sales', 'Sales')], null],
])('chooses as the ID %s', (_, columns, expected) => {
  expect(chooseId(columns)).toEqual(expected);
  const ids = guessAccounts(columns).columns.filter(({ field }) => field === 'id');
  expect(ids.map((one) => one.column)).toEqual(expected === null ? [] : [expected.column]);
});
