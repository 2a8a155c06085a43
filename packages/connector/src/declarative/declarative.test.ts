import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { compileExpression, ExpressionError, fill, parseText, settingsOf } from './index.ts';

const schema = Type.Object(
  { name: Type.String(), lists: Type.Optional(Type.Array(Type.Object({ query: Type.String() }))) },
  { additionalProperties: false },
);

test.each([
  ['name: [', 'x.yml:1:8: '],
  ['name: 1', 'x.yml:1:7: name must be string'],
  ['lists: []', 'x.yml:1:1: the file lacks "name"'],
  ['name: a\nlists:\n  - query: ok\n  - query: 7\n', 'x.yml:4:12: lists.1.query must be string'],
  ['name: a\nother: 1\n', 'x.yml:2:8: the file has no setting "other"'],
  ['name: a\nname: b\n', 'x.yml:2:1: Map keys must be unique'],
])('names the line and column of a mistake: %j', (text, message) => {
  expect(() => parseText(text, 'x.yml', schema)).toThrow(message);
});

test('rejects aliases that repeat too much', () => {
  const bomb = [
    'a: &a [x, x]',
    ...'bcdefghi'.split('').map((name, n) => `${name}: &${name} [${`*${'abcdefgh'[n]}, `.repeat(9)}x]`),
  ];
  expect(() => parseText(bomb.join('\n'), 'x.yml', Type.Any())).toThrow('aliases repeat too many values');
});

test('points into a text at the mistake of an expression', () => {
  const document = parseText('name: "1 + two"\n', 'x.yml', schema);
  let mistake: unknown;
  try {
    compileExpression(document.value.name, { names: ['one'] });
  } catch (error) {
    mistake = error;
  }
  expect(mistake).toBeInstanceOf(ExpressionError);
  const { offset, message } = mistake as ExpressionError;
  expect(document.failure(['name'], message, offset).message).toBe(
    'x.yml:1:12: the variable two does not exist',
  );
});

test.each([
  ['user.id == 7 && user.name.lowerAscii() == "ada"', true],
  ['user.tags.map(tag, tag + "!")', ['a!', 'b!']],
  ['{"id": user.id, "big": user.big}', { id: 7, big: 9007199254740993n }],
  ['has(user.missing) ? user.missing : null', null],
  ['string(user.id) + user.name', '7Ada'],
])('evaluates %s', (text, value) => {
  const user = { id: 7, name: 'Ada', tags: ['a', 'b'], big: 9007199254740993n };
  expect(compileExpression(text, { names: ['user'] }).evaluate({ user })).toEqual(value);
});

test('throws what went wrong when an expression is evaluated', () => {
  expect(() => compileExpression('user.missing', { names: ['user'] }).evaluate({ user: {} })).toThrow(
    'user.missing: ',
  );
});

test('makes settings of placeholders, secrets of those that are named so', () => {
  const of = (name: string) => `\${${name}}`;
  const definition = {
    url: `https://${of('HOST')}:${of('PORT:-443')}/`,
    headers: [{ authorization: `Bearer ${of('API_TOKEN')}` }],
  };
  expect(settingsOf(definition)).toMatchObject({
    HOST: { secret: false, required: true, description: 'url in the definition' },
    PORT: { secret: false, fallback: '443', description: 'url in the definition' },
    API_TOKEN: { secret: true, required: true, description: 'headers.0.authorization in the definition' },
  });
  const values = { HOST: 'a b', API_TOKEN: 'x' };
  expect(fill(definition.url, values, encodeURIComponent)).toBe('https://a%20b:443/');
});
