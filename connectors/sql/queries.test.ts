import { expect, test } from 'vitest';
import { parseDefinition } from './definition.ts';
import { parseStatement } from './queries.ts';

const document = parseDefinition(`
app_name: X
connect: { dsn: "sqlite:x.db" }
resource_types:
  user: { name: Users, list: { query: select 1, map: { id: .id, traits: { user: {} } } } }
`);
const bind = (sql: string, value: unknown = 'v') =>
  parseStatement(document, [], sql, () => true).bind(
    () => value,
    (position) => `$${position}`,
  );

test('binds tokens as parameters, in order', () => {
  const statement = parseStatement(document, [], 'a ?<LIMIT> b ?<resource.ID> c ?<limit>', () => true);
  const bound = statement.bind(
    (name) => name,
    (position) => `$${position}`,
  );
  expect(bound).toEqual({ text: 'a $1 b $2 c $3', values: ['limit', 'resource.id', 'limit'] });
});

test.each(['reader', 'CREATE ANY TABLE', 'app.reader', 'ä_1$', 'ada@acme.example'])(
  'inserts the name %j',
  (name) => {
    expect(bind('GRANT ?<x|unquoted> TO y', name)).toEqual({ text: `GRANT ${name} TO y`, values: [] });
  },
);

test.each([
  'x; DROP TABLE users',
  'x WITH ADMIN OPTION',
  'X WITH ADMIN OPTION',
  'READER TO EVIL',
  "x'",
  'x"',
  'a--b',
  'x y',
  '/**/',
  '(x)',
  '-x',
  '',
  null,
  'x'.repeat(200),
])('does not insert %j', (value) => {
  expect(() => bind('GRANT ?<x|unquoted> TO y', value)).toThrow('it is not a plain name');
});

test.each([
  ['SELECT ?<', 'is not a token'],
  ['SELECT ?<a b>', 'is not a token'],
  ['SELECT ?<a|>', 'is not a token'],
  ['SELECT ?<a|raw>', 'the unknown option "raw"'],
])('rejects %j', (sql, message) => {
  expect(() => bind(sql)).toThrow(message);
});
