import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '#kit/sql.ts';
import { openTestApp, type TestApp } from '#test/app.ts';
import { newUser, openScim, patchOf, type Scim, USER } from '#test/scim.ts';

/** Emails that were stored before a rule refused them must not block other changes of the person. */

let service: TestApp;
let scim: Scim;
beforeAll(async () => {
  service = await openTestApp();
  ({ scim } = await openScim(service));
});
afterAll(() => service.close());

const ODD = [
  'first:last@ID.example',
  'ada(ext)@ID.example',
  '<ada@ID.example>',
  'ada@[10.0.0.ID]',
  `${'a'.repeat(70)}@ID.example`,
];
const forms = test.each(ODD);
const oddEmail = (form: string) => form.replace('ID', randomUUID());

/** Gives a person an email as an earlier version could have stored it. */
async function store(id: string, email: string) {
  await sql`update platform_user set email = ${email} where id = ${id}`.execute(service.database.db);
}

const person = async (id: string) => (await service.call('GET', `/api/users/${id}/`)).body;

describe('a user of an identity provider with an odd stored email', () => {
  async function addUser(form: string) {
    const sent = newUser();
    const { id } = (await scim('POST', '/Users', sent)).body as { id: string };
    const email = oddEmail(form);
    await store(id, email);
    return { id, email, sent };
  }

  forms('%s is deactivated by a PATCH of active', async (form) => {
    const { id, email } = await addUser(form);
    const answer = await scim(
      'PATCH',
      `/Users/${id}`,
      patchOf({ op: 'replace', path: 'active', value: false }),
    );
    expect(answer).toMatchObject({ status: 200, body: { active: false, emails: [{ value: email }] } });
    expect(await person(id)).toMatchObject({ status: 'deactivated', email });
  });

  forms('%s is deactivated by a PATCH that repeats the email, in any case', async (form) => {
    const { id, email } = await addUser(form);
    const answer = await scim(
      'PATCH',
      `/Users/${id}`,
      patchOf(
        { op: 'replace', path: 'active', value: false },
        { op: 'replace', path: 'emails[type eq "work"].value', value: email.toUpperCase() },
      ),
    );
    expect(answer).toMatchObject({ status: 200, body: { active: false } });
  });

  forms('%s is deactivated by a PUT that repeats the email', async (form) => {
    const { id, email, sent } = await addUser(form);
    const emails = [{ value: email, type: 'work' }];
    expect(await scim('PUT', `/Users/${id}`, { ...sent, emails, active: false })).toMatchObject({
      status: 200,
      body: { active: false },
    });
    expect(await person(id)).toMatchObject({ status: 'deactivated', email });
  });

  test('is deactivated by a bulk request', async () => {
    const [one, other] = [await addUser(ODD[0] as string), await addUser(ODD[1] as string)];
    const emails = [{ value: other.email, type: 'work' }];
    const Operations = [
      {
        method: 'PATCH',
        path: `/Users/${one.id}`,
        data: patchOf({ op: 'replace', path: 'active', value: false }),
      },
      { method: 'PUT', path: `/Users/${other.id}`, data: { ...other.sent, emails, active: false } },
    ];
    const schemas = ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'];
    const { body } = await scim('POST', '/Bulk', { schemas, Operations });
    expect(body.Operations.map(({ status }: { status: string }) => status)).toEqual(['200', '200']);
    for (const { id } of [one, other]) expect(await person(id)).toMatchObject({ status: 'deactivated' });
  });

  test('cannot get another odd email, but a valid one', async () => {
    const { id, email } = await addUser(ODD[0] as string);
    const change = (value: string) =>
      scim('PATCH', `/Users/${id}`, patchOf({ op: 'replace', path: 'emails[type eq "work"].value', value }));
    expect(await change(oddEmail(ODD[0] as string))).toMatchObject({
      status: 400,
      body: { scimType: 'invalidValue' },
    });
    expect(await person(id)).toMatchObject({ email });
    expect((await change(`ada@${randomUUID()}.example`)).status).toBe(200);
  });

  test('is taken over, or named by a conflict, by a POST that repeats the email', async () => {
    const email = oddEmail(ODD[0] as string);
    const { body: known } = await service.call('POST', '/api/users/', {
      email: `a@${randomUUID()}.example`,
    });
    await store(known.external_uuid, email);
    const sent = { schemas: [USER], userName: randomUUID(), emails: [{ value: email, type: 'work' }] };
    expect(await scim('POST', '/Users', sent)).toMatchObject({
      status: 201,
      body: { id: known.external_uuid },
    });
    expect((await scim('POST', '/Users', { ...sent, userName: randomUUID() })).status).toBe(409);
  });
});

describe('a person with an odd stored email', () => {
  async function addPerson(form: string) {
    const { body } = await service.call('POST', '/api/users/', { email: `a@${randomUUID()}.example` });
    const email = oddEmail(form);
    await store(body.external_uuid, email);
    return { id: body.external_uuid as string, email };
  }

  forms('%s is changed by a save that repeats the email', async (form) => {
    const { id, email } = await addPerson(form);
    const change = { email, first_name: 'Ada', status: 'deactivated' };
    expect(await service.call('PATCH', `/api/users/${id}/`, change)).toMatchObject({
      status: 200,
      body: change,
    });
  });

  test('cannot get another odd email', async () => {
    const { id } = await addPerson(ODD[0] as string);
    const email = oddEmail(ODD[0] as string);
    expect(await service.call('PATCH', `/api/users/${id}/`, { email })).toMatchObject({
      status: 400,
      body: {
        detail: 'Input should be a valid email address (email)',
        errors: [{ path: 'email', code: 'string_format' }],
      },
    });
  });

  const upload = (rows: string[][], query = '') => {
    const cells = (row: string[]) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',');
    return service.call('POST', `/api/users/import/${query}`, rows.map(cells).join('\n'), {
      headers: { 'content-type': 'text/csv' },
    });
  };

  forms('%s is changed by a row of a file, found by email', async (form) => {
    const { id, email } = await addPerson(form);
    expect(
      await upload([
        ['email', 'status'],
        [email.toUpperCase(), 'deactivated'],
      ]),
    ).toMatchObject({
      status: 200,
      body: { updated: 1 },
    });
    expect(await person(id)).toMatchObject({ status: 'deactivated', email });
  });

  test('is changed by a row of a file, found by an attribute', async () => {
    const { id, email } = await addPerson(ODD[0] as string);
    const number = randomUUID();
    await service.call('PATCH', `/api/users/${id}/`, { attributes: { employee_number: number } });
    const row = (address: string) =>
      upload(
        [
          ['employee_number', 'email', 'first_name'],
          [number, address, 'Ada'],
        ],
        '?match=employee_number',
      );
    expect(await row(email)).toMatchObject({ status: 200, body: { updated: 1 } });
    expect(await row(oddEmail(ODD[0] as string))).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'line 2', message: 'email: Input should be a valid email address.' }] },
    });
    expect(await person(id)).toMatchObject({ first_name: 'Ada', email });
  });

  test('can be a deputy', async () => {
    const { email } = await addPerson(ODD[0] as string);
    const { body } = await service.call('POST', '/api/users/', { email: `a@${randomUUID()}.example` });
    const absence = {
      deputy_email: email,
      starts_at: '2040-01-01T00:00:00Z',
      ends_at: '2040-01-08T00:00:00Z',
    };
    expect(await service.call('POST', `/api/users/${body.external_uuid}/absences/`, absence)).toMatchObject({
      status: 201,
      body: { deputy: { email } },
    });
  });
});
