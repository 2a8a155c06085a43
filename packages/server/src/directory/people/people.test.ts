import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '#kit/sql.ts';
import { type List, openTestApp, type TestApp } from '#test/app.ts';
import { addOrganization, addPersonWithKey, eventsOf, organizationOf } from '#test/people.ts';
import { type BrowserCall, signInAs, signInAsOwner } from '#test/sign-in.ts';

let service: TestApp;
let call: TestApp['call'];
let asOwner: BrowserCall;
beforeAll(async () => {
  service = await openTestApp();
  call = service.call;
  asOwner = (await signInAsOwner(service)).call;
});
afterAll(() => service.close());

let number = 0;
const newEmail = (name = 'person') => `${name}-${++number}@acme.example`;

async function addUser(more: object = {}): Promise<string> {
  const { status, body } = await call('POST', '/api/users/', { email: newEmail(), ...more });
  expect(status).toBe(201);
  return body.external_uuid;
}

/** Creates a person as the signed-in owner, who may give any role. */
async function addUserAsOwner(more: object): Promise<string> {
  const { status, body } = await asOwner('POST', '/api/users/', { email: newEmail(), ...more });
  expect(status).toBe(201);
  return body.external_uuid;
}

const get = async (id: string) => (await call('GET', `/api/users/${id}/`)).body;
const about = async (id: string) =>
  (await eventsOf(service, 'user.')).filter(({ subject }) => subject.uuid === id);
const typesAbout = async (id: string) => (await about(id)).map(({ event_type }) => event_type);

describe('a new user', () => {
  test('needs only an email', async () => {
    const { status, body } = await call('POST', '/api/users/', { email: 'Ada@Acme.example' });

    expect(status).toBe(201);
    expect(body).toEqual({
      external_uuid: expect.any(String),
      username: 'Ada@Acme.example',
      email: 'Ada@Acme.example',
      first_name: '',
      last_name: '',
      identity_type: 'human',
      domain_type: 'internal',
      manager: null,
      status: 'active',
      role: 'member',
      attributes: {},
      start_date: null,
      end_date: null,
      on_leave: false,
      leave_from: null,
      leave_until: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      groups: [],
      sources: {},
    });
    expect(await get(body.external_uuid)).toEqual(body);
  });

  test('keeps all given fields, with an event', async () => {
    const { ownerId } = await organizationOf(service);
    const manager = await addUser();
    const said = {
      username: 'grace',
      first_name: 'Grace',
      last_name: 'Hopper',
      identity_type: 'service_account',
      domain_type: 'external',
      manager,
      role: 'auditor',
      attributes: { department: 'Navy', tags: ['a', 'b'], level: 7, gone: null },
      start_date: '2026-01-31',
      end_date: '2026-12-31',
    };

    const id = await addUserAsOwner({ ...said, manager: manager.toUpperCase() });

    expect(await get(id)).toMatchObject({
      ...said,
      attributes: { department: 'Navy', tags: ['a', 'b'], level: 7 },
    });
    expect(await about(id)).toMatchObject([
      {
        event_type: 'user.created',
        actor: { type: 'user', uuid: ownerId },
        source: { type: 'user_action' },
        payload: {
          user_id: id,
          username: 'grace',
          name: 'Grace Hopper',
          manager_id: manager,
          role: 'auditor',
        },
      },
    ]);
  });

  test.each([
    ['no email', {}],
    ['an invalid email', { email: 'ada' }],
    ['an email with a space', { email: 'ada lovelace@acme.example' }],
    ['an unknown identity type', { email: 'x@acme.example', identity_type: 'robot' }],
    ['an unknown role', { email: 'x@acme.example', role: 'king' }],
    ['a manager that is not a UUID', { email: 'x@acme.example', manager: 'ada' }],
    ['a day that does not exist', { email: 'x@acme.example', start_date: '2026-02-31' }],
    [
      'an end date before the start date',
      { email: 'x@acme.example', start_date: '2026-02-02', end_date: '2026-02-01' },
    ],
    ['an empty username', { email: 'x@acme.example', username: '' }],
    ['a NUL', { email: 'x@acme.example', first_name: 'a\0b' }],
  ])('is rejected with %s', async (_, body) => {
    const answer = await call('POST', '/api/users/', body);

    expect(answer).toMatchObject({ status: 400, body: { detail: expect.any(String) } });
    expect((await call('GET', '/api/users/?email=x@acme.example')).body.count).toBe(0);
  });

  test('needs a manager from the same organization', async () => {
    const other = await addOrganization(service, 'managers');
    const stranger = (await other('POST', '/api/users/', { email: 'boss@managers.example' })).body
      .external_uuid;

    for (const manager of [randomUUID(), stranger]) {
      expect(await call('POST', '/api/users/', { email: newEmail(), manager })).toMatchObject({
        status: 404,
      });
    }
  });

  test('cannot have the email of another person in any case', async () => {
    const email = newEmail('taken');
    const first = await addUser({ email });

    const second = await call('POST', '/api/users/', { email: email.toUpperCase() });

    expect(second).toMatchObject({ status: 409, body: { detail: expect.stringContaining('already') } });
    const third = await addUser();
    expect(await call('PATCH', `/api/users/${third}/`, { email: email.toUpperCase() })).toMatchObject({
      status: 409,
    });
    expect(await get(first)).toMatchObject({ email });
  });

  test('is created once by concurrent requests', async () => {
    const email = newEmail('race');

    const answers = await Promise.all([1, 2, 3].map(() => call('POST', '/api/users/', { email })));

    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    const ids = (await call('GET', `/api/users/?email=${email}`)).body.results;
    expect(ids).toHaveLength(1);
    expect(await typesAbout(ids[0].external_uuid)).toEqual(['user.created']);
  });
});

