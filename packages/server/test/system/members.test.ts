import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openTestApp, type TestApp } from '../app.ts';
import { type Call, furnish } from '../furnish.ts';
import { fill, type Operation, operationsOf } from '../operations.ts';
import type { Ids } from '../samples.ts';
import { signInAs, signInOwner } from '../sign-in.ts';

/** The name of one of everything. None of it belongs to the signed-in member. */
const NAME = 'zebra';
let service: TestApp;
let operations: Operation[];
let ids: Ids;
let member: Call;
let memberId: string;

beforeAll(async () => {
  service = await openTestApp({ jobs: true });
  operations = await operationsOf(service);
  ids = await furnish(service.call, (await signInOwner(service)).call, NAME);
  const { body } = await service.call('POST', '/api/users/', { email: 'member@elsewhere.example' });
  memberId = body.external_uuid;
  member = (await signInAs(service, body)).call;
});
afterAll(() => service.close());

/** Members can read these, since they must be able to name them in a request, and see who will decide it. */
const TO_ASK_FOR = ['', 'resource-types/', 'resources/', 'approval/'].map(
  (part) => `GET /api/apps/{app_id}/${part}`,
);
/** They do not say whether the person or the finding exists: members see their reports, and findings that are assigned to them. */
const HIDDEN = ['GET /api/my-team/{report_id}/', 'GET /api/findings/{finding_id}/'];

test('refuses every operation on records of other people', async () => {
  const named = operations.filter(({ path }) => path.includes('{'));
  for (const { method, path, takesBody } of named) {
    const operation = `${method} ${path}`;
    const address = fill(path, (name) => ids[name] ?? '');
    const { status } = await member(method, address, takesBody ? {} : undefined);
    const expected = HIDDEN.includes(operation) ? 404 : TO_ASK_FOR.includes(operation) ? 200 : 403;
    expect(status, operation).toBe(expected);
  }
});

test('shows nothing of other people in any list', async () => {
  const named = ['app_id', 'resource_id'];
  const theirs = Object.entries(ids).filter(([name, id]) => !named.includes(name) && id !== NAME);
  for (const { method, path } of operations) {
    if (method !== 'GET' || path.includes('{')) continue;
    const { status, body } = await member(method, path);
    expect([200, 403], path).toContain(status);
    const told = JSON.stringify(body);
    for (const [, id] of theirs) expect(told, path).not.toContain(id);
    expect(told, path).not.toContain(`@${NAME}.example`);
  }
});

test('shows requestable groups and licenses without their members or counts', async () => {
  const seen = await member('GET', `/api/apps/${ids.app_id}/resources/`);

  expect(seen.body.results).toMatchObject([
    { id: NAME, name: NAME, members: null, used_count: null, max_count: null },
  ]);
  const { results } = (await service.call('GET', `/api/apps/${ids.app_id}/resources/`)).body;
  expect(results).toMatchObject([{ id: NAME, members: 1 }]);
});

test("shows the member's own records", async () => {
  const link = (user: string | null) => service.call('PATCH', `/api/accounts/${ids.account_id}/`, { user });
  await link(memberId);
  onTestFinished(async () => {
    await link(null);
  });

  expect((await member('GET', '/api/accounts/')).body.results).toMatchObject([
    { external_uuid: ids.account_id, memberships: { [NAME]: [{ id: NAME }] } },
  ]);
  expect((await member('GET', `/api/accounts/${ids.account_id}/`)).status).toBe(200);
  expect((await member('GET', `/api/users/${memberId}/`)).status).toBe(200);
});
