import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { openTestApp, type TestApp } from '#test/app.ts';
import { type HostileOidcProvider, openHostileOidcProvider } from '#test/hostile-oidc.ts';
import { openHostileSamlProvider } from '#test/hostile-saml.ts';
import { type Browser, forgetAttempts, openBrowser, signInOwner } from '#test/sign-in.ts';

/** Sign-ins that begin elsewhere, responses that nobody requested, and what providers report instead of a person. */
const PROVIDERS = '/api/sign-in-providers/';
let service: TestApp;
let owner: Browser;
let oidc: HostileOidcProvider;
const saml = openHostileSamlProvider();
const email = 'ada@acme.example';

beforeAll(async () => {
  service = await openTestApp({ own: true });
  owner = await signInOwner(service);
  oidc = await openHostileOidcProvider('gatehouse');
  const settings = { issuer: oidc.issuer, client_id: 'gatehouse', client_secret: 'secret' };
  await owner.call('POST', PROVIDERS, { id: 'idp', name: 'Our provider', oidc: settings });
  await addSaml('corp');
  await service.call('POST', '/api/users/', { email });
});
afterAll(async () => {
  await oidc.close();
  await service.close();
});
beforeEach(() => forgetAttempts(service));

const addSaml = (id: string) =>
  owner.call('POST', PROVIDERS, {
    id,
    name: 'Portal',
    saml: {
      entity_id: saml.entityId,
      sso_url: 'https://idp.example/sign-in',
      certificate: saml.certificate,
    },
  });
let ids = 0;
/** Another provider, of which the log has had no response in this minute. */
async function newSaml(): Promise<string> {
  const id = `corp${ids++}`;
  expect((await addSaml(id)).status).toBe(201);
  return id;
}

const PAGE = { accept: 'text/html,*/*' };
const begin = async (browser: Browser, provider: string) =>
  (await browser.call('POST', '/auth/sso/', { provider })).body.url as string;
const post = (browser: Browser, form: Record<string, string>, provider = 'corp', headers = {}) =>
  browser.call('POST', `/auth/sso/saml2/sp/acs/${provider}`, new URLSearchParams(form).toString(), {
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      origin: 'https://idp.example',
      ...headers,
    },
  });
const unsolicited = async () =>
  (await service.call('GET', '/api/events/?catalog=all&event_type=session.login.unsolicited&limit=200')).body
    .results;
const failed = async () =>
  (await service.call('GET', '/api/events/?event_type=session.login.failed&limit=200')).body.results;
const isSignedIn = async (browser: Browser) => (await browser.call('GET', '/api/me/')).status === 200;

/** A valid response of the portal that answers no request. */
const fromPortal = async (provider: string, response = (xml: string) => xml) => {
  const bare = (xml: string) => xml.replaceAll(/ InResponseTo="[^"]*"/g, '');
  const url = await begin(openBrowser(service), provider);
  return saml.respond(url, email, { assertion: bare, response: (xml) => response(bare(xml)) }).SAMLResponse;
};

