import { expect, test } from 'vitest';
import { exampleOf, typeOf } from './schemas.ts';

const uuid = { type: 'string', format: 'uuid' };

test('an example has the required fields, with values that fit', () => {
  const example = exampleOf({
    type: 'object',
    required: ['email', 'ids', 'kind', 'limit'],
    properties: {
      email: { type: 'string', format: 'email' },
      ids: { type: 'array', minItems: 1, items: uuid },
      kind: { enum: ['suspend', 'delete'] },
      limit: { type: 'integer', minimum: 5 },
      other: { type: 'string' },
    },
  });
  expect(example).toEqual({
    email: 'ada@example.com',
    ids: [expect.stringMatching(/^[0-9a-f-]{36}$/)],
    kind: 'suspend',
    limit: 5,
  });
});

test('types are words', () => {
  expect(typeOf({ anyOf: [uuid, { type: 'null' }] })).toBe('string (uuid) or null');
  expect(typeOf({ type: 'array', items: { enum: ['a', 'b'] } })).toBe('list of `a`, `b`');
  expect(typeOf({ type: 'array' })).toBe('list of any');
});
