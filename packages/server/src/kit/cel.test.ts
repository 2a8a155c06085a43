import { expect, test } from 'vitest';
import { compileCondition } from './cel.ts';

const user = {
  email: 'ann@acme.example',
  status: 'active',
  manager: null,
  attributes: { department: 'Finance', level: 3, tags: ['a', 'b'], constructor: 'x' },
  start_date: '2026-02-01',
};
const variables = {
  user,
  account: { status: 'ACTIVE', memberships: ['red', 'blue'] },
  app: { name: 'Ledger' },
};

test.each([
  ['true', true],
  ['user.attributes.department == "Finance" && app.name == "Ledger"', true],
  ['user.attributes["department"] in ["Finance", "Sales"]', true],
  ['user.attributes.level >= 3', true],
  ['"red" in account.memberships', true],
  ['account.memberships.exists(m, m.startsWith("bl"))', true],
  ['account.memberships.all(m, size(m) > 3)', false],
  ['user.email.matches("@acme[.]example$")', true],
  ['has(user.attributes.title)', false],
  ['has(user.attributes.title) && user.attributes.title == "CFO"', false],
  ['user.manager == null', true],
  ['timestamp(user.start_date + "T00:00:00Z") < timestamp("2027-01-01T00:00:00Z")', true],
  ['user.attributes.constructor == "x"', true],
  ['type(user.email) == string', true],
])('%s is %s', (text, expected) => {
  expect(compileCondition(text).decide(variables)).toBe(expected);
});

test.each([
  ['user.attributes.title == "CFO"', 'missing', 'user.attributes.title'],
  ['!(user.attributes.title == "CFO")', 'missing', 'user.attributes.title'],
  ['user.attributes.title != "CFO"', 'missing', 'user.attributes.title'],
  ['user.attributes["cost center"] in ["1"]', 'missing', 'user.attributes["cost center"]'],
  ['user.attributes.title.startsWith("C")', 'missing', 'user.attributes.title'],
  ['user.manager < "a"', 'missing', 'user.manager'],
  ['user.email > 3', 'type', 'user.email'],
  ['user.attributes.level == "3"', 'type', 'user.attributes.level'],
  ['user.attributes.level != "3"', 'type', 'user.attributes.level'],
  ['!(user.attributes.level in ["3", "4"])', 'type', 'user.attributes.level'],
  ['user.email', 'type', 'user.email'],
  ['user.toString != null', 'missing', 'user.toString'],
  ['user["__proto__"] != null', 'missing', 'user.__proto__'],
])('%s is undecided: %s', (text, code, field) => {
  expect(compileCondition(text).decide(variables)).toEqual({ reasons: [{ code, field }] });
});

test('is decided if one side of && or || is enough, and names every field that is missing', () => {
  const decide = (text: string) => compileCondition(text).decide(variables);
  expect(decide('user.attributes.title == "CFO" || user.status == "active"')).toBe(true);
  expect(decide('user.attributes.title == "CFO" && user.status == "gone"')).toBe(false);
  expect(decide('user.attributes.level in [2, "3"]')).toBe(false);
  expect(decide('user.manager != "x"')).toBe(true);
  const missing = (name: string) => ({ code: 'missing', field: `user.attributes.${name}` });
  expect(decide('user.attributes.a == "1" && user.attributes["b"] == "2"')).toEqual({
    reasons: [missing('a'), missing('b')],
  });
});

test('treats a missing variable as null', () => {
  expect(compileCondition('user == null').decide({})).toBe(true);
});

test.each([
  ['', 'line 1, column 1'],
  ['user.email ==', 'line 1, column 12'],
  ['user.email == "a" &&\n  usr.email == "b"', 'line 2, column 3: the variable usr does not exist'],
  ['user.email.shout() == "A"', 'the function shout does not exist'],
  ['constructor == null', 'column 1: the variable constructor does not exist'],
  ['process.env.HOME == ""', 'the variable process does not exist'],
  ['user.email.matches("(")', 'column 20'],
  ['user.email.matches(user.status)', 'matches requires a literal pattern'],
  ['google.protobuf.Any{} == null', 'messages cannot be created'],
  ['[1].all(x, [2].all(y, x < y))', 'a macro cannot contain another macro'],
  ['["s"].map(x, x + x).map(x, x + x) == []', 'a macro cannot contain another macro'],
  [`user.email == "${'a'.repeat(2000)}"`, 'more than 2000 characters'],
  [`${'1+'.repeat(400)}1 == 1`, 'more than 300 parts'],
])('%j is refused with its position', (text, message) => {
  expect(() => compileCondition(text)).toThrow(message);
  expect(() => compileCondition(text)).toThrow(expect.objectContaining({ code: 'invalid' }));
});

