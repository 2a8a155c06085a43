import { expect, test } from 'vitest';
import { guessAccounts, guessPeople } from './guess.ts';

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
