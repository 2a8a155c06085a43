import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ORIGIN, openTestApp, type TestApp } from '#test/app.ts';
import { openAuthenticator } from '#test/authenticator.ts';
import { addPersonWithKey, addPersonWithRole, eventsOf } from '#test/people.ts';
import {
  type Browser,
  codeOf,
  forgetAttempts,
  openBrowser,
  PASSWORD,
  signInAs,
  signInAsOwner,
  signInOwner,
} from '#test/sign-in.ts';
import { setTimes } from '#test/time.ts';

const SITE = new URL(ORIGIN).origin;
let service: TestApp;
/** The owner has one-time codes, so that the tests can require a second factor of owners. */
let ownerCodes: string;
beforeAll(async () => {
  service = await openTestApp();
  const { call } = await signInAsOwner(service);
  const { uri } = (await call('POST', '/auth/totp/', { password: PASSWORD })).body;
  ownerCodes = uri;
  await call('POST', '/auth/totp/verify/', { code: codeOf(uri) });
});
afterAll(() => service.close());
beforeEach(() => forgetAttempts(service));

const requireOf = async (roles: string[]) =>
  (await signInAsOwner(service)).call('PATCH', '/api/organization/', { second_factor_roles: roles });
let people = 0;
const addPerson = (role: string) => addPersonWithRole(service, `factor${people++}@acme.example`, role);
const lists = ({ call }: Browser) => call('GET', '/api/users/?limit=1');
const me = async ({ call }: Browser) => (await call('GET', '/api/me/')).body;

const REFUSED = { status: 403, body: { errors: [{ code: 'second_factor_required' }] } };

describe('second_factor_roles', () => {
  test('can be changed by owners only, and is recorded', async () => {
    const admin = await addPersonWithKey(service, 'admin');
    const asAdmin = { key: admin.key };
    await requireOf([]);
    const before = (await eventsOf(service, 'organization.updated')).length;

    expect(
      (await service.call('PATCH', '/api/organization/', { second_factor_roles: [] }, asAdmin)).status,
    ).toBe(403);
    expect(await service.call('PATCH', '/api/organization/', { name: 'Acme' }, asAdmin)).toMatchObject({
      status: 200,
      body: { name: 'Acme', second_factor_roles: [] },
    });
    expect((await requireOf(['root'])).status).toBe(400);
    expect(await requireOf(['admin', 'owner', 'admin'])).toMatchObject({
      status: 200,
      body: { name: 'Acme', second_factor_roles: ['owner', 'admin'] },
    });
    await requireOf(['owner', 'admin']);
    await requireOf([]);

    const changes = (await eventsOf(service, 'organization.updated'))
      .slice(before)
      .map(({ payload }) => payload.changes);
    expect(changes).toEqual([
      [{ field: 'name', from: 'acme', to: 'Acme' }],
      [{ field: 'second_factor_roles', from: [], to: ['owner', 'admin'] }],
      [{ field: 'second_factor_roles', from: ['owner', 'admin'], to: [] }],
    ]);
  });
});

test('second_factor_roles cannot be changed with an API key, or long after signing in', async () => {
  const body = { second_factor_roles: [] };
  expect(await service.call('PATCH', '/api/organization/', body)).toMatchObject({
    status: 403,
    body: { detail: 'API keys cannot change second_factor_roles. Sign in to the console instead.' },
  });

  const owner = await signInOwner(service);
  await owner.call('POST', '/auth/second-factor/', { code: codeOf(ownerCodes, 1), kind: 'totp' });
  const { id } = (await owner.call('GET', '/auth/sessions/')).body.results.find(
    ({ current }: { current: boolean }) => current,
  );
  await setTimes(service, 'sign_in_session', { authenticated_at: '16 minutes ago' }, { id });
  expect(await owner.call('PATCH', '/api/organization/', body)).toMatchObject({
    status: 403,
    body: { errors: [{ code: 'confirmation_required' }] },
  });
  await owner.call('POST', '/auth/confirm/', { password: PASSWORD });
  expect((await owner.call('PATCH', '/api/organization/', body)).status).toBe(200);
});

