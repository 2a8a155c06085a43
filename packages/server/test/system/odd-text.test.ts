// @module-tag engine
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withoutReferences } from '#kit/http/components.ts';
import { isUuid } from '#kit/ids.ts';
import { openTestApp, type TestApp } from '../app.ts';
import { fill, operationsOf } from '../operations.ts';
import { SAMPLES } from '../samples.ts';

let service: TestApp;
let call: TestApp['call'];
/** An app with an account type `user` and a group type `team`, and a person. */
let appId: string;
let userId: string;
beforeAll(async () => {
  service = await openTestApp();
  call = service.call;
  appId = (await call('POST', '/api/v1/bridge/apps/', { name: 'App' })).body.id;
  const types = `/api/v1/bridge/apps/${appId}/resource-types/`;
  await call('POST', types, { slug: 'user', name: 'Users', type: 'account' });
  await call('POST', types, { slug: 'team', name: 'Teams', type: 'group' });
  userId = (await call('POST', '/api/users/', { email: 'somebody@x.example' })).body.external_uuid;
});
afterAll(() => service.close());

const ODD = [
  '\0',
  'a\0b',
  '\uD800',
  'x\uDFFFy',
  '\u{10FFFF}',
  '\u202E\u0000',
  '\uFEFF',
  '\u2028',
  "';--",
  '\\',
  '%',
  '{}',
  '[]',
  '"',
  '__proto__',
  'constructor',
  '\n\r\t',
  'x'.repeat(3000),
];
const oddText = fc.oneof(
  fc.constantFrom(...ODD),
  fc.string({ unit: 'binary', maxLength: 20 }),
  // Any UTF-16, lone surrogates too.
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 10 })
    .map((units) => String.fromCharCode(...units)),
);
const oddValue = fc.oneof(
  { weight: 4, arbitrary: oddText },
  { weight: 1, arbitrary: fc.constantFrom(null, true, 0, -1, 1e308, [], {}, ['\0'], { '\0': '\0' }) },
);
/** Percent-encodes text, also with lone surrogates. */
const encoded = (text: string) => encodeURIComponent(text.toWellFormed());

const refusedOrDone = (answer: Awaited<ReturnType<TestApp['call']>>, label: string) => {
  expect(answer.status, `${label}: ${JSON.stringify(answer.body)}`).toBeLessThan(500);
  if (answer.status >= 400) expect(answer.body.detail, label).toEqual(expect.any(String));
};

test('never causes a 500 in a query', async () => {
  const { paths } = withoutReferences((await service.app.http.inject('/openapi.json')).json());
  const lists = Object.entries<{ get?: { parameters?: { name: string; in: string }[] } }>(paths).flatMap(
    ([path, { get }]) => {
      const names = (get?.parameters ?? []).filter((one) => one.in === 'query').map(({ name }) => name);
      return names.map((name) => ({ path: path.replace('/org/{org}', ''), name }));
    },
  );
  expect(lists.length).toBeGreaterThan(40);
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...lists), oddText, async ({ path, name }, text) => {
      const url = `${fill(path, () => appId)}?${name}=${encoded(text)}`;

      refusedOrDone(await call('GET', url), url);
    }),
    { numRuns: 250 },
  );
});

test('never causes a 500 in an address', async () => {
  const operations = (await operationsOf(service)).filter(({ path }) => path.includes('{'));
  const app = (await call('POST', '/api/v1/bridge/apps/', { name: 'To be archived' })).body.id;
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...operations), oddText, async ({ method, path }, text) => {
      const url = fill(path, (name) => (name === 'app_id' ? app : encoded(text) || '-'));

      refusedOrDone(await call(method, url, method === 'GET' ? undefined : {}), `${method} ${url}`);
    }),
    { numRuns: 150 },
  );
});

