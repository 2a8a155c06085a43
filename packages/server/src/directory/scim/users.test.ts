import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { addPersonWithRole, eventsOf } from '#test/people.ts';
import { ENTERPRISE, newUser, openScimService, patchOf, USER } from '#test/scim.ts';

const service = await openScimService();
const { scim, owner, person, create } = service;
afterAll(service.close);

const patch = (id: string, ...operations: object[]) => scim('PATCH', `/Users/${id}`, patchOf(...operations));
const listed = async (source: string) =>
  ((await service.call('GET', `/api/users/?limit=200&source=${source}`)).body.results as Listed[]).map(
    ({ external_uuid }) => external_uuid,
  );
type Listed = { external_uuid: string };
const typesAbout = async (id: string) =>
  (await eventsOf(service, 'user.'))
    .filter(({ subject }) => subject.uuid === id)
    .map((event) => event.event_type);

describe('a new user', () => {
  test('becomes a person, and reads back as it was written', async () => {
    const manager = await create();
    const sent = newUser({
      externalId: 'ext-1',
      name: { givenName: 'Ada', familyName: 'Lovelace', middleName: 'King' },
      displayName: 'Countess',
      title: 'Analyst',
      active: true,
      phoneNumbers: [{ value: '+1 555', type: 'work' }],
      [ENTERPRISE]: { department: 'Engines', employeeNumber: '7', manager: { value: manager.id } },
    });
    const { status, headers, body } = await scim('POST', '/Users', sent);
    expect(status).toBe(201);
    expect(headers['content-type']).toContain('application/scim+json');
    expect(headers.location).toBe(`http://localhost:80/org/${service.org}/scim/v2/Users/${body.id}`);
    expect(headers.etag).toBe(body.meta.version);
    expect(body).toMatchObject({
      ...sent,
      schemas: [USER, ENTERPRISE],
      name: { ...(sent as { name?: object }).name, formatted: 'Ada Lovelace' },
      meta: { resourceType: 'User', location: headers.location },
    });
    expect((await scim('GET', `/Users/${body.id}`)).body).toEqual(body);
    expect(await person(body.id)).toMatchObject({
      username: sent.userName,
      email: sent.emails[0]?.value,
      first_name: 'Ada',
      last_name: 'Lovelace',
      manager: manager.id,
      status: 'active',
      role: 'member',
      attributes: { displayName: 'Countess', title: 'Analyst', department: 'Engines', employeeNumber: '7' },
      sources: {
        username: 'scim',
        email: 'scim',
        first_name: 'scim',
        last_name: 'scim',
        status: 'scim',
        manager: 'scim',
        'attributes.title': 'scim',
        'attributes.department': 'scim',
      },
    });
    expect(await typesAbout(body.id)).toEqual(['user.created']);
  });

  test.each([
    ['no userName', { userName: undefined }, 'invalidValue'],
    ['no email', { emails: undefined }, 'invalidValue'],
    ['only a home email', { emails: [{ value: 'x@home.example', type: 'home' }] }, 'invalidValue'],
    ['an invalid email', { emails: [{ value: 'nobody', type: 'work' }] }, 'invalidValue'],
    ['a number of words as active', { active: 'perhaps' }, 'invalidValue'],
    ['a title that is an object', { title: { a: 1 } }, 'invalidValue'],
  ])('is refused with %s', async (_, more, scimType) => {
    const { status, body, headers } = await scim('POST', '/Users', newUser(more));
    expect(status).toBe(400);
    expect(body).toEqual({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: '400',
      scimType,
      detail: expect.any(String),
    });
    expect(headers['content-type']).toContain('application/scim+json');
  });

  test('that exists gets 409 with the address of the existing one', async () => {
    const externalId = randomUUID();
    const sent = newUser({ externalId });
    const first = (await scim('POST', '/Users', sent)).body;
    for (const again of [
      sent,
      newUser({ userName: sent.userName.toUpperCase() }),
      newUser({ emails: sent.emails }),
      newUser({ externalId }),
    ]) {
      const { status, body } = await scim('POST', '/Users', again);
      expect({ status, scimType: body.scimType }).toEqual({ status: 409, scimType: 'uniqueness' });
      expect(body.detail).toContain(`/scim/v2/Users/${first.id}`);
    }
  });

  test('is created once by concurrent calls', async () => {
    const sent = newUser();
    const answers = await Promise.all([1, 2, 3].map(() => scim('POST', '/Users', sent)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  });

  test('takes over a person with the same email whom no provider manages', async () => {
    const email = `taken-over-${randomUUID()}@acme.example`;
    const { body: known } = await service.call('POST', '/api/users/', { email, first_name: 'Old' });
    const sent = newUser({ userName: 'adopted', emails: [{ value: email.toUpperCase(), type: 'work' }] });
    const { status, body } = await scim('POST', '/Users', sent);
    expect({ status, id: body.id }).toEqual({ status: 201, id: known.external_uuid });
    expect(await person(body.id)).toMatchObject({
      username: 'adopted',
      first_name: 'Old',
      sources: { username: 'scim' },
    });
    expect((await scim('POST', '/Users', sent)).status).toBe(409);
  });
});

describe('a person who was merged', () => {
  const merged = async () => {
    const [email, other] = [0, 1].map(() => `merged-${randomUUID()}@acme.example`);
    const add = async (one?: string) =>
      (await service.call('POST', '/api/users/', { email: one })).body.external_uuid as string;
    const [from, into] = [await add(email), await add(other)];
    expect((await service.call('POST', `/api/users/${into}/merge/`, { from })).status).toBe(200);
    return { email, from, into };
  };

  test('is not taken over: a POST with their email gets 409 with the address of the person who remains', async () => {
    const { email, from, into } = await merged();
    const emails = [{ value: email, type: 'work' }];
    const answer = await scim('POST', '/Users', newUser({ emails }));
    expect(answer).toMatchObject({ status: 409, body: { scimType: 'uniqueness' } });
    expect(answer.body.detail).toContain(`/scim/v2/Users/${into}`);
    const { id } = await create();
    expect((await patch(id, { op: 'replace', path: 'emails', value: emails })).status).toBe(409);
    expect(await person(from)).toMatchObject({ status: 'deactivated', merged_into: into, sources: {} });
  });

  test('does not exist for SCIM, and joins no group', async () => {
    const { email, from } = await merged();
    const answers = [
      await scim('GET', `/Users/${from}`),
      await patch(from, { op: 'replace', path: 'active', value: true }),
      await scim('PUT', `/Users/${from}`, newUser({ active: true })),
      await scim('DELETE', `/Users/${from}`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    const filter = encodeURIComponent(`emails.value eq "${email}"`);
    expect((await scim('GET', `/Users?filter=${filter}`)).body.totalResults).toBe(0);
    const group = { displayName: `Group of ${from}`, members: [{ value: from }] };
    expect((await scim('POST', '/Groups', group)).status).toBe(400);
    expect(await person(from)).toMatchObject({ status: 'deactivated' });
  });
});

describe('a change', () => {
  test('follows every form of path', async () => {
    const { id } = await create({ name: { givenName: 'A', familyName: 'B' } });
    const boss = await create();
    await patch(
      id,
      { op: 'replace', path: 'name.givenName', value: 'Grace' },
      { op: 'Add', path: 'TITLE', value: 'Admiral' },
      { op: 'replace', path: `${USER}:nickName`, value: 'Amazing' },
      { op: 'add', path: `${ENTERPRISE}:department`, value: 'Navy' },
      { op: 'add', path: `${ENTERPRISE.toUpperCase()}:manager`, value: boss.id },
      { op: 'replace', path: 'emails[type eq "work"].value', value: `grace-${id}@acme.example` },
      { op: 'add', path: 'emails', value: [{ value: 'g@home.example', type: 'home' }] },
      { op: 'replace', path: 'phoneNumbers[type eq "mobile"].value', value: '+1' },
      {
        op: 'add',
        value: { locale: 'en-US', [`${ENTERPRISE}:costCenter`]: '42', 'name.familyName': 'Hopper' },
      },
      { op: 'replace', value: { [ENTERPRISE]: { division: 'East' }, unknown: 1, id: 'x' } },
    );
    const { body } = await scim('GET', `/Users/${id}`);
    expect(body).toMatchObject({
      name: { givenName: 'Grace', familyName: 'Hopper', formatted: 'Grace Hopper' },
      title: 'Admiral',
      nickName: 'Amazing',
      locale: 'en-US',
      emails: [
        { value: `grace-${id}@acme.example`, type: 'work', primary: true },
        { value: 'g@home.example', type: 'home' },
      ],
      phoneNumbers: [{ value: '+1', type: 'mobile' }],
      [ENTERPRISE]: { department: 'Navy', costCenter: '42', division: 'East', manager: { value: boss.id } },
    });
    await patch(
      id,
      { op: 'remove', path: 'emails[type eq "home"]' },
      { op: 'remove', path: 'title' },
      { op: 'remove', path: `${ENTERPRISE}:manager` },
      { op: 'remove', path: 'phoneNumbers[type eq "mobile"].value' },
    );
    const after = (await scim('GET', `/Users/${id}`)).body;
    expect(after.emails).toHaveLength(1);
    expect(after.title).toBeUndefined();
    expect(after[ENTERPRISE].manager).toBeUndefined();
    expect(await person(id)).toMatchObject({ manager: null, attributes: { department: 'Navy' } });
    expect((await person(id)).attributes.title).toBeUndefined();
  });

  test.each([
    [{ op: 'replace', path: 'shoeSize', value: 1 }, 'invalidPath'],
    [{ op: 'replace', path: 'name.nick', value: 1 }, 'invalidPath'],
    [{ op: 'replace', path: '__proto__.polluted', value: 1 }, 'invalidPath'],
    [{ op: 'replace', path: 'emails[type eq', value: 1 }, 'invalidPath'],
    [{ op: 'replace', path: 'emails[kind eq "x"].value', value: 1 }, 'invalidFilter'],
    [{ op: 'replace', path: 'id', value: 'x' }, 'mutability'],
    [{ op: 'add', path: 'groups', value: [{ value: 'x' }] }, 'mutability'],
    [{ op: 'remove' }, 'noTarget'],
    [
      { op: 'replace', path: 'emails[value eq "no@acme.example"].value', value: 'x@acme.example' },
      'noTarget',
    ],
    [{ op: 'replace', path: 'phoneNumbers[type eq "work"]', value: { value: '1' } }, 'noTarget'],
    [{ op: 'replace', path: 'title', value: 5 }, 'invalidValue'],
    [{ op: 'replace', path: 'name.givenName', value: true }, 'invalidValue'],
    [{ op: 'move', path: 'title', value: 1 }, 'invalidSyntax'],
    [{ op: 'add', path: 'title' }, 'invalidValue'],
    [{ op: 'remove', path: 'emails' }, 'invalidValue'],
    [{ op: 'remove', path: 'userName' }, 'invalidValue'],
  ])('is refused if it is %j', async (operation, scimType) => {
    const { id } = await create();
    const { status, body } = await patch(id, { op: 'replace', path: 'title', value: 'T' }, operation);
    expect({ status, scimType: body.scimType }).toEqual({ status: 400, scimType });
    expect((await person(id)).attributes).toEqual({});
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test('cannot fill a list beyond 100 values by many operations', async () => {
    const { id } = await create();
    const add = (start: number, length: number) => ({
      op: 'add',
      path: 'phoneNumbers',
      value: Array.from({ length }, (_, i) => ({ value: String(start + i) })),
    });
    expect((await patch(id, add(0, 60), add(30, 70))).body.phoneNumbers).toHaveLength(100);
    const refused = { status: 400, body: { scimType: 'invalidValue' } };
    expect(await patch(id, add(100, 1))).toMatchObject(refused);
    expect(await patch(id, { op: 'add', path: 'phoneNumbers', value: { type: 'fax' } })).toMatchObject(
      refused,
    );
    expect(await patch(id, add(0, 1), { op: 'replace', path: 'title', value: 'T' })).toMatchObject({
      status: 200,
    });
  });

  test('is refused with paths or keys that are too long, and with too many keys', async () => {
    const { id } = await create();
    const quotes = `emails["${'\\"'.repeat(4000)}`;
    const many = Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [`k${i}`, 1]));
    for (const operation of [
      { op: 'add', value: { [quotes]: 1 } },
      { op: 'add', value: many },
      { op: 'add', path: 'x'.repeat(10_000), value: 1 },
    ])
      expect((await patch(id, operation)).status).toBe(400);
  });

  test('of roles, entitlements or a password has no effect', async () => {
    const { id } = await create({ roles: ['owner'], password: 'secret', entitlements: [{ value: 'x' }] });
    expect((await patch(id, { op: 'add', path: 'roles', value: [{ value: 'owner' }] })).status).toBe(200);
    expect(
      (await patch(id, { op: 'replace', value: { password: 'x', roles: 'admin', title: 'T' } })).body,
    ).not.toHaveProperty('password');
    expect(await person(id)).toMatchObject({ role: 'member', attributes: { title: 'T' } });
  });

  test('by PUT replaces what the client owns and leaves the rest', async () => {
    const { id } = await create({ title: 'Old', nickName: 'N' });
    await service.call('PATCH', `/api/users/${id}/`, { attributes: { site: 'A', locale: 'de' } });
    const sent = newUser({
      title: 'New',
      meta: { x: 1 },
      unknown: { a: 1 },
      id: 'other',
      groups: [{ value: 'x' }],
    });
    expect((await scim('PUT', `/Users/${id}`, sent)).status).toBe(200);
    expect(await person(id)).toMatchObject({
      username: sent.userName,
      attributes: { title: 'New', site: 'A', locale: 'de' },
    });
    expect((await person(id)).attributes.nickName).toBeUndefined();
  });

  test('repeated leaves no second event', async () => {
    const { id } = await create();
    const operation = { op: 'replace', path: 'title', value: 'Same' };
    await patch(id, operation);
    const before = await typesAbout(id);
    const { body } = await patch(id, operation);
    expect(await typesAbout(id)).toEqual(before);
    expect((await scim('GET', `/Users/${id}`)).body).toEqual(body);
  });
});

describe('a key of a value', () => {
  test('may be the URN of the schema, with the attributes below it', async () => {
    const { id } = await create();

    const { status, body } = await patch(id, { op: 'replace', value: { [USER]: { active: false } } });

    expect({ status, active: body.active }).toEqual({ status: 200, active: false });
    expect(await person(id)).toMatchObject({ status: 'deactivated' });
  });

  test('that is unknown is left out beside a known one, and refused alone', async () => {
    const { id } = await create();

    expect((await patch(id, { op: 'replace', value: { shoeSize: 43, active: false } })).status).toBe(200);
    expect(await patch(id, { op: 'replace', value: { shoeSize: 43 } })).toMatchObject({
      status: 400,
      body: { scimType: 'invalidPath', detail: 'User has no attribute shoeSize.' },
    });
    expect((await patch(id, { op: 'replace', value: { password: 'ignored' } })).status).toBe(200);
    expect((await patch(id, { op: 'replace', value: {} })).status).toBe(200);
  });

  test.each<[string, (name: string) => object]>([
    ['a path', (name) => ({ 'name.givenName': name, 'name.familyName': 'Byron' })],
    [
      'a URN with a path',
      (name) => ({ [`${USER}:name.givenName`]: name, [`${USER}:name.familyName`]: 'Byron' }),
    ],
    ['the URN of the schema', (name) => ({ [USER]: { name: { givenName: name, familyName: 'Byron' } } })],
  ])('in a PUT has the forms of a PATCH and clears nothing that it names: %s', async (_, named) => {
    const sent = newUser({ name: { givenName: 'Ada', familyName: 'Byron' } });
    const { body } = await scim('POST', '/Users', sent);
    const { name: __, ...rest } = sent as Record<string, unknown>;

    const replaced = await scim('PUT', `/Users/${body.id}`, { ...rest, ...named('Augusta') });

    expect(replaced.status).toBe(200);
    expect(await person(body.id)).toMatchObject({ first_name: 'Augusta', last_name: 'Byron' });
  });

  test('of the enterprise extension may be a path in a PUT', async () => {
    const sent = newUser({ [ENTERPRISE]: { department: 'Sales' } });
    const { body } = await scim('POST', '/Users', sent);
    const { [ENTERPRISE]: _, ...rest } = sent as Record<string, unknown>;

    await scim('PUT', `/Users/${body.id}`, { ...rest, [`${ENTERPRISE}:department`]: 'Finance' });

    expect((await person(body.id)).attributes).toMatchObject({ department: 'Finance' });
  });
});

describe('an inactive user', () => {
  test('is deactivated with an event, also by the text False, and comes back', async () => {
    const { id } = await create();
    expect((await patch(id, { op: 'Replace', path: 'active', value: 'False' })).body.active).toBe(false);
    expect(await person(id)).toMatchObject({ status: 'deactivated' });
    expect((await patch(id, { op: 'replace', value: { active: true } })).body.active).toBe(true);
    expect(await typesAbout(id)).toEqual(['user.created', 'user.deactivated', 'user.reactivated']);
  });

  test.each([
    ['replace with null', { op: 'replace', path: 'active', value: null }],
    ['replace with an empty text', { op: 'replace', path: 'active', value: '' }],
    ['remove', { op: 'remove', path: 'active' }],
    ['null without a path', { op: 'replace', value: { active: null } }],
  ])('stays inactive after a PATCH without a status: %s', async (_, operation) => {
    const { id } = await create();
    await patch(id, { op: 'replace', path: 'active', value: false });

    const { status, body } = await patch(id, operation);

    expect({ status, active: body.active }).toEqual({ status: 200, active: false });
    expect(await person(id)).toMatchObject({ status: 'deactivated' });
    expect(await typesAbout(id)).toEqual(['user.created', 'user.deactivated']);
  });

  test('that was deleted is gone for SCIM, and comes back as the same person', async () => {
    const sent = newUser({ title: 'T' });
    const { body } = await scim('POST', '/Users', sent);
    expect((await scim('DELETE', `/Users/${body.id}`)).status).toBe(204);
    expect(await person(body.id)).toMatchObject({ status: 'deactivated', sources: {} });
    for (const method of ['GET', 'DELETE', 'PATCH', 'PUT']) {
      const answer = await scim(
        method,
        `/Users/${body.id}`,
        method === 'GET' || method === 'DELETE' ? undefined : patchOf({ op: 'remove', path: 'title' }),
      );
      expect(answer.status).toBe(404);
    }
    const filter = encodeURIComponent(`userName eq "${sent.userName}"`);
    expect((await scim('GET', `/Users?filter=${filter}`)).body.totalResults).toBe(0);
    const again = await scim('POST', '/Users', sent);
    expect(again).toMatchObject({ status: 201, body: { id: body.id, active: true } });
  });

  test('that was deleted does not come back as another user with the same userName', async () => {
    const leaver = await create({ externalId: randomUUID() });
    await scim('DELETE', `/Users/${leaver.id}`);
    const body = await create({ userName: leaver.userName, externalId: randomUUID() });
    expect(body.id).not.toBe(leaver.id);
    expect(await person(leaver.id)).toMatchObject({ status: 'deactivated' });
  });
});

describe('a privileged person', () => {
  test('keeps their email, and the last owner stays active', async () => {
    const me = (await owner('GET', '/api/me/')).body;
    const id = me.user?.external_uuid ?? me.external_uuid ?? me.id;
    expect(await patch(id, { op: 'replace', path: 'active', value: false })).toMatchObject({ status: 409 });
    expect((await scim('DELETE', `/Users/${id}`)).status).toBe(409);
    const email = [{ value: 'thief@evil.example', type: 'work' }];
    expect((await patch(id, { op: 'replace', path: 'emails', value: email })).status).toBe(403);
    const { external_uuid: auditor } = await addPersonWithRole(
      service,
      `a-${randomUUID()}@acme.example`,
      'auditor',
    );
    expect((await patch(auditor, { op: 'replace', path: 'emails', value: email })).status).toBe(403);
    expect((await patch(auditor, { op: 'replace', path: 'active', value: false })).status).toBe(200);
    expect((await patch(auditor, { op: 'replace', path: 'active', value: true })).status).toBe(403);
    expect((await owner('POST', `/api/users/${auditor}/reactivate/`)).status).toBe(200);
  });
});

describe('what SCIM owns', () => {
  test('is read-only in the API and in imports, until an owner releases the person', async () => {
    const { id, userName } = await create({ title: 'T' });
    for (const body of [{ first_name: 'X' }, { attributes: { site: 'A' } }])
      expect((await service.call('PATCH', `/api/users/${id}/`, body)).status).toBe(200);
    for (const body of [{ email: 'x@acme.example' }, { username: 'x' }, { attributes: { title: 'Y' } }]) {
      const answer = await service.call('PATCH', `/api/users/${id}/`, body);
      expect(answer).toMatchObject({
        status: 409,
        body: { detail: expect.stringContaining('An identity provider manages') },
      });
    }
    const file = (title: string) => `email,title\n${userName},${title}`;
    const headers = { 'content-type': 'text/csv' };
    const refused = await service.call('POST', '/api/users/import/', file('Z'), { headers });
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: 'line 2' }] } });
    expect((await service.call('POST', '/api/users/import/', file('T'), { headers })).status).toBe(200);
    expect((await owner('POST', `/api/users/${id}/release/`)).body.sources).toEqual({});
    expect((await owner('POST', `/api/users/${id}/release/`)).status).toBe(409);
    expect((await service.call('PATCH', `/api/users/${id}/`, { username: 'free' })).status).toBe(200);
    expect((await patch(id, { op: 'replace', path: 'title', value: 'Again' })).status).toBe(200);
    expect((await person(id)).sources).toEqual({ 'attributes.title': 'scim' });
  });

  const PUT = async (id: string, more: object) =>
    scim('PUT', `/Users/${id}`, { ...(await read(id)), ...more });
  const read = async (id: string) => {
    const { externalId, userName, emails, name } = (await scim('GET', `/Users/${id}`)).body;
    return { externalId, userName, emails, name };
  };
  type Repeat = (id: string) => Promise<{ status: number; body: { active: boolean } }>;

  test.each<[string, Repeat]>([
    ['PUT', (id) => PUT(id, { active: true, title: 'Analyst' })],
    ['PUT with the text True', (id) => PUT(id, { active: 'True' })],
    ['PATCH', (id) => patch(id, { op: 'replace', path: 'active', value: true })],
    ['PATCH without a path', (id) => patch(id, { op: 'add', value: { active: 'true', title: 'Analyst' } })],
  ])('deactivated by hand stay so after a routine %s, until the client decides again', async (_, repeat) => {
    for (const body of [{ active: true }, {}]) {
      const { id } = await create(body);
      expect((await owner('POST', `/api/users/${id}/deactivate/`)).status).toBe(200);
      for (let times = 0; times < 2; times++)
        expect(await repeat(id)).toMatchObject({ status: 200, body: { active: false } });
      expect(await typesAbout(id)).not.toContain('user.reactivated');

      expect((await patch(id, { op: 'replace', path: 'active', value: false })).body.active).toBe(false);

      expect((await repeat(id)).body.active).toBe(true);
      expect((await patch(id, { op: 'replace', path: 'active', value: false })).body.active).toBe(false);
      expect((await repeat(id)).body.active).toBe(true);
    }
  });

  test('deactivated by hand are reactivated by hand, unless the client deactivated them too', async () => {
    const { id } = await create({ active: true });
    expect((await person(id)).sources.status).toBe('scim');
    await owner('POST', `/api/users/${id}/deactivate/`);
    expect((await person(id)).sources).not.toHaveProperty('status');

    expect((await owner('POST', `/api/users/${id}/reactivate/`)).status).toBe(200);

    await owner('POST', `/api/users/${id}/deactivate/`);
    expect((await PUT(id, { active: false })).body.active).toBe(false);
    expect((await owner('POST', `/api/users/${id}/reactivate/`)).status).toBe(409);
  });

  test('deactivated by hand and then deleted come back when the client creates them again', async () => {
    const externalId = randomUUID();
    const { id, userName, emails } = await create({ externalId, active: true });
    await owner('POST', `/api/users/${id}/deactivate/`);
    expect((await scim('DELETE', `/Users/${id}`)).status).toBe(204);

    const again = await scim('POST', '/Users', { userName, emails, externalId, active: true });

    expect(again).toMatchObject({ status: 201, body: { id, active: true } });
  });
});

