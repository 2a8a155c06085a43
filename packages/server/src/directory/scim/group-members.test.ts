import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newUser, openScimService, patchOf } from '#test/scim.ts';

/** Members that cannot be read must not empty a group (D79). */
const service = await openScimService();
const { scim } = service;
afterAll(service.close);
let ada: string;
let bob: string;
beforeAll(async () => {
  [ada, bob] = [await addUser(), await addUser()] as [string, string];
});

const addUser = async () => (await scim('POST', '/Users', newUser())).body.id as string;
const addGroup = async () => {
  const sent = { displayName: `Group ${randomUUID()}`, externalId: randomUUID(), members: [{ value: ada }] };
  return (await scim('POST', '/Groups', sent)).body;
};
const membersOf = async (id: string): Promise<string[]> =>
  ((await scim('GET', `/Groups/${id}`)).body.members ?? []).map(({ value }: { value: string }) => value);

type Members = (users: { ada: string; bob: string }) => unknown;
const REFUSED: [string, Members][] = [
  ['an empty text', () => ''],
  ['a text', () => 'ada'],
  ['the id of a user as text', (users) => users.bob],
  ['a number', () => 5],
  ['zero', () => 0],
  ['a boolean', () => false],
  ['an empty object', () => ({})],
  ['an object with members', (users) => ({ members: [{ value: users.bob }] })],
  ['a list with an empty text', () => ['']],
  ['a list with null', () => [null]],
  ['a list with an empty object', () => [{}]],
  ['a list with an empty id', () => [{ value: '' }]],
  ['a list in a list', (users) => [[{ value: users.bob }]]],
  ['a list with a number', () => [5]],
  ['a list with only a display name', () => [{ display: 'Bob' }]],
  ['a list with a reference to a group', () => [{ $ref: `../Groups/${randomUUID()}` }]],
  ['a list with somebody unknown', () => [{ value: randomUUID() }]],
];
const refused = { status: 400, body: { scimType: 'invalidValue' } };

test.each(REFUSED)('members are refused if they are %s', async (_, membersFor) => {
  const group = await addGroup();
  const members = membersFor({ ada, bob });
  const { id, displayName, externalId } = group;
  const at = `/Groups/${id}`;

  expect(await scim('PUT', at, { displayName, externalId, members })).toMatchObject(refused);
  for (const op of ['replace', 'add', 'remove']) {
    const byPath = await scim('PATCH', at, patchOf({ op, path: 'members', value: members }));
    // An unknown id is not a member, so nobody is removed.
    if (op !== 'remove' || byPath.status !== 204) expect(byPath, op).toMatchObject(refused);
  }
  const named = { op: 'replace', value: { displayName: 'Renamed', members } };
  expect(await scim('PATCH', at, patchOf(named))).toMatchObject(refused);
  expect(await scim('POST', '/Groups', { displayName: `New ${id}`, members })).toMatchObject(refused);

  expect(await membersOf(id)).toEqual([ada]);
  expect((await scim('GET', at)).body).toMatchObject({ displayName, externalId });
});

test.each<[string, (group: { displayName: string; externalId: string }) => object]>([
  ['are not mentioned', ({ displayName, externalId }) => ({ displayName, externalId })],
  ['are null', ({ displayName }) => ({ displayName, members: null })],
  [
    'are null below the schema',
    ({ displayName }) => ({ 'urn:ietf:params:scim:schemas:core:2.0:Group': { displayName, members: null } }),
  ],
])('members stay if they %s in a PUT', async (_, sentFor) => {
  const group = await addGroup();
  expect(await scim('PUT', `/Groups/${group.id}`, sentFor(group))).toMatchObject({
    status: 200,
    body: { members: [{ value: ada }] },
  });
});

test('members stay if a PATCH gives them as null, and its other changes are applied', async () => {
  const { id } = await addGroup();
  const operations = [
    { op: 'replace', path: 'members', value: null },
    { op: 'add', path: 'members', value: null },
    { op: 'replace', value: { displayName: `Renamed ${id}`, members: null } },
  ];
  for (const operation of operations)
    expect((await scim('PATCH', `/Groups/${id}`, patchOf(operation))).status).toBe(204);
  expect((await scim('GET', `/Groups/${id}`)).body).toMatchObject({
    displayName: `Renamed ${id}`,
    members: [{ value: ada }],
  });
});

test.each<[string, (at: string, displayName: string) => Promise<{ status: number }>]>([
  ['PUT with an empty list', (at, displayName) => scim('PUT', at, { displayName, members: [] })],
  [
    'PATCH with an empty list',
    (at) => scim('PATCH', at, patchOf({ op: 'replace', path: 'members', value: [] })),
  ],
  ['PATCH without a path', (at) => scim('PATCH', at, patchOf({ op: 'replace', value: { members: [] } }))],
  ['PATCH that removes members', (at) => scim('PATCH', at, patchOf({ op: 'remove', path: 'members' }))],
])('%s empties a group', async (_, empty) => {
  const { id, displayName } = await addGroup();
  expect((await empty(`/Groups/${id}`, displayName)).status).toBeLessThan(300);
  expect(await membersOf(id)).toEqual([]);
});

test.each<[string, Members]>([
  ['a list', (users) => [{ value: users.bob }]],
  ['one user', (users) => ({ value: users.bob })],
  ['names in another case', (users) => [{ VALUE: users.bob.toUpperCase(), Type: 'User' }]],
  ['a list of ids', (users) => [users.bob, users.bob]],
  [
    'a list of references',
    (users) => [{ $ref: `https://gatehouse.example/org/acme/scim/v2/Users/${users.bob}` }],
  ],
])('members are read from %s', async (_, membersFor) => {
  const { id, displayName } = await addGroup();
  const members = membersFor({ ada, bob });
  expect((await scim('PUT', `/Groups/${id}`, { displayName, members })).status).toBe(200);
  expect(await membersOf(id)).toEqual([bob]);
  await scim('PATCH', `/Groups/${id}`, patchOf({ op: 'remove', path: 'members', value: members }));
  expect(await membersOf(id)).toEqual([]);
  await scim('PATCH', `/Groups/${id}`, patchOf({ op: 'add', value: { members } }));
  expect(await membersOf(id)).toEqual([bob]);
});

test('a PUT has its members once, as a list', async () => {
  const { id, displayName } = await addGroup();
  for (const more of [
    { members: [], Members: [] },
    { [`members[value eq "${ada}"]`]: [] },
    { 'members.value': ada },
  ])
    expect((await scim('PUT', `/Groups/${id}`, { displayName, ...more })).status, JSON.stringify(more)).toBe(
      400,
    );
  expect(await membersOf(id)).toEqual([ada]);
});

test('Bulk does the same', async () => {
  const { id, displayName } = await addGroup();
  const { body } = await scim('POST', '/Bulk', {
    Operations: [
      { method: 'PUT', path: `/Groups/${id}`, data: { displayName } },
      { method: 'PUT', path: `/Groups/${id}`, data: { displayName, members: '' } },
      {
        method: 'PATCH',
        path: `/Groups/${id}`,
        data: patchOf({ op: 'replace', value: { displayName: 'X', members: '' } }),
      },
    ],
  });
  expect(body.Operations.map(({ status }: { status: string }) => status)).toEqual(['200', '400', '400']);
  expect(await membersOf(id)).toEqual([ada]);
});