describe('a change', () => {
  test('records each field, and the identity type in a separate event', async () => {
    const manager = await addUser();
    const id = await addUser({ first_name: 'Ada', attributes: { title: 'Clerk', site: 'A' } });

    const { status, body } = await call('PATCH', `/api/users/${id}/`, {
      first_name: 'Ada',
      last_name: 'King',
      manager,
      identity_type: 'service_account',
      attributes: { title: 'Countess', site: null },
    });

    expect(status).toBe(200);
    expect(body).toMatchObject({ last_name: 'King', manager, attributes: { title: 'Countess' } });
    expect(await about(id)).toMatchObject([
      { event_type: 'user.created' },
      {
        event_type: 'user.updated',
        payload: {
          changes: [
            { field: 'last_name', from: '', to: 'King' },
            { field: 'manager', from: null, to: manager },
            { field: 'attributes.site', from: 'A', to: null },
            { field: 'attributes.title', from: 'Clerk', to: 'Countess' },
          ],
        },
      },
      { event_type: 'user.identity_type.changed', payload: { from: 'human', to: 'service_account' } },
    ]);
  });

  test('without an effect records nothing', async () => {
    const id = await addUser({ first_name: 'Ada', attributes: { a: { b: 1, c: 2 } } });
    const before = await get(id);

    const { body } = await call('PATCH', `/api/users/${id}/`, {
      first_name: 'Ada',
      attributes: { a: { c: 2, b: 1 } },
      external_uuid: randomUUID(),
      id: randomUUID(),
      created_at: '2020-01-01T00:00:00Z',
    });

    expect(body).toEqual(before);
    expect(await typesAbout(id)).toEqual(['user.created']);
  });

  test('of an unknown person returns 404 before the body is read', async () => {
    expect(await call('PATCH', `/api/users/${randomUUID()}/`, { email: 7 })).toMatchObject({ status: 404 });
    expect(await call('PATCH', '/api/users/ada/', {})).toMatchObject({ status: 404 });
    expect(await call('PATCH', `/api/users/${await addUser()}/`, { email: 7 })).toMatchObject({
      status: 400,
    });
  });

  test('cannot make a person their own manager', async () => {
    const [top, middle] = [await addUser(), await addUser()];
    const bottom = await addUser({ manager: middle });
    await call('PATCH', `/api/users/${middle}/`, { manager: top });

    for (const manager of [top, middle, bottom]) {
      expect(await call('PATCH', `/api/users/${top}/`, { manager })).toMatchObject({ status: 400 });
    }
    expect(await get(top)).toMatchObject({ manager: null });
  });

  test('cannot do so by two concurrent requests either', async () => {
    const [one, two] = [await addUser(), await addUser()];

    const answers = await Promise.all([
      call('PATCH', `/api/users/${one}/`, { manager: two }),
      call('PATCH', `/api/users/${two}/`, { manager: one }),
    ]);

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  });
});

