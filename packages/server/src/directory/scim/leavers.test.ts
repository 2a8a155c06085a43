import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '#test/app.ts';
import { eventsOf } from '#test/people.ts';
import { newUser, openScim, patchOf, type Scim, type ScimTest } from '#test/scim.ts';

let service: TestApp;
let scim: Scim;
let owner: ScimTest['owner'];
beforeAll(async () => {
  service = await openTestApp({ jobs: true });
  ({ scim, owner } = await openScim(service));
});
afterAll(() => service.close());

test.each([
  [
    'is set inactive',
    (id: string) => scim('PATCH', `/Users/${id}`, patchOf({ op: 'Replace', path: 'active', value: 'False' })),
  ],
  ['is deleted', (id: string) => scim('DELETE', `/Users/${id}`)],
])('policies for leavers create tasks when a user %s', async (_, leave) => {
  const [id] = await addUsers(1);
  const { app, tasks } = await addApp([id as string]);
  await addPolicy(app, `user.id == "${id}"`);
  expect((await leave(id as string)).status).toBeLessThan(300);
  await expect
    .poll(tasks, { timeout: 20_000 })
    .toMatchObject([{ action: 'delete_account', task_type: 'POLICY' }]);
});

test('a user who is deleted for good leaves accounts without a person, and policies create no tasks', async () => {
  await owner('PATCH', '/api/organization/', { scim_deletes: true });
  const [gone, leaver] = (await addUsers(2)) as [string, string];
  const { app, accounts, tasks } = await addApp([gone, leaver]);
  await addPolicy(app, `user.id in ["${gone}", "${leaver}"]`);
  expect((await scim('DELETE', `/Users/${gone}`)).status).toBe(204);
  expect((await service.call('GET', `/api/users/${gone}/`)).status).toBe(404);
  // The policy reads events in order, so a task for a later leaver shows that it has read the deletion.
  await scim('PATCH', `/Users/${leaver}`, patchOf({ op: 'replace', path: 'active', value: false }));
  await expect.poll(tasks, { timeout: 20_000 }).toHaveLength(1);
  const users = (await accounts()).map(({ user }: { user: string | null }) => user);
  expect(users.toSorted()).toEqual([leaver, null].toSorted());
  expect(
    (await eventsOf(service, 'task.created')).filter(({ payload }) => payload.app_id === app),
  ).toHaveLength(1);
  await owner('PATCH', '/api/organization/', { scim_deletes: false });
});

async function addUsers(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) ids.push((await scim('POST', '/Users', newUser())).body.id);
  return ids;
}

/** Creates an app with an account of each user. */
async function addApp(users: string[]) {
  const { id: app } = (await service.call('POST', '/api/v1/bridge/apps/', { name: `App of ${users[0]}` }))
    .body;
  const bridge = `/api/v1/bridge/apps/${app}`;
  await service.call('POST', `${bridge}/resource-types/`, { slug: 'user', name: 'Users', type: 'account' });
  const { sync_id } = (await service.call('POST', `${bridge}/sync/`)).body;
  const records: object[] = [];
  for (const id of users)
    records.push({ id, email: (await service.call('GET', `/api/users/${id}/`)).body.email });
  await service.call('PUT', `${bridge}/sync/${sync_id}/user/`, { records });
  await service.call('POST', `${bridge}/sync/${sync_id}/abandon/`);
  const accounts = async () => (await service.call('GET', `/api/accounts/?app=${app}`)).body.results;
  const linked = async () => (await accounts()).map(({ user }: { user: string }) => user).sort();
  await expect.poll(linked).toEqual(users.toSorted());
  const tasks = async () => (await service.call('GET', `/api/tasks/?app=${app}`)).body.results;
  return { app: app as string, accounts, tasks };
}

async function addPolicy(app: string, condition: string) {
  const { status } = await service.call('POST', '/api/policies/', {
    name: `Leavers of ${app}`,
    trigger: 'user.deactivated',
    condition,
    effects: [{ do: 'delete', app }],
    enabled: true,
  });
  expect(status).toBe(201);
}
