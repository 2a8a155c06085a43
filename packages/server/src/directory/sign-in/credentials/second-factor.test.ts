import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '#kit/sql.ts';
import { openTestApp, type TestApp } from '#test/app.ts';
import { addPersonWithRole } from '#test/people.ts';
import { type Browser, codeOf, forgetAttempts, openBrowser, PASSWORD, signInAs } from '#test/sign-in.ts';

let service: TestApp;
beforeAll(async () => {
  service = await openTestApp();
});
afterAll(() => service.close());
// All tests share one address, which failed attempts would block.
beforeEach(() => forgetAttempts(service));

interface Person {
  external_uuid: string;
  email: string;
}

let people = 0;
const addPerson = (role = 'member') => addPersonWithRole(service, `second${people++}@acme.example`, role);
const eventsOf = async (type: string) =>
  (await service.call('GET', `/api/events/?event_type=${type}&limit=200`)).body.results;

/** A person with a confirmed second factor whose last code was used a while ago. */
async function withSecondFactor(role = 'member') {
  const person = await addPerson(role);
  const browser = await signInAs(service, person);
  const { uri, backup_codes } = (await browser.call('POST', '/auth/totp/', { password: PASSWORD })).body;
  const verified = await browser.call('POST', '/auth/totp/verify/', { code: codeOf(uri) });
  expect(verified.status).toBe(204);
  await sql`update sign_in_two_factor set last_step = null where user_id = ${person.external_uuid}`.execute(
    service.database.db,
  );
  return { person, browser, uri, backup_codes: backup_codes as string[] };
}

async function passwordOf({ email }: Person): Promise<Browser> {
  const browser = openBrowser(service);
  const answer = await browser.call('POST', '/auth/sign-in/', { email, password: PASSWORD });
  expect(answer).toMatchObject({ status: 200, body: { signed_in: false, second_factor: true } });
  return browser;
}

const show = ({ call }: Browser, code: string, kind = 'totp') =>
  call('POST', '/auth/second-factor/', { code, kind });
const sessionsOf = (browser: Browser) => browser.call('GET', '/auth/sessions/');
const wrongFor = (uri: string) =>
  ['000000', '111111', '222222', '333333', '444444'].find((code) =>
    [-1, 0, 1, 2].every((ahead) => codeOf(uri, ahead) !== code),
  ) as string;