describe('in a body', () => {
  /** For each text of a value but ids: the value with an odd one in its place. The others stay, so that rules see it. */
  const oddened = (value: unknown): fc.Arbitrary<unknown>[] => {
    if (typeof value === 'string') return isUuid(value) ? [] : [oddValue];
    if (typeof value !== 'object' || value === null) return [];
    return Object.entries(value).flatMap(([key, one]) =>
      oddened(one).map((odd) =>
        odd.map((put) => (Array.isArray(value) ? value.with(Number(key), put) : { ...value, [key]: put })),
      ),
    );
  };
  const ids = () => ({ app_id: appId, user_id: userId, other_id: userId });
  const samples = SAMPLES.filter(({ byOwner }) => !byOwner).map(({ at, create }) => [at, create] as const);

  test.each(samples)('of a POST to %s never causes a 500', async (at, create) => {
    let number = 0;
    await fc.assert(
      fc.asyncProperty(fc.oneof(...oddened(create(ids(), 'A name'))), async (made) => {
        const unique = at === '/api/users/' ? { email: `${++number}@x.example` } : {};
        const text = JSON.stringify({ ...(made as object), ...unique });

        refusedOrDone(await call('POST', at, text), `${at} ${text}`);
      }),
      { numRuns: 40 },
    );
  });

  const bodies: [string, () => string, fc.Arbitrary<object>][] = [
    [
      'a resource type',
      () => `/api/v1/bridge/apps/${appId}/resource-types/`,
      fc.record({
        slug: fc.oneof(oddValue, fc.uuid()),
        name: oddValue,
        type: fc.constantFrom('account', 'group'),
      }),
    ],
    [
      'a check',
      () => `/api/v1/bridge/apps/${appId}/check/`,
      fc.record({ ok: fc.boolean(), method: fc.constant('api'), message: oddValue }),
    ],
    [
      'a person',
      () => '/api/users/',
      fc.record({
        email: fc.tuple(oddText, fc.uuid()).map(([text, id]) => `${text}${id}@x.example`),
        attributes: fc.dictionary(oddText, oddValue, { maxKeys: 3 }),
      }),
    ],
    [
      'the memberships of a task',
      () => '/api/tasks/',
      fc.record({
        app: fc.constant(() => appId),
        action: fc.constant('create_account'),
        user: fc.constant(() => userId),
        memberships: fc.dictionary(
          fc.oneof(fc.constant('team'), oddText),
          fc.array(oddValue, { maxLength: 2 }),
        ),
      }),
    ],
    [
      'the scope of a campaign',
      () => '/api/reviews/',
      fc.record({ name: oddValue, scope: fc.record({ users: oddValue }) }),
    ],
  ];

  test.each(bodies)('of %s never causes a 500', async (_, path, body) => {
    await fc.assert(
      fc.asyncProperty(body, async (made) => {
        // Ids exist only at this point. JSON.stringify escapes lone surrogates, as a client would.
        const text = JSON.stringify(made, (_key, value) => (typeof value === 'function' ? value() : value));

        refusedOrDone(await call('POST', path(), text), `${path()} ${text}`);
      }),
      { numRuns: 40 },
    );
  });

  test('is checked below every name, also one with a line break', async () => {
    const task = { app: appId, user: userId, action: 'create_account' };
    const { status, body } = await call('POST', '/api/tasks/', { ...task, memberships: { '\n\r\t': [[]] } });

    expect(status).toBe(400);
    expect(body.errors).toContainEqual(
      expect.objectContaining({ message: expect.stringContaining('string') }),
    );
    // "." in the pattern of Type.Record matches no line break.
    const { paths } = withoutReferences((await service.app.http.inject('/openapi.json')).json());
    expect(JSON.stringify(paths)).not.toContain('"^.*$"');
  });

  test('of a page of records never causes a 500, and the session continues', async () => {
    const bridge = `/api/v1/bridge/apps/${appId}`;
    const { sync_id } = (await call('POST', `${bridge}/sync/`)).body;
    const record = fc.record(
      {
        id: oddValue,
        username: oddValue,
        email: oddValue,
        display_name: oddValue,
        memberships: fc.dictionary(
          fc.oneof(fc.constant('team'), oddText),
          fc.array(fc.record({ id: oddValue, name: oddValue }), { maxLength: 2 }),
          { maxKeys: 2 },
        ),
      },
      { requiredKeys: ['id'] },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(record, { maxLength: 3 }), async (records) => {
        refusedOrDone(
          await call('PUT', `${bridge}/sync/${sync_id}/user/`, { records }),
          JSON.stringify(records),
        );
      }),
      { numRuns: 80 },
    );

    expect(await call('POST', `${bridge}/sync/${sync_id}/abandon/`)).toMatchObject({ status: 204 });
    expect(await call('GET', `/api/accounts/?app=${appId}`)).toMatchObject({ status: 200 });
  });
});