describe('deactivating', () => {
  test('and reactivating take effect once', async () => {
    const id = await addUser();

    const answers = [
      await call('POST', `/api/users/${id}/deactivate/`, { reason: 'Left' }),
      await call('POST', `/api/users/${id}/deactivate/`),
      await call('POST', `/api/users/${id}/reactivate/`),
      await call('POST', `/api/users/${id}/reactivate/`),
    ];

    expect(answers.map(({ status, body }) => [status, body.status])).toEqual([
      [200, 'deactivated'],
      [200, 'deactivated'],
      [200, 'active'],
      [200, 'active'],
    ]);
    expect(await about(id)).toMatchObject([
      { event_type: 'user.created' },
      { event_type: 'user.deactivated', payload: { reason: 'Left' } },
      { event_type: 'user.reactivated', payload: { reason: null } },
    ]);
  });

  test('an administrator stops their keys', async () => {
    const admin = await addPersonWithKey(service, 'admin');
    const create = () => call('POST', '/api/users/', { email: newEmail() }, { key: admin.key });
    expect(await create()).toMatchObject({ status: 201 });

    await call('POST', `/api/users/${admin.id}/deactivate/`);

    expect(await create()).toMatchObject({ status: 401 });
  });
});

describe('deleting', () => {
  test('removes the person, with an event', async () => {
    const id = await addUser();

    expect(await call('DELETE', `/api/users/${id}/`)).toMatchObject({ status: 204 });

    expect(await call('GET', `/api/users/${id}/`)).toMatchObject({ status: 404 });
    expect(await call('DELETE', `/api/users/${id}/`)).toMatchObject({ status: 404 });
    expect(await typesAbout(id)).toEqual(['user.created', 'user.deleted']);
  });

  test('leaves their reports and apps without them', async () => {
    const id = await addUser();
    const report = await addUser({ manager: id });
    const app = (await call('POST', '/api/v1/bridge/apps/', { name: 'Theirs' })).body.id;
    await call('PATCH', `/api/apps/${app}/`, { owner: id });

    await call('DELETE', `/api/users/${id}/`);

    expect(await get(report)).toMatchObject({ manager: null });
    expect((await call('GET', `/api/apps/${app}/`)).body.owner).toBeNull();
    expect((await about(report)).at(-1)).toMatchObject({
      event_type: 'user.updated',
      payload: { changes: [{ field: 'manager', from: id, to: null }] },
    });
  });

  test('is refused while API keys act for the person', async () => {
    const { id, key, email } = await addPersonWithKey(service, 'admin');

    const refused = await call('DELETE', `/api/users/${id}/`);

    expect(refused).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining(`key of ${email}`) },
    });
    const { results }: List<{ id: string; created_by: string }> = (
      await call('GET', '/api/api-keys/?limit=200')
    ).body;
    const own = results.find((one) => one.created_by === id);
    await call('DELETE', `/api/api-keys/${own?.id}/`);
    expect(await call('DELETE', `/api/users/${id}/`)).toMatchObject({ status: 204 });
    expect(await call('GET', '/api/users/', undefined, { key })).toMatchObject({ status: 401 });
  });
});

