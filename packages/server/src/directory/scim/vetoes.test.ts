import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { ENTERPRISE, newUser, openScimService, patchOf, scimCaller } from '#test/scim.ts';

/** Odd requests that end access, and ids that another client uses (D79, D63). */
const service = await openScimService();
const { scim, owner } = service;
afterAll(service.close);

const statusOf = async (id: string) => (await service.person(id)).status;
const create = (more: object = {}) => service.create({ active: true, externalId: randomUUID(), ...more });
const OFF = { op: 'Replace', path: 'active', value: 'False' };

test.each([
  ['title', 'a\0b'],
  ['userName', 'a\0b@x.example'],
  ['emails[type eq "work"].value', 'a\0b@x.example'],
  ['name.givenName', '\0'],
  ['phoneNumbers', [{ value: 'a\0b' }]],
  ['shoe\0', 1],
])('a NUL character in %s does not keep somebody active', async (path, value) => {
  const { id } = await create();
  expect((await scim('PATCH', `/Users/${id}`, patchOf(OFF, { op: 'replace', path, value }))).status).toBe(
    200,
  );
  expect(await statusOf(id)).toBe('deactivated');
});

test('a NUL character in a change by an administrator does not keep somebody active', async () => {
  const { id } = await create();
  const body = { status: 'deactivated', first_name: 'a\0' };
  expect((await service.call('PATCH', `/api/users/${id}/`, body)).status).toBe(200);
  expect(await statusOf(id)).toBe('deactivated');
});

test('in a bulk, a manager whom no operation created does not keep somebody active', async () => {
  const [first, second, taken] = [await create(), await create(), await create()];
  const manager = { op: 'replace', path: `${ENTERPRISE}:manager`, value: 'bulkId:nobody' };
  const { userName, emails } = second;
  const boss = { value: 'bulkId:boss' };
  const { body } = await scim('POST', '/Bulk', {
    Operations: [
      { method: 'PATCH', path: `/Users/${first.id}`, data: patchOf(OFF, manager) },
      {
        method: 'POST',
        path: '/Users',
        bulkId: 'boss',
        data: { ...newUser(), userName: taken.userName },
      },
      {
        method: 'PUT',
        path: `/Users/${second.id}`,
        data: { userName, emails, active: false, [ENTERPRISE]: { manager: boss } },
      },
    ],
  });
  expect(body.Operations.map(({ status }: { status: string }) => Number(status)).sort()).toEqual([
    200, 200, 409,
  ]);
  expect([await statusOf(first.id), await statusOf(second.id)]).toEqual(['deactivated', 'deactivated']);
});

test('a loop of managers in an import does not keep somebody active', async () => {
  const add = async (name: string) => {
    const email = `${name}-${randomUUID()}@acme.example`;
    return { email, id: (await service.call('POST', '/api/users/', { email })).body.external_uuid as string };
  };
  const [a, b] = [await add('a'), await add('b')];
  const csv = `email,status,manager_email\n${a.email},active,${b.email}\n${b.email},deactivated,${a.email}`;
  const { status } = await service.call('POST', '/api/users/import/', csv, {
    headers: { 'content-type': 'text/csv' },
  });
  expect({ status, b: await statusOf(b.id) }).toEqual({ status: 200, b: 'deactivated' });
});

test('a userName that somebody has does not keep a person active whom a client takes over', async () => {
  const taken = await create();
  const email = `joined-${randomUUID()}@acme.example`;
  const { external_uuid: id } = (await service.call('POST', '/api/users/', { email })).body;
  const user = { ...newUser({ active: false }), emails: [{ value: email, type: 'work' }] };
  expect((await scim('POST', '/Users', { ...user, userName: taken.userName })).status).toBe(201);
  expect(await statusOf(id)).toBe('deactivated');
});

test('the id of a deleted person is that of somebody else to another client', async () => {
  const clientNamed = async (name: string) => {
    const { body } = await owner('POST', '/api/api-keys/', { name, scopes: ['scim'] });
    return { id: body.id as string, scim: scimCaller(service, body.key) };
  };
  const former = await clientNamed('former');
  const lena = (await former.scim('POST', '/Users', newUser({ externalId: '2002' }))).body;
  await former.scim('DELETE', `/Users/${lena.id}`);
  const next = await clientNamed('next');
  const stranger = await next.scim('POST', '/Users', newUser({ externalId: '2002' }));
  expect(stranger.status).toBe(201);
  expect(stranger.body.id).not.toBe(lena.id);
  expect(await statusOf(lena.id)).toBe('deactivated');
});

test('another id for an active person who was released is refused, also after a change without an id', async () => {
  const { body: key } = await owner('POST', '/api/api-keys/', { name: 'released', scopes: ['scim'] });
  const client = scimCaller(service, key.key);
  const { id } = (await client('POST', '/Users', newUser({ externalId: '3003' }))).body;
  expect((await owner('POST', `/api/scim-clients/${key.id}/release/`, {})).status).toBe(200);
  const setId = (value: string) =>
    scim('PATCH', `/Users/${id}`, patchOf({ op: 'replace', path: 'externalId', value }));
  const title = patchOf({ op: 'replace', path: 'title', value: 'Clerk' });
  expect([
    (await setId('x-9')).status,
    (await scim('PATCH', `/Users/${id}`, title)).status,
    (await setId('x-9')).status,
    (await setId('3003')).status,
  ]).toEqual([409, 200, 409, 200]);
});
