import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addOrganization, addPersonWithKey } from '#test/people.ts';
import { openReviewsTest, type ReviewsTest } from '#test/reviews.ts';
import { FIELD_NAMES, FIELDS, SUBJECTS, type Subject } from './fields.ts';
import { operatorsOf, takes } from './operators.ts';

const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const ACCOUNTS = [
  {
    ...{ id: 'a', email: 'ann@x.example', username: 'ann', last_sign_in_at: ago(1), mfa_enabled: true },
    ...{ memberships: { team: [{ id: 'red' }] }, assignments: { seat: [{ id: 'gold' }] } },
    attributes: { office: 'Paris' },
  },
  {
    ...{ id: 'b', email: 'bob@x.example', username: 'bob', last_sign_in_at: ago(200) },
    memberships: { team: [{ id: 'red' }, { id: 'blue' }] },
  },
  { id: 'c', email: 'carl@x.example', status: 'suspended' },
];

let service: ReviewsTest;
const people: Record<string, string> = {};
/** Another app, with the account d. */
let archive: string;

const ok = async (method: string, path: string, body?: unknown, by = {}) => {
  const answer = await service.call(method, path, body, by);
  expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  return answer.body;
};
beforeAll(async () => {
  service = await openReviewsTest([]);
  people.eve = (await ok('POST', '/api/users/', { email: 'eve@x.example' })).external_uuid;
  for (const [name, more] of Object.entries({
    ann: { first_name: 'Ann', manager: people.eve, attributes: { department: 'Sales' } },
    bob: { first_name: 'Bob', attributes: { department: 'sales' }, end_date: '2030-01-31' },
  }))
    people[name] = (await ok('POST', '/api/users/', { email: `${name}@x.example`, ...more })).external_uuid;
  const team = [
    { id: 'red', name: 'Red', risk: 'high', owner: 'eve@x.example' },
    { id: 'blue', name: 'Blue', risk: 'low' },
  ];
  await service.sync(ACCOUNTS, { team });
  await ok('POST', `/api/users/${people.bob}/deactivate/`);
  archive = (await ok('POST', '/api/v1/bridge/apps/', { name: 'Archive' })).id;
  const base = `/api/v1/bridge/apps/${archive}`;
  await ok('POST', `${base}/resource-types/`, { slug: 'person', name: 'Person', type: 'account' });
  const { sync_id } = await ok('POST', `${base}/sync/`);
  const records = [{ id: 'd', email: 'ann@x.example' }];
  await ok('PUT', `${base}/sync/${sync_id}/person/`, { records });
  await service.call('POST', `${base}/sync/${sync_id}/abandon/`);
});
afterAll(() => service.close());

type Condition = { field: string; operator: string; value?: unknown };
const address = (query: unknown, more = '') =>
  `/api/queries/run/?query=${encodeURIComponent(typeof query === 'string' ? query : JSON.stringify(query))}${more}`;
const run = (query: unknown, more = '', by = {}) => service.call('GET', address(query, more), undefined, by);
const condition = (field: string, operator: string, value?: unknown): Condition => ({
  field,
  operator,
  value,
});

/** Returns the ids of accounts that meet conditions, sorted. */
async function accounts(...conditions: Condition[]): Promise<string> {
  const { status, body } = await run({ subject: 'accounts', conditions, columns: ['account.id'] });
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body.count).toBe(body.results.length);
  return body.results
    .map(({ fields }: { fields: Record<string, string> }) => fields['account.id'])
    .sort()
    .join('');
}