describe('name.formatted', () => {
  const formattedOf = async (id: string) => (await scim('GET', `/Users/${id}`)).body.name.formatted;
  const withName = (name: object) => create({ name });
  const byron = { givenName: 'Ada', familyName: 'Byron' };

  test.each<[string, (id: string) => Promise<{ status: number }>]>([
    ['a part', (id) => patch(id, { op: 'replace', path: 'name.familyName', value: 'King' })],
    ['the name', (id) => patch(id, { op: 'replace', path: 'name', value: { familyName: 'King' } })],
    [
      'the name without a path',
      (id) => patch(id, { op: 'replace', value: { name: { familyName: 'King' } } }),
    ],
    ['a part without a path', (id) => patch(id, { op: 'add', value: { 'name.familyName': 'King' } })],
    [
      'everything, with the name that was read',
      async (id) => {
        const { body } = await scim('GET', `/Users/${id}`);
        return scim('PUT', `/Users/${id}`, { ...body, name: { ...body.name, familyName: 'King' } });
      },
    ],
  ])('follows its parts when a client writes %s', async (_, write) => {
    const { id } = await withName({ ...byron, formatted: 'Ada Byron' });

    expect((await write(id)).status).toBe(200);

    expect(await formattedOf(id)).toBe('Ada King');
  });

  test('stays as a client wrote it', async () => {
    const { id } = await withName({ ...byron, formatted: 'Lady Ada' });
    await patch(id, { op: 'replace', path: 'name', value: { familyName: 'King' } });
    expect(await formattedOf(id)).toBe('Lady Ada');

    await patch(id, { op: 'replace', path: 'name', value: { familyName: 'Noel', FORMATTED: 'Countess' } });
    expect(await formattedOf(id)).toBe('Countess');

    await patch(id, { op: 'remove', path: 'name.formatted' });
    expect(await formattedOf(id)).toBe('Ada Noel');
  });
});