describe('owners', () => {
  test('can be made and changed only by owners', async () => {
    const owner = await addPersonWithKey(service, 'owner');
    const admin = await addPersonWithKey(service, 'admin');
    const member = await addUser();
    const asAdmin = (await signInAs(service, { ...admin, external_uuid: admin.id })).call;

    const refused = [
      await asAdmin('PATCH', `/api/users/${member}/`, { role: 'owner' }),
      await asAdmin('PATCH', `/api/users/${owner.id}/`, { role: 'member' }),
      await asAdmin('PATCH', `/api/users/${owner.id}/`, { last_name: 'X' }),
      await asAdmin('POST', `/api/users/${owner.id}/deactivate/`),
      await asAdmin('DELETE', `/api/users/${owner.id}/`),
      await asAdmin('POST', '/api/users/', { email: newEmail(), role: 'owner' }),
    ];

    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 403]);
    expect(await get(owner.id)).toMatchObject({ role: 'owner', status: 'active', last_name: '' });
    expect(await asAdmin('PATCH', `/api/users/${member}/`, { role: 'admin' })).toMatchObject({ status: 200 });
    expect(await call('PATCH', `/api/users/${owner.id}/`, { role: 'member' })).toMatchObject({ status: 200 });
  });

  test('cannot all leave', async () => {
    const own = await openTestApp();
    const { call, close } = own;
    const { ownerId: first } = await organizationOf(own);
    const second = await addPersonWithKey(own, 'owner');
    const auditor = await addPersonWithKey(own, 'auditor');

    const answers = await Promise.all([
      call('POST', `/api/users/${second.id}/deactivate/`),
      call('PATCH', `/api/users/${first}/`, { role: 'member' }),
    ]);

    // The key acts for the first owner. Once they have stepped down, it gets 403 instead of 409.
    const statuses = answers.map(({ status }) => status).sort();
    expect(['200,409', '200,403']).toContain(statuses.join());
    const owners = await call('GET', '/api/users/?role=owner&status=active', undefined, { key: auditor.key });
    expect(owners.body.results).toHaveLength(1);
    const last = owners.body.results[0].external_uuid;
    const key = last === second.id ? second.key : own.key;
    expect(await call('DELETE', `/api/users/${last.toUpperCase()}/`, undefined, { key })).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('last active owner') },
    });
    expect(await call('PATCH', `/api/users/${last}/`, { role: 'member' }, { key })).toMatchObject({
      status: 409,
    });
    await close();
  });
});

describe('an API key', () => {
  const REFUSED = {
    status: 403,
    body: {
      detail:
        'API keys cannot give the role owner, admin or auditor, or change the email of a person who has one or reactivate them. ' +
        'Sign in to the console instead.',
    },
  };

  test.each(['owner', 'admin', 'auditor'] as const)('cannot give the role %s', async (role) => {
    const [id, email] = [await addUser(), newEmail()];

    expect(await call('PATCH', `/api/users/${id}/`, { role })).toMatchObject(REFUSED);
    expect(await call('POST', '/api/users/', { email, role })).toMatchObject(REFUSED);
    expect(await get(id)).toMatchObject({ role: 'member' });
    expect((await call('GET', `/api/users/?email=${email}`)).body.count).toBe(0);
  });

  test('cannot hand a privileged person to another address, or reactivate them', async () => {
    const { id } = await addPersonWithKey(service, 'admin');
    const path = `/api/users/${id}/`;

    expect(await call('PATCH', path, { email: newEmail() })).toMatchObject(REFUSED);
    expect(await call('POST', `${path}deactivate/`)).toMatchObject({ status: 200 });
    expect(await call('POST', `${path}reactivate/`)).toMatchObject(REFUSED);
    expect(await call('PATCH', path, { status: 'active' })).toMatchObject(REFUSED);
    expect(await asOwner('POST', `${path}reactivate/`)).toMatchObject({ status: 200 });
  });

  test('can change the profile of a privileged person, and make them a member', async () => {
    const { id } = await addPersonWithKey(service, 'auditor');
    const path = `/api/users/${id}/`;

    expect(await call('PATCH', path, { last_name: 'King', role: 'auditor' })).toMatchObject({ status: 200 });
    expect(await call('PATCH', path, { role: 'member' })).toMatchObject({ status: 200 });
    // They may get the role back, and would then sign in from the other address (D70).
    expect(await call('PATCH', path, { email: newEmail() })).toMatchObject({ status: 403 });
    expect(await asOwner('PATCH', path, { email: newEmail() })).toMatchObject({ status: 200 });
  });
});

