import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { sql } from '#kit/sql.ts';
import { ORIGIN, openTestApp, type TestApp } from '#test/app.ts';
import { newOrganization } from '#test/event-log.ts';
import { type OidcProvider, openOidcProvider } from '#test/oidc.ts';
import { addPersonWithRole } from '#test/people.ts';
import { metadataOfOther, openSamlProvider, type SamlProvider } from '#test/saml.ts';
import { type Browser, forgetAttempts, openBrowser, signInAs, signInOwner } from '#test/sign-in.ts';
import { setTimes } from '#test/time.ts';

let service: TestApp;
let oidc: OidcProvider;
const saml: SamlProvider = openSamlProvider();
beforeAll(async () => {
  service = await openTestApp({ own: true });
  await newOrganization(service.database, 'other');
  const addresses = [ORIGIN, new URL(ORIGIN).origin].flatMap((origin) =>
    ['idp', 'gone', 'narrow', 'moved', 'lords'].map((id) => `${origin}/org/acme/auth/sso/callback/${id}`),
  );
  oidc = await openOidcProvider(addresses);
  owner = await signInOwner(service);
  await owner.call('POST', PROVIDERS, oidcInput('idp'));
  await owner.call('POST', PROVIDERS, samlInput('corp'));
});
afterAll(async () => {
  await oidc.close();
  await service.close();
});
beforeEach(() => forgetAttempts(service));

const PROVIDERS = '/api/sign-in-providers/';
/** The browser of the first owner. */
let owner: Browser;
const oidcInput = (id: string, rest: object = {}) => ({
  id,
  name: `Provider ${id}`,
  oidc: { issuer: oidc.issuer, client_id: oidc.clientId, client_secret: oidc.clientSecret },
  ...rest,
});
const samlInput = (id: string, rest: object = {}) => ({
  id,
  name: `Provider ${id}`,
  saml: { idp_metadata: saml.metadata },
  ...rest,
});

let people = 0;
const addPerson = (role = 'member') => addPersonWithRole(service, `sso${people++}@acme.example`, role);
const eventsOf = async (type: string) =>
  (await service.call('GET', `/api/events/?event_type=${type}&limit=200`)).body.results;
const sessionsOf = (browser: Browser) => browser.call('GET', '/auth/sessions/');

async function begin(browser: Browser, provider: string, return_to?: string): Promise<string> {
  const { status, body } = await browser.call('POST', '/auth/sso/', { provider, return_to });
  expect({ status, body }).toMatchObject({ status: 200, body: { url: expect.any(String) } });
  return body.url;
}

/** Follows a provider's redirect back to Gatehouse and returns the location of the next redirect. */
async function land(browser: Browser, url: URL) {
  const { status, headers } = await browser.call('GET', url.href.slice(url.href.indexOf('/auth/')));
  expect(status).toBe(303);
  return headers.location;
}

async function throughOidc(
  login: string,
  { provider = 'idp', return_to }: { provider?: string; return_to?: string } = {},
) {
  const browser = openBrowser(service);
  const url = await oidc.visit(await begin(browser, provider, return_to), login);
  return { browser, url, location: await land(browser, url) };
}

const metadataOf = async (provider: string) =>
  (await service.call('GET', `/auth/sso/saml/${provider}/metadata/`, undefined, { key: null }))
    .body as string;

