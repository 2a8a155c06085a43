import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addPersonWithRole, eventsOf } from '#test/people.ts';
import { ENTERPRISE, newUser, openScimService, patchOf, USER } from '#test/scim.ts';

/** A request that ends access takes effect, whatever else it contains (D79). */
const service = await openScimService();
const { scim, owner, person } = service;
afterAll(service.close);

const create = (more: object = {}) => service.create({ active: true, ...more });
const about = async (prefix: string, id: string) =>
  (await eventsOf(service, prefix)).filter(({ subject }) => subject.uuid === id);
const leftOf = async (id: string) =>
  (await about('scim.attribute_ignored', id)).map(({ payload }) => payload.attribute).sort();
const OFF = { op: 'Replace', path: 'active', value: 'False' };
const LONG = 'x'.repeat(330);

/** Somebody else, whose names are taken. */
const taken = newUser();
beforeAll(async () => {
  await scim('POST', '/Users', taken);
});

type Sent = (user: { id: string; userName: string; emails: object[] }) => object;
const manager =
  (value: unknown): Sent =>
  ({ id, userName, emails }) => ({
    ...{ schemas: [USER], userName, emails, active: false },
    [ENTERPRISE]: { manager: value === 'self' ? { value: id } : value },
  });

test.each<[string, Sent, string[]]>([
  ['a number as manager', manager({ value: '10042' }), ['manager']],
  ['an unknown manager', manager({ value: randomUUID() }), ['manager']],
  ['the person as manager', manager('self'), ['manager']],
  ['a manager of a wrong type', manager(5), ['manager']],
  ['two managers', manager([{ value: 'a' }, { value: 'b' }]), ['manager']],
  ['a manager without an id', manager({ displayName: 'The boss' }), ['manager']],
  ['no emails', ({ userName }) => ({ userName, active: false }), []],
  [
    'an empty email',
    ({ userName }) => ({ userName, active: false, emails: [{ type: 'work', value: '' }] }),
    ['emails'],
  ],
  ['an empty list of emails', ({ userName }) => ({ userName, active: false, emails: [] }), ['emails']],
  [
    'only a home email',
    ({ userName }) => ({ userName, active: 'False', emails: [{ type: 'home', value: 'a@home.example' }] }),
    ['emails'],
  ],
  [
    'no email address',
    ({ userName }) => ({ userName, active: false, emails: [{ value: 'nobody' }] }),
    ['emails'],
  ],
  [
    'the email of somebody else',
    ({ userName }) => ({ userName, active: false, emails: taken.emails }),
    ['emails'],
  ],
  ['no userName', ({ emails }) => ({ emails, active: false }), []],
  [
    'the userName of somebody else',
    ({ emails }) => ({ userName: taken.userName.toUpperCase(), emails, active: false }),
    ['userName'],
  ],
  ['a long userName', ({ emails }) => ({ userName: LONG, emails, active: false }), ['userName']],
  ['a userName of a wrong type', ({ emails }) => ({ userName: 5, emails, active: false }), ['userName']],
  [
    'a long externalId',
    ({ userName, emails }) => ({ userName, emails, active: false, externalId: 'x'.repeat(513) }),
    ['externalId'],
  ],
  [
    'a title of a wrong type',
    ({ userName, emails }) => ({ userName, emails, active: false, title: { a: 1 } }),
    ['title'],
  ],
  [
    'a name of a wrong type',
    ({ userName, emails }) => ({ userName, emails, active: false, name: 'Ada' }),
    ['name'],
  ],
  [
    'a long name',
    ({ userName, emails }) => ({ userName, emails, active: false, name: { givenName: LONG } }),
    ['name.givenName'],
  ],
  [
    'a wrong extension',
    ({ userName, emails }) => ({ userName, emails, active: false, [ENTERPRISE]: 'x' }),
    ['extension'],
  ],
  [
    'too many phone numbers',
    ({ userName, emails }) => ({
      userName,
      emails,
      active: false,
      phoneNumbers: Array.from({ length: 101 }, (_, i) => ({ value: `${i}` })),
    }),
    ['phoneNumbers'],
  ],
])('a PUT that sets a user inactive is applied with %s, which is left', async (_, sentFor, left) => {
  const boss = await create();
  const user = await create({
    name: { givenName: 'Ada', familyName: 'Byron' },
    title: 'Analyst',
    phoneNumbers: [{ value: '+1', type: 'work' }],
    externalId: randomUUID(),
    [ENTERPRISE]: { department: 'Engines', manager: { value: boss.id } },
  });

  const { status, body } = await scim('PUT', `/Users/${user.id}`, sentFor(user));

  expect({ status, detail: body.detail, active: body.active }).toEqual({
    status: 200,
    detail: undefined,
    active: false,
  });
  expect(await leftOf(user.id)).toEqual(left);
  expect(await about('user.deactivated', user.id)).toHaveLength(1);
  const stored = await person(user.id);
  expect(stored).toMatchObject({
    status: 'deactivated',
    email: user.emails[0].value,
    username: user.userName,
  });
  for (const attribute of left) expect(textOf(body, attribute)).toBe(textOf(user, attribute));
  // The client may repeat the request after a lost response.
  const again = await scim('PUT', `/Users/${user.id}`, sentFor(user));
  expect(again).toMatchObject({ status: 200, body: { active: false } });
  expect(await leftOf(user.id)).toEqual(left);
});

