import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '#kit/sql.ts';
import { ORIGIN, openTestApp, type TestApp } from '#test/app.ts';
import { type Authenticator, openAuthenticator } from '#test/authenticator.ts';
import { type Browser, codeOf, forgetAttempts, PASSWORD, signInAs } from '#test/sign-in.ts';
import { setTimes } from '#test/time.ts';
import { expireSessions } from '../expiry.ts';
import { MAX_ACCOUNT_FAILURES } from '../visit/attempts.ts';

const SITE = new URL(ORIGIN).origin;
let service: TestApp;
beforeAll(async () => {
  service = await openTestApp();
});
afterAll(() => service.close());
beforeEach(() => forgetAttempts(service));

let people = 0;
async function signedIn() {
  const { body: person } = await service.call('POST', '/api/users/', {
    email: `fresh${people++}@acme.example`,
  });
  return { person, browser: await signInAs(service, person) };
}
const age = ({ external_uuid }: { external_uuid: string }, minutes: number) =>
  setTimes(
    service,
    'sign_in_session',
    { authenticated_at: `${minutes} minutes ago` },
    { user_id: external_uuid },
  );
const begin = ({ call }: Browser) => call('POST', '/auth/passkeys/options/');
const confirm = ({ call }: Browser, proof: unknown) => call('POST', '/auth/confirm/', proof);
async function addPasskey(browser: Browser, device: Authenticator) {
  const { body } = await begin(browser);
  return browser.call('POST', '/auth/passkeys/', { name: 'Laptop', response: device.create(body) });
}

const REFUSED = {
  status: 403,
  body: {
    detail: 'You signed in more than 15 minutes ago. Confirm that it is you, then try again.',
    errors: [{ path: '', code: 'confirmation_required' }],
  },
};

test('changing how one signs in requires a recent sign-in', async () => {
  const { person, browser } = await signedIn();
  const { body: passkey } = await addPasskey(browser, openAuthenticator(SITE));
  const { uri } = (await browser.call('POST', '/auth/totp/', { password: PASSWORD })).body;
  await browser.call('POST', '/auth/totp/verify/', { code: codeOf(uri) });
  await age(person, 14);
  expect((await begin(browser)).status).toBe(200);
  await age(person, 16);

  const { call } = browser;
  const change = { current_password: PASSWORD, new_password: 'seven purple elephants' };
  expect(await begin(browser)).toMatchObject(REFUSED);
  expect(
    await call('POST', '/auth/passkeys/', {
      name: 'x',
      response: openAuthenticator(SITE).create({ challenge: '' }),
    }),
  ).toMatchObject(REFUSED);
  expect(await call('DELETE', `/auth/passkeys/${passkey.id}/`)).toMatchObject(REFUSED);
  expect(await call('DELETE', '/auth/totp/', { password: PASSWORD })).toMatchObject(REFUSED);
  expect(await call('POST', '/auth/password/', change)).toMatchObject(REFUSED);
  expect((await call('GET', '/auth/sessions/')).status).toBe(200);
});

describe('confirming who one is', () => {
  test('with the password allows the change for 15 minutes', async () => {
    const { person, browser } = await signedIn();
    await age(person, 60);

    expect(await confirm(browser, { password: 'wrong' })).toMatchObject({ status: 403 });
    expect(await begin(browser)).toMatchObject(REFUSED);
    expect((await confirm(browser, { password: PASSWORD })).status).toBe(204);
    expect((await begin(browser)).status).toBe(200);
    await age(person, 16);
    expect(await begin(browser)).toMatchObject(REFUSED);
  });

  test('with a one-time code works once per code', async () => {
    const { person, browser } = await signedIn();
    expect((await confirm(browser, { code: '123456' })).status).toBe(400);
    const { uri } = (await browser.call('POST', '/auth/totp/', { password: PASSWORD })).body;
    const code = codeOf(uri);
    await browser.call('POST', '/auth/totp/verify/', { code });
    await age(person, 60);

    expect((await confirm(browser, { code })).status).toBe(403);
    expect((await confirm(browser, { code: codeOf(uri, 1) })).status).toBe(204);
    expect((await begin(browser)).status).toBe(200);
  });

  test('limits wrong codes from many addresses, apart from passwords', async () => {
    const { person, browser } = await signedIn();
    const { uri } = (await browser.call('POST', '/auth/totp/', { password: PASSWORD })).body;
    await browser.call('POST', '/auth/totp/verify/', { code: codeOf(uri) });
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const valid = [-1, 0, 1, 2].map((ahead) => codeOf(uri, ahead));
    const wrong = ['000000', '111111', '222222', '333333', '444444'].find((code) => !valid.includes(code));
    const guess = async (ip: string) =>
      (
        await service.app.http.inject({
          method: 'POST',
          url: `/org/${service.org}/auth/confirm/`,
          remoteAddress: ip,
          headers: { origin: ORIGIN, cookie },
          payload: { code: wrong },
        })
      ).statusCode;

    for (let i = 0; i < MAX_ACCOUNT_FAILURES; i++) expect(await guess(`192.0.2.${i}`)).toBe(403);

    expect(await guess('198.51.100.1')).toBe(429);
    expect((await confirm(browser, { code: codeOf(uri, 1) })).status).toBe(429);
    expect((await confirm(browser, { password: PASSWORD })).status).toBe(204);
    const signIn = await browser.call('POST', '/auth/sign-in/', { email: person.email, password: PASSWORD });
    expect(signIn.status).toBe(200);
  });

  test("with a passkey works with one's own, and keeps the session", async () => {
    const { person, browser } = await signedIn();
    const stranger = await signedIn();
    const [device, other] = [openAuthenticator(SITE), openAuthenticator(SITE)];
    await addPasskey(browser, device);
    await addPasskey(stranger.browser, other);
    await age(person, 60);
    const options = async () => (await browser.call('POST', '/auth/passkey-sign-in/options/')).body;

    expect((await confirm(browser, { response: other.get(await options()) })).status).toBe(403);
    expect((await confirm(browser, { response: device.get(await options()) })).status).toBe(204);
    expect((await begin(browser)).status).toBe(200);
    const { rows } = await sql`select from sign_in_session where user_id = ${person.external_uuid}`.execute(
      service.database.db,
    );
    expect(rows).toHaveLength(1);
  });

  test('takes exactly one proof', async () => {
    const { browser } = await signedIn();

    expect((await confirm(browser, {})).status).toBe(400);
    expect((await confirm(browser, { password: PASSWORD, code: '123456' })).status).toBe(400);
  });

  test('counts a wrong password as a failed sign-in', async () => {
    const { browser } = await signedIn();
    for (let i = 0; i < 10; i++) await confirm(browser, { password: 'wrong' });

    expect((await confirm(browser, { password: PASSWORD })).status).toBe(429);
  });
});

test('an expired session is recorded with the moment at which it expired', async () => {
  const { person } = await signedIn();
  const { db } = service.database;
  const { rows } = await sql<{ expires_at: Date }>`
    update sign_in_session set expires_at = now() - interval '50 minutes'
    where user_id = ${person.external_uuid} returning expires_at`.execute(db);

  await expireSessions(db, 900);

  const { body } = await service.call('GET', '/api/events/?event_type=session.expired&limit=1');
  expect(Date.parse(body.results[0].occurred_at)).toBe(rows[0]?.expires_at.getTime());
});