describe('setting up', () => {
  test('asks for the password and then for a first code, and keeps the person signed in', async () => {
    const person = await addPerson();
    const browser = await signInAs(service, person);
    const before = (await sessionsOf(browser)).body.results[0];

    expect((await browser.call('POST', '/auth/totp/', { password: 'wrong' })).status).toBe(403);
    const { body } = await browser.call('POST', '/auth/totp/', { password: PASSWORD });
    expect(body.uri).toContain('otpauth://totp/');
    expect(body.backup_codes).toHaveLength(10);
    expect((await browser.call('POST', '/auth/totp/verify/', { code: wrongFor(body.uri) })).status).toBe(403);
    const code = codeOf(body.uri);
    const spaced = `${code.slice(0, 3)} ${code.slice(3)}`;
    expect((await browser.call('POST', '/auth/totp/verify/', { code: spaced })).status).toBe(204);

    const after = (await sessionsOf(browser)).body.results;
    expect(after).toHaveLength(1);
    expect(after[0]).toMatchObject({ id: before.id, created_at: before.created_at, current: true });
    expect((await eventsOf('user.updated'))[0]).toMatchObject({
      subject: { uuid: person.external_uuid },
      payload: { changes: [{ field: 'second_factor', from: null, to: 'totp' }] },
    });
    expect((await browser.call('POST', '/auth/totp/', { password: PASSWORD })).status).toBe(409);
    expect((await browser.call('POST', '/auth/totp/verify/', { code })).status).toBe(409);
  });

  test.each([
    [-3, /phone's clock is about (a minute|2 minutes) off/],
    [3, /phone's clock is about (a minute|2 minutes) off/],
    [-100, /phone's clock is about 50 minutes off/],
  ])('says that the clock of the phone is wrong, %i steps away', async (ahead, reason) => {
    const person = await addPerson();
    const browser = await signInAs(service, person);
    const { uri } = (await browser.call('POST', '/auth/totp/', { password: PASSWORD })).body;

    expect(await browser.call('POST', '/auth/totp/verify/', { code: codeOf(uri, ahead) })).toMatchObject({
      status: 403,
      body: { detail: expect.stringMatching(reason) },
    });

    expect((await browser.call('POST', '/auth/totp/verify/', { code: codeOf(uri) })).status).toBe(204);
  });

  test('says nothing about clocks to those who sign in', async () => {
    const { person, uri } = await withSecondFactor();

    const { body } = await show(await passwordOf(person), codeOf(uri, -4));

    expect(body.detail).toBe('The code is incorrect.');
  });

  test('does not affect signing in before a first code is entered', async () => {
    const person = await addPerson();
    await (await signInAs(service, person)).call('POST', '/auth/totp/', { password: PASSWORD });

    const again = await openBrowser(service).call('POST', '/auth/sign-in/', {
      email: person.email,
      password: PASSWORD,
    });

    expect(again.body).toEqual({ signed_in: true });
  });

  test('stores neither the secret nor the backup codes in plain text', async () => {
    const { uri, backup_codes, person } = await withSecondFactor();

    const { rows } =
      await sql`select * from sign_in_two_factor where user_id = ${person.external_uuid}`.execute(
        service.database.db,
      );

    const kept = JSON.stringify(rows);
    expect(kept).not.toContain(new URL(uri).searchParams.get('secret'));
    for (const code of backup_codes) expect(kept).not.toContain(code);
  });
});

describe('signing in', () => {
  test('completes with the second factor, not before', async () => {
    const { person, uri } = await withSecondFactor();
    const browser = await passwordOf(person);

    expect((await sessionsOf(browser)).status).toBe(401);
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from sign_in_session
      where user_id = ${person.external_uuid} and signed_in_at is null and expires_at > now()`.execute(
      service.database.db,
    );
    expect(rows[0]?.n).toBe(0);

    expect(await show(browser, codeOf(uri))).toMatchObject({ status: 200, body: { signed_in: true } });
    expect((await sessionsOf(browser)).body.results[0]).toMatchObject({
      method: 'password',
      second_factor: true,
    });
    expect((await eventsOf('session.login.succeeded'))[0].payload).toMatchObject({
      email: person.email,
      method: 'password',
      second_factor: true,
    });
  });

  test('accepts a code once, also from two concurrent or consecutive requests', async () => {
    const { person, uri } = await withSecondFactor();
    const code = codeOf(uri);
    const [one, other] = [await passwordOf(person), await passwordOf(person)];

    const both = await Promise.all([show(one, code), show(other, code)]);

    expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
    const third = await passwordOf(person);
    expect(await show(third, code)).toMatchObject({ status: 401 });
    expect((await sessionsOf(third)).status).toBe(401);
    expect((await show(await passwordOf(person), codeOf(uri, 1))).status).toBe(200);
    expect((await show(await passwordOf(person), codeOf(uri))).status).toBe(401);
  });

  test('accepts a backup code once', async () => {
    const { person, backup_codes } = await withSecondFactor();
    const [code = ''] = backup_codes;

    expect((await show(await passwordOf(person), code, 'backup_code')).status).toBe(200);
    expect((await show(await passwordOf(person), code, 'backup_code')).status).toBe(401);
    expect((await show(await passwordOf(person), backup_codes[1] ?? '', 'backup_code')).status).toBe(200);
  });

  test('ends after five wrong codes', async () => {
    const { person, uri } = await withSecondFactor();
    const browser = await passwordOf(person);

    for (let tries = 0; tries < 5; tries++) {
      expect(await show(browser, wrongFor(uri))).toMatchObject({
        status: 401,
        body: { detail: 'The code is incorrect.' },
      });
    }

    expect(await show(browser, codeOf(uri))).toMatchObject({
      status: 401,
      body: { detail: 'Sign in with your password again.' },
    });
    expect((await eventsOf('session.login.failed'))[0]).toMatchObject({
      actor: { type: 'user', uuid: person.external_uuid },
      subject: { type: 'platform_user', uuid: person.external_uuid },
      payload: { identifier: person.email, method: 'totp', user_id: person.external_uuid },
    });
  });

  test('requires the password first', async () => {
    const { uri } = await withSecondFactor();

    expect((await show(openBrowser(service), codeOf(uri))).status).toBe(401);
  });

  test("counts a person's wrong codes across all their sign-ins", async () => {
    const { person, uri } = await withSecondFactor();
    for (let tries = 0; tries < 10; tries++) {
      await forgetAttempts(service);
      await show(await passwordOf(person), wrongFor(uri));
    }

    await forgetAttempts(service);
    expect(await show(await passwordOf(person), codeOf(uri))).toMatchObject({
      status: 429,
      headers: { 'retry-after': expect.stringMatching(/^(900|8[789]\d)$/) },
    });
  });

  test('ignores the session of another person in the same browser', async () => {
    const { person, uri } = await withSecondFactor();
    const browser = await signInAs(service, await addPerson());
    await browser.call('POST', '/auth/sign-in/', { email: person.email, password: PASSWORD });

    expect((await show(browser, codeOf(uri))).body).toEqual({ signed_in: true });
    expect((await browser.call('GET', `/api/users/${person.external_uuid}/`)).status).toBe(200);
  });

  test('fails for a person who was deactivated in between', async () => {
    const { person, uri } = await withSecondFactor();
    const browser = await passwordOf(person);
    await service.call('POST', `/api/users/${person.external_uuid}/deactivate/`);

    expect((await show(browser, codeOf(uri))).status).toBe(401);
  });
});

describe('removing', () => {
  test('asks for the password, keeps the person signed in, and makes the password sufficient again', async () => {
    const { person, browser } = await withSecondFactor();

    expect((await browser.call('DELETE', '/auth/totp/', { password: 'wrong' })).status).toBe(403);
    expect((await browser.call('DELETE', '/auth/totp/', { password: PASSWORD })).status).toBe(204);
    expect((await browser.call('DELETE', '/auth/totp/', { password: PASSWORD })).status).toBe(404);
    expect((await sessionsOf(browser)).body.results).toHaveLength(1);
    const again = await openBrowser(service).call('POST', '/auth/sign-in/', {
      email: person.email,
      password: PASSWORD,
    });
    expect(again.body).toEqual({ signed_in: true });
    expect((await eventsOf('user.updated'))[0].payload.changes).toEqual([
      { field: 'second_factor', from: 'totp', to: null },
    ]);
  });

  test("lets administrators remove another person's second factor, but only owners that of an owner", async () => {
    const { person } = await withSecondFactor();
    const { person: owner } = await withSecondFactor('owner');
    const [admin, member] = [
      await signInAs(service, await addPerson('admin')),
      await signInAs(service, await addPerson()),
    ];
    const address = ({ external_uuid }: Person) => `/api/users/${external_uuid}/second-factor/`;

    expect((await member.call('DELETE', address(person))).status).toBe(403);
    expect((await admin.call('DELETE', address(owner))).status).toBe(403);
    expect((await admin.call('DELETE', address(person))).status).toBe(204);
    expect((await admin.call('DELETE', address(person))).status).toBe(404);
    expect((await eventsOf('user.updated'))[0]).toMatchObject({ subject: { uuid: person.external_uuid } });
  });
});

test("lets an administrator end a person's sessions, but not an owner's", async () => {
  const [person, owner] = [await addPerson(), await addPerson('owner')];
  const [browser, ownerBrowser] = [await signInAs(service, person), await signInAs(service, owner)];
  const admin = await signInAs(service, await addPerson('admin'));
  const end = ({ external_uuid }: Person) => admin.call('POST', `/api/users/${external_uuid}/sign-out/`);

  expect((await end(owner)).status).toBe(403);
  expect((await end(person)).status).toBe(204);

  expect((await sessionsOf(browser)).status).toBe(401);
  expect((await sessionsOf(ownerBrowser)).status).toBe(200);
  expect((await eventsOf('session.logout'))[0].payload).toMatchObject({ user_id: person.external_uuid });
});