const textOf = (user: Record<string, unknown>, attribute: string) => {
  const [name = '', part = ''] = attribute.split('.');
  const enterprise = user[ENTERPRISE] as Record<string, unknown>;
  const value = name === 'extension' ? enterprise : name === 'manager' ? enterprise.manager : user[name];
  return JSON.stringify(part === '' ? value : (value as Record<string, unknown>)[part]);
};

const work = (value: unknown) => ({ op: 'Replace', path: 'emails[type eq "work"].value', value });
test.each<[string, object[], string[]]>([
  ['the email of somebody else', [OFF, work(taken.userName)], ['emails']],
  [
    'the userName of somebody else',
    [{ op: 'replace', path: 'userName', value: taken.userName }, OFF],
    ['userName'],
  ],
  [
    'both of somebody else',
    [OFF, { op: 'replace', value: { userName: taken.userName, emails: taken.emails } }],
    ['emails', 'userName'],
  ],
  ['a long userName', [{ op: 'replace', value: { active: false, userName: LONG } }], ['userName']],
  ['a removed userName', [OFF, { op: 'remove', path: 'userName' }], ['userName']],
  ['removed emails', [OFF, { op: 'remove', path: 'emails' }], ['emails']],
  ['an unknown path', [OFF, { op: 'replace', path: 'shoeSize', value: 43 }], ['unknown']],
  ['a path that cannot be read', [{ op: 'replace', path: 'emails[type eq', value: 1 }, OFF], ['emails']],
  ['a read-only attribute', [OFF, { op: 'replace', path: 'id', value: 'x' }], ['id']],
  [
    'a filter that finds nothing',
    [OFF, { op: 'replace', path: 'phoneNumbers[type eq "fax"]', value: { value: '1' } }],
    ['phoneNumbers'],
  ],
  ['an operation without a value', [OFF, { op: 'add', path: 'title' }], ['title']],
  ['an unknown operation', [OFF, { op: 'move', path: 'title', value: 'T' }], ['title']],
  ['an operation that is a text', [OFF, 'replace' as unknown as object], ['Operations']],
  ['a value of a wrong type', [OFF, { op: 'add', value: 'T' }], ['Operations']],
  ['unknown keys', [OFF, { op: 'add', value: { shoeSize: 43 } }], ['Operations']],
  [
    'too many keys',
    [
      {
        op: 'add',
        value: { ...Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [`k${i}`, 1])), active: false },
      },
    ],
    ['value'],
  ],
  [
    'too many operations',
    [...Array.from({ length: 1000 }, () => ({ op: 'add', path: 'title', value: 'T' })), OFF],
    ['Operations'],
  ],
  [
    'an unknown manager',
    [OFF, { op: 'replace', path: `${ENTERPRISE}:manager`, value: randomUUID() }],
    ['manager'],
  ],
  ['another externalId', [OFF, { op: 'replace', path: 'externalId', value: randomUUID() }], ['externalId']],
])('a PATCH that sets a user inactive is applied with %s, which is left', async (_, operations, left) => {
  const user = await create({ title: 'Analyst', externalId: randomUUID() });

  const { status, body } = await scim('PATCH', `/Users/${user.id}`, patchOf(...operations));

  expect({ status, detail: body.detail }).toEqual({ status: 200, detail: undefined });
  const { userName, emails, externalId, title } = user;
  expect(body).toMatchObject({ active: false, userName, emails, externalId, title });
  expect(await leftOf(user.id)).toEqual(left);
  expect(await about('user.deactivated', user.id)).toHaveLength(1);
});