describe('a SAML response that nobody requested', () => {
  test.each<[string, Record<string, string>]>([
    ['without a relay state', {}],
    ['with an empty relay state', { RelayState: '' }],
    ['with the page that the portal wants', { RelayState: 'https://evil.example/x' }],
  ])('leads to a page that goes on to an ordinary sign-in, %s', async (_, form) => {
    const [browser, provider] = [openBrowser(service), await newSaml()];
    const before = (await failed()).length;

    const { status, headers } = await post(
      browser,
      { SAMLResponse: await fromPortal(provider), ...form },
      provider,
      PAGE,
    );

    expect([status, headers.location]).toEqual([303, `/sign-in?error=unsolicited&provider=${provider}`]);
    expect(await isSignedIn(browser)).toBe(false);
    expect((await failed()).length).toBe(before);
    expect((await unsolicited())[0]).toMatchObject({
      severity: 'low',
      payload: { provider_id: provider, method: 'saml', reason: 'not_requested', verified: true },
    });
    const { body } = await browser.call('POST', '/auth/sso/', { provider });
    expect((await post(browser, saml.respond(body.url, email), provider)).headers.location).toBe('/');
  });

  test('does not count as verified if its signature is not valid, and signs in nobody', async () => {
    const [browser, provider] = [openBrowser(service), await newSaml()];
    const SAMLResponse = openHostileSamlProvider().respond(
      await begin(openBrowser(service), provider),
      email,
      {
        response: (xml) => xml.replaceAll(/ InResponseTo="[^"]*"/g, ''),
      },
    ).SAMLResponse;

    await post(browser, { SAMLResponse }, provider);

    expect((await unsolicited())[0].payload).toMatchObject({ provider_id: provider, verified: false });
    expect(await isSignedIn(browser)).toBe(false);
  });

  test('is recorded once a minute, however often it is sent', async () => {
    const [browser, provider] = [openBrowser(service), await newSaml()];
    const SAMLResponse = await fromPortal(provider);
    const before = (await unsolicited()).length;

    for (let i = 0; i < 20; i++) await post(browser, { SAMLResponse }, provider);

    expect((await unsolicited()).length).toBe(before + 1);
  });

  test('is not accepted in place of one that was requested', async () => {
    const browser = openBrowser(service);
    const RelayState = new URL(await begin(browser, 'corp')).searchParams.get('RelayState') ?? '';

    const { headers } = await post(browser, { SAMLResponse: await fromPortal('corp'), RelayState });

    expect(headers.location).toBe('/sign-in?error=provider');
    expect(await isSignedIn(browser)).toBe(false);
  });

  test('that comes too late says so instead', async () => {
    const answer = saml.respond(await begin(openBrowser(service), 'corp'), email);

    const { headers } = await post(openBrowser(service), { ...answer, RelayState: 'x'.repeat(32) });

    expect(headers.location).toBe('/sign-in?error=expired');
  });
});

describe('a callback of OpenID Connect that nobody requested', () => {
  const land = async (query: string) =>
    (await openBrowser(service).call('GET', `/auth/sso/callback/idp${query}`)).headers.location;

  test.each([
    ['?code=abc', '/sign-in?error=unsolicited&provider=idp'],
    ['?code=abc&state=unknown', '/sign-in?error=expired'],
    ['?error=access_denied&error_description=Call%20555', '/sign-in?error=expired'],
    ['', '/sign-in?error=expired'],
  ])('%s leads to %s', async (query, location) => {
    expect(await land(query)).toBe(location);
  });

  test('shows no words of strangers', async () => {
    const browser = openBrowser(service);
    await browser.call(
      'GET',
      '/auth/sso/callback/idp?error=access_denied&error_description=Call%20555&state=x',
    );

    expect((await browser.call('GET', '/auth/')).body.failure).toBe(null);
  });
});

describe('a malformed request of a browser', () => {
  test.each<[string, (browser: Browser) => ReturnType<Browser['call']>]>([
    [
      'without a form',
      ({ call }) => call('POST', '/auth/sso/saml2/sp/acs/corp', undefined, { headers: PAGE }),
    ],
    ['without a response', (browser) => post(browser, { RelayState: 'x' }, 'corp', PAGE)],
    [
      'with a response that is too large',
      (browser) => post(browser, { SAMLResponse: 'A'.repeat(90_000) }, 'corp', PAGE),
    ],
    [
      'with a form that is too large',
      (browser) => post(browser, { SAMLResponse: 'A'.repeat(200_000) }, 'corp', PAGE),
    ],
    [
      'with two codes',
      ({ call }) => call('GET', '/auth/sso/callback/idp?code=a&code=b', undefined, { headers: PAGE }),
    ],
    [
      'with a state that is too long',
      ({ call }) =>
        call('GET', `/auth/sso/callback/idp?state=${'x'.repeat(300)}`, undefined, { headers: PAGE }),
    ],
  ])('%s leads to the sign-in page', async (_, send) => {
    const { status, headers } = await send(openBrowser(service));

    expect([status, headers.location]).toEqual([303, '/sign-in?error=malformed']);
  });
});

