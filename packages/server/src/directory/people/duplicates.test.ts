// @module-tag engine
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../test/app.ts';

let service: TestApp;
beforeEach(async () => {
  service = await openTestApp();
});
afterEach(() => service.close());

const add = async (email: string, more: object = {}) =>
  (await service.call('POST', '/api/users/', { email, ...more })).body.external_uuid as string;
const duplicates = async (query = '') => (await service.call('GET', `/api/users/duplicates/?${query}`)).body;

test('lists pairs of people with their reasons, the likeliest first', async () => {
  const name = { first_name: 'Ada', last_name: 'Lovelace' };
  const one = await add('ada@acme.example', { ...name, attributes: { employee_number: 'E1' } });
  const other = await add('ada@acme.test', { ...name, attributes: { employeeNumber: 'e1' } });
  const [first, second] = [await add('rn.burn@acme.example'), await add('m.bum@acme.example')];
  await add('alan@acme.example', { first_name: 'Alan', last_name: 'Turing' });

  const { count, results } = await duplicates();

  expect(count).toBe(2);
  expect(results).toMatchObject([
    {
      score: 100,
      reasons: ['employee_number', 'name', 'local_part'],
      people: [{ external_uuid: one }, { external_uuid: other }],
    },
    {
      score: 80,
      reasons: ['lookalike_email'],
      people: [{ external_uuid: first }, { external_uuid: second }],
    },
  ]);
  expect(await duplicates('limit=1&offset=1')).toMatchObject({ count: 2, results: [{ score: 80 }] });
});

test('follows changes of people', async () => {
  const one = await add('ada@acme.example', { attributes: { employee_number: 'E1' } });
  const other = await add('grace@acme.example', { attributes: { employee_number: 'E2' } });
  const patch = (id: string, change: object) => service.call('PATCH', `/api/users/${id}/`, change);
  expect((await duplicates()).count).toBe(0);

  await patch(other, { attributes: { employee_number: 'e1' } });
  expect((await duplicates()).results).toMatchObject([{ reasons: ['employee_number'] }]);

  await patch(one, { email: 'grace@acme.test', attributes: { employee_number: null } });
  expect((await duplicates()).results).toMatchObject([{ reasons: ['local_part'] }]);

  await service.call('DELETE', `/api/users/${other}/`);
  expect((await duplicates()).count).toBe(0);
});

test('leaves out a value that more than ten people have', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 11; n++)
    ids.push(await add(`${'abcdefghijk'[n]}@acme.example`, { first_name: 'Ada', last_name: 'Lovelace' }));
  expect((await duplicates()).count).toBe(0);

  await service.call('PATCH', `/api/users/${ids[0]}/`, { last_name: 'Byron' });
  expect((await duplicates()).count).toBe(45);
});

test('leaves out people who were merged', async () => {
  const name = { first_name: 'Ada', last_name: 'Lovelace' };
  const [into, from] = [await add('ada@acme.example', name), await add('ada@acme.test', name)];
  await add('rn.burn@acme.example');
  await add('m.bum@acme.example');
  expect((await duplicates()).count).toBe(2);
  await service.call('POST', `/api/users/${into}/merge/`, { from });

  expect((await duplicates()).count).toBe(1);
});
