import { expect, test } from 'vitest';
import { checks, select, toggle } from './choice-fields.tsx';
import { bodyIn, changesIn, orNull, rowsIn, secret, valuesIn } from './field.ts';
import { number } from './number-field.tsx';
import { text } from './text-fields.tsx';

const COLORS = [
  { value: 'red', label: 'Red' },
  { value: 'blue', label: 'Blue' },
] as const;
const fields = {
  name: text({ label: 'Name' }),
  about: orNull(text({ label: 'About' })),
  days: orNull(number({ label: 'Days' })),
  color: select({ label: 'Color', data: COLORS, initial: 'red' }),
  colors: orNull(checks({ label: 'Colors', data: COLORS })),
  active: toggle({ label: 'Active', initial: true }),
  token: secret(text({ label: 'Token' })),
};
const initial = valuesIn(fields);

test('gives a new thing the initial values, which requests have as null where they are empty', () => {
  expect(initial).toEqual({
    name: '',
    about: '',
    days: '',
    color: 'red',
    colors: [],
    active: true,
    token: '',
  });
  expect(bodyIn(fields, initial)).toMatchObject({ about: null, days: null, colors: null });
});

test('fills the form from what the API sent, with initial values for null', () => {
  const values = valuesIn(fields, { name: 'CRM', about: null, days: 3, color: 'blue', active: false });
  expect(values).toEqual({ ...initial, name: 'CRM', days: 3, color: 'blue', active: false });
});

test('takes spaces from the ends of text, and numbers from text', () => {
  const body = bodyIn(fields, { ...initial, name: ' CRM ', about: '  ', days: '7' });
  expect(body).toMatchObject({ name: 'CRM', about: null, days: 7 });
});

test('never sends 0 for an empty number', () => {
  expect(bodyIn({ days: number({ label: 'Days' }) }, { days: '' })).toEqual({ days: null });
});

test('finds the changed fields', () => {
  expect(changesIn(fields, { ...initial, colors: ['red'], active: false }, initial)).toEqual({
    colors: ['red'],
    active: false,
  });
});

test('compares all fields but secrets, with the labels of choices', () => {
  const rows = rowsIn(fields, { ...initial, name: 'CRM', colors: ['red', 'blue'], token: 'x' });
  expect(rows.map(({ label, show }) => [label, show])).toEqual([
    ['Name', 'CRM'],
    ['About', ''],
    ['Days', ''],
    ['Color', 'Red'],
    ['Colors', 'Red, Blue'],
    ['Active', 'Yes'],
  ]);
});

test('does not compare the order of several choices', () => {
  const compared = (colors: ('red' | 'blue')[]) => rowsIn(fields, { ...initial, colors })[4]?.value;
  expect(compared(['red', 'blue'])).toEqual(compared(['blue', 'red']));
});
