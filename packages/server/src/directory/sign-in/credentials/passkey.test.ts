import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createApp } from '#app.ts';
import { createLogger } from '#kit/logger.ts';
import { ORIGIN, openTestApp, type TestApp } from '#test/app.ts';
import { type Authenticator, openAuthenticator } from '#test/authenticator.ts';
import { newOrganization } from '#test/event-log.ts';
import { addPersonWithRole, eventsOf as configurationEvents } from '#test/people.ts';
import { secrets } from '#test/secrets.ts';
import { type Browser, forgetAttempts, openBrowser, signInAs } from '#test/sign-in.ts';

const SITE = new URL(ORIGIN).origin;
let service: TestApp;
beforeAll(async () => {
  service = await openTestApp({ own: true });
});
afterAll(() => service.close());
beforeEach(() => forgetAttempts(service));

let people = 0;
const addPerson = (role = 'member') => addPersonWithRole(service, `key${people++}@acme.example`, role);
const eventsOf = async (type: string) =>
  (await service.call('GET', `/api/events/?event_type=${type}&limit=200`)).body.results;

async function add({ call }: Browser, device: Authenticator, name = 'My laptop') {
  const { body } = await call('POST', '/auth/passkeys/options/');
  return call('POST', '/auth/passkeys/', { name, response: device.create(body) });
}

