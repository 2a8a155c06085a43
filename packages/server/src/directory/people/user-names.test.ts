import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '#test/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const add = async (email: string, more: object = {}) => app.call('POST', '/api/users/', { email, ...more });
const importRows = async (...rows: string[]) =>
  app.call('POST', '/api/users/import/', rows.join('\n'), { headers: { 'content-type': 'text/csv' } });

test('a user name belongs to one person, without case and in NFC', async () => {
  const first = await add('one@x.example', { username: 'Zo\u00eb' });
  expect(first.status).toBe(201);
  const detail = expect.stringContaining(first.body.external_uuid);
  for (const username of ['zo\u00eb', 'ZOE\u0308'])
    expect(await add('two@x.example', { username })).toMatchObject({ status: 409, body: { detail } });

  const other = await add('two@x.example');
  const path = `/api/users/${other.body.external_uuid}/`;
  expect(await app.call('PATCH', path, { username: 'zo\u00cb' })).toMatchObject({
    status: 409,
    body: { detail },
  });
  // Their own name in another case is not a conflict.
  const own = `/api/users/${first.body.external_uuid}/`;
  expect((await app.call('PATCH', own, { username: 'zo\u00eb' })).status).toBe(200);
});

test('a freed address is free as a user name, too', async () => {
  const { body } = await add('old@x.example');
  await app.call('PATCH', `/api/users/${body.external_uuid}/`, { email: 'new@x.example' });
  expect((await add('OLD@x.example')).status).toBe(201);
});

test('an import names the rows, and may exchange names', async () => {
  await add('i1@x.example', { username: 'i1' });
  await add('i2@x.example', { username: 'i2' });
  const twice = await importRows('email,username', 'i3@x.example,same', 'i4@x.example,SAME');
  expect(twice.status).toBe(400);
  expect(JSON.stringify(twice.body)).toContain('The username SAME belongs to another person');
  expect((await importRows('email,username', 'i3@x.example,I1')).status).toBe(400);
  expect((await importRows('email,username', 'i1@x.example,I2', 'i2@x.example,I1')).status).toBe(200);
});