test.each<[Condition[], string]>([
  [[], 'abcd'],
  [[condition('account.status', 'is', 'ACTIVE')], 'abd'],
  [[condition('account.status', 'is', ['SUSPENDED', 'INVITED'])], 'c'],
  [[condition('account.status', 'is_not', ['SUSPENDED'])], 'abd'],
  [[condition('account.email', 'is', 'ANN@X.example')], 'ad'],
  [[condition('account.email', 'contains', 'b@')], 'b'],
  [[condition('account.email', 'does_not_contain', 'ann')], 'bc'],
  [[condition('account.email', 'starts_with', '%')], ''],
  [[condition('account.username', 'is_empty')], 'cd'],
  [[condition('account.username', 'is_not_empty')], 'ab'],
  [[condition('account.linked', 'is', false)], 'c'],
  [[condition('user.left', 'is', true)], 'b'],
  [[condition('user.left', 'is', false)], 'acd'],
  [[condition('user.attributes.department', 'is', 'SALES')], 'abd'],
  [[condition('user.attributes.department', 'is_empty')], 'c'],
  [[condition('account.attributes.office', 'is', 'Paris')], 'a'],
  [[condition('user.end_date', 'before', '2030-02-01')], 'b'],
  [[condition('user.end_date', 'after', '2030-01-31')], ''],
  [[condition('user.end_date', 'in_last_days', 30)], ''],
  [[condition('account.last_sign_in_at', 'more_than_days_ago', 90)], 'b'],
  [[condition('account.last_sign_in_at', 'in_last_days', 90)], 'a'],
  [[condition('account.last_sign_in_at', 'in_next_days', 90)], ''],
  [[condition('account.last_sign_in_at', 'before', ago(100))], 'b'],
  [[condition('account.last_sign_in_at', 'is_empty')], 'cd'],
  [[condition('account.unused_days', 'at_least', 90)], 'b'],
  [[condition('account.unused_days', 'at_most', 90)], 'ac'],
  [[condition('account.unused_days', 'is_empty')], 'd'],
  [[condition('account.mfa_enabled', 'is', true)], 'a'],
  [[condition('account.mfa_enabled', 'is_empty')], 'bcd'],
  [[condition('account.privileged', 'is', true)], 'ab'],
  [[condition('account.entitlements', 'at_least', 2)], 'ab'],
  [[condition('account.entitlements', 'is', 0)], 'cd'],
  [[condition('account.kind', 'is', 'person')], 'abcd'],
  [[condition('account.found', 'is', true)], 'abcd'],
  [[condition('account.grants', 'is_empty')], 'abcd'],
  [[condition('app.risk', 'is', 'high')], 'abc'],
  [[condition('app.risk', 'is_empty')], 'd'],
  [[condition('app.name', 'is', 'archive')], 'd'],
  [
    [
      condition('account.status', 'is', 'ACTIVE'),
      condition('user.left', 'is', true),
      condition('app.risk', 'is', 'high'),
      condition('account.unused_days', 'at_least', 90),
    ],
    'b',
  ],
])('accounts with %j are "%s"', async (conditions, expected) => {
  expect(await accounts(...conditions)).toBe(expected);
});

test('finds by ids of people and apps', async () => {
  expect(await accounts(condition('app.id', 'is', archive.toUpperCase()))).toBe('d');
  expect(await accounts(condition('app.id', 'is_not', [archive]))).toBe('abc');
  expect(await accounts(condition('user.manager', 'is', people.eve))).toBe('ad');
  expect(await accounts(condition('user.manager', 'is_empty'))).toBe('bc');
});

test('agrees with the filters of the lists', async () => {
  const listed = async (query: string) => (await ok('GET', `/api/accounts/?${query}`)).count;

  expect((await accounts(condition('account.unused_days', 'at_least', 90))).length).toBe(
    await listed('not_used_for_days=90'),
  );
  expect(
    (
      await accounts(
        condition('user.left', 'is', true),
        condition('account.status', 'is', ['INVITED', 'ACTIVE', 'SUSPENDED']),
      )
    ).length,
  ).toBe(await listed('of_leavers=true'));
});

test('lists access with why it is there, sorted and in pages', async () => {
  const query = {
    subject: 'access',
    conditions: [condition('access.grants', 'is_empty'), condition('access.direct', 'is', true)],
    columns: ['resource.name', 'resource.risk', 'resource.owner', 'account.email', 'access.grants'],
    sort: '-resource.risk',
  };
  const { body } = await run(query, '&limit=2');

  expect(body).toMatchObject({
    count: 4,
    previous: null,
    results: [
      {
        resource: { name: 'Red', slug: 'team', id: 'red', external_uuid: expect.any(String) },
        app: { id: service.appId, name: 'Payroll' },
        fields: {
          'resource.name': 'Red',
          'resource.risk': 'high',
          'resource.owner': 'eve@x.example',
          'access.grants': [],
        },
      },
      { resource: { name: 'Red' } },
    ],
  });
  const { pathname, search } = new URL(body.next);
  const next = await service.call('GET', `${pathname.replace(`/org/${service.org}`, '')}${search}`);
  expect(next.body.results.map((row: { fields: object }) => Object.values(row.fields)[0])).toEqual([
    'Blue',
    'Gold',
  ]);
});