describe('what a provider reports', () => {
  const throughOidc = async (query: Record<string, string>) => {
    const browser = openBrowser(service);
    const state = new URL(await begin(browser, 'idp')).searchParams.get('state') ?? '';
    const path = `/auth/sso/callback/idp?${new URLSearchParams({ ...query, state })}`;
    return { browser, location: (await browser.call('GET', path)).headers.location };
  };
  const noticeIn = async (browser: Browser) => (await browser.call('GET', '/auth/')).body.failure;

  test.each([
    ['access_denied', 'refused'],
    ['login_required', 'interaction_required'],
    ['interaction_required', 'interaction_required'],
    ['temporarily_unavailable', 'provider_unavailable'],
    ['server_error', 'provider_unavailable'],
    ['invalid_request', 'provider_settings'],
    ['unauthorized_client', 'provider_settings'],
    ['AADSTS50105', 'provider_error'],
    ['toString', 'provider_error'],
  ])('is shown and recorded: %s -> %s', async (error, failure) => {
    const { browser, location } = await throughOidc({ error, error_description: 'Try <b>later</b>.' });

    expect(location).toBe(`/sign-in?error=${failure}`);
    expect(await noticeIn(browser)).toEqual({
      failure,
      provider: 'Our provider',
      error,
      words: 'Try <b>later</b>.',
    });
    expect((await failed())[0].payload).toMatchObject({
      method: 'oidc',
      reason: expect.stringContaining(`It reports ${error}, in its own words: "Try <b>later</b>."`),
    });
  });

  test('is bounded and on one line', async () => {
    const words = `a\r\nb\u202e${'x'.repeat(3000)}`;
    const { browser } = await throughOidc({ error: `e\u0000\n${'y'.repeat(150)}`, error_description: words });

    const notice = await noticeIn(browser);
    expect(notice.words).toMatch(/^a b x+…$/);
    expect(notice.words).toHaveLength(300);
    expect(notice.error).toMatch(/^e y+…$/);
    expect((await failed())[0].payload.reason.length).toBeLessThan(600);
  });

  test('cannot be written by others, and is for one browser and organization', async () => {
    const { browser } = await throughOidc({ error: 'access_denied', error_description: 'No.' });
    const [name = '', value = ''] = [...browser.cookies].find(([one]) => one.includes('failure')) ?? [];
    const [text = '', signature = ''] = value.split('.');
    const forged = Buffer.from(text, 'base64url').toString().replace('No.', 'Ho.');

    for (const other of [`${Buffer.from(forged).toString('base64url')}.${signature}`, 'x', '.', `${text}.`]) {
      browser.cookies.set(name, other);
      expect(await noticeIn(browser)).toBe(null);
    }
    expect(await noticeIn(openBrowser(service))).toBe(null);
  });

  const status = (code: string, second: string, message: string) => (xml: string) =>
    xml.replace(
      /<samlp:Status>.*<\/samlp:Status>.*<\/samlp:Response>/s,
      `<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:${code}">${second === '' ? '' : `<samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:${second}"/>`}</samlp:StatusCode>${message}</samlp:Status></samlp:Response>`,
    );
  test.each([
    ['Responder', '', '', 'provider_error', 'Responder', null],
    ['Responder', 'AuthnFailed', '', 'refused', 'AuthnFailed', null],
    ['Responder', 'NoAuthnContext', '', 'provider_settings', 'NoAuthnContext', null],
    ['Responder', 'NoPassive', '', 'interaction_required', 'NoPassive', null],
    [
      'Requester',
      'RequestDenied',
      '<samlp:StatusMessage>Not assigned &lt;to&gt; it</samlp:StatusMessage>',
      'refused',
      'RequestDenied',
      'Not assigned <to> it',
    ],
    ['Requester', '', '', 'provider_settings', 'Requester', null],
  ])('by SAML is shown: %s %s %s', async (code, second, message, failure, error, words) => {
    const browser = openBrowser(service);
    const url = await begin(browser, 'corp');

    const answer = saml.respond(url, email, { after: status(code, second, message) });

    expect((await post(browser, answer)).headers.location).toBe(`/sign-in?error=${failure}`);
    expect(await noticeIn(browser)).toEqual({ failure, provider: 'Portal', error, words });
    expect((await failed())[0].payload.reason).toContain(`It reports ${error}`);
    expect((await post(browser, answer)).headers.location).toBe('/sign-in?error=expired');
  });

  test('by SAML counts only in response to a request of this browser', async () => {
    const browser = openBrowser(service);
    const url = await begin(browser, 'corp');
    const other = saml.respond(await begin(openBrowser(service), 'corp'), email, {
      after: status('Responder', '', '<samlp:StatusMessage>Call 555</samlp:StatusMessage>'),
    });
    const RelayState = new URL(url).searchParams.get('RelayState') ?? '';

    expect((await post(browser, { ...other, RelayState })).headers.location).toBe('/sign-in?error=expired');
    expect(await noticeIn(browser)).toBe(null);
  });
});

