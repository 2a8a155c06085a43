import { afterAll, beforeAll, expect, test } from 'vitest';
import { addOrganization, addPersonWithKey } from '#test/people.ts';
import { addSyncedApp, openSyncTest, people, type SyncedApp, type SyncTest } from '#test/sync.ts';

const records = {
  team: [{ id: 'red', name: 'red' }],
  person: people(2, () => ({ memberships: { team: [{ id: 'red' }] } })),
};
const now = () => new Date().toISOString();

let service: SyncTest;
let other: SyncedApp;
/** Ids of another organization. */
let foreign: { app: string; user: string; account: string; plan: string; sync: string };
let user: string;
/** A time before the groups were given. */
let start: string;
beforeAll(async () => {
  service = await openSyncTest();
  user = (await service.call('POST', '/api/users/', { email: 'p0@x.example' })).body.external_uuid;
  other = await addSyncedApp(service);
  for (const app of [service, other]) await app.sync({ person: people(2) });
  start = now();
  for (const app of [service, other]) await app.sync(records);

  const call = await addOrganization(service);
  const app = await addSyncedApp({ call });
  const sync = await app.sync(records);
  const person = await call('POST', '/api/users/', { email: 'p0@x.example' });
  const account = (await call('GET', '/api/accounts/')).body.results[0].external_uuid;
  const plan = (await call('POST', '/api/restore/', { app: app.id, as_of: now() })).body.plan;
  foreign = { app: app.id, user: person.body.external_uuid, account, plan, sync };
});
afterAll(() => service.close());

const get = (path: string, key?: string) => service.call('GET', path, undefined, key ? { key } : {});

test('ids of another organization do not exist in questions about history', async () => {
  for (const list of ['access', 'compare'])
    for (const name of ['user', 'account', 'app'] as const)
      expect((await get(`/api/history/${list}/?${name}=${foreign[name]}`)).status, `${list} ${name}`).toBe(
        404,
      );
  for (const name of ['user', 'app'] as const)
    expect((await get(`/api/accounts/?as_of=${now()}&${name}=${foreign[name]}`)).body).toMatchObject({
      results: [],
    });
  for (const path of [
    `/api/accounts/${foreign.account}/?as_of=${now()}`,
    `/api/users/${foreign.user}/access/?as_of=${now()}`,
    `/api/apps/${foreign.app}/resources/?as_of=${now()}`,
    `/api/apps/${service.id}/syncs/${foreign.sync}/plan/`,
  ])
    expect((await get(path)).status, path).toBe(404);
});

test('ids of another organization do not exist in restores, reverts and decisions about held tasks', async () => {
  const restore = (body: object) => service.call('POST', '/api/restore/', { as_of: now(), ...body });
  expect((await restore({ app: foreign.app })).status).toBe(404);
  expect((await restore({ users: [foreign.user], dry_run: false })).status).toBe(404);
  expect((await restore({ accounts: [foreign.account], dry_run: false })).status).toBe(404);
  expect((await restore({ app: service.id, plan: foreign.plan, dry_run: false })).status).toBe(404);
  const posts: [string, object][] = [
    [`/api/apps/${service.id}/syncs/${foreign.sync}/revert/`, {}],
    [`/api/apps/${foreign.app}/held-tasks/confirm/`, {}],
  ];
  for (const [path, body] of posts) expect((await service.call('POST', path, body)).status, path).toBe(404);
});

test('a key for listed apps sees nothing of other apps in the history of a person or of everything', async () => {
  const { key } = await addPersonWithKey(service, 'admin', { apps: [service.id] });
  const apps = (results: { app: { id: string } }[]) => [...new Set(results.map(({ app }) => app.id))];
  // The groups were found by the last sync, so that they are only possible before and after it.
  for (const query of [`user=${user}`, '']) {
    const periods = (await get(`/api/history/access/?${query}`, key)).body;
    expect(apps(periods.results)).toEqual([service.id]);
    const changes = (await get(`/api/history/compare/?${query}&from=${start}`, key)).body;
    expect(apps(changes.results)).toEqual([service.id]);
    expect(apps(changes.coverage)).toEqual([service.id]);
    const csv = await get(`/api/history/access/?${query}&format=csv`, key);
    expect(csv.body.trim().split('\r\n')).toHaveLength(periods.results.length + 1);
  }
  const access = (await get(`/api/users/${user}/access/?as_of=${now()}`, key)).body;
  expect(access.results).toHaveLength(1);
  expect(apps(access.coverage)).toEqual([service.id]);
  const [account] = (await get(`/api/accounts/?app=${other.id}`)).body.results;
  for (const path of [
    `/api/history/access/?account=${account.external_uuid}`,
    `/api/history/compare/?app=${other.id}`,
    `/api/accounts/?as_of=${now()}&app=${other.id}`,
    `/api/accounts/${account.external_uuid}/?as_of=${now()}`,
    `/api/apps/${other.id}/resources/?as_of=${now()}`,
  ])
    expect((await get(path, key)).status, path).toBe(403);
});

test('the key of a deactivated administrator reads and restores nothing', async () => {
  const { id, key } = await addPersonWithKey(service, 'admin');
  expect((await get('/api/history/access/', key)).status).toBe(200);
  await service.call('POST', `/api/users/${id}/deactivate/`);

  expect((await get('/api/history/access/', key)).status).toBe(401);
  const body = { app: service.id, as_of: now() };
  expect((await service.call('POST', '/api/restore/', body, { key })).status).toBe(401);
});

test('a member sees an account of theirs only for the time in which it was theirs', async () => {
  const member = await addPersonWithKey(service, 'member');
  const [account] = (await get(`/api/accounts/?app=${other.id}&email=p1`)).body.results;
  const path = `/api/accounts/${account.external_uuid}/`;
  const before = now();
  await service.call('PATCH', path, { user: member.id });

  expect((await get(`${path}?as_of=${now()}`, member.key)).status).toBe(200);
  expect((await get(`${path}?as_of=${before}`, member.key)).status).toBe(403);
  expect((await get(`/api/accounts/?as_of=${before}`, member.key)).body.results).toEqual([]);
  expect((await get(`/api/history/compare/?from=${start}&to=${before}`, member.key)).body.results).toEqual(
    [],
  );
  await service.call('PATCH', path, { user: user });
  expect((await get(`/api/history/access/?account=${account.external_uuid}`, member.key)).status).toBe(403);
  expect((await get('/api/history/access/', member.key)).body.results).toEqual([]);
});
