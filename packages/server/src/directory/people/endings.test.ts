import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '#test/app.ts';
import { addPersonWithKey, addPersonWithRole, eventsOf } from '#test/people.ts';
import { newUser, openScim, type Scim, type ScimTest } from '#test/scim.ts';

/** Rows of an import and changes by hand that end access take effect, whatever else they contain (D79). */
let service: TestApp;
let scim: Scim;
let owner: ScimTest['owner'];
beforeAll(async () => {
  service = await openTestApp();
  ({ scim, owner } = await openScim(service));
  await owner('PATCH', '/api/organization/', { person_key: 'employee_number' });
});
afterAll(() => service.close());

const person = async (id: string) => (await service.call('GET', `/api/users/${id}/`)).body;
const create = async (more: object = {}) => {
  const { status, body } = await service.call('POST', '/api/users/', {
    email: `${randomUUID()}@acme.example`,
    ...more,
  });
  expect(status, JSON.stringify(body)).toBe(201);
  return { ...body, id: body.external_uuid as string };
};
const patch = (id: string, body: object) => service.call('PATCH', `/api/users/${id}/`, body);
const send = (columns: string, rows: string[], query = '') =>
  service.call('POST', `/api/users/import/${query}`, [columns, ...rows].join('\n'), {
    headers: { 'content-type': 'text/csv' },
  });
const attributesOf = (body: { ignored?: { attribute: string }[] }) =>
  (body.ignored ?? []).map(({ attribute }) => attribute);
const LONG = 'x'.repeat(300);
const MANY = Object.fromEntries(Array.from({ length: 201 }, (_, i) => [`a${i}`, 'x']));

describe('a change by hand', () => {
  test.each<[string, (id: string, other: string) => Record<string, unknown>, string[]]>([
    ['an unknown manager', () => ({ manager: randomUUID() }), ['manager']],
    ['the person as manager', (id) => ({ manager: id }), ['manager']],
    ['a manager who is not an id', () => ({ manager: 'boss' }), ['manager']],
    ['the email of somebody else', (_, other) => ({ email: other.toUpperCase() }), ['email']],
    ['no email address', () => ({ email: 'nobody' }), ['email']],
    ['an email that looks like another', (_, other) => ({ email: other.replace('a', 'а') }), ['email']],
    ['a long name', () => ({ first_name: LONG }), ['first_name']],
    ['a username of a wrong type', () => ({ username: 5 }), ['username']],
    ['an end before the start', () => ({ start_date: '2026-02-01', end_date: '2026-01-01' }), ['end_date']],
    ['a day that is none', () => ({ end_date: 'soon' }), ['end_date']],
    ['a role that needs a person', () => ({ role: 'admin' }), ['role']],
    ['a long attribute', () => ({ attributes: { site: 'x'.repeat(5000) } }), ['attributes.site']],
    ['attributes of a wrong type', () => ({ attributes: 'x' }), ['attributes']],
    [
      'several of these',
      () => ({ manager: randomUUID(), first_name: LONG, role: 'admin' }),
      ['first_name', 'manager', 'role'],
    ],
  ])('that deactivates is applied with %s, which is left', async (_, changeFor, left) => {
    const other = await create({ email: `a-${randomUUID()}@acme.example` });
    const one = await create({ first_name: 'Ada', attributes: { department: 'Engines' } });
    const change = { ...changeFor(one.id, other.email), last_name: 'King' };

    const { status, body } = await patch(one.id, { ...change, status: 'deactivated' });

    expect({ status, detail: body.detail }).toEqual({ status: 200, detail: undefined });
    expect(body).toMatchObject({
      status: 'deactivated',
      email: one.email,
      role: 'member',
      first_name: 'Ada',
      last_name: 'King',
      manager: null,
    });
    expect(attributesOf(body).sort()).toEqual(left);
    // Nothing ends then: the form says what is wrong.
    const again = await patch(one.id, { ...change, status: 'deactivated' });
    expect(again.status).toBeGreaterThanOrEqual(400);
  });

  test('that deactivates leaves the many attributes and what a provider manages', async () => {
    const one = await create();
    const { body } = await patch(one.id, { attributes: MANY, status: 'deactivated' });
    expect(body.status).toBe('deactivated');
    expect(body.ignored).toHaveLength(1);
    const managed = (await scim('POST', '/Users', newUser({ title: 'T' }))).body;
    const changed = await patch(managed.id, {
      email: 'b@acme.example',
      attributes: { title: 'U', site: 'A' },
      status: 'deactivated',
    });
    expect(changed).toMatchObject({
      status: 200,
      body: { status: 'deactivated', email: managed.userName, attributes: { title: 'T', site: 'A' } },
    });
    expect(attributesOf(changed.body)).toEqual(['email', 'attributes.title']);
  });

  test('that deactivates nobody is refused as before', async () => {
    const one = await create();
    for (const [body, status] of [
      [{ first_name: LONG }, 400],
      [{ first_name: LONG, status: 'active' }, 400],
      [{ status: 'gone', first_name: LONG }, 400],
      [{ status: 5 }, 400],
      [{ manager: randomUUID() }, 404],
      ['deactivated', 400],
      [[{ status: 'deactivated' }], 400],
    ] as const)
      expect((await patch(one.id, body as object)).status, JSON.stringify(body)).toBe(status);
    expect(await patch(one.id, { status: 'deactivated' })).toMatchObject({ status: 200 });
    expect((await person(one.id)).ignored).toBeUndefined();
  });

  test('does not exceed what the caller may do', async () => {
    const { external_uuid: boss } = await addPersonWithRole(
      service,
      `boss-${randomUUID()}@acme.example`,
      'owner',
    );
    const { key } = await addPersonWithKey(service, 'admin');
    const body = { status: 'deactivated', first_name: LONG };
    expect((await service.call('PATCH', `/api/users/${boss}/`, body, { key })).status).toBe(403);
    expect(
      (await service.call('PATCH', `/api/users/${boss}/`, body, { headers: { 'if-match': '"old"' } })).status,
    ).toBe(412);
    expect((await person(boss)).status).toBe('active');
  });
});