test('shows the decisions that give access', async () => {
  await ok('POST', '/api/tasks/', {
    ...{ app: service.appId, action: 'update_account', reason: 'Needs it' },
    account: (await service.accountByEmail('carl@x.example')).external_uuid,
    changes: { team: { added: ['blue'] } },
  });
  const [task] = (await service.bridge('GET', '/tasks/?status=pending')).body.tasks;
  await service.bridge('PATCH', `/tasks/${task.id}/status/`, { status: 'completed', result: {} });
  const given = {
    subject: 'access',
    conditions: [condition('access.grants', 'is', ['manual']), condition('access.found', 'is', false)],
  };

  expect((await run(given)).body).toMatchObject({
    count: 1,
    results: [
      {
        account: { email: 'carl@x.example' },
        resource: { id: 'blue' },
        fields: { 'access.grants': ['manual'] },
      },
    ],
  });
});

test('lists people, with how many accounts they have', async () => {
  const conditions = [condition('user.email', 'contains', '@x.example')];
  const columns = ['user.email', 'user.accounts', 'user.manager', 'user.end_date', 'user.groups'];
  const { body } = await run({ subject: 'people', conditions, columns, sort: '-user.accounts' });

  expect(body.results.map((row: { fields: object }) => Object.values(row.fields))).toEqual(
    expect.arrayContaining([
      expect.arrayContaining(['ann@x.example', 2, 'eve@x.example']),
      expect.arrayContaining(['bob@x.example', 1, '2030-01-31']),
      expect.arrayContaining(['eve@x.example', 0]),
    ]),
  );
  expect(body.results[0]).toMatchObject({
    user: { external_uuid: people.ann },
    account: null,
    app: null,
    resource: null,
  });
});

const VALUES = { text: 'x', texts: 'x', flag: true, time: ago(1), day: '2030-01-01', count: 1 };
test.each(SUBJECTS)(
  'every field of %s can be a condition, a column and mostly the order',
  async (subject) => {
    const names = FIELD_NAMES.filter((name) =>
      (FIELDS[name].subjects as readonly Subject[]).includes(subject),
    );
    for (const name of names) {
      const field = FIELDS[name];
      for (const operator of operatorsOf(field)) {
        const { names: named, values: [choice] = [], type } = { names: null, values: [], ...field };
        const one =
          named === 'app' ? archive : named === 'user' ? people.eve : (choice ?? VALUES[type as 'text']);
        const value = takes(field, operator) === 'days' ? 7 : one;
        const { status, body } = await run({ subject, conditions: [{ field: name, operator, value }] });
        expect(status, `${name} ${operator} ${JSON.stringify(body)}`).toBe(200);
      }
      const isList = field.type === 'choices' || field.type === 'texts';
      expect(await run({ subject, columns: [name], sort: name }), name).toMatchObject({
        status: isList ? 400 : 200,
      });
    }
  },
  120_000,
);

const bad: [string, unknown, string][] = [
  ['no JSON', '{', 'query'],
  ['no object', [], 'query'],
  ['an unknown subject', { subject: 'apps' }, 'query.subject'],
  ['a misspelled part', { subject: 'people', condition: [] }, 'query.condition'],
  ['no list of conditions', { subject: 'people', conditions: {} }, 'query.conditions'],
  ['an unknown column', { subject: 'people', columns: ['account.id'] }, 'query.columns[0]'],
  ['no column', { subject: 'people', columns: [] }, 'query.columns'],
  ['an unknown order', { subject: 'people', sort: '-name' }, 'query.sort'],
  ['an attribute without a name', { subject: 'people', columns: ['user.attributes.'] }, 'query.columns[0]'],
  [
    'too many conditions',
    { subject: 'people', conditions: Array(51).fill(condition('user.email', 'is_empty')) },
    'query.conditions',
  ],
];
const badCondition: [string, Condition, string][] = [
  ['an unknown field', condition('user.salary', 'is', 'x'), 'field'],
  ['an operator of another type', condition('user.left', 'contains', 'x'), 'operator'],
  ['no value', condition('user.email', 'is'), 'value'],
  ['a number as text', condition('user.email', 'is', 5), 'value'],
  ['a text as number', condition('account.entitlements', 'is', '5'), 'value'],
  ['a text as flag', condition('user.left', 'is', 'true'), 'value'],
  ['no days', condition('account.created_at', 'in_last_days', 0), 'value'],
  ['no time', condition('account.created_at', 'before', 'yesterday'), 'value'],
  ['a time as day', condition('user.end_date', 'before', ago(1)), 'value'],
  ['another choice', condition('account.status', 'is', 'active'), 'value'],
  ['one of several other choices', condition('account.status', 'is', ['ACTIVE', 'x']), 'value[1]'],
  ['no id', condition('app.id', 'is', 'payroll'), 'value'],
  ['an empty list', condition('user.email', 'is', []), 'value'],
  ['too many values', condition('user.email', 'is', Array(51).fill('x')), 'value'],
  ['NUL', condition('user.email', 'is', 'a\0'), 'value'],
];
test.each([
  ...bad,
  ...badCondition.map(([what, one, part]): [string, unknown, string] => [
    what,
    { subject: 'accounts', conditions: [condition('user.left', 'is', true), one] },
    `query.conditions[1].${part}`,
  ]),
])('refuses %s and names the place', async (_, query, path) => {
  const { status, body } = await run(query);

  expect(status, JSON.stringify(body)).toBe(400);
  expect(body.errors.map((one: { path: string }) => one.path)).toContain(path);
});