test('a PATCH with the schema of something else ends access as well', async () => {
  const { id } = await create();
  const { status } = await scim('PATCH', `/Users/${id}`, { schemas: [USER], Operations: [OFF] });
  expect({ status, left: await leftOf(id) }).toEqual({ status: 200, left: ['schemas'] });
});

test('a name and an email that come with it and are free are applied, and free the former ones', async () => {
  const user = await create({ [ENTERPRISE]: { department: 'Engines' } });
  const name = `zz-${user.userName}`;

  const { body } = await scim(
    'PATCH',
    `/Users/${user.id}`,
    patchOf(
      OFF,
      work(name),
      { op: 'Replace', path: 'userName', value: name },
      { op: 'Replace', path: `${ENTERPRISE}:department`, value: 'Left' },
    ),
  );

  expect(body).toMatchObject({
    active: false,
    userName: name,
    emails: [{ value: name }],
    [ENTERPRISE]: { department: 'Left' },
  });
  expect(await leftOf(user.id)).toEqual([]);
  const { userName, emails } = user;
  expect((await scim('POST', '/Users', newUser({ userName, emails, externalId: randomUUID() }))).status).toBe(
    201,
  );
});

test('each attribute is applied by itself', async () => {
  const user = await create({ title: 'Analyst', nickName: 'A' });

  const { body } = await scim(
    'PATCH',
    `/Users/${user.id}`,
    patchOf(
      { op: 'replace', value: { title: 'Former', nickName: 5, userName: taken.userName, locale: 'en' } },
      { op: 'add', path: 'timezone', value: 'UTC' },
      OFF,
    ),
  );

  const { userName } = user;
  expect(body).toMatchObject({
    active: false,
    userName,
    title: 'Former',
    nickName: 'A',
    locale: 'en',
    timezone: 'UTC',
  });
  expect(await leftOf(user.id)).toEqual(['nickName', 'userName']);
});

test('the attributes of a person cannot veto it by their number', async () => {
  const user = await create();
  const many = Object.fromEntries(Array.from({ length: 199 }, (_, i) => [`a${i}`, 'x']));
  expect((await service.call('PATCH', `/api/users/${user.id}/`, { attributes: many })).status).toBe(200);
  const more = { title: 'T', nickName: 'N' };

  expect((await scim('PATCH', `/Users/${user.id}`, patchOf({ op: 'add', value: more }))).status).toBe(400);
  const { body } = await scim(
    'PATCH',
    `/Users/${user.id}`,
    patchOf({ op: 'add', value: { ...more, active: false } }),
  );

  expect(body).toMatchObject({ active: false });
  expect(await leftOf(user.id)).toHaveLength(1);
});

test('the email of an administrator is left, and the rest applied', async () => {
  const { external_uuid: id } = await addPersonWithRole(service, `a-${randomUUID()}@acme.example`, 'auditor');
  const { status } = await scim(
    'PATCH',
    `/Users/${id}`,
    patchOf(OFF, work(`b-${randomUUID()}@acme.example`)),
  );
  expect({ status, left: await leftOf(id) }).toEqual({ status: 200, left: ['emails'] });
  expect((await person(id)).status).toBe('deactivated');
});

test('a POST that takes over an active person and sets them inactive is not vetoed', async () => {
  const email = `joined-${randomUUID()}@acme.example`;
  const { body: known } = await service.call('POST', '/api/users/', { email });
  const sent = newUser({
    emails: [{ value: email, type: 'work' }],
    active: false,
    title: 5,
    [ENTERPRISE]: { manager: '5' },
  });

  expect(await scim('POST', '/Users', sent)).toMatchObject({
    status: 201,
    body: { id: known.external_uuid, active: false },
  });

  expect(await leftOf(known.external_uuid)).toEqual(['manager', 'title']);
  expect((await scim('POST', '/Users', newUser({ active: false, title: 5 }))).status).toBe(400);
});

test('Bulk does the same', async () => {
  const [one, two] = [await create(), await create()];
  const { body } = await scim('POST', '/Bulk', {
    Operations: [
      { method: 'PATCH', path: `/Users/${one.id}`, data: patchOf(OFF, work(taken.userName)) },
      { method: 'PUT', path: `/Users/${two.id}`, data: manager({ value: '7' })(two) },
    ],
  });
  expect(body.Operations.map(({ status }: { status: string }) => status)).toEqual(['200', '200']);
  expect([(await person(one.id)).status, (await person(two.id)).status]).toEqual([
    'deactivated',
    'deactivated',
  ]);
});

