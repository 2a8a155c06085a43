import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '#kit/sql.ts';
import { addPersonWithKey } from '#test/people.ts';
import { openRequestsTest, type RequestsTest, type Somebody } from '#test/requests.ts';

let service: RequestsTest;
beforeAll(async () => {
  service = await openRequestsTest();
});
afterAll(() => service.close());

const catalog = (query = '', by?: { key: string }) =>
  service.call('GET', `/api/catalog/${query}`, undefined, by);
const names = (body: { results: { kind: string; id: string | null }[] }) =>
  body.results.map(({ kind, id }) => `${kind} ${id ?? ''}`.trim());
const colleague = async (name: string, department: string) => {
  const person = await addPersonWithKey(service, 'member', { email: `${name}@acme.example` });
  await service.call('PATCH', `/api/users/${person.id}/`, { attributes: { department } });
  return person;
};

test('lists the accounts, groups and licenses of apps, in pages and by filters', async () => {
  const { ada, appId } = service;
  const all = (await catalog('', ada)).body;
  expect(names(all)).toEqual(['account', 'group blue', 'license gold', 'group red']);
  expect(all).toMatchObject({ count: 4, next: null });
  expect(all.results[1]).toMatchObject({
    app: { external_uuid: appId },
    slug: 'team',
    name: 'Blue',
    has_account: false,
    held: false,
    pending: null,
  });

  expect(names((await catalog('?limit=2&offset=1', ada)).body)).toEqual(['group blue', 'license gold']);
  expect(names((await catalog('?kind=license', ada)).body)).toEqual(['license gold']);
  expect(names((await catalog('?q=bLU', ada)).body)).toEqual(['group blue']);
  expect(names((await catalog(`?app=${appId}&kind=account`, ada)).body)).toEqual(['account']);
  expect(names((await catalog('?q=%25', ada)).body)).toEqual([]);
  expect((await catalog('?count_to=1&limit=1', ada)).body).toMatchObject({ count: 1, more: true });
});

test('shows what the person has, and what was requested', async () => {
  const person = await colleague('holder', 'Holders');
  await service.approved({ user: person.id, memberships: { team: ['red'] } });
  await service.work();
  const asked = await service.ask(
    { user: person.id, type: 'MODIFY_ACCESS', memberships: { team: ['blue'] } },
    person,
  );

  const { results } = (await catalog('', person)).body;
  const held = results.filter((entry: { held: boolean }) => entry.held);
  expect(names({ results: held })).toEqual(['account', 'group red']);
  expect(results.every((entry: { has_account: boolean }) => entry.has_account)).toBe(true);
  expect(results.find(({ id }: { id: string }) => id === 'blue').pending).toMatchObject({
    external_uuid: asked.body.external_uuid,
  });
});

test('counts the peers of a department, but only if they are at least five', async () => {
  const [first, second, ...others] = [
    await colleague('sal-1', 'Sales'),
    await colleague('sal-2', 'Sales'),
    await colleague('sal-3', 'Sales'),
    await colleague('sal-4', 'Sales'),
    await colleague('sal-5', 'Sales'),
  ];
  await service.approved({ user: second.id, memberships: { team: ['red'] } });
  await service.work();
  expect((await catalog('', first)).body).toMatchObject({
    peers: null,
    results: [{ peers: null }, {}, {}, {}],
  });

  others.push(await colleague('sal-6', 'Sales'));
  const { peers, results } = (await catalog('', first)).body;
  expect(peers).toEqual({ by: 'department', name: 'Sales', count: 5 });
  expect(results.map((entry: { peers: number }) => entry.peers)).toEqual([1, 0, 0, 1]);
  for (const { email } of [second, ...others])
    expect(JSON.stringify({ peers, results })).not.toContain(email);
});

test('compares people without a department with those of the same manager', async () => {
  const boss = await addPersonWithKey(service, 'member');
  const reports: Somebody[] = [];
  for (const name of ['r-1', 'r-2', 'r-3', 'r-4', 'r-5', 'r-6']) {
    const person = await addPersonWithKey(service, 'member', { email: `${name}@acme.example` });
    await service.call('PATCH', `/api/users/${person.id}/`, { manager: boss.id });
    reports.push(person);
  }
  const peers = { by: 'manager', name: null, count: 5 };
  const [own, other] = reports;
  expect((await catalog('', own)).body.peers).toEqual(peers);
  const { orgId, database } = service;
  await sql`
    update platform_user set attributes = '{"department": ""}'
    where org_id = ${orgId} and manager_id = ${boss.id}`.execute(database.db);
  expect((await catalog('', own)).body.peers).toEqual(peers);

  const ofOther = `?user=${other?.id}`;
  expect((await catalog(ofOther)).body.peers).toEqual(peers);
  const { body } = await catalog(ofOther, boss);
  expect(body).toMatchObject({ peers: null, results: [{ peers: null }, {}, {}, {}] });
});

test('lets members read the catalog of their reports, and of nobody else', async () => {
  const { ada, grace, owen } = service;
  expect((await catalog(`?user=${ada.id}`, grace)).status).toBe(200);
  expect((await catalog(`?user=${ada.id}`, owen)).status).toBe(403);
  expect((await catalog(`?user=${grace.id}`, ada)).status).toBe(403);
  expect((await catalog(`?user=${ada.id}`)).status).toBe(200);
  const unknown = '0199a000-0000-7000-8000-000000000001';
  expect((await catalog(`?user=${unknown}`)).status).toBe(404);
  expect((await catalog(`?user=${unknown}`, ada)).status).toBe(403);
});

test('leaves out disconnected apps, and apps that a key does not cover', async () => {
  const { body: other } = await service.call('POST', '/api/v1/bridge/apps/', { name: 'Zoo' });
  expect(names((await catalog(`?app=${other.id}`)).body)).toEqual(['account']);
  const { key } = await addPersonWithKey(service, 'admin', { apps: [other.id] });
  expect((await catalog('', { key })).body.count).toBe(1);
  expect((await catalog(`?app=${service.appId}`, { key })).status).toBe(403);
  await service.call('POST', `/api/apps/${other.id}/disconnect/`);
  expect((await catalog(`?app=${other.id}`)).body.results).toEqual([]);
});