async function withPasskey(role = 'member') {
  const [person, device] = [await addPerson(role), openAuthenticator(SITE)];
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

  test('admits a device whose counter does not grow, such as one from a backup', async () => {
    const [person, device] = [await addPerson(), openAuthenticator(SITE, { counts: false })];
    await add(await signInAs(service, person), device);

    for (const browser of [openBrowser(service), openBrowser(service)])
      expect((await signIn(browser, device.get(await optionsOf(browser)))).status).toBe(200);
  });

  test('admits a passkey that stops to count, when signing in and confirming, and records it', async () => {
    const { person, device } = await withPasskey();
    const count = async () =>
      (await configurationEvents(service, 'factor.count_fell')).filter(
        ({ subject }) => subject.uuid === person.external_uuid,
      );
    for (const browser of [openBrowser(service), openBrowser(service)])
      expect((await signIn(browser, device.get(await optionsOf(browser)))).status).toBe(200);
    expect(await count()).toEqual([]);
    device.stopCounting();
    const browser = openBrowser(service);

    expect((await signIn(browser, device.get(await optionsOf(browser)))).status).toBe(200);

    expect(await count()).toMatchObject([
      {
        severity: 'medium',
        actor: { uuid: person.external_uuid },
        payload: { email: person.email, kind: 'passkey', name: 'My laptop', before: 3, after: 0 },
      },
    ]);
    const response = device.get(await optionsOf(browser));
    expect((await browser.call('POST', '/auth/confirm/', { response })).status).toBe(204);
    expect((await signIn(browser, device.get(await optionsOf(browser)))).status).toBe(200);
    expect(await count()).toHaveLength(1);
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

test('removing the last passkey leaves the session without a second factor', async () => {
  const { browser, id } = await withPasskey();
  const { body: second } = await add(browser, openAuthenticator(SITE), 'Phone');
  const current = async () => (await browser.call('GET', '/auth/sessions/')).body.results[0];

  await browser.call('DELETE', `/auth/passkeys/${second.id}/`);
  expect(await current()).toMatchObject({ method: 'password', second_factor: true });
  await browser.call('DELETE', `/auth/passkeys/${id}/`);

  expect(await current()).toMatchObject({ method: 'password', second_factor: false });
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

  test('are removed by a password that an administrator has allowed them to set', async () => {
    const { person, device, browser } = await withPasskey();

    await signInAs(service, person);

    expect((await browser.call('GET', '/auth/sessions/')).status).toBe(401);
    const visitor = openBrowser(service);
    expect((await signIn(visitor, device.get(await optionsOf(visitor)))).status).toBe(401);
    const [removed] = (await configurationEvents(service, 'factor.removed')).reverse();
    expect(removed).toMatchObject({
      subject: { uuid: person.external_uuid },
      payload: { kind: 'passkey', name: 'My laptop', by_administrator: false },
    });
  });
});

describe("a person's passkeys", () => {
  const address = ({ external_uuid }: { external_uuid: string }) => `/api/users/${external_uuid}/passkeys/`;

  test('are listed and removed by an administrator, which ends the sessions', async () => {
    const { person, device, browser, id } = await withPasskey();
    const admin = await signInAs(service, await addPerson('admin'));

    expect((await admin.call('GET', address(person))).body.results).toMatchObject([
      { id, name: 'My laptop' },
    ]);
    expect((await admin.call('DELETE', `${address(person)}${id}/`)).status).toBe(204);
    expect((await admin.call('DELETE', `${address(person)}${id}/`)).status).toBe(404);

    expect((await browser.call('GET', '/auth/sessions/')).status).toBe(401);
    const visitor = openBrowser(service);
    expect((await signIn(visitor, device.get(await optionsOf(visitor)))).status).toBe(401);
    expect((await configurationEvents(service, 'factor.removed')).at(-1)).toMatchObject({
      severity: 'medium',
      subject: { uuid: person.external_uuid },
      payload: { kind: 'passkey', by_administrator: true },
    });
  });

  test('are removed together with a lost second factor', async () => {
    const { person, device, browser } = await withPasskey();
    const admin = await signInAs(service, await addPerson('admin'));

    expect((await admin.call('DELETE', `/api/users/${person.external_uuid}/second-factor/`)).status).toBe(
      204,
    );

    expect((await browser.call('GET', '/auth/sessions/')).status).toBe(401);
    const visitor = openBrowser(service);
    expect((await signIn(visitor, device.get(await optionsOf(visitor)))).status).toBe(401);
    expect((await admin.call('GET', address(person))).body.results).toEqual([]);
  });

  test('are for administrators only, and those of an owner for owners', async () => {
    const { person: owner, id } = await withPasskey('owner');
    const { person: member, browser } = await withPasskey();
    const admin = await signInAs(service, await addPerson('admin'));

    expect((await admin.call('GET', address(owner))).status).toBe(403);
    expect((await admin.call('DELETE', `${address(owner)}${id}/`)).status).toBe(403);
    expect((await browser.call('GET', address(member))).status).toBe(403);
    expect((await service.call('GET', address(owner))).status).toBe(200);
  });
});

describe('sign-in options', () => {
  const offer = async (publicUrl: string | undefined, host = 'localhost') => {
    const app = await createApp({
      database: service.database,
      secrets,
      logger: createLogger('silent'),
      publicUrl,
      trustProxy: false,
    });
    const get = async (method: 'GET' | 'POST', url: string) =>
      (await app.http.inject({ method, url: `/org/acme${url}`, headers: { host } })).json();
    const answers = {
      passkeys: (await get('GET', '/auth/')).passkeys,
      options: await get('POST', '/auth/passkey-sign-in/options/'),
    };
    await app.close();
    return answers;
  };

  test.each([
    [undefined, '127.0.0.1:8080', /127\.0\.0\.1 is an IP address\. Open http:\/\/localhost:8080 instead\./],
    ['https://192.0.2.1', undefined, /192\.0\.2\.1 is an IP address\.$/],
    ['http://[::1]:8080', undefined, /Open http:\/\/localhost:8080 instead\./],
    ['http://id.example.com', undefined, /require https/],
  ])('say why there are no passkeys at %s %s', async (publicUrl, host, reason) => {
    const { passkeys, options } = await offer(publicUrl, host);

    expect(passkeys).toMatchObject({ available: false, reason: expect.stringMatching(reason) });
    expect(options).toMatchObject({ detail: passkeys.reason, code: passkeys.code });
  });

  test.each([[undefined], ['https://id.example.com']])('offer passkeys at %s', async (publicUrl) => {
    const { passkeys, options } = await offer(publicUrl);

    expect(passkeys).toEqual({ available: true, reason: null });
    expect(options).toHaveProperty('challenge');
  });
});