describe('the address of a tile', () => {
  const start = async (query: Record<string, string>, headers = {}) =>
    openBrowser(service).call('GET', `/auth/start/?${new URLSearchParams(query)}`, undefined, { headers });

  test('is in the API', async () => {
    const { body } = await owner.call('GET', `${PROVIDERS}corp/`);

    expect(body.start_url).toMatch(/^http:\/\/localhost(:80)?\/org\/acme\/auth\/start\/\?provider=corp$/);
  });

  test('starts an ordinary sign-in', async () => {
    const browser = openBrowser(service);
    const saved = await browser.call('GET', '/auth/start/?provider=corp&target_link_uri=%2Fapps');
    const url = String(saved.headers.location);

    expect(saved.status).toBe(303);
    expect(url).toMatch(/^https:\/\/idp\.example\/sign-in\?SAMLRequest=/);
    expect((await post(browser, saml.respond(url, email))).headers.location).toBe('/apps');
  });

  test('checks the issuer, and passes on a name', async () => {
    const { headers } = await start({ provider: 'idp', iss: oidc.issuer, login_hint: email });

    const url = new URL(String(headers.location));
    expect(url.origin).toBe(oidc.issuer);
    expect(url.searchParams.get('login_hint')).toBe(email);
    expect(url.searchParams.get('prompt')).toBe(null);
    for (const iss of ['https://evil.example', `${oidc.issuer}/`, ''])
      expect((await start({ provider: 'idp', iss })).headers.location).toBe('/sign-in?error=another_issuer');
    const odd = await start({ provider: 'idp', login_hint: `x\u0000${'y'.repeat(300)}` });
    expect(new URL(String(odd.headers.location)).searchParams.has('login_hint')).toBe(false);
  });

  test.each([
    ['/tasks?page=2', '/tasks?page=2'],
    ['http://localhost/tasks', '/tasks'],
    ['https://localhost/tasks', '/'],
    ['http://localhost:8080/tasks', '/'],
    ['http://localhost@evil.example/', '/'],
    ['http://ada@localhost/tasks', '/'],
    ['https://evil.example/', '/'],
    ['//evil.example', '/'],
    ['/\\evil.example', '/'],
    ['javascript:alert(1)', '/'],
    ['', '/'],
  ])('returns to a page of its own only: %j -> %j', async (target_link_uri, location) => {
    const browser = openBrowser(service);
    const query = new URLSearchParams({ provider: 'corp', target_link_uri });
    const { headers } = await browser.call('GET', `/auth/start/?${query}`);

    const answer = saml.respond(String(headers.location), email);

    expect((await post(browser, answer)).headers.location).toBe(location);
  });

  test.each([[{ provider: 'nothing' }], [{}], [{ provider: '\0' }]])(
    'leads to the sign-in page without a provider: %j',
    async (query) => {
      expect((await start(query)).headers.location).toBe('/sign-in?error=unknown_provider');
    },
  );

  test('takes the form that OpenID Connect allows, and starts with GET', async () => {
    const browser = openBrowser(service);
    const form = new URLSearchParams({ iss: oidc.issuer, login_hint: email, other: 'x' }).toString();
    const { status, headers } = await browser.call('POST', '/auth/start/?provider=idp', form, {
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: oidc.issuer },
    });

    expect(status).toBe(303);
    const query = new URLSearchParams({ provider: 'idp', iss: oidc.issuer, login_hint: email });
    expect(headers.location).toBe(`/org/acme/auth/start/?${query}`);
    expect(headers['set-cookie']).toBe(undefined);
  });

  test.each(['iframe', 'image', 'empty'])('does not start in the background: %s', async (destination) => {
    const { status, headers } = await start({ provider: 'corp' }, { 'sec-fetch-dest': destination });

    expect(status).toBe(403);
    expect(headers['set-cookie']).toBe(undefined);
  });
});

