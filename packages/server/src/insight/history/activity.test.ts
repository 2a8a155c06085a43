// @module-tag engine
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addPersonWithKey } from '#test/people.ts';
import { openRequestsTest, type RequestsTest } from '#test/requests.ts';

let service: RequestsTest;
let ann: { id: string; key: string };
beforeAll(async () => {
  service = await openRequestsTest();
  ann = await addPersonWithKey(service, 'member', { email: 'ann@acme.example' });
  await service.sync([{ id: 'ann', email: 'ann@acme.example', memberships: { team: [{ id: 'red' }] } }]);
  await service.call('PATCH', `/api/users/${ann.id}/`, { first_name: 'Ann' });
  await service.ask({ user: ann.id, memberships: { team: ['red'] }, type: 'MODIFY_ACCESS' }, ann);
  await service.sync([]);
});
afterAll(() => service.close());

const get = (query = '', key?: string) =>
  service.call('GET', `/api/users/${ann.id}/activity/?${query}`, undefined, key ? { key } : {});
const types = async (query = '') =>
  (await get(query)).body.results.map(({ event_type }: { event_type: string }) => event_type);

test('lists what happened to a person and their accounts, and what they did, newest first', async () => {
  const all = await types();
  for (const type of ['account.deprovisioned', 'ticket.created', 'user.updated', 'user.created'])
    expect(all).toContain(type);
  expect(all.indexOf('account.deprovisioned')).toBeLessThan(all.indexOf('user.updated'));
});

test('limits them to a kind', async () => {
  expect(new Set(await types('kind=decisions'))).toEqual(new Set(['ticket.created']));
  expect(await types('kind=profile')).toEqual(['user.updated', 'user.created']);
  expect((await types('kind=access')).every((type: string) => type.startsWith('account'))).toBe(true);
});

test('returns each event once, page by page', async () => {
  const all = (await get()).body.results.map(({ event_id }: { event_id: string }) => event_id);
  const paged: string[] = [];
  for (let cursor = ''; ; ) {
    const { body } = await get(`limit=2${cursor}`);
    paged.push(...body.results.map(({ event_id }: { event_id: string }) => event_id));
    if (body.next_cursor === null) break;
    cursor = `&cursor=${body.next_cursor}`;
  }
  expect(paged).toEqual(all);
  expect(new Set(paged).size).toBe(all.length);
});

test('leaves out events of an account before and after it belonged to the person', async () => {
  const other = await addPersonWithKey(service, 'member', { email: 'bob@acme.example' });
  const { body } = await service.call('GET', `/api/users/${other.id}/activity/?kind=access`);
  expect(body.results).toEqual([]);
});

test('needs a known person', async () => {
  const unknown = '/api/users/00000000-0000-4000-8000-000000000000/activity/';
  expect((await service.call('GET', unknown)).status).toBe(404);
  expect((await get('cursor=2999-01-01T00:00:00Z')).status).toBe(400);
});