async function post(browser: Browser, provider: string, form: Record<string, string>) {
  const { status, headers } = await browser.call(
    'POST',
    `/auth/sso/saml2/sp/acs/${provider}`,
    new URLSearchParams(form).toString(),
    { headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://idp.example' } },
  );
  expect(status).toBe(303);
  return headers.location;
}

describe('OpenID Connect', () => {
  test('signs in the person with the email address and links them', async () => {
    const person = await addPerson();

    const { browser, location } = await throughOidc(person.email, { return_to: '/tasks?page=2' });

    expect(location).toBe('/tasks?page=2');
    expect((await sessionsOf(browser)).body.results[0]).toMatchObject({ method: 'oidc', provider: 'idp' });
    expect((await eventsOf('session.login.succeeded'))[0].payload).toMatchObject({
      email: person.email,
      method: 'oidc',
      provider: 'idp',
    });
    oidc.people.set(person.email, { email: 'renamed@acme.example', email_verified: true });
    expect((await throughOidc(person.email)).location).toBe('/');
  });

  test('refuses a second subject of the person, with an event, until an administrator unlinks the first (D63)', async () => {
    const person = await addPerson();
    const path = `/api/users/${person.external_uuid}/provider-links/`;
    const first = await throughOidc(person.email);
    oidc.people.set('namesake', { email: person.email, email_verified: true });

    expect((await throughOidc('namesake')).location).toBe('/sign-in?error=linked_to_another');

    expect((await eventsOf('session.login.failed'))[0].payload.reason).toMatch(
      /^The person with this email address is linked to another account of the provider\./,
    );
    const { body } = await service.call('GET', '/api/events/?catalog=configuration&limit=200');
    expect(
      body.results.filter((event: { event_type: string }) => event.event_type.startsWith('provider_link.')),
    ).toMatchObject([
      { event_type: 'provider_link.refused', payload: { user_id: person.external_uuid, provider_id: 'idp' } },
    ]);
    expect((await throughOidc(person.email)).location).toBe('/');
    const links = (await first.browser.call('GET', '/auth/provider-links/')).body.results;
    expect(links).toMatchObject([{ provider: 'idp', name: 'Provider idp', subject: person.email }]);
    expect((await owner.call('GET', path)).body.results).toEqual(links);
    expect((await owner.call('DELETE', `${path}${links[0].id}/`)).status).toBe(204);
    expect((await sessionsOf(first.browser)).status).toBe(401);
    expect((await throughOidc('namesake')).location).toBe('/');
    expect((await throughOidc(person.email)).location).toBe('/sign-in?error=linked_to_another');
  });

  test('lets people unlink themselves, and nobody else', async () => {
    const [person, other] = [await addPerson(), await addPerson()];
    const { browser } = await throughOidc(person.email);
    const [link] = (await browser.call('GET', '/auth/provider-links/')).body.results;
    const elsewhere = (await throughOidc(person.email)).browser;
    const stranger = (await throughOidc(other.email)).browser;

    expect((await stranger.call('DELETE', `/auth/provider-links/${link.id}/`)).status).toBe(404);
    expect((await stranger.call('GET', `/api/users/${person.external_uuid}/provider-links/`)).status).toBe(
      403,
    );
    expect((await browser.call('DELETE', `/auth/provider-links/${link.id}/`)).status).toBe(204);

    expect((await browser.call('GET', '/auth/provider-links/')).body.results).toEqual([]);
    expect((await sessionsOf(browser)).status).toBe(200);
    expect((await sessionsOf(elsewhere)).status).toBe(401);
  });

  test('forgets who is linked once the email address of the person changes', async () => {
    const person = await addPerson();
    oidc.people.set('attacker', { email: 'attacker@acme.example', email_verified: true });
    const change = (email: string) => service.call('PATCH', `/api/users/${person.external_uuid}/`, { email });
    await change('attacker@acme.example');
    expect((await throughOidc('attacker')).location).toBe('/');

    expect((await change(person.email)).status).toBe(200);

    expect((await throughOidc('attacker')).location).toBe('/sign-in?error=unknown_person');
  });

  test('ends the session of an owner once the provider is no longer approved for owners', async () => {
    const { email } = await addPerson('owner');
    await owner.call('POST', PROVIDERS, oidcInput('lords', { approved_for_owners: true }));
    const { browser } = await throughOidc(email, { provider: 'lords' });
    expect((await sessionsOf(browser)).status).toBe(200);

    await owner.call('PATCH', `${PROVIDERS}lords/`, { approved_for_owners: false });

    expect((await sessionsOf(browser)).status).toBe(401);
    await owner.call('DELETE', `${PROVIDERS}lords/`);
  });

  test.each(['removed', 'of another issuer'])('ends its sessions once it is %s', async (change) => {
    const { email } = await addPerson();
    await owner.call('POST', PROVIDERS, oidcInput('moved'));
    const { browser } = await throughOidc(email, { provider: 'moved' });
    expect((await sessionsOf(browser)).status).toBe(200);

    if (change !== 'removed')
      await sql`update sign_in_provider set issuer = 'https://former.example'
      where provider_id = 'moved'`.execute(service.database.db);
    await (change === 'removed'
      ? owner.call('DELETE', `${PROVIDERS}moved/`)
      : owner.call('PATCH', `${PROVIDERS}moved/`, { oidc: oidcInput('moved').oidc }));

    expect((await sessionsOf(browser)).status).toBe(401);
    expect((await eventsOf('session.logout'))[0].payload).toMatchObject({ email, method: 'oidc' });
    await owner.call('DELETE', `${PROVIDERS}moved/`);
  });

  test("stores neither the provider's tokens nor our client secret in plain text", async () => {
    const { db } = service.database;
    await throughOidc((await addPerson()).email);

    const { rows: accounts } = await sql<Record<string, unknown>>`
      select access_token, refresh_token, id_token from sign_in_account where provider_id = 'idp'`.execute(
      db,
    );
    expect(accounts.length).toBeGreaterThan(0);
    for (const account of accounts) {
      expect(account).toEqual({ access_token: null, refresh_token: null, id_token: null });
    }
    const { rows } = await sql`select * from sign_in_provider`.execute(db);
    expect(JSON.stringify(rows)).not.toContain(oidc.clientSecret);
  });

  test('uses a PKCE challenge and a state', async () => {
    const { searchParams } = new URL(await begin(openBrowser(service), 'idp'));

    expect(Object.fromEntries(searchParams)).toMatchObject({
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^.{43}$/),
      state: expect.stringMatching(/^.{32}$/),
      scope: 'openid email profile',
    });
  });

  test('lets a person in whose email was stored before a rule refused it, and nobody else', async () => {
    const person = await addPerson();
    const odd = `first:last@acme.example`;
    await sql`update platform_user set email = ${odd} where id = ${person.external_uuid}`.execute(
      service.database.db,
    );

    expect((await throughOidc(odd)).location).toBe('/');
    const { email } = await addPerson();
    expect((await throughOidc(`<${email}>`)).location).toBe('/sign-in?error=unknown_person');
  });

  test('creates nobody', async () => {
    const count = async () => (await service.call('GET', '/api/users/')).body.count;
    const before = await count();

    const { browser, location } = await throughOidc('nobody@acme.example');

    expect(location).toBe('/sign-in?error=unknown_person');
    expect((await sessionsOf(browser)).status).toBe(401);
    expect(await count()).toBe(before);
    expect((await eventsOf('session.login.failed'))[0].payload).toMatchObject({
      method: 'oidc',
      reason: 'No active person of the organization has this email address. (nobody@acme.example)',
    });
  });

  test('does not let a deactivated person in, linked or not', async () => {
    const person = await addPerson();
    expect((await throughOidc(person.email)).location).toBe('/');
    await service.call('POST', `/api/users/${person.external_uuid}/deactivate/`);

    expect((await throughOidc(person.email)).location).toBe('/sign-in?error=unknown_person');
  });

  test('rejects an email address that the provider has not verified', async () => {
    const { email } = await addPerson();
    oidc.people.set('mallory', { email, email_verified: false });

    expect((await throughOidc('mallory')).location).toBe('/sign-in?error=email_not_verified');
  });

  test('trusts a provider only for its email domains', async () => {
    const { email } = await addPerson();
    await owner.call('POST', PROVIDERS, oidcInput('narrow', { email_domains: ['sub.acme.example'] }));

    expect((await throughOidc(email, { provider: 'narrow' })).location).toBe('/sign-in?error=email_domain');
    await owner.call('PATCH', `${PROVIDERS}narrow/`, { email_domains: ['acme.example'] });
    expect((await throughOidc(email, { provider: 'narrow' })).location).toBe('/');
  });

  test('rejects a response in another browser, an altered state, and a used response', async () => {
    const { email } = await addPerson();
    const browser = openBrowser(service);
    const url = await oidc.visit(await begin(browser, 'idp'), email);
    const altered = new URL(url);
    altered.searchParams.set('state', 'x'.repeat(32));

    expect(await land(browser, altered)).toBe('/sign-in?error=expired');
    expect(await land(openBrowser(service), url)).toBe('/sign-in?error=expired');
    expect((await sessionsOf(browser)).status).toBe(401);

    const again = await throughOidc(email);
    expect(again.location).toBe('/');
    expect(await land(again.browser, again.url)).toBe('/');
    await again.browser.call('POST', '/auth/sign-out/');
    expect(await land(again.browser, again.url)).toBe('/sign-in?error=expired');
  });

  test('rejects a forged code, and reports a refusal by the provider', async () => {
    const { email } = await addPerson();
    const browser = openBrowser(service);
    const url = await oidc.visit(await begin(browser, 'idp'), email);
    url.searchParams.set('code', 'guessed');
    expect(await land(browser, url)).toBe('/sign-in?error=unavailable');

    const denied = new URL(await begin(browser, 'idp'));
    const answer = new URL('http://localhost/auth/sso/callback/idp?error=access_denied');
    answer.searchParams.set('state', denied.searchParams.get('state') ?? '');
    expect(await land(browser, answer)).toBe('/sign-in?error=refused');
  });

  test('fails once the provider is removed, and does not inherit links to a new provider with its id', async () => {
    const { email } = await addPerson();
    await owner.call('POST', PROVIDERS, oidcInput('gone'));
    expect((await throughOidc(email, { provider: 'gone' })).location).toBe('/');
    const browser = openBrowser(service);
    const url = await oidc.visit(await begin(browser, 'gone'), email);

    expect((await owner.call('DELETE', `${PROVIDERS}gone/`)).status).toBe(204);
    expect(await land(browser, url)).toBe('/sign-in?error=provider');

    await owner.call('POST', PROVIDERS, oidcInput('gone'));
    const { rows } = await sql`select from sign_in_account where provider_id = 'gone'`.execute(
      service.database.db,
    );
    expect(rows).toEqual([]);
  });

  test.each([
    '//evil.example',
    '/\\evil.example',
    'https://evil.example/',
    'javascript:alert(1)',
    '/\t/evil',
    'x',
  ])('does not redirect to %j', async (return_to) => {
    const { email } = await addPerson();

    expect((await throughOidc(email, { return_to })).location).toBe('/');
  });

  test('of another organization cannot be used', async () => {
    const there = openBrowser(service, 'other');

    expect((await there.call('POST', '/auth/sso/', { provider: 'idp' })).status).toBe(404);
    const { email } = await addPerson();
    const browser = openBrowser(service);
    const url = await oidc.visit(await begin(browser, 'idp'), email);
    const path = url.href.slice(url.href.indexOf('/auth/'));
    for (const [name, value] of browser.cookies) there.cookies.set(name, value);
    expect((await there.call('GET', path)).headers.location).toBe('/org/other/sign-in?error=provider');
  });

  test('cannot be started by another site', async () => {
    const options = { headers: { origin: 'https://evil.example' } };

    expect((await openBrowser(service).call('POST', '/auth/sso/', { provider: 'idp' }, options)).status).toBe(
      403,
    );
  });
});