describe('versions', () => {
  test('protect against lost updates and spare unchanged reads', async () => {
    const { id, meta } = await create();
    expect((await scim('GET', `/Users/${id}`, undefined, { 'if-none-match': meta.version })).status).toBe(
      304,
    );
    const body = patchOf({ op: 'replace', path: 'title', value: 'One' });
    const change = (version: string) => scim('PATCH', `/Users/${id}`, body, { 'if-match': version });
    const first = await change(meta.version);
    expect(first.status).toBe(200);
    expect(first.headers.etag).not.toBe(meta.version);
    expect(await change(meta.version)).toMatchObject({ status: 412, body: { status: '412' } });
    expect((await change('*')).status).toBe(200);
    expect((await scim('DELETE', `/Users/${id}`, undefined, { 'if-match': meta.version })).status).toBe(412);
    expect((await scim('GET', `/Users/${id}`, undefined, { 'if-none-match': meta.version })).status).toBe(
      200,
    );
  });

  test('let one of two concurrent changes win', async () => {
    const { id, meta } = await create();
    const answers = await Promise.all(
      ['A', 'B'].map((value) =>
        scim('PATCH', `/Users/${id}`, patchOf({ op: 'replace', path: 'title', value }), {
          'if-match': meta.version,
        }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
  });
});

describe('a projection', () => {
  test('returns the attributes that the client names', async () => {
    const { id } = await create({
      name: { givenName: 'A', familyName: 'B' },
      [ENTERPRISE]: { department: 'D', division: 'E' },
    });
    const read = async (query: string) => (await scim('GET', `/Users/${id}?${query}`)).body;
    expect(Object.keys(await read('attributes=username')).sort()).toEqual(['id', 'schemas', 'userName']);
    expect(await read(`attributes=NAME.givenName,${ENTERPRISE}:department,emails.value`)).toMatchObject({
      name: { givenName: 'A' },
      [ENTERPRISE]: { department: 'D' },
      emails: [{ value: expect.any(String) }],
    });
    const rest = await read(`excludedAttributes=name.givenName,id,emails,${ENTERPRISE}`);
    expect(rest).toMatchObject({ id, name: { familyName: 'B' } });
    expect(rest.emails).toBeUndefined();
    expect(rest.name.givenName).toBeUndefined();
    expect(rest[ENTERPRISE]).toBeUndefined();
  });
});

describe('the source filter of people', () => {
  test('separates the people of an identity provider from others', async () => {
    const { id } = await create();
    const { body } = await service.call('POST', '/api/users/', { email: 'by-hand@acme.example' });
    expect(await listed('scim')).toContain(id);
    expect(await listed('scim')).not.toContain(body.external_uuid);
    expect(await listed('gatehouse')).toContain(body.external_uuid);
    expect(await listed('gatehouse')).not.toContain(id);

    expect((await owner('POST', `/api/users/${id}/release/`)).status).toBeLessThan(300);

    expect(await listed('scim')).not.toContain(id);
    expect(await listed('gatehouse')).toContain(id);
    expect((await service.call('GET', '/api/users/?source=csv')).status).toBe(400);
  });
});