describe('fails as before', () => {
  test.each([
    ['a status that cannot be read', [OFF, { op: 'replace', path: 'active', value: 'perhaps' }], 400],
    ['a status that cannot be read among others', [{ op: 'replace', value: { active: 5, title: 'T' } }], 400],
    [
      'a status that is true in the end',
      [OFF, { op: 'replace', path: 'title', value: 5 }, { op: 'replace', path: 'active', value: true }],
      400,
    ],
    ['a long title without a status', [{ op: 'replace', path: 'title', value: 'x'.repeat(5000) }], 400],
    ['a taken userName without a status', [{ op: 'replace', path: 'userName', value: taken.userName }], 409],
  ])('with %s', async (_, operations, status) => {
    const { id } = await create();
    expect((await scim('PATCH', `/Users/${id}`, patchOf(...operations))).status).toBe(status);
    expect((await person(id)).status).toBe('active');
  });

  test('for an unknown user, another version, and owners', async () => {
    const { id } = await create();
    const bad = patchOf(OFF, { op: 'replace', path: 'title', value: 5 });
    expect((await scim('PATCH', `/Users/${randomUUID()}`, bad)).status).toBe(404);
    expect((await scim('PATCH', `/Users/${id}`, bad, { 'if-match': 'W/"old"' })).status).toBe(412);
    const me = (await owner('GET', '/api/me/')).body;
    expect(
      (await scim('PATCH', `/Users/${me.user?.external_uuid ?? me.external_uuid ?? me.id}`, bad)).status,
    ).toBe(409);
  });
});

describe('a manager who cannot be resolved', () => {
  test.each([
    ['an unknown id', { value: randomUUID() }],
    ['a number of another system', { value: '10042' }],
    ['a wrong type', { value: true }],
  ])('is left in every request: %s', async (_, value) => {
    const sent = newUser({ title: 'Analyst', [ENTERPRISE]: { department: 'Engines', manager: value } });
    const { status, body } = await scim('POST', '/Users', sent);
    expect({ status, manager: body[ENTERPRISE].manager }).toEqual({ status: 201, manager: undefined });
    expect(await leftOf(body.id)).toEqual(['manager']);
    const boss = await create();
    const at = `${ENTERPRISE}:manager`;
    await scim('PATCH', `/Users/${body.id}`, patchOf({ op: 'replace', path: at, value: boss.id }));

    const put = await scim('PUT', `/Users/${body.id}`, { ...sent, title: 'Chief' });
    expect(put).toMatchObject({
      status: 200,
      body: { title: 'Chief', [ENTERPRISE]: { manager: { value: boss.id } } },
    });
    const patched = await scim(
      'PATCH',
      `/Users/${body.id}`,
      patchOf({ op: 'replace', path: at, value }, { op: 'replace', path: 'title', value: 'Head' }),
    );
    expect(patched).toMatchObject({
      status: 200,
      body: { title: 'Head', [ENTERPRISE]: { manager: { value: boss.id } } },
    });
  });

  test('is one who is below the person', async () => {
    const [boss, clerk] = [await create(), await create()];
    const manage = (id: string, value: unknown) =>
      scim('PATCH', `/Users/${id}`, patchOf({ op: 'replace', path: `${ENTERPRISE}:manager`, value }));
    expect((await manage(clerk.id, boss.id)).status).toBe(200);
    const { status, body } = await manage(boss.id, { value: clerk.id });
    expect({ status, extension: body[ENTERPRISE] }).toEqual({ status: 200, extension: undefined });
    expect(await leftOf(boss.id)).toEqual(['manager']);
    expect((await person(boss.id)).sources).not.toHaveProperty('manager');
    expect((await manage(boss.id, null)).status).toBeGreaterThan(0);
  });

  test('is none if a reference names one', async () => {
    const [boss, clerk] = [await create(), await create()];
    const { body } = await scim(
      'PATCH',
      `/Users/${clerk.id}`,
      patchOf({ op: 'add', value: { [ENTERPRISE]: { manager: { $ref: `../Users/${boss.id}` } } } }),
    );
    expect(body[ENTERPRISE].manager.value).toBe(boss.id);
  });
});