describe('without a public address, a host that anyone can write', () => {
  const forged = { headers: { host: 'evil.example', origin: 'http://evil.example' } };
  const REFUSED = {
    status: 409,
    body: { detail: expect.stringMatching(/evil\.example.*GATEHOUSE_PUBLIC_URL/) },
  };

  test('enters no sign-in link', async () => {
    const { body: person } = await service.call('POST', '/api/users/', { email: 'new@acme.example' });
    const path = `/api/users/${person.external_uuid}/sign-in-link/`;

    expect(await owner.call('POST', path, undefined, forged)).toMatchObject(REFUSED);

    const events = await service.call('GET', '/api/events/?catalog=all&event_type=password.link_created');
    expect(events.body.results).toEqual([]);
    const local = { headers: { host: 'localhost:8080', origin: 'http://localhost:8080' } };
    expect((await owner.call('POST', path, undefined, local)).body.url).toMatch(
      /^http:\/\/localhost:8080\/welcome#/,
    );
  });

  test('enters nothing that a provider gets', async () => {
    const { call } = openBrowser(service);
    const change = {
      saml: { entity_id: saml.entityId, sso_url: 'https://idp.example/s', certificate: saml.certificate },
    };

    expect(await call('POST', '/auth/sso/', { provider: 'corp' }, forged)).toMatchObject(REFUSED);
    expect(await call('GET', '/auth/sso/saml/corp/metadata/', undefined, forged)).toMatchObject(REFUSED);
    expect(await owner.call('PATCH', `${PROVIDERS}corp/`, change, forged)).toMatchObject(REFUSED);
    expect((await call('GET', '/auth/start/?provider=corp', undefined, forged)).headers.location).toBe(
      '/sign-in?error=no_address',
    );
    const { body } = await owner.call('GET', `${PROVIDERS}corp/`, undefined, forged);
    expect(body).toMatchObject({ start_url: null, acs_url: null, metadata_url: null });
    expect(JSON.stringify(body)).not.toContain('evil.example');
  });

  test('is accepted if the request arrived at that address', async () => {
    const own = await openTestApp({ own: true });
    onTestFinished(own.close);
    const address = new URL(await own.app.http.listen({ port: 0, host: '127.0.0.1' }));
    const metadata = (host: string) =>
      fetch(`${address.origin}/org/acme/auth/sso/saml/none/metadata/`, { headers: { host } });

    // The provider does not exist.
    expect((await metadata(address.host)).status).toBe(404);
  });
});
