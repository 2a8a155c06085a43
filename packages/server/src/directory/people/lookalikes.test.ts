import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '#kit/sql.ts';
import { openTestApp, type TestApp } from '#test/app.ts';
import { organizationOf } from '#test/people.ts';
import { newUser, openScim, patchOf, type ScimTest } from '#test/scim.ts';

let service: TestApp;
let call: TestApp['call'];
let provider: ScimTest;
beforeAll(async () => {
  service = await openTestApp();
  call = service.call;
  provider = await openScim(service);
});
afterAll(() => service.close());

describe('emails beyond ASCII', () => {
  const create = (email: string) => call('POST', '/api/users/', { email });

  test.each([
    ['in full width', 'wide@acme.example', 'ＷＩＤＥ@acme.example'],
    ['with another case that lower() does not know', 'strasse@acme.example', 'STRAẞE@acme.example'],
    ['composed differently', 'zoe\u0308@acme.example', 'zo\u00eb@acme.example'],
    ['with a final sigma', 'οδυσσευς@acme.example', 'ΟΔΥΣΣΕΥΣ@acme.example'],
  ])('are equal to the same email %s', async (_, first, second) => {
    const { body } = await create(first);

    expect(await create(second)).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('already exists') },
    });
    expect((await call('PATCH', `/api/users/${body.external_uuid}/`, { email: second })).status).toBe(200);
  });

  test.each([
    ['a Cyrillic letter', 'paula@acme.example', 'p\u0430ula@acme.example'],
    ['two lookalikes of ASCII letters', 'modem10@acme.example', 'm\u043edem1\u043e@acme.example'],
  ])('are refused if %s makes them look like the email of another person', async (_, known, odd) => {
    const { body } = await create(known);
    const detail = `The email ${odd} looks like ${known}, another person's email. Check its letters.`;

    expect(await create(odd)).toMatchObject({ status: 409, body: { detail } });
    const other = (await create(`other-${known}`)).body;
    expect(await call('PATCH', `/api/users/${other.external_uuid}/`, { email: odd })).toMatchObject({
      status: 409,
    });
    expect((await call('PATCH', `/api/users/${body.external_uuid}/`, { email: odd })).status).toBe(200);
    expect((await create(known)).status).toBe(409);
    expect((await call('PATCH', `/api/users/${body.external_uuid}/`, { first_name: 'Paula' })).status).toBe(
      200,
    );
  });

  test('may look alike within ASCII', async () => {
    expect((await create('corn@acme.example')).status).toBe(201);
    expect((await create('com@acme.example')).status).toBe(201);
    expect((await create('c0m@acme.example')).status).toBe(201);
  });

  test('are compared with people who were stored before lookalikes were checked', async () => {
    await create('g\u0455mma@acme.example');
    const { orgId } = await organizationOf(service);
    await sql`update platform_user set email_skeleton = null where org_id = ${orgId}`.execute(
      service.database.db,
    );

    expect((await create('gsmma@acme.example')).status).toBe(409);
  });

  test('look the same in SQL and in JavaScript if they are ASCII', async () => {
    const printable = String.fromCharCode(...Array.from({ length: 94 }, (_, i) => i + 33));
    const allowed = printable.replaceAll(/[@<>()[\]\\,;:"]/g, '');
    for (const part of [allowed.slice(0, 42), allowed.slice(42)]) {
      expect((await create(`e${part}@ascii.example`)).status).toBe(201);
      expect((await create(`\u0435${part}@ascii.example`)).status).toBe(409);
    }
  });

  test('are refused in an imported file, also if both are new', async () => {
    const answer = await call(
      'POST',
      '/api/users/import/',
      'email\nvera@file.example\nv\u0435ra@file.example\n\u0440aula@acme.example',
      { headers: { 'content-type': 'text/csv' } },
    );

    expect(answer.status).toBe(400);
    const lines = answer.body.errors.map(({ path, message }: { path: string; message: string }) => [
      path,
      message,
    ]);
    expect(lines).toEqual([
      ['line 3', expect.stringContaining('looks like vera@file.example')],
      ['line 4', expect.stringContaining('looks like')],
    ]);
  });

  const invisible = [
    '\u00ad',
    '\u034f',
    '\u061c',
    '\u115f',
    '\u180e',
    '\u200b',
    '\u200e',
    '\u202a',
    '\u2060',
    '\ufe0f',
  ];
  test.each([
    ...[...invisible, '\u{e0001}', '\u{1d173}', '\u0001'].map((character) => [
      `the invisible U+${character.codePointAt(0)?.toString(16)}`,
      `ad${character}a@odd.example`,
    ]),
    ['a soft hyphen in the domain', 'ada@od\u00add.example'],
    ['an ideographic full stop in the domain', 'ada@odd\u3002example'],
    ...['\uff0e', '\uff61', '\ufe52', '\u2024', '\u2026'].map((dot) => [
      `U+${dot.codePointAt(0)?.toString(16)} as a dot in the domain`,
      `ada@odd${dot}example`,
    ]),
    ['another at sign in the domain', 'ada@odd.example\uff20evil.example'],
    ['a space that nobody sees', 'ad\u2800a@odd.example'],
    ['a final dot', 'ada@odd.example.'],
    ['an empty label', 'ada@odd..example'],
    ['angle brackets', '<x@evil.example>'],
    ['a bracket at its end', 'ada@odd.example>'],
    ['quotes', '""x""@odd.example'],
    ['a second address', 'x@odd.example,z@odd.example'],
    ['a scheme', 'mailto:ada@odd.example'],
    ['a line break', 'ada@odd.example\r\nBcc: eve@evil.example'],
  ])('are refused with %s, at creation, as a change, in a file and by SCIM', async (_, email) => {
    const known = `${email.length}-${Math.random()}@odd.example`;
    const { body } = await create(known);

    expect((await create(email as string)).status).toBe(400);
    expect((await call('PATCH', `/api/users/${body.external_uuid}/`, { email })).status).toBe(400);
    const headers = { 'content-type': 'text/csv' };
    expect((await call('POST', '/api/users/import/', `email\n"${email}"\n`, { headers })).status).toBe(400);
    const { scim } = provider;
    const refused = { status: 400, body: { scimType: 'invalidValue' } };
    expect(await scim('POST', '/Users', newUser({ emails: [{ value: email }] }))).toMatchObject(refused);
    const { id } = (await scim('POST', '/Users', newUser())).body;
    const change = patchOf({ op: 'replace', path: 'emails[type eq "work"].value', value: email });
    expect(await scim('PATCH', `/Users/${id}`, change)).toMatchObject(refused);
  });
});
