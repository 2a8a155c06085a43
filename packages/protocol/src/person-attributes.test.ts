import { expect, test } from 'vitest';
import { PERSON_ATTRIBUTES, personAttributes, storedSpelling, withSpellings } from './person-attributes.ts';

test('no two attributes share a spelling or a header', () => {
  for (const names of [
    personAttributes.flatMap(([, { spellings }]) => spellings),
    personAttributes.flatMap(([, { headers }]) => headers ?? []),
  ])
    expect(new Set(names).size).toBe(names.length);
});

test('the usual spelling of an attribute is its name', () => {
  for (const [name, { spellings }] of personAttributes) expect(spellings[0]).toBe(name);
});

test('an attribute is read under all of its spellings', () => {
  const all = PERSON_ATTRIBUTES.cost_center.spellings.map((spelling) => [spelling, '42']);
  expect(withSpellings({ costCenter: '42', site: 'A' })).toEqual({ site: 'A', ...Object.fromEntries(all) });
});

test('a spelling that a person has keeps its own value, and the others have that of the identity provider', () => {
  expect(withSpellings({ 'Cost center': '41', costCenter: '42' })).toMatchObject({
    ...{ 'Cost center': '41', costCenter: '42', cost_center: '42', 'cost center': '42' },
  });
});

test.each([
  [{}, 'cost_center', 'cost_center'],
  [{ costCenter: '42' }, 'Cost center', 'costCenter'],
  [{ costCenter: '42', 'Cost center': '41' }, 'Cost center', 'Cost center'],
  [{ site: 'A' }, 'Site', 'Site'],
  [{}, 'constructor', 'constructor'],
])('people with %o have %s as %s', (attributes, name, stored) => {
  expect(storedSpelling(attributes, name)).toBe(stored);
});