describe('a person whose role requires a second factor', () => {
  test('can only set one up after signing in with a password', async () => {
    const person = await addPerson('admin');
    await requireOf(['admin']);
    const browser = await signInAs(service, person);

    expect(await lists(browser)).toMatchObject(REFUSED);
    expect(await browser.call('GET', '/auth/sessions/')).toMatchObject(REFUSED);
    expect(
      await browser.call('POST', '/api/api-keys/', { name: 'x', scopes: ['read'], apps: null }),
    ).toMatchObject(REFUSED);
    expect(await me(browser)).toMatchObject({ email: person.email, second_factor_required: true });

    const { uri } = (await browser.call('POST', '/auth/totp/', { password: PASSWORD })).body;
    await browser.call('POST', '/auth/totp/verify/', { code: codeOf(uri) });
    expect((await lists(browser)).status).toBe(200);
    expect(await me(browser)).toMatchObject({ second_factor_required: false });

    expect((await browser.call('DELETE', '/auth/totp/', { password: PASSWORD })).status).toBe(204);
    expect(await lists(browser)).toMatchObject(REFUSED);
  });

  test('can add a passkey instead, which counts as two factors at sign-in', async () => {
    const person = await addPerson('admin');
    await requireOf(['admin']);
    const browser = await signInAs(service, person);
    const device = openAuthenticator(SITE);
    const { body } = await browser.call('POST', '/auth/passkeys/options/');
    await browser.call('POST', '/auth/passkeys/', { name: 'Laptop', response: device.create(body) });
    expect((await lists(browser)).status).toBe(200);

    const again = openBrowser(service);
    const options = (await again.call('POST', '/auth/passkey-sign-in/options/')).body;
    await again.call('POST', '/auth/passkey-sign-in/', { response: device.get(options) });
    expect((await lists(again)).status).toBe(200);
  });

  test('cannot replace a passkey with the password alone, but can confirm with it', async () => {
    const person = await addPerson('admin');
    await requireOf(['admin']);
    const device = openAuthenticator(SITE);
    const first = await signInAs(service, person);
    const { body } = await first.call('POST', '/auth/passkeys/options/');
    await first.call('POST', '/auth/passkeys/', { name: 'Laptop', response: device.create(body) });

    const thief = openBrowser(service);
    await thief.call('POST', '/auth/sign-in/', { email: person.email, password: PASSWORD });
    expect(await thief.call('POST', '/auth/totp/', { password: PASSWORD })).toMatchObject(REFUSED);
    expect(await thief.call('POST', '/auth/passkeys/options/')).toMatchObject(REFUSED);
    expect((await thief.call('POST', '/auth/confirm/', { password: PASSWORD })).status).toBe(204);
    expect(await lists(thief)).toMatchObject(REFUSED);

    const options = (await thief.call('POST', '/auth/passkey-sign-in/options/')).body;
    expect((await thief.call('POST', '/auth/confirm/', { response: device.get(options) })).status).toBe(204);
    expect((await lists(thief)).status).toBe(200);
  });

  test('is asked in a session that already runs, and other roles and API keys are not', async () => {
    await requireOf([]);
    const [admin, member] = [await addPerson('admin'), await addPerson('member')];
    const browsers = [await signInAs(service, admin), await signInAs(service, member)];
    const key = await addPersonWithKey(service, 'admin');
    await requireOf(['owner', 'admin']);

    const answers = await Promise.all(browsers.map((browser) => lists(browser)));
    expect(answers.map(({ status }) => status)).toEqual([403, 200]);
    expect((await service.call('GET', '/api/users/', undefined, { key: key.key })).status).toBe(200);
  });
});

describe('a person whose role requires a passkey', () => {
  const passkeyOf = async (browser: Browser) => {
    const device = openAuthenticator(SITE);
    const { body } = await browser.call('POST', '/auth/passkeys/options/');
    const added = await browser.call('POST', '/auth/passkeys/', {
      name: 'Laptop',
      response: device.create(body),
    });
    return { device, status: added.status };
  };
  const open = async () => {
    const own = await openTestApp();
    const owner = await signInAsOwner(own);
    return {
      own,
      owner,
      requirePasskeys: (passkey_roles: string[]) =>
        owner.call('PATCH', '/api/organization/', { passkey_roles }),
    };
  };

  test('must use one, and codes do not replace it', async () => {
    const { own, owner, requirePasskeys } = await open();
    const person = await addPersonWithRole(own, 'admin@passkeys.example', 'admin');
    const browser = await signInAs(own, person);
    const { uri } = (await browser.call('POST', '/auth/totp/', { password: PASSWORD })).body;
    await browser.call('POST', '/auth/totp/verify/', { code: codeOf(uri) });

    // The owner shows that passkeys work here before anybody needs one.
    expect(await requirePasskeys(['admin'])).toMatchObject({ status: 409 });
    await passkeyOf(owner);
    expect(await requirePasskeys(['admin'])).toMatchObject({
      status: 200,
      body: { passkey_roles: ['admin'] },
    });

    expect(await lists(browser)).toMatchObject(REFUSED);
    expect(await me(browser)).toMatchObject({ second_factor_required: true, passkey_required: true });
    expect((await passkeyOf(browser)).status).toBe(201);
    expect((await lists(browser)).status).toBe(200);
    expect((await eventsOf(own, 'organization.updated')).at(-1)?.payload.changes).toEqual([
      { field: 'passkey_roles', from: [], to: ['admin'] },
    ]);

    expect((await requirePasskeys([])).status).toBe(200);
    await own.close();
  });

  test('cannot add a second one with the password and a code', async () => {
    const { own, owner, requirePasskeys } = await open();
    const person = await addPersonWithRole(own, 'admin@passkeys.example', 'admin');
    const first = await signInAs(own, person);
    const { device } = await passkeyOf(first);
    await passkeyOf(owner);
    await requirePasskeys(['admin']);

    const thief = openBrowser(own);
    await thief.call('POST', '/auth/sign-in/', { email: person.email, password: PASSWORD });
    expect(await lists(thief)).toMatchObject(REFUSED);
    expect(await thief.call('POST', '/auth/passkeys/options/')).toMatchObject(REFUSED);
    const options = (await thief.call('POST', '/auth/passkey-sign-in/options/')).body;
    expect((await thief.call('POST', '/auth/confirm/', { response: device.get(options) })).status).toBe(204);
    expect((await lists(thief)).status).toBe(200);
    await own.close();
  });
});
