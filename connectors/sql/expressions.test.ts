import { expect, test } from 'vitest';
import { parseDefinition } from './definition.ts';
import { compile } from './expressions.ts';
import { phpDeserialize, phpSerialize, slugify, titleCase } from './functions.ts';

const document = parseDefinition(`
app_name: X
connect: { dsn: "sqlite:x.db" }
resource_types:
  user: { name: Users, list: { query: select 1, map: { id: .id, traits: { user: {} } } } }
`);
const cols = {
  id: 7,
  name: 'ada lovelace',
  type: 'x',
  in: 'keyword',
  list: ['x'],
  gone: null,
  roles: 'a:1:{s:6:"editor";b:1;}',
};
const resource = { ID: 'editor', DisplayName: 'Editors' };

test.each([
  ['.id', 7],
  ['active', 'active'],
  ['true', true],
  ['', ''],
  [' .name ', 'ada lovelace'],
  ['string(.id)', '7'],
  [".name + ' <' + string(.id) + '>'", 'ada lovelace <7>'],
  ["'a .name b'", 'a .name b'],
  ["resource.DisplayName + ' Role Member'", 'Editors Role Member'],
  ["cols['name']", 'ada lovelace'],
  ['.in', 'keyword'],
  ['.in + .type', 'keywordx'],
  ['titleCase(.name)', 'Ada Lovelace'],
  ['toUpper(slugify(.name))', 'ADA-LOVELACE'],
  ["toLower('ÄB') + lowercase('C')", 'äbc'],
  ['phpDeserializeStringArray(string(.roles))[0] != resource.ID', false],
  ['size(phpDeserializeStringArray(string(.roles))) < 1', false],
  ['phpSerializeStringArray([resource.ID])', 'a:1:{s:6:"editor";b:1;}'],
  [".gone == null ? 'none' : .gone", 'none'],
  ["has(.missing) ? .missing : 'none'", 'none'],
  ['.id == 7 && .id < 7.5', true],
  ["'b'.upperAscii() + ('c').upperAscii() + .name.substring(0, 1)", 'BCa'],
  ["'ada lovelace' in [.name]", true],
  ["'x' in .list", true],
])('evaluates %j', (text, value) => {
  expect(compile(document, [], text).value({ cols, resource })).toEqual(value);
});

test.each([
  ['.id ==', 'x.yml:1:'],
  ["nope(.id) == 'x'", 'the function nope does not exist'],
  ['.name + unknown', 'the variable unknown does not exist'],
  ['first second', 'in: first second'],
])('rejects %j', (text, message) => {
  const file = {
    ...document,
    failure: (_: unknown, said: string, at = 0) => new Error(`x.yml:1:${at}: ${said}`),
  };
  expect(() => compile(file as never, [], text)).toThrow(message);
});

test('points at a mistake behind columns, in the text as it was written', () => {
  let at = -1;
  const failure = (_: unknown, said: string, offset = 0) => {
    at = offset;
    return new Error(said);
  };
  const file = { ...document, failure };
  expect(() => compile(file as never, [], '.id + .name + unknown')).toThrow('unknown');
  expect(at).toBe('.id + .name + '.length);
});

test('reads and writes the arrays of PHP', () => {
  expect(phpSerialize(['größe', 'x'])).toBe('a:2:{s:7:"größe";b:1;s:1:"x";b:1;}');
  expect(phpDeserialize(phpSerialize(['größe', 'x']))).toEqual(['größe', 'x']);
  expect(phpDeserialize('a:3:{s:1:"b";i:5;i:0;s:1:"z";s:1:"a";N;}')).toEqual(['a', 'b']);
  expect(phpDeserialize('a:0:{}')).toEqual([]);
  for (const broken of ['foobar', 'a:1:{s:9:"x";b:1;}', 'a:1:{s:1:"x";b:1;}}', 'O:1:"x":0:{}'])
    expect(() => phpDeserialize(broken)).toThrow('not a PHP array');
});

test('changes the case of words and makes slugs', () => {
  expect(titleCase("99 problems but a bug ain't one-two")).toBe("99 Problems But A Bug Ain't One-Two");
  expect(slugify(' Special@#$_characters!! ')).toBe('special-characters');
});