describe('roles', () => {
  test('are recorded when they change, with the former role', async () => {
    const id = await addUser();
    await asOwner('PATCH', `/api/users/${id}/`, { role: 'auditor' });
    await call('PATCH', `/api/users/${id}/`, { first_name: 'Ada' });

    const told = (await eventsOf(service, 'role.changed')).filter(({ subject }) => subject.uuid === id);
    expect(told).toMatchObject([
      { source: { type: 'user_action' }, payload: { user_id: id, from: 'member', to: 'auditor' } },
    ]);
  });

  const writes = (id: string) =>
    [
      ['POST', '/api/users/', { email: 'nobody@acme.example' }],
      ['PATCH', `/api/users/${id}/`, { first_name: 'X' }],
      ['POST', `/api/users/${id}/deactivate/`, undefined],
      ['POST', `/api/users/${id}/reactivate/`, undefined],
      ['DELETE', `/api/users/${id}/`, undefined],
      ['POST', '/api/users/import/', undefined],
    ] as const;

  test('let an auditor read everyone and change no one', async () => {
    const { key } = await addPersonWithKey(service, 'auditor');
    const id = await addUser();

    for (const path of ['/api/users/', `/api/users/${id}/`])
      expect(await call('GET', path, undefined, { key }), path).toMatchObject({ status: 200 });
    for (const [method, path, body] of writes(id)) {
      expect(await call(method, path, body, { key }), `${method} ${path}`).toMatchObject({ status: 403 });
    }
  });

  test('let a member read only themselves', async () => {
    const { key, id } = await addPersonWithKey(service, 'member');
    const other = await addUser();

    expect((await call('GET', '/api/users/', undefined, { key })).body).toMatchObject({
      count: 1,
      results: [{ external_uuid: id }],
    });
    expect(await call('GET', `/api/users/${id.toUpperCase()}/`, undefined, { key })).toMatchObject({
      status: 200,
    });
    expect(await call('GET', `/api/users/${other}/`, undefined, { key })).toMatchObject({ status: 403 });
    for (const [method, path, body] of writes(id)) {
      expect(await call(method, path, body, { key }), `${method} ${path}`).toMatchObject({ status: 403 });
    }
  });

  test('let a key for listed apps neither read nor change people', async () => {
    const app = (await call('POST', '/api/v1/bridge/apps/', { name: 'Listed' })).body.id;
    const { key, id } = await addPersonWithKey(service, 'admin', { apps: [app] });

    for (const path of ['/api/users/', `/api/users/${id}/`])
      expect(await call('GET', path, undefined, { key }), path).toMatchObject({ status: 403 });
    for (const [method, path, body] of writes(await addUser()).slice(0, 5)) {
      expect(await call(method, path, body, { key }), `${method} ${path}`).toMatchObject({ status: 403 });
    }
  });

  test('let a key without the scope read no one', async () => {
    const made = await call('POST', '/api/api-keys/', { name: 'no govern' });

    expect(await call('GET', '/api/users/', undefined, { key: made.body.key })).toMatchObject({
      status: 403,
    });
  });
});

describe('the list', () => {
  test('filters by part, status, manager, identity type and role', async () => {
    const manager = await addUser({ email: newEmail('boss') });
    const one = await addUser({ email: 'list.ONE_1@acme.example', first_name: 'Zoë', manager });
    const two = await addUser({
      email: 'list.two@acme.example',
      username: 'zoology',
      identity_type: 'service_account',
    });
    const three = await addUserAsOwner({
      email: 'list.threeX1@acme.example',
      status: 'deactivated',
      role: 'auditor',
    });
    const find = async (query: string) =>
      (await call('GET', `/api/users/?${query}`)).body.results.map(
        ({ external_uuid }: { external_uuid: string }) => external_uuid,
      );

    expect(await find('email=LIST.')).toEqual([one, two, three]);
    expect(await find('email=one_1')).toEqual([one]);
    expect(await find('email=zoo')).toEqual([]);
    expect(await find('q=zoo')).toEqual([two]);
    expect(await find(`q=${encodeURIComponent('zoë')}`)).toEqual([one]);
    expect(await find(`manager=${manager}`)).toEqual([one]);
    expect(await find('email=list.&status=deactivated')).toEqual([three]);
    expect(await find('email=list.&identity_type=service_account')).toEqual([two]);
    expect(await find('email=list.&role=auditor')).toEqual([three]);
    expect(await find('email=list.&limit=1&offset=1')).toEqual([two]);
    expect(await find('email=list.&sort=-created')).toEqual([three, two, one]);
    expect(await find('email=list.&sort=email')).toEqual([one, three, two]);
    expect(await find('email=list.&sort=-email')).toEqual([two, three, one]);
  });

  test.each([
    'status=gone',
    'sort=colour',
    'manager=ada',
    'identity_type=robot',
    'role=king',
    'limit=0',
    'offset=-1',
  ])('rejects %s', async (query) => {
    expect(await call('GET', `/api/users/?${query}`)).toMatchObject({ status: 400 });
  });
});

