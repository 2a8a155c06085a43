import { expect, test } from 'vitest';
import { type Condition, INCOMPLETE, writeCondition } from './condition-model.ts';
import { readCondition as read } from './condition-reader.ts';
import { conditionWords } from './condition-words.tsx';

const readCondition = (cel: string) => read(cel, 'policy');

import { attributeLabel } from './condition-vocabulary.ts';

const CONDITIONS = [
  "user.attributes.department == 'Finance'",
  "!('cost center' in user.attributes) || user.attributes['cost center'] != 'A \\'1\\' \\\\'",
  "!has(user.attributes.title) || user.attributes.title != 'CFO'",
  "user.status == 'active' && (!has(user.attributes.title) || user.attributes.title != 'CFO')",
  "(!has(user.attributes.a) || user.attributes.a != '1') || user.role == 'owner'",
  "user.status != 'active'",
  "user.attributes.department in ['Sales', 'Finance']",
  "user.email.endsWith('@acme.example')",
  'has(user.attributes.title)',
  "!('cost center' in user.attributes)",
  "'Contractors' in user.groups",
  "!('Contractors' in user.groups)",
  'user.end_date != null && user.end_date < today',
  "user.start_date != null && user.start_date > '2026-01-31'",
  'user.manager == null',
  'account == null',
  'account != null',
  'account.days_since_sign_in != null && account.days_since_sign_in >= 90',
  "user.status == 'active' && user.domain_type == 'external'",
  "user.status == 'active' && (user.attributes.a == '1' || user.attributes.a == '2')",
  'user.on_leave == true',
  "account.mfa_enabled == false && user.role == 'admin'",
  "(user.role == 'owner' && account.status == 'ACTIVE') || user.email.contains('x')",
];

test.each(CONDITIONS)('reads and writes %s', (cel) => {
  expect(writeCondition(readCondition(cel) as Condition)).toBe(cel);
});

test('reads other white space, quotes and parentheses', () => {
  expect(
    writeCondition(readCondition('(user.status=="active")\n&& user.role in [ "admin" ]') as Condition),
  ).toBe("user.status == 'active' && user.role in ['admin']");
  expect(
    writeCondition(readCondition('user.status == "a" && user.role == "b" || account == null') as Condition),
  ).toBe("(user.status == 'a' && user.role == 'b') || account == null");
});

test.each([
  [
    "user.status == 'active' && (account == null || (user.role == 'a' && user.role == 'b'))",
    /groups inside groups/,
  ],
  ['user.attributes.a.b == "c"', /no row for/],
  ["user['attributes.a'] == 'b'", /no row for/],
  ['user.attributes.a == null', /no row for/],
  ['!user.manager != null', /no row for/],
  ["!'a' in user.groups", /no row for/],
  ["user.email.matches('a+')", /begins with “\.?\(?/],
  ['user.email == "a" // keep', /no row for/],
  ['user.email =', /no row for/],
  ['user.email ==', /ends too early/],
  ['true && true', /no row for/],
  ["user.email == r'a'", /no row for/],
  ['user.attributes.level >= 3', /no row for/],
  ['app.name == "x"', /no row for/],
  ["user.email == ''", /no row for/],
  ['account.days_since_sign_in != null', /no row for/],
  // Unknown is neither.
  ['account.mfa_enabled', /ends too early/],
  ['!(account.mfa_enabled == true)', /no row for/],
  ['!user.on_leave == true', /no row for/],
])('leaves %s as CEL, with the reason', (cel, why) => {
  expect(readCondition(cel)).toEqual({ why: expect.stringMatching(why) });
});

test('a comparison with a date is the same row without the test whether there is one', () => {
  expect(writeCondition(readCondition('user.end_date < today') as Condition)).toBe(
    'user.end_date != null && user.end_date < today',
  );
});

test('somebody is on leave or not, however that is written', () => {
  const written = (cel: string) => writeCondition(readCondition(cel) as Condition);
  expect(written('user.on_leave')).toBe('user.on_leave == true');
  expect(written('!user.on_leave && account != null')).toBe('user.on_leave == false && account != null');
  expect(written('!(user.on_leave == true)')).toBe('user.on_leave == false');
});

test('leaves a condition of a review as text if it reads more than people', () => {
  expect(read("user.role == 'admin'", 'review')).toMatchObject({ items: [{ field: 'user.role' }] });
  expect(read('account == null', 'review')).toEqual({ why: expect.stringMatching(/no row for/) });
});

test('an incomplete condition has no rows', () => {
  expect(readCondition(INCOMPLETE)).toEqual({ join: 'and', items: [] });
});

test('finds the test in a longer list, too', () => {
  const cel =
    "user.status == 'active' && account.days_since_sign_in != null && account.days_since_sign_in >= 90";
  expect(readCondition(cel)).toMatchObject({
    items: [{ field: 'user.status' }, { field: 'account.days_since_sign_in', operator: 'at_least' }],
  });
});

test.each([
  "user.attributes.title != 'CFO'",
  "user.status == 'active' && user.attributes.title != 'CFO'",
  "!has(user.attributes.a) || user.attributes.b != 'CFO'",
  "user.status == 'active' || (user.attributes.title != 'CFO')",
])('leaves %s as CEL, since it does not say what applies to people without a value', (cel) => {
  expect(readCondition(cel)).toEqual({ why: expect.stringMatching(/includes people without a value/) });
});

test('an empty condition and one that matches everyone have no rows', () => {
  expect(readCondition('')).toEqual({ join: 'and', items: [] });
  expect(readCondition(' true ')).toEqual({ join: 'and', items: [] });
  expect(writeCondition({ join: 'and', items: [] })).toBe('true');
});

test('says a condition in words, unless the builder cannot show it', () => {
  const words = (cel: string) => conditionWords(cel, 'policy');
  expect(words('true')).toBe('everyone');
  expect(words("user.attributes.team in ['a', 'b'] && user.on_leave == false")).toBe(
    'team is one of a or b and On leave: no',
  );
  expect(words("(user.status == 'active' && account == null) || user.role == 'owner'")).toBe(
    '(Status is Active and Account in the app does not exist) or Role is Owner',
  );
  expect(words("user.email.matches('a')")).toBeUndefined();
});

test.each([
  ['costCenter', 'Cost center'],
  ['Cost center', 'Cost center'],
  ['employeeId', 'Employee number'],
  ['site_code', 'site_code'],
])('the attribute %s is called %s', (name, label) => {
  expect(attributeLabel(name)).toBe(label);
});