describe('a row of an import', () => {
  test.each([
    ['an unknown manager', 'manager_email', 'nobody@acme.example', 'manager_email'],
    ['a long name', 'first_name', LONG, 'first_name'],
    ['a day that is none', 'end_date', 'soon', 'end_date'],
    ['a day around 1900', 'start_date', '1900-01-01', 'start_date'],
    ['an unknown role', 'role', 'king', 'role'],
    ['a role that needs a person', 'role', 'admin', 'role'],
    ['a manager who is not an id', 'manager', 'boss', 'manager'],
    ['a long attribute', 'site', 'x'.repeat(5000), 'attributes.site'],
  ])('that deactivates is applied with %s, which is left', async (_, column, cell, attribute) => {
    const one = await create({ first_name: 'Ada' });
    const row = `${one.email},deactivated,King,${cell}`;
    const columns = `email,status,last_name,${column}`;

    const planned = await send(columns, [row], '?dry_run=true');
    const { status, body } = await send(columns, [row]);

    expect({ status, detail: body.detail }).toEqual({ status: 200, detail: undefined });
    expect(body).toMatchObject({ updated: 1, changes: [{ action: 'updated', ignored: [{ attribute }] }] });
    expect(planned.body.changes).toEqual(body.changes);
    expect(await person(one.id)).toMatchObject({
      status: 'deactivated',
      last_name: 'King',
      first_name: 'Ada',
      role: 'member',
    });
    // The file may come again.
    expect((await send(columns, [row])).body).toMatchObject({
      updated: 0,
      unchanged: 1,
      changes: [{ action: 'unchanged', ignored: [{ attribute }] }],
    });
    expect((await send(columns, [`${one.email},active,King,${cell}`])).status).toBe(400);
  });

  test('that deactivates leaves an email that somebody else has', async () => {
    const [one, other] = [await create({ attributes: { employee_number: randomUUID() } }), await create()];
    const number = one.attributes.employee_number;
    const { body } = await send(
      'employee_number,email,status',
      [`${number},${other.email},deactivated`],
      '?match=employee_number',
    );
    expect(body).toMatchObject({ changes: [{ email: one.email, ignored: [{ attribute: 'email' }] }] });
    expect(await person(one.id)).toMatchObject({ status: 'deactivated', email: one.email });
    expect((await person(other.id)).status).toBe('active');
  });

  test('that deactivates leaves what a provider manages', async () => {
    const { id, userName } = (await scim('POST', '/Users', newUser({ title: 'T' }))).body;
    const { body } = await send('email,status,title', [`${userName},deactivated,U`]);
    expect(body).toMatchObject({ changes: [{ ignored: [{ attribute: 'attributes.title' }] }] });
    expect(await person(id)).toMatchObject({ status: 'deactivated', attributes: { title: 'T' } });
  });

  test('that names nobody for certain, or an owner, is refused with the file', async () => {
    const one = await create({ attributes: { employee_number: randomUUID() } });
    const columns = 'email,status,employee_number';
    for (const row of [
      `${one.email},deactivated,another`,
      `new-${one.email},deactivated,${one.attributes.employee_number}`,
      `${one.email},gone,`,
    ])
      expect((await send(columns, [row])).status, row).toBe(400);
    expect((await send(columns, [`${one.email},deactivated,`, `${one.email},deactivated,`])).status).toBe(
      400,
    );
    const boss = await addPersonWithRole(service, `boss-${randomUUID()}@acme.example`, 'owner');
    const { key } = await addPersonWithKey(service, 'admin');
    const file = `email,status\n${boss.email},deactivated`;
    expect(
      (
        await service.call('POST', '/api/users/import/', file, {
          key,
          headers: { 'content-type': 'text/csv' },
        })
      ).status,
    ).toBe(400);
    expect((await person(one.id)).status).toBe('active');
  });

  test('of two people in a loop of managers deactivates both, and leaves what makes the loop', async () => {
    const [one, other] = [await create(), await create()];
    const { status } = await send('email,status,manager', [
      `${one.email},deactivated,${other.id}`,
      `${other.email},deactivated,${one.id}`,
    ]);
    expect(status).toBe(200);
    const [a, b] = [await person(one.id), await person(other.id)];
    expect([a.status, b.status]).toEqual(['deactivated', 'deactivated']);
    expect(a.manager !== null && b.manager !== null).toBe(false);
  });

  test.each(['?dry_run=true', ''])(
    'that adds a person shows their values, and whom they succeed (%s)',
    async (query) => {
      const boss = await create();
      const leaver = await create({ attributes: { employee_number: randomUUID() } });
      await owner('POST', `/api/users/${leaver.id}/deactivate/`);
      const number = randomUUID();
      const columns = 'employee_number,email,first_name,role,manager_email,start_date,end_date';
      const rows = [
        `${number},${leaver.email},Alex,member,${boss.email},2026-01-05,`,
        `${randomUUID()},${randomUUID()}@acme.example,,,,,`,
      ];

      const { body } = await send(columns, rows, `?match=employee_number${query.replace('?', '&')}`);

      expect(body).toMatchObject({ created: 2, updated: 0 });
      const [first, second] = body.changes;
      expect(first).toEqual({
        ...{ line: 2, email: leaver.email, action: 'created' },
        succeeds: { external_uuid: leaver.id, email: leaver.email },
        changes: [
          { field: 'email', from: null, to: leaver.email },
          { field: 'first_name', from: null, to: 'Alex' },
          { field: 'manager_email', from: null, to: boss.email },
          { field: 'start_date', from: null, to: '2026-01-05' },
          { field: 'attributes.employee_number', from: null, to: number },
        ],
      });
      expect(second).not.toHaveProperty('succeeds');
      const told = (await eventsOf(service, 'person.succeeded')).filter(
        ({ subject }) => subject.uuid === leaver.id,
      );
      expect(told).toHaveLength(query === '' ? 1 : 0);
    },
  );
});
