import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ORIGIN, openTestApp, type TestApp } from '../../../test/app.ts';
import { type Authenticator, openAuthenticator } from '../../../test/authenticator.ts';
import { newOrganization } from '../../../test/event-log.ts';
import { type Browser, openBrowser, signInAs } from '../../../test/sign-in.ts';

const SITE = new URL(ORIGIN).origin;
let service: TestApp;
beforeAll(async () => {
  service = await openTestApp();
});
afterAll(() => service.close());
beforeEach(() => sql`delete from sign_in_attempt`.execute(service.database.db));

let people = 0;
const addPerson = async () =>
  (await service.call('POST', '/api/users/', { email: `key${people++}@acme.example` })).body;
const eventsOf = async (type: string) =>
  (await service.call('GET', `/api/events/?event_type=${type}&limit=200`)).body.results;

async function add({ call }: Browser, device: Authenticator, name = 'My laptop') {
  const { body } = await call('POST', '/auth/passkeys/options/');
  return call('POST', '/auth/passkeys/', { name, response: device.create(body) });
}

async function withPasskey() {
  const [person, device] = [await addPerson(), openAuthenticator(SITE)];
  const browser = await signInAs(service, person);
  const added = await add(browser, device);
  expect(added).toMatchObject({ status: 201, body: { name: 'My laptop' } });
  return { person, device, browser, id: added.body.id as string };
}

const optionsOf = async (browser: Browser) =>
  (await browser.call('POST', '/auth/passkey-sign-in/options/')).body;
const signIn = ({ call }: Browser, response: unknown) => call('POST', '/auth/passkey-sign-in/', { response });

describe('signing in with a passkey', () => {
  test('needs neither a name nor a password', async () => {
    const { person, device } = await withPasskey();
    const browser = openBrowser(service);

    const options = await optionsOf(browser);
    expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
    expect(await signIn(browser, device.get(options))).toMatchObject({
      status: 200,
      body: { signed_in: true },
    });

    expect((await browser.call('GET', '/auth/sessions/')).body.results[0]).toMatchObject({
      method: 'passkey',
    });
    expect((await eventsOf('session.login.succeeded'))[0].payload).toMatchObject({
      email: person.email,
      method: 'passkey',
    });
  });

  test('accepts a response once, and only for its own challenge', async () => {
    const { person, device } = await withPasskey();
    const [browser, other] = [openBrowser(service), openBrowser(service)];
    const [options, others] = [await optionsOf(browser), await optionsOf(other)];
    const response = device.get(options);

    expect((await signIn(other, response)).status).toBe(401);
    expect((await signIn(browser, response)).status).toBe(200);
    expect((await signIn(browser, response)).status).toBe(401);
    expect((await signIn(other, device.get(others))).status).toBe(401);
    expect((await eventsOf('session.login.failed'))[0].payload).toMatchObject({
      identifier: person.email,
      method: 'passkey',
    });
  });

  test.each([
    ['of another site', () => openAuthenticator('https://evil.example')],
    ['of another key', () => openAuthenticator(SITE)],
  ])('rejects a response %s', async (_, open) => {
    const { device } = await withPasskey();
    const browser = openBrowser(service);
    const options = await optionsOf(browser);

    const { id } = device.get(options);
    expect((await signIn(browser, { ...open().get(options), id, rawId: id })).status).toBe(401);
  });

  test('rejects an unknown passkey and a malformed response', async () => {
    const browser = openBrowser(service);
    const unknown = openAuthenticator(SITE).get(await optionsOf(browser));

    expect((await signIn(browser, unknown)).status).toBe(401);
    expect((await signIn(browser, { id: 'x' })).status).toBe(401);
    expect((await signIn(browser, 'x')).status).toBe(400);
  });

  test('rejects a deactivated person', async () => {
    const { person, device } = await withPasskey();
    await service.call('POST', `/api/users/${person.external_uuid}/deactivate/`);
    const browser = openBrowser(service);

    expect((await signIn(browser, device.get(await optionsOf(browser)))).status).toBe(401);
  });

  test('fails in another organization', async () => {
    await newOrganization(service.database, 'other');
    const { device } = await withPasskey();
    const there = openBrowser(service, 'other');

    expect((await signIn(there, device.get(await optionsOf(there)))).status).toBe(401);
  });
});

describe('a device that does not verify its user', () => {
  test('cannot be added and cannot sign in', async () => {
    const { device, browser } = await withPasskey();
    const careless = openAuthenticator(SITE, { verifiesUser: false });

    expect((await add(browser, careless)).status).toBe(400);
    const nonsense = { ...careless, create: () => ({ id: 'x', response: {} }) };
    expect((await add(browser, nonsense)).status).toBe(400);
    expect((await browser.call('GET', '/auth/passkeys/')).body.results).toHaveLength(1);
    const visitor = openBrowser(service);
    const response = careless.get(await optionsOf(visitor));
    const { id } = device.get({ challenge: '' });
    expect((await signIn(visitor, { ...response, id, rawId: id })).status).toBe(401);
  });
});

describe('my passkeys', () => {
  test('are added and removed, with an event for each', async () => {
    const { browser, device, id } = await withPasskey();
    expect((await eventsOf('user.updated'))[0].payload.changes).toEqual([
      { field: 'passkey', from: null, to: 'My laptop' },
    ]);

    expect((await browser.call('DELETE', `/auth/passkeys/${id}/`)).status).toBe(204);

    expect((await eventsOf('user.updated'))[0].payload.changes).toEqual([
      { field: 'passkey', from: 'My laptop', to: null },
    ]);
    expect((await browser.call('GET', '/auth/passkeys/')).body.results).toEqual([]);
    const visitor = openBrowser(service);
    expect((await signIn(visitor, device.get(await optionsOf(visitor)))).status).toBe(401);
  });

  test('are invisible to other people', async () => {
    const { browser, id } = await withPasskey();
    const other = await signInAs(service, await addPerson());

    expect((await other.call('GET', '/auth/passkeys/')).body.results).toEqual([]);
    expect((await other.call('DELETE', `/auth/passkeys/${id}/`)).status).toBe(404);
    expect((await browser.call('GET', '/auth/passkeys/')).body.results).toHaveLength(1);
  });

  test('can be added only within a day of signing in', async () => {
    const person = await addPerson();
    const browser = await signInAs(service, person);
    await sql`
      update sign_in_session set created_at = now() - interval '2 days' where user_id = ${person.external_uuid}`.execute(
      service.database.db,
    );

    expect((await browser.call('POST', '/auth/passkeys/options/')).status).toBe(403);
  });
});
