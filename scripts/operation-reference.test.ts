import { expect, test } from 'vitest';
import { unknownOperationsIn, withOperations } from './operation-reference.ts';

const document = {
  paths: {
    '/org/{org}/api/users/': {
      get: {
        tags: ['People'],
        summary: 'List users',
        description: 'Newest first.',
        parameters: [
          { name: 'org', in: 'path' },
          { name: 'q', in: 'query' },
          { name: 'limit', in: 'query' },
        ],
        responses: { 200: {}, default: {} },
        'x-access': { scope: 'govern', roles: [], step_up: false, listed_apps: false },
      },
      post: {
        tags: ['People'],
        summary: 'Create user',
        requestBody: {
          content: { 'application/json': { schema: { $ref: '#/components/schemas/NewUser' } } },
        },
        responses: { 201: {} },
        'x-access': { scope: 'govern', roles: ['owner', 'admin'], step_up: 'privileged', listed_apps: true },
      },
    },
    '/healthz': { get: { tags: ['Status'], summary: 'Check the process', responses: { 200: {} } } },
  },
  components: { schemas: { NewUser: { properties: { email: {}, role: {} }, required: ['email'] } } },
};
const page = (...tags: string[]) =>
  tags.map((tag) => `Before.\n\n<!-- operations: ${tag} -->\nold\n<!-- operations end -->\n`).join('\n');

test('writes a table of operations with their callers, parameters and bodies', () => {
  expect(withOperations(page('People', 'Status'), document)).toBe(`Before.

<!-- operations: People -->

| operation | who may call it | what it does |
| --- | --- | --- |
| \`GET /api/users/\` | \`govern\`; all roles | List users. Newest first. Parameters: \`q\`. |
| \`POST /api/users/\` | \`govern\`; owner, admin; step-up for privileged changes; app-scoped | Create user. Body: **\`email\`**, \`role\`. Returns 201. |

<!-- operations end -->

Before.

<!-- operations: Status -->

| operation | who may call it | what it does |
| --- | --- | --- |
| \`GET /healthz\` | everybody | Check the process. |

<!-- operations end -->
`);
});

test('writes the same page again', () => {
  const written = withOperations(page('People, Status'), document);
  expect(withOperations(written, document)).toBe(written);
});

test.each([
  ['missing', page('People')],
  ['repeated', page('People', 'Status', 'People')],
  ['unknown', page('People', 'Status', 'Planets')],
])('refuses a page with a %s tag', (_, text) => {
  expect(() => withOperations(text, document)).toThrow('exactly one place');
});

test('finds operations that a text names and that do not exist', () => {
  const text =
    '`GET /api/users/?q=ada`, `POST /api/users`, `DELETE /api/users/<id>/`, `GET /api/planets/` and `/api/moons/`';

  expect(unknownOperationsIn(text, document)).toEqual(['DELETE /api/users/<id>/', 'GET /api/planets/']);
});
