import { expect, test } from 'vitest';
import { checkFields, fieldsRead, keysRead, plainFields } from './cel-fields.ts';

const variables = {
  user: { ...plainFields('email', 'status'), attributes: 'any' as const },
  today: 'other' as const,
};

test.each([
  'true',
  'user.email == "a@x.example"',
  'user["email"] == "a@x.example"',
  'user.attributes.department == "Finance"',
  'user.attributes["cost center"].code > 3',
  'has(user.attributes.title)',
  'user.attributes.contractor',
  'user.attributes.contractor ? true : user.status == "active"',
  'user != null && !(user.status in ["active"])',
  'user.attributes.tags.exists(tag, tag.name == "x")',
  'user.attributes.tags.all(tag, tag != "x")',
  'user.attributes.tags.exists_one(tag, tag == "x")',
  'user.email.startsWith("a") || user.email.matches("^b")',
  'timestamp(today + "T00:00:00Z") > timestamp("2026-01-01T00:00:00Z")',
  'type(user.email) == string',
])('accepts %s', (text) => {
  expect(() => checkFields(text, variables)).not.toThrow();
});

test.each([
  ['user.departmnt == "x"', 5, 'the field departmnt of user does not exist'],
  ['true &&\n  user.departmnt == "x"', 7, 'the field departmnt of user does not exist'],
  ['user["departmnt"] == "x"', 5, 'the field departmnt of user does not exist'],
  ['has(user.departmnt)', 1, 'the field departmnt of user does not exist'],
  ['[1].exists(n, user.toString == n)', 19, 'the field toString of user does not exist'],
  ['user.email', 5, 'the result is not true or false'],
  ['user', 1, 'the result is not true or false'],
  ['1 + 1', 2, 'the result is not true or false'],
  ['"true"', 1, 'the result is not true or false'],
  ['user.attributes.x ? "a" : "b"', 1, 'the result is not true or false'],
  ['user.attributes.tags.map(tag, tag)', 21, 'the result is not true or false'],
  ['size(user.email)', 1, 'the result is not true or false'],
])('rejects %j with the position', (text, column, why) => {
  expect(() => checkFields(text, variables, 'scope.users')).toThrow(
    expect.objectContaining({
      code: 'invalid',
      issues: [
        expect.objectContaining({
          path: 'scope.users',
          message: why,
          position: expect.objectContaining({ column }),
        }),
      ],
    }),
  );
});

test.each<[condition: string, reads: Record<string, string[] | 'all'>]>([
  ['true', {}],
  ['user.email == "a"', { user: ['email'] }],
  ['user["email"] == "a" && has(user.attributes.title)', { user: ['email', 'attributes'] }],
  ['user == null', { user: [] }],
  ['null != account && user.status == "active"', { account: [], user: ['status'] }],
  ['user.attributes.x == account.email', { user: ['attributes'], account: ['email'] }],
  ['user[app.name] == "x"', { user: 'all', app: ['name'] }],
  ['user == account', { user: 'all', account: 'all' }],
  ['"r1" in account.memberships.role', { account: ['memberships'] }],
  [
    'account.memberships.role.exists(r, r == user.username)',
    { account: ['memberships'], user: ['username'] },
  ],
  ['user.email == "a" || size(user) > 2', { user: 'all' }],
])('%s reads only these fields', (condition, reads) => {
  const found = fieldsRead(condition, ['user', 'account', 'app']);
  const fields = [...found].map(([name, read]) => [name, read === 'all' ? read : [...read]]);
  expect(Object.fromEntries(fields)).toEqual(reads);
});

test.each([
  ['user.attributes.team == "a" && user.attributes["cost center"] == "b"', ['team', 'cost center']],
  ['has(user.attributes.team) && user != null && user.status == "active"', ['team']],
  ['user.attributes.boss.name == "a" && account.attributes.risk == "high"', ['boss']],
  ['user.email == "a"', []],
  ['"team" in user.attributes', 'all'],
  ['user.attributes[user.email] == "a"', 'all'],
  ['size(user) > 2', 'all'],
])('%s reads only these attributes', (condition, keys) => {
  const found = keysRead(condition, 'user', 'attributes');
  expect(found === 'all' ? found : [...found]).toEqual(keys);
});
