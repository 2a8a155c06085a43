import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../app.ts';
import { furnish } from '../furnish.ts';
import { fill, operationsOf } from '../operations.ts';
import { type Ids, SAMPLES } from '../samples.ts';
import { type Browser, signInOwner } from '../sign-in.ts';

/** Everything that people edit has a version, so that nobody overwrites the change of somebody else unseen. */
let service: TestApp;
let owner: Browser;
let ids: Ids;
beforeAll(async () => {
  service = await openTestApp();
  owner = await signInOwner(service);
  ids = await furnish(service.call, owner.call, 'zebra', { jobs: false });
});
afterAll(() => service.close());

const FULFILLMENT = {
  enabled: false,
  assignment: 'owner',
  people: [],
  groups: [],
  instructions: {},
  due_in_working_days: {},
  remind_before_working_days: 1,
};
const SECRETS = { secrets: { token: 'again' } };

/** Each address, with two changes of it. */
const EDITED: [string, object, object][] = [
  ...SAMPLES.flatMap(({ one, changes }): [string, object, object][] =>
    one === undefined || changes === undefined ? [] : [[one, ...changes]],
  ),
  [
    '/api/apps/{app_id}/fulfillment/',
    { ...FULFILLMENT, escalate_after_working_days: 1 },
    { ...FULFILLMENT, escalate_after_working_days: 2 },
  ],
  ['/api/organization/', { name: 'One' }, { name: 'Two' }],
  ['/api/policies/settings/', { task_limit: 1 }, { task_limit: 2 }],
  ['/api/apps/{app_id}/connector/', SECRETS, { ...SECRETS, carries_out_tasks: true }],
];

test('is shown by every operation that takes If-Match, and the other way around', async () => {
  const operations = (await operationsOf(service)).filter(({ takesVersion }) => takesVersion);
  expect([...new Set(operations.map(({ path }) => path))].sort()).toEqual(
    EDITED.map(([path]) => path).sort(),
  );
});

test.each(EDITED)('%s refuses a change of a version that is no longer current', async (path, one, two) => {
  const address = fill(path, (name) => ids[name] ?? '');
  const method = path.endsWith('/fulfillment/') ? 'PUT' : 'PATCH';
  // Only signed-in owners change sign-in providers.
  const call: TestApp['call'] = path.startsWith('/api/sign-in-providers/') ? owner.call : service.call;
  const change = (body: object, version: string) =>
    call(method, address, body, { headers: { 'if-match': version } });
  const versionNow = async () => String((await call('GET', address)).headers.etag);
  const first = await versionNow();
  expect(first).toMatch(/^"[\w-]{22}"$/);
  expect(await versionNow()).toBe(first);

  const both = await Promise.all([change(one, first), change(two, first)]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 412]);
  const [won, lost] = both.toSorted((a, b) => a.status - b.status);
  const second = await versionNow();
  expect(won?.headers.etag).toBe(second);
  expect(second).not.toBe(first);
  expect(lost?.body.detail).toBe(
    'Somebody else has changed this since you read it: If-Match does not name the current version. Read it again, then repeat your change if it is still needed.',
  );

  expect((await change(one, `W/${second}`)).status).toBe(412);
  expect(await versionNow()).toBe(second);
  expect((await change(one, `"other", ${second}`)).status).toBe(200);
  expect((await change(two, '*')).status).toBe(200);
  const third = await versionNow();
  expect((await call(method, address, one)).status).toBe(200);
  expect(await versionNow()).not.toBe(third);
});

test('the version of an app does not depend on its syncs', async () => {
  const address = `/api/apps/${ids.app_id}/`;
  const versionNow = async () => (await service.call('GET', address)).headers.etag;
  const before = await versionNow();
  const syncs = `/api/v1/bridge/apps/${ids.app_id}/sync/`;
  const { sync_id } = (await service.call('POST', syncs)).body;
  await service.call('POST', `${syncs}${sync_id}/abandon/`);
  await service.call('POST', `${address}disconnect/`);
  expect(await versionNow()).toBe(before);
});
