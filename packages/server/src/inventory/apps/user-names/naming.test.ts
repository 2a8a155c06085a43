import { describe, expect, test } from 'vitest';
import { USER_NAME_KINDS, userNameRefusal } from '../../../../../protocol/src/user-names.ts';
import { namingOf } from './naming.ts';
import { type GivenRule, userNameRule } from './rule.ts';

const person = (fields: object = {}) => ({
  id: 'x',
  email: 'a.lee@example.com',
  username: 'a.lee@example.com',
  first_name: 'Änne',
  last_name: 'Lee',
  attributes: { number: 7, login: 'al' },
  ...fields,
});
const byDefault = (kind: (typeof USER_NAME_KINDS)[number], fields: object = {}, number = 1) =>
  namingOf({ user_name: null, user_name_kind: kind })?.nameOf(person(fields), number);
const byRule = (rule: GivenRule, number = 1, fields: object = {}) =>
  namingOf({ user_name: userNameRule(rule), user_name_kind: null })?.nameOf(person(fields), number);
const byTemplate = (template: string, number = 1, fields: object = {}) =>
  byRule({ from: 'template', template }, number, fields);

describe('the default', () => {
  test.each(USER_NAME_KINDS)('of %s is the part of the email before the @, then with a number', (kind) => {
    expect([1, 2, 12].map((number) => byDefault(kind, {}, number))).toEqual(['a.lee', 'a.lee2', 'a.lee12']);
  });

  test('is the user name if that is not the email and fits', () => {
    expect(byDefault('linux', { username: 'ada' })).toBe('ada');
    expect(byDefault('active_directory', { username: 'ada/1' })).toBe('a.lee');
    expect(byDefault('postgresql', { username: 'pg_ada' })).toBe('a.lee');
  });

  test.each([
    ['active_directory', 20],
    ['linux', 32],
    ['postgresql', 63],
    ['mariadb', 32],
  ] as const)('of %s is cut to %i, with the number at the end', (kind, length) => {
    const long = { email: `${'x'.repeat(64)}@example.com`, username: `${'x'.repeat(64)}@example.com` };
    expect(byDefault(kind, long)).toBe('x'.repeat(length));
    expect(byDefault(kind, long, 10)).toBe(`${'x'.repeat(length - 2)}10`);
  });

  test('is in ASCII, without what the system does not accept', () => {
    expect(byDefault('linux', { email: "jürgen+o'neil@x.example", username: '' })).toBe('jurgenoneil');
    expect(byDefault('active_directory', { email: 'straße+x@x.example', username: '' })).toBe('strassex');
  });

  test('is the user name if nothing fits, and says so', () => {
    const naming = namingOf({ user_name: null, user_name_kind: 'linux' });
    const name = naming?.nameOf(person({ email: '12@x.example', username: '12@x.example' }), 1) ?? '';
    expect([name, naming?.fits(name)]).toEqual(['12@x.example', false]);
  });

  test('is none for a connector that names no system', () => {
    expect(namingOf({ user_name: null, user_name_kind: null })).toBeNull();
  });

  test('does not cut within a character of several bytes', () => {
    const naming = namingOf({ user_name: userNameRule({ from: 'user_name' }), user_name_kind: 'postgresql' });
    const name = naming?.nameOf(person({ username: 'é'.repeat(31) }), 10) ?? '';
    expect(name).toBe(`${'é'.repeat(30)}10`);
    expect(naming?.fits(name)).toBe(true);
  });
});

describe('a rule', () => {
  test('takes the user name or an attribute', () => {
    expect(byRule({ from: 'user_name' })).toBe('a.lee@example.com');
    expect(byRule({ from: 'attribute', attribute: 'login' }, 2)).toBe('al2');
    expect(byRule({ from: 'attribute', attribute: 'number' })).toBe('7');
    expect(byRule({ from: 'attribute', attribute: 'constructor' })).toBe('a.lee@example.com');
  });

  test.each([
    ['part(user.email, "@", 1)', 'a.lee', 'a.lee2'],
    ['part(user.email, "@", -1)', 'example.com', 'example.com2'],
    ['part(user.email, "@", 5) + "x"', 'x', 'x2'],
    ['lower(cut(ascii(user.first_name, "de"), 2) + "." + user.last_name)', 'ae.lee', 'ae.lee2'],
    ['ascii(user.first_name)', 'Anne', 'Anne2'],
    ['user.last_name + number + "@x"', 'Lee@x', 'Lee2@x'],
    ['cut("benjamin" + number, 3)', 'ben', 'ben2'],
    ['string(user.attributes.number)', '7', '72'],
    ['has(user.attributes.nick) ? user.attributes.nick : "n"', 'n', 'n2'],
  ])('%s gives %s and %s', (template, first, second) => {
    expect([byTemplate(template), byTemplate(template, 2)]).toEqual([first, second]);
  });

  test('falls back to the default for a person without what it reads', () => {
    expect(byTemplate('user.attributes.nick')).toBe('a.lee@example.com');
    expect(byTemplate('""')).toBe('a.lee@example.com');
    expect(byTemplate('user.last_name + "\\000"', 2)).toBe('a.lee@example.com2');
    expect(byTemplate(`"${'x'.repeat(321)}"`)).toBe('a.lee@example.com');
  });

  test.each([
    [{ from: 'template', template: 'user.foo' }, 'the field foo of user does not exist'],
    [{ from: 'template', template: 'user.email == "x"' }, 'the result is not text'],
    [{ from: 'template', template: 'part(user.email)' }, 'write part(text, separator, number)'],
    [{ from: 'template', template: 'x' }, 'the variable x does not exist'],
    [{ from: 'template' }, 'Field required (user_name.template)'],
    [{ from: 'attribute' }, 'Field required (user_name.attribute)'],
    [{ from: 'user_name', attribute: 'x' }, 'user_name.attribute is only allowed'],
  ] as const)('%j is refused', (rule, why) => {
    expect(() => userNameRule(rule)).toThrow(why);
  });
});

test.each([
  ['active_directory', 'a.', 'end with a dot'],
  ['active_directory', 'a@b', 'must not contain "@"'],
  ['active_directory', '. .', 'dots and spaces only'],
  ['linux', '-a', 'begin with'],
  ['linux', '42', 'digits only'],
  ['linux', 'é', 'must not contain "é"'],
  ['postgresql', 'pg_x', 'pg_'],
  ['postgresql', 'public', 'public'],
  ['postgresql', 'é'.repeat(32), '63 bytes'],
  ['mariadb', 'x'.repeat(33), '32 characters'],
] as const)('%s does not accept %s', (kind, name, why) => {
  expect(userNameRefusal(kind, name)).toContain(why);
});
