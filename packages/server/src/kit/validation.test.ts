import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { summaryOf } from './issues.ts';
import { issuesOf, validatorCompiler } from './validation.ts';

const schema = Type.Object({
  name: Type.Optional(Type.String({ minLength: 2, maxLength: 3, pattern: '^[a-z]*$' })),
  id: Type.Optional(Type.String({ format: 'uuid' })),
  count: Type.Optional(Type.Integer({ minimum: 1, maximum: 5 })),
  share: Type.Optional(Type.Number()),
  active: Type.Optional(Type.Boolean()),
  kind: Type.Optional(Type.Enum(['group', 'license'])),
  tags: Type.Optional(Type.Array(Type.Object({ id: Type.String() }), { minItems: 1, maxItems: 1 })),
});

const issuesIn = (body: unknown) => {
  const validate = validatorCompiler({ schema, httpPart: 'body', method: 'POST', url: '/' });
  const { error } = validate(body) as { error?: Parameters<typeof issuesOf>[0] };
  return error === undefined ? [] : issuesOf(error);
};

test.each([
  [[], 'object_type', 'Input should be a valid object'],
  [{ name: 7 }, 'string_type', 'Input should be a valid string (name)'],
  [{ name: 'a' }, 'string_too_short', 'String should have at least 2 characters (name)'],
  [{ name: 'abcd' }, 'string_too_long', 'String should have at most 3 characters (name)'],
  [{ name: 'AB' }, 'invalid', 'Input must match pattern "^[a-z]*$" (name)'],
  [{ id: 'x' }, 'string_format', 'Input should be a valid UUID (id)'],
  [{ count: '1' }, 'int_type', 'Input should be a valid integer (count)'],
  [{ count: 0 }, 'too_small', 'Input should be greater than or equal to 1 (count)'],
  [{ count: 6 }, 'too_large', 'Input should be less than or equal to 5 (count)'],
  [{ share: 'x' }, 'number_type', 'Input should be a valid number (share)'],
  [{ active: 1 }, 'bool_type', 'Input should be a valid boolean (active)'],
  [{ kind: 'x' }, 'enum', 'Input should be one of: group, license (kind)'],
  [{ tags: {} }, 'list_type', 'Input should be a valid list (tags)'],
  [{ tags: [] }, 'too_short', 'List should have at least 1 item (tags)'],
  [{ tags: [{ id: '' }, { id: '' }] }, 'too_long', 'List should have at most 1 item (tags)'],
  [{ tags: [{}] }, 'missing', 'Field required (tags[0].id)'],
])('reports %j as %s', (body, code, detail) => {
  const issues = issuesIn(body);

  expect(issues).toMatchObject([{ code }]);
  expect(summaryOf(issues)).toBe(detail);
});

test('reports at most twenty issues', () => {
  expect(issuesIn({ tags: Array(30).fill({}) })).toHaveLength(20);
});