describe('SAML', () => {
  const start = async (return_to?: string) => {
    const browser = openBrowser(service);
    return { browser, url: await begin(browser, 'corp', return_to), metadata: await metadataOf('corp') };
  };

  test('signs in the person who has the email address', async () => {
    const person = await addPerson();
    const { browser, url, metadata } = await start('/apps');

    expect(await post(browser, 'corp', await saml.respond(url, metadata, person.email))).toBe('/apps');

    expect((await sessionsOf(browser)).body.results[0]).toMatchObject({ method: 'saml', provider: 'corp' });
    expect((await eventsOf('session.login.succeeded'))[0].payload).toMatchObject({
      email: person.email,
      method: 'saml',
      provider: 'corp',
    });
  });

  test('does not sign in the linked person once somebody else has the email address', async () => {
    const [former, successor] = [await addPerson(), await addPerson()];
    const { email } = former;
    const through = async (name: string) => {
      const { browser, url, metadata } = await start();
      return { browser, location: await post(browser, 'corp', await saml.respond(url, metadata, name)) };
    };
    const whoIs = async ({ browser }: { browser: Browser }) =>
      (await browser.call('GET', '/api/me/')).body.external_uuid;
    const change = (person: { external_uuid: string }, changed: string) =>
      service.call('PATCH', `/api/users/${person.external_uuid}/`, { email: changed });
    expect(await whoIs(await through(email))).toBe(former.external_uuid);

    await change(former, 'former@acme.example');
    expect((await through(email)).location).toBe('/sign-in?error=unknown_person');
    await change(successor, email);
    expect(await whoIs(await through(email))).toBe(successor.external_uuid);

    // A link that an earlier version kept.
    await sql`update sign_in_account set user_id = ${former.external_uuid}
      where provider_id = 'corp' and account_id = ${email}`.execute(service.database.db);
    expect((await through(email)).location).toBe('/sign-in?error=unknown_person');
  });

  test('publishes its metadata', async () => {
    const { body } = await owner.call('GET', `${PROVIDERS}corp/`);
    const metadata = await metadataOf('corp');

    expect(metadata).toContain(`entityID="${body.sp_entity_id}"`);
    expect(metadata).toContain(`Location="${body.acs_url}"`);
    expect(metadata).toContain('WantAssertionsSigned="true"');
    expect((await service.call('GET', '/auth/sso/saml/idp/metadata/', undefined, { key: null })).status).toBe(
      404,
    );
  });

  test('accepts a response once', async () => {
    const { email } = await addPerson();
    const { browser, url, metadata } = await start();
    const answer = await saml.respond(url, metadata, email);

    expect(await post(browser, 'corp', answer)).toBe('/');
    const other = await start();
    const replayed = { ...answer, RelayState: new URL(other.url).searchParams.get('RelayState') ?? '' };
    expect(await post(other.browser, 'corp', replayed)).toBe('/sign-in?error=expired');
    expect(await post(openBrowser(service), 'corp', answer)).toBe('/sign-in?error=expired');
    expect((await sessionsOf(other.browser)).status).toBe(401);
  });

  test.each<
    [string, (given: { url: string; metadata: string; email: string }) => ReturnType<SamlProvider['respond']>]
  >([
    [
      'signed with another key',
      ({ url, metadata, email }) => openSamlProvider().respond(url, metadata, email),
    ],
    [
      'with an email address that was changed after signing',
      async ({ url, metadata, email }) => {
        const { SAMLResponse, RelayState } = await saml.respond(url, metadata, 'mallory@acme.example');
        const forged = Buffer.from(SAMLResponse, 'base64')
          .toString()
          .replaceAll('mallory@acme.example', email);
        return { SAMLResponse: Buffer.from(forged).toString('base64'), RelayState };
      },
    ],
    [
      'without a signature',
      async ({ url, metadata, email }) => {
        const { SAMLResponse, RelayState } = await saml.respond(url, metadata, email);
        const xml = Buffer.from(SAMLResponse, 'base64').toString();
        const bare = xml.replace(/<ds:Signature[\s>].*<\/ds:Signature>|<Signature[\s>].*<\/Signature>/s, '');
        expect(bare).not.toBe(xml);
        return { SAMLResponse: Buffer.from(bare).toString('base64'), RelayState };
      },
    ],
    [
      'for another audience',
      ({ url, metadata, email }) => saml.respond(url, metadataOfOther(metadata), email),
    ],
    [
      'for another address',
      ({ url, metadata, email }) =>
        saml.respond(url, metadata, email, { SubjectRecipient: 'https://other.example/acs' }),
    ],
    [
      'that has expired',
      ({ url, metadata, email }) =>
        saml.respond(url, metadata, email, {
          ConditionsNotBefore: '2020-01-01T00:00:00Z',
          ConditionsNotOnOrAfter: '2020-01-01T00:05:00Z',
        }),
    ],
    [
      'to no request',
      ({ url, metadata, email }) => saml.respond(url, metadata, email, { InResponseTo: undefined }),
    ],
    [
      'to another request',
      ({ url, metadata, email }) => saml.respond(url, metadata, email, { InResponseTo: '_guessed' }),
    ],
  ])('rejects a response %s', async (_, answer) => {
    const { email } = await addPerson();
    const { browser, url, metadata } = await start();

    const location = await post(browser, 'corp', await answer({ url, metadata, email }));

    expect(location).toMatch(/^\/sign-in\?error=(provider|expired)$/);
    expect((await sessionsOf(browser)).status).toBe(401);
    expect((await eventsOf('session.login.failed'))[0].payload).toMatchObject({ method: 'saml' });
  });

  test('creates nobody, and does not let a deactivated person in', async () => {
    const gone = await addPerson();
    await service.call('POST', `/api/users/${gone.external_uuid}/deactivate/`);

    for (const email of ['nobody@acme.example', gone.email]) {
      const { browser, url, metadata } = await start();
      expect(await post(browser, 'corp', await saml.respond(url, metadata, email))).toBe(
        '/sign-in?error=unknown_person',
      );
    }
  });

  test('of another organization cannot be used', async () => {
    const { email } = await addPerson();
    const { browser, url, metadata } = await start();
    const answer = await saml.respond(url, metadata, email);
    const there = openBrowser(service, 'other');

    expect(await post(there, 'corp', answer)).toBe('/org/other/sign-in?error=provider');
    expect(await post(browser, 'corp', answer)).toBe('/');
  });

  test('rejects a malformed response', async () => {
    const { browser, url } = await start();
    const RelayState = new URL(url).searchParams.get('RelayState') ?? '';

    expect(await post(browser, 'corp', { SAMLResponse: 'nonsense', RelayState })).toBe(
      '/sign-in?error=provider',
    );
    const { status } = await browser.call('POST', '/auth/sso/saml2/sp/acs/corp', {
      SAMLResponse: 'x',
      RelayState,
    });
    expect(status).toBe(415);
  });
});