test('rejects variables that are not listed', () => {
  expect(() => compileCondition('account.status == "ACTIVE"', ['user'])).toThrow(
    'the variable account does not exist',
  );
});

test.each(['(', '[', '{1:', '!', '-', 'true ? true : ', 'user.'])(
  'terminates for %s repeated many times',
  (part) => {
    const times = Math.floor(1900 / part.length);
    expect(() => compileCondition(part.repeat(times))).toThrow('invalid at');
  },
);

const COST = { reasons: [{ code: 'cost', field: null }] };

test('is undecided if the budget is exhausted', () => {
  const account = { memberships: Array.from({ length: 5000 }, (_, i) => `group-${i}`) };
  expect(compileCondition('"group-4999" in account.memberships').decide({ account })).toBe(true);
  const squared = 'account.memberships.all(m, m in account.memberships)';
  expect(compileCondition(squared).decide({ account })).toEqual(COST);
  expect(compileCondition(squared).decide({ account: { memberships: ['a', 'b'] } })).toBe(true);
});

test('is undecided if a pattern and its text are too long', () => {
  const text = 'ab'.repeat(2000);
  const wide = compileCondition("user.bio.matches('([ab]{0,30}){20}c')", ['user']);
  expect(wide.decide({ user: { bio: 'abc' } })).toBe(true);
  expect(wide.decide({ user: { bio: `${text}c` } })).toEqual(COST);
  const plain = compileCondition("user.bio.matches('^[ab]+c$')", ['user']);
  expect(plain.decide({ user: { bio: `${text}c` } })).toBe(true);
});

test.each([
  '(a{20}b{20}c{20}){40}',
  '(\\pL{900})(\\pL{900})(\\pL{900})',
  '((a|b){100}){15}',
  `(${'[a-z]'.repeat(50)}){100}`,
  '\\Q(\\E(a{100}){100}',
])('refuses the pattern %j, whose repetitions make it too large', (pattern) => {
  expect(() => compileCondition(`user.email.matches('${pattern}')`)).toThrow('has more than 2000 parts');
});

test.each([
  '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}',
  'a{1,500}',
  '(?i)^[^@]+@(.+[.])?example[.]com$',
  '[{(]{2}',
])('accepts the pattern %j', (pattern) => {
  expect(() => compileCondition(`user.email.matches('${pattern}')`)).not.toThrow();
});

test('reports the position of the first mistake', () => {
  expect(() => compileCondition('true &&\n  usr.email == "a"', ['user'], 'scope.users')).toThrow(
    expect.objectContaining({
      issues: [
        {
          path: 'scope.users',
          code: 'cel',
          values: {
            problem: expect.objectContaining({ code: 'cel_unknown_variable', values: { name: 'usr' } }),
          },
          message: 'the variable usr does not exist',
          position: { line: 2, column: 3, offset: 10 },
        },
      ],
    }),
  );
});

const forms = (text: string) => [text.normalize('NFC'), text.normalize('NFD')] as const;

test.each([
  'user.attributes.department == "Prüfung"',
  'user.attributes.department in ["Prüfung"]',
  'user.attributes.department.startsWith("Prü")',
  'user.attributes.department.endsWith("üfung")',
  'user.attributes.department.contains("ü")',
  'user.attributes.department.matches("^Pr[üö]fung$")',
  'user.attributes["Büro"] == "Köln"',
  'has(user.attributes.department) && user.attributes["Büro"].startsWith("K")',
  '"Büro" in user.attributes',
  '"Köln" in user.groups && user.groups.exists(g, g == "Köln")',
  'user.attributes == {"department": "Prüfung", "Büro": "Köln"}',
  'user.attributes.department == "Pru" + "\\u0308" + "fung"',
  'user.attributes.department == "Pru\\u0308fung"',
  'size(user.attributes.department) == 7',
])('compares names in NFC: %s', (condition) => {
  for (const text of forms(condition))
    for (const [department = '', office = '', name = ''] of [
      forms('Prüfung|Büro|Köln')[0].split('|'),
      forms('Prüfung|Büro|Köln')[1].split('|'),
    ]) {
      const given = { user: { attributes: { department, [office]: name }, groups: [name] } };
      expect(compileCondition(text, ['user']).decide(given)).toBe(true);
    }
});

test('compares names in NFC: what differs still differs', () => {
  for (const text of forms('user.attributes.department != "Prüfung"'))
    for (const department of forms('Prüfung'))
      expect(compileCondition(text, ['user']).decide({ user: { attributes: { department } } })).toBe(false);
  expect(compileCondition('user.name == "Köln"', ['user']).decide({ user: { name: 'Koln' } })).toBe(false);
});