test('ids of others are 404, with their place', async () => {
  const stranger = await addOrganization(service);
  const { id } = (await stranger('POST', '/api/v1/bridge/apps/', { name: 'Theirs' })).body;

  for (const [field, value] of [
    ['app.id', id],
    ['user.manager', randomUUID()],
  ])
    expect(
      await run({ subject: 'accounts', conditions: [condition(field, 'is_not', [value])] }),
    ).toMatchObject({ status: 404, body: { detail: expect.stringContaining('query.conditions[0].value') } });
  const theirs = await stranger('GET', address({ subject: 'accounts' }));
  expect(theirs).toMatchObject({ status: 200, body: { count: 0, results: [] } });
});

test('a key sees the rows of its apps only, and the fields that its lists show', async () => {
  const keyFor = async (body: object) => ({
    key: (await ok('POST', '/api/api-keys/', { name: 'k', ...body })).key,
  });
  const listed = await keyFor({ scopes: ['read'], apps: [archive] });
  const reader = await keyFor({ scopes: ['read'] });
  const all = { subject: 'accounts', columns: ['account.id'] };

  expect((await run(all, '', listed)).body).toMatchObject({
    count: 1,
    results: [{ fields: { 'account.id': 'd' } }],
  });
  const csv = await service.call('GET', address(all, '&format=csv'), undefined, listed);
  expect(csv.body).toBe('account.id\r\nd\r\n');
  const refused: [object, object][] = [
    [{ subject: 'people' }, listed],
    [{ subject: 'people' }, reader],
    [{ ...all, conditions: [condition('user.attributes.department', 'is', 'Sales')] }, listed],
    [{ ...all, conditions: [condition('app.id', 'is', service.appId)] }, listed],
    [{ ...all, columns: ['user.end_date'] }, reader],
    [{ ...all, sort: 'app.owner' }, reader],
  ];
  for (const [query, by] of refused) expect(await run(query, '', by)).toMatchObject({ status: 403 });
});

test('members may not ask', async () => {
  const { key } = await addPersonWithKey(service, 'member');

  expect(await run({ subject: 'accounts' }, '', { key })).toMatchObject({ status: 403 });
  expect(await service.call('GET', '/api/queries/fields/', undefined, { key })).toMatchObject({
    status: 403,
  });
});

test('exports all rows as CSV, and records it', async () => {
  const columns = ['account.email', 'account.grants', 'user.left'];
  const { body } = await run(
    { subject: 'accounts', conditions: [condition('app.id', 'is', archive)], columns },
    '&format=csv',
  );

  expect(body).toBe('account.email,account.grants,user.left\r\nann@x.example,,false\r\n');
  const { results } = await ok('GET', '/api/events/?event_type=export.created');
  expect(results[0]).toMatchObject({ payload: { what: 'query', format: 'csv' } });
});

test('lists the fields with their operators', async () => {
  const { results } = await ok('GET', '/api/queries/fields/');

  expect(results.map(({ name }: { name: string }) => name)).toEqual(
    expect.arrayContaining([...FIELD_NAMES, 'user.attributes.', 'account.attributes.']),
  );
  expect(results.find(({ name }: { name: string }) => name === 'account.status')).toMatchObject({
    type: 'choice',
    values: expect.arrayContaining(['ACTIVE']),
    operators: expect.arrayContaining([{ name: 'is', takes: 'several' }]),
  });
});