describe('behind https', () => {
  const secure = { host: 'gatehouse.example', origin: 'https://gatehouse.example' };

  test('accepts a SAML response only in the browser that started the sign-in', async () => {
    const behind = await openTestApp({ publicUrl: secure.origin });
    onTestFinished(behind.close);
    const person = (await behind.call('POST', '/api/users/', { email: 'tls@acme.example' })).body;
    const admin = await signInOwner(behind, 'acme', { headers: secure });
    const made = await admin.call('POST', PROVIDERS, samlInput('corp'), { headers: secure });
    expect(made.status).toBe(201);
    const metadata = (await behind.call('GET', '/auth/sso/saml/corp/metadata/', undefined, { key: null }))
      .body;
    const [browser, victim] = [openBrowser(behind), openBrowser(behind)];
    // Other software on the domain sets cookies, too.
    for (const one of [browser, victim]) one.cookies.set('promo', '50%');
    const begun = await browser.call('POST', '/auth/sso/', { provider: 'corp' }, { headers: secure });
    expect(String(begun.headers['set-cookie'])).toMatch(
      /relay_state=[^,]*HttpOnly; Secure; SameSite=None|relay_state=[^,]*Secure[^,]*SameSite=None/i,
    );
    const answer = await saml.respond(begun.body.url, metadata, person.email);

    expect(await post(victim, 'corp', answer)).toBe('/sign-in?error=expired');
    expect(await post(browser, 'corp', answer)).toBe('/');
  });
});