test('hides people from another organization', async () => {
  const other = await addOrganization(service);
  const id = await addUser({ email: 'shared@acme.example' });

  expect((await other('GET', '/api/users/?limit=200')).body.count).toBe(1);
  for (const [method, path, body] of [
    ['GET', `/api/users/${id}/`, undefined],
    ['PATCH', `/api/users/${id}/`, { first_name: 'X' }],
    ['POST', `/api/users/${id}/deactivate/`, undefined],
    ['DELETE', `/api/users/${id}/`, undefined],
  ] as const) {
    expect(await other(method, path, body), `${method} ${path}`).toMatchObject({ status: 404 });
  }
  expect(await other('POST', '/api/users/', { email: 'shared@acme.example' })).toMatchObject({ status: 201 });
  expect(await get(id)).toMatchObject({ status: 'active', first_name: '' });
});

test.each([
  ['start_date', '0001-01-01'],
  ['end_date', '1949-12-31'],
])('%s %s is before every day that can be meant', async (field, day) => {
  const message = `${field}: ${day} is before 1950. Correct the day, or leave it empty.`;
  const refused = { status: 400, body: { detail: message } };
  expect(await call('POST', '/api/users/', { email: newEmail(), [field]: day })).toMatchObject(refused);
  const id = await addUser({ [field]: '1950-01-01' });
  expect(await call('PATCH', `/api/users/${id}/`, { [field]: day })).toMatchObject(refused);
  expect(await call('PATCH', `/api/users/${id}/`, { [field]: null })).toMatchObject({ status: 200 });
});

describe('attributes', () => {
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`a${n}`, n]));

  test.each([
    ['more than 200', many(201), 'attributes has 201 entries, and at most 200 are allowed. Remove some.'],
    ['a long text', { bio: 'x'.repeat(4097) }, 'attributes.bio has 4097 characters'],
    ['a large object', { tree: { list: 'x'.repeat(4097) } }, 'attributes.tree has'],
    ['a long name', { ['n'.repeat(256)]: 1 }, 'has more than 255 characters'],
  ])('%s return 400', async (_what, attributes, detail) => {
    const created = await call('POST', '/api/users/', { email: newEmail(), attributes });
    const changed = await call('PATCH', `/api/users/${await addUser()}/`, { attributes });

    expect(created).toMatchObject({ status: 400, body: { detail: expect.stringContaining(detail) } });
    expect(changed.status).toBe(400);
  });

  test('200 of them with 4,096 characters each are accepted', async () => {
    const id = await addUser({ attributes: { ...many(199), bio: 'x'.repeat(4096) } });
    expect(Object.keys((await get(id)).attributes)).toHaveLength(200);
  });

  test('that were stored before the limits do not block other changes', async () => {
    const id = await addUser();
    await sql`update platform_user set attributes = ${JSON.stringify({ old: 'x'.repeat(5000) })}::jsonb where id = ${id}`.execute(
      service.database.db,
    );
    expect(
      await call('PATCH', `/api/users/${id}/`, { first_name: 'Ada', attributes: { site: 'A' } }),
    ).toMatchObject({
      status: 200,
      body: { attributes: { site: 'A' } },
    });
  });
});