describe('sign-in providers', () => {
  test('are listed on the sign-in page and in the API without secrets', async () => {
    const { body } = await openBrowser(service).call('GET', '/auth/');
    expect(body.providers).toContainEqual({ id: 'idp', name: 'Provider idp', type: 'oidc' });
    expect(body.providers).toContainEqual({ id: 'corp', name: 'Provider corp', type: 'saml' });

    const list = await owner.call('GET', PROVIDERS);
    expect(list.body.results.find(({ id }: { id: string }) => id === 'idp')).toMatchObject({
      type: 'oidc',
      oidc: { issuer: oidc.issuer, client_id: 'gatehouse', scopes: ['openid', 'email', 'profile'] },
      callback_url: expect.stringMatching(/\/org\/acme\/auth\/sso\/callback\/idp$/),
      email_domains: [],
    });
    expect(JSON.stringify(list.body)).not.toContain(oidc.clientSecret);
  });

  test('keep their secret if a change has none', async () => {
    const { email } = await addPerson();
    await owner.call('POST', PROVIDERS, oidcInput('moved'));
    const { issuer } = oidc;

    const changed = await owner.call('PATCH', `${PROVIDERS}moved/`, {
      name: 'Renamed',
      oidc: { issuer, client_id: 'gatehouse', scopes: ['openid', 'email'] },
    });

    expect(changed).toMatchObject({
      status: 200,
      body: { name: 'Renamed', oidc: { scopes: ['openid', 'email'] } },
    });
    expect((await throughOidc(email, { provider: 'moved' })).location).toBe('/');
  });

  test('work with an entity id, an address and a certificate instead of metadata', async () => {
    const { email } = await addPerson();
    const made = await owner.call('POST', PROVIDERS, {
      id: 'manual',
      saml: {
        entity_id: saml.entityId,
        sso_url: 'https://idp.example/sign-in',
        certificate: saml.certificate,
      },
    });
    expect(made).toMatchObject({ status: 201, body: { name: 'manual', saml: { entity_id: saml.entityId } } });

    const browser = openBrowser(service);
    const url = await begin(browser, 'manual');
    const answer = await saml.respond(url, await metadataOf('manual'), email);
    expect(await post(browser, 'manual', answer)).toBe('/');
  });

  test('accept each of several certificates, so that a provider can change its own without a gap', async () => {
    const { email } = await addPerson();
    const [before, after, stranger] = [1, 2, 3].map((year) =>
      openSamlProvider('https://idp.example/rotates', new Date(Date.UTC(2040 + year, 0, 1))),
    ) as [SamlProvider, SamlProvider, SamlProvider];
    const input = (certificate: string) => ({
      saml: { entity_id: before.entityId, sso_url: 'https://idp.example/sign-in', certificate },
    });
    const both = `subject=CN = old\r\n${before.certificate}\n\nsubject=CN = new\n${after.certificate.trimEnd()}`;
    const { body } = await owner.call('POST', PROVIDERS, { id: 'rotates', ...input(before.certificate) });
    expect(body.saml).toMatchObject({
      certificate: before.certificate,
      certificates_expire_at: '2041-01-01T00:00:00.000Z',
    });

    const changed = await owner.call('PATCH', `${PROVIDERS}rotates/`, input(both));

    expect(changed.body.saml).toMatchObject({
      certificate: before.certificate + after.certificate,
      certificates_expire_at: '2042-01-01T00:00:00.000Z',
    });
    const signIn = async (idp: SamlProvider) => {
      const browser = openBrowser(service);
      const url = await begin(browser, 'rotates');
      return post(browser, 'rotates', await idp.respond(url, await metadataOf('rotates'), email));
    };
    expect(await signIn(before)).toBe('/');
    expect(await signIn(after)).toBe('/');
    expect(await signIn(stranger)).toBe('/sign-in?error=provider');
    const again = await owner.call('PATCH', `${PROVIDERS}rotates/`, input(changed.body.saml.certificate));
    expect(again.body.saml).toEqual(changed.body.saml);
  });

  test.each<[string, (one: string, other: string) => string]>([
    ['a second certificate without its end', (one, other) => one + other.slice(0, 200)],
    ['two certificates without their lines', (one, other) => (one + other).replace(/-----[A-Z ]+-----/g, '')],
    ['eleven certificates', (one) => one.repeat(11)],
    [
      'text in place of the second certificate',
      (one) => `${one}-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----`,
    ],
  ])('do not drop %s silently', async (_, certificateOf) => {
    const certificate = certificateOf(saml.certificate, openSamlProvider().certificate);

    expect(
      await owner.call('POST', PROVIDERS, {
        id: 'cut',
        saml: { entity_id: saml.entityId, sso_url: 'https://idp.example/sign-in', certificate },
      }),
    ).toMatchObject({ status: 400, body: { detail: expect.stringMatching(/^saml\.certificate: /) } });
  });

  test('refuse a second NameID of the same person, and one that is another each time', async () => {
    const { email } = await addPerson();
    const signIn = async (NameID: string, format: string) => {
      const browser = openBrowser(service);
      const tags = {
        NameID,
        NameIDFormat: `urn:oasis:names:tc:SAML:2.0:nameid-format:${format}`,
        AttributeStatement: `<saml:AttributeStatement><saml:Attribute Name="email"><saml:AttributeValue>${email}</saml:AttributeValue></saml:Attribute></saml:AttributeStatement>`,
      };
      const answer = await saml.respond(await begin(browser, 'corp'), await metadataOf('corp'), email, tags);
      return post(browser, 'corp', answer);
    };
    expect(await signIn(`first of ${email}`, 'persistent')).toBe('/');

    expect(await signIn(`second of ${email}`, 'persistent')).toBe('/sign-in?error=linked_to_another');
    expect(await signIn(`third of ${email}`, 'transient')).toBe('/sign-in?error=provider');

    expect(await signIn(`first of ${email}`, 'persistent')).toBe('/');
  });

  test('link people again after their authority changes, and keep our entity id', async () => {
    const person = await addPerson();
    const { body: made } = await owner.call('POST', PROVIDERS, samlInput('heir'));
    const signIn = async (idp: SamlProvider, nameId: string) => {
      const browser = openBrowser(service);
      const url = await begin(browser, 'heir');
      return post(browser, 'heir', await idp.respond(url, await metadataOf('heir'), nameId));
    };
    expect(await signIn(saml, person.email)).toBe('/');
    const renamed = { email: `renamed-${person.email}` };
    await owner.call('PATCH', `/api/users/${person.external_uuid}/`, renamed);
    expect(await signIn(saml, person.email)).toBe('/sign-in?error=unknown_person');
    expect(await signIn(saml, renamed.email)).toBe('/');

    const heir = openSamlProvider('https://heir.example/saml');
    const changed = await owner.call(
      'PATCH',
      `${PROVIDERS}heir/`,
      { saml: { idp_metadata: heir.metadata } },
      { headers: { host: '127.0.0.1', origin: 'http://127.0.0.1' } },
    );

    expect(changed.body).toMatchObject({
      saml: { entity_id: heir.entityId },
      sp_entity_id: made.sp_entity_id,
    });
    expect(await signIn(saml, renamed.email)).toBe('/sign-in?error=provider');
    expect(await signIn(heir, person.email)).toBe('/sign-in?error=unknown_person');
    expect(await signIn(heir, renamed.email)).toBe('/');
  });

  test.each<[string, () => object]>([
    ['neither kind', () => ({ id: 'x' })],
    ['both kinds', () => ({ ...oidcInput('x'), saml: { idp_metadata: saml.metadata } })],
    ['an id with a slash', () => samlInput('a/b')],
    ['a reserved id', () => samlInput('credential')],
    [
      'an issuer without https',
      () => ({ id: 'x', oidc: { issuer: 'http://idp.example', client_id: 'a', client_secret: 'b' } }),
    ],
    [
      'an issuer that does not answer',
      () => ({ id: 'x', oidc: { issuer: `${oidc.issuer}/no`, client_id: 'a', client_secret: 'b' } }),
    ],
    [
      'an issuer that is not a web address',
      () => ({ id: 'x', oidc: { issuer: 'file:///etc/passwd', client_id: 'a', client_secret: 'b' } }),
    ],
    ['no metadata', () => samlInput('x', { saml: { idp_metadata: '<a/>' } })],
    [
      'metadata with entities',
      () => samlInput('x', { saml: { idp_metadata: `<!DOCTYPE a []>${saml.metadata}` } }),
    ],
    [
      'an invalid certificate',
      () => samlInput('x', { saml: { entity_id: 'a', sso_url: 'https://a.example', certificate: 'b' } }),
    ],
    [
      'an entity id of spaces, which metadata cannot have',
      () =>
        samlInput('x', {
          saml: { entity_id: '  ', sso_url: 'https://a.example', certificate: saml.certificate },
        }),
    ],
    ['an invalid email domain', () => samlInput('x', { email_domains: ['a,b'] })],
  ])('are rejected with %s', async (_, input) => {
    expect(await owner.call('POST', PROVIDERS, input())).toMatchObject({
      status: 400,
      body: { detail: expect.any(String) },
    });
  });

  test('have unique ids and cannot change their type', async () => {
    expect((await owner.call('POST', PROVIDERS, samlInput('corp'))).status).toBe(409);
    const change = { saml: { idp_metadata: saml.metadata } };
    expect((await owner.call('PATCH', `${PROVIDERS}idp/`, change)).status).toBe(400);
    expect((await owner.call('PATCH', `${PROVIDERS}nothing/`, change)).status).toBe(404);
    expect((await owner.call('DELETE', `${PROVIDERS}nothing/`)).status).toBe(404);
  });

  test('can be read by auditors and administrators, changed by owners only, and not seen by members', async () => {
    const as = async (role: string) => (await signInAs(service, await addPerson(role))).call;
    const [admin, auditor, member] = [await as('admin'), await as('auditor'), await as('member')];

    expect((await auditor('GET', PROVIDERS)).status).toBe(200);
    expect((await admin('GET', PROVIDERS)).status).toBe(200);
    expect((await member('GET', PROVIDERS)).status).toBe(403);
    for (const call of [admin, auditor, member]) {
      for (const attempt of [
        call('POST', PROVIDERS, oidcInput('mine')),
        call('PATCH', `${PROVIDERS}idp/`, { approved_for_owners: true }),
        call('DELETE', `${PROVIDERS}idp/`),
      ]) {
        expect(await attempt).toMatchObject({
          status: 403,
          body: { detail: 'This requires the role owner. Ask an owner of your organization.' },
        });
      }
    }
  });

  test('can be changed only shortly after signing in', async () => {
    await setTimes(service, 'sign_in_session', { authenticated_at: '16 minutes ago' });
    onTestFinished(async () => {
      await setTimes(service, 'sign_in_session', { authenticated_at: 'now' });
    });

    for (const attempt of [
      owner.call('POST', PROVIDERS, oidcInput('late')),
      owner.call('PATCH', `${PROVIDERS}idp/`, { approved_for_owners: true }),
      owner.call('DELETE', `${PROVIDERS}idp/`),
    ]) {
      expect(await attempt).toMatchObject({
        status: 403,
        body: { errors: [{ code: 'confirmation_required' }] },
      });
    }
  });

  test("cannot be changed with an API key, not even with an owner's", async () => {
    for (const attempt of [
      service.call('POST', PROVIDERS, oidcInput('mine')),
      service.call('PATCH', `${PROVIDERS}idp/`, { approved_for_owners: true }),
      service.call('DELETE', `${PROVIDERS}idp/`),
    ]) {
      expect(await attempt).toMatchObject({
        status: 403,
        body: { detail: expect.stringMatching(/API keys/) },
      });
    }
  });

  test('sign in an owner only if an owner approved them for owners', async () => {
    const { email } = await addPerson('owner');
    await owner.call('POST', PROVIDERS, oidcInput('lords'));
    onTestFinished(async () => {
      await owner.call('DELETE', `${PROVIDERS}lords/`);
    });
    const signIn = async () => (await throughOidc(email, { provider: 'lords' })).location;

    expect(await signIn()).toBe('/sign-in?error=not_approved_for_owners');
    expect((await eventsOf('session.login.failed'))[0].payload.reason).toBe(
      `The provider is not approved to sign in owners. (${email})`,
    );
    const approved = await owner.call('PATCH', `${PROVIDERS}lords/`, { approved_for_owners: true });
    expect(approved.body).toMatchObject({
      approved_for_owners: true,
      approved_for_owners_by: expect.any(String),
      approved_for_owners_at: expect.any(String),
    });
    expect(await signIn()).toBe('/');
    await owner.call('PATCH', `${PROVIDERS}lords/`, { approved_for_owners: false });
    expect(await signIn()).toBe('/sign-in?error=not_approved_for_owners');
  });

  test('do not sign in a linked person who has become an owner', async () => {
    const person = await addPerson();
    expect((await throughOidc(person.email)).location).toBe('/');
    await owner.call('PATCH', `/api/users/${person.external_uuid}/`, { role: 'owner' });

    expect((await throughOidc(person.email)).location).toBe('/sign-in?error=not_approved_for_owners');
  });

  test('record who added, changed and removed them, without secrets', async () => {
    await owner.call('POST', PROVIDERS, oidcInput('traced'));
    await owner.call('PATCH', `${PROVIDERS}traced/`, {
      name: 'Traced',
      email_domains: ['acme.example'],
      oidc: { issuer: oidc.issuer, client_id: 'other', client_secret: 'another secret' },
    });
    await owner.call('DELETE', `${PROVIDERS}traced/`);

    const { rows } = await sql<{ body: string }>`
      select body from event where event_type like 'provider.%' and body like '%traced%' order by position`.execute(
      service.database.db,
    );
    const events = rows.map(({ body }) => JSON.parse(body));
    expect(events.map(({ event_type }) => event_type)).toEqual([
      'provider.created',
      'provider.updated',
      'provider.deleted',
    ]);
    expect(events[0]).toMatchObject({
      actor: { type: 'user', uuid: expect.any(String) },
      source: { type: 'user_action' },
      payload: { provider_id: 'traced', name: 'Provider traced', kind: 'oidc' },
    });
    expect(events[1].payload.changes).toEqual(
      expect.arrayContaining([
        { field: 'name', from: 'Provider traced', to: 'Traced' },
        { field: 'email_domains', from: [], to: ['acme.example'] },
        { field: 'oidc.clientId', from: 'gatehouse', to: 'other' },
        { field: 'oidc.clientSecret', from: null, to: null },
      ]),
    );
    const log = JSON.stringify(events);
    expect(log).not.toContain(oidc.clientSecret);
    expect(log).not.toContain('another secret');
  });
});
