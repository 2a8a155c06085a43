import { afterAll, beforeAll, beforeEach, describe, expect, inject, onTestFinished, test } from 'vitest';
import { findOrganizationId } from '#directory/access/organization-facts.ts';
import { openDatabase } from '#kit/database/open.ts';
import { within } from '#kit/database.ts';
import { openTestApp, type TestApp } from '#test/app.ts';
import { type HostileOidcProvider, openHostileOidcProvider } from '#test/hostile-oidc.ts';
import { openHostileSamlProvider } from '#test/hostile-saml.ts';
import { type Browser, forgetAttempts, openBrowser, signInAs, signInOwner } from '#test/sign-in.ts';
import {
  endTaken,
  finishOfCopy,
  MOST_STARTS,
  patience,
  rememberFinish,
  rememberStart,
  takeStart,
} from './sso-starts.ts';

const PROVIDERS = '/api/sign-in-providers/';
let service: TestApp;
let owner: Browser;
let oidc: HostileOidcProvider;
const saml = openHostileSamlProvider();
interface Person {
  email: string;
  external_uuid: string;
}
let alan: Person;
let grace: Person;

beforeAll(async () => {
  service = await openTestApp();
  owner = await signInOwner(service);
  oidc = await openHostileOidcProvider('gatehouse');
  for (const id of ['idp', 'spare']) {
    const settings = { issuer: oidc.issuer, client_id: 'gatehouse', client_secret: 'secret' };
    await owner.call('POST', PROVIDERS, { id, oidc: settings });
  }
  const settings = {
    entity_id: saml.entityId,
    sso_url: 'https://idp.example/sign-in',
    certificate: saml.certificate,
  };
  await owner.call('POST', PROVIDERS, { id: 'corp', saml: settings });
  alan = (await service.call('POST', '/api/users/', { email: 'alan@acme.example' })).body;
  grace = (await service.call('POST', '/api/users/', { email: 'grace@acme.example' })).body;
});
afterAll(async () => {
  await oidc.close();
  await service.close();
});
beforeEach(() => forgetAttempts(service));

const HOME = () => `/org/${service.org}`;
const begin = async (browser: Browser, provider = 'idp', more = {}) =>
  (await browser.call('POST', '/auth/sso/', { provider, ...more })).body.url as string;

/** The provider sends the browser back as `email`. */
async function land(browser: Browser, url: string, provider = 'idp', email = alan.email) {
  const { searchParams } = new URL(url);
  const about = {
    iss: oidc.issuer,
    aud: 'gatehouse',
    sub: `subject of ${email}`,
    email,
    email_verified: true,
  };
  oidc.claims = { ...about, nonce: searchParams.get('nonce') };
  const path = `/auth/sso/callback/${provider}?code=c&state=${searchParams.get('state')}`;
  return (await browser.call('GET', path)).headers.location;
}
const post = (browser: Browser, form: Record<string, string>, headers = {}) =>
  browser.call('POST', '/auth/sso/saml2/sp/acs/corp', new URLSearchParams(form).toString(), {
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      origin: 'https://idp.example',
      ...headers,
    },
  });
/** Posts a form from the provider's page, as browsers do: without the session. Over http, they do not send the header. */
const postAcross = (browser: Browser, form: Record<string, string>, site: Record<string, string> = {}) => {
  const sent = [...browser.cookies].filter(([name]) => !name.includes('session_token'));
  const cookie = sent.map(([name, value]) => `${name}=${value}`).join('; ');
  return post(browser, form, { 'sec-fetch-site': '', ...site, cookie });
};
const SITES = [
  ['that sends Fetch Metadata', { 'sec-fetch-site': 'cross-site' }],
  ['that sends none', {}],
] as const;
const landSaml = async (browser: Browser, url: string, email = alan.email) =>
  (await post(browser, saml.respond(url, email))).headers.location;
const whoIs = async (browser: Browser) => (await browser.call('GET', '/api/me/')).body.email;
const eventsOf = async (type: string, catalog = 'contract') =>
  (await service.call('GET', `/api/events/?catalog=${catalog}&event_type=${type}&limit=200`)).body.results;

describe('several starts of one browser', () => {
  test.each<[string, (starts: string[]) => string[]]>([
    ['in order', (starts) => starts],
    ['in reverse', (starts) => starts.toReversed()],
    ['mixed', (starts) => [...starts.slice(3), ...starts.slice(0, 3)]],
  ])('can all be finished, %s, each once', async (_, ordered) => {
    const browser = openBrowser(service);
    const failed = (await eventsOf('session.login.failed')).length;
    const urls: string[] = [];
    for (let i = 0; i < 10; i++) urls.push(await begin(browser, 'idp', { return_to: `/apps?page=${i}` }));

    for (const url of ordered(urls)) expect(await land(browser, url)).toBe(`/apps?page=${urls.indexOf(url)}`);

    expect(await whoIs(browser)).toBe(alan.email);
    expect((await eventsOf('session.login.failed')).length).toBe(failed);
    expect([...browser.cookies.keys()].filter((name) => name.includes('start'))).toEqual([]);
  });

  test('at the same time have cookies that do not replace each other', async () => {
    const browser = openBrowser(service);
    const urls = await Promise.all(Array.from({ length: 5 }, () => begin(browser)));

    for (const url of urls) expect(await land(browser, url)).toBe('/');
  });

  test('can be at several providers and of both protocols', async () => {
    const browser = openBrowser(service);
    const [first, second, third, again] = [
      await begin(browser, 'corp'),
      await begin(browser, 'idp'),
      await begin(browser, 'spare'),
      await begin(browser, 'idp', { again: true }),
    ] as const;

    expect(await land(browser, again)).toBe('/');
    expect(await land(browser, third, 'spare')).toBe('/');
    expect(await landSaml(browser, first)).toBe('/');
    expect(await land(browser, second)).toBe('/');
  });

  test('cannot be finished at another provider', async () => {
    const browser = openBrowser(service);
    const url = await begin(browser, 'idp');

    expect(await land(browser, url, 'spare')).toBe(`${HOME()}/sign-in?error=expired`);
    expect(await land(browser, url, 'idp')).toBe('/');
  });

  test('have a state, a PKCE challenge and a nonce each', async () => {
    const browser = openBrowser(service);
    const starts = [await begin(browser), await begin(browser)].map((url) => new URL(url).searchParams);

    for (const name of ['state', 'nonce', 'code_challenge'])
      expect(new Set(starts.map((start) => start.get(name))).size).toBe(2);
  });

  test('are bounded: the oldest is forgotten', async () => {
    const browser = openBrowser(service);
    const urls: string[] = [];
    for (let i = 0; i < MOST_STARTS + 4; i++) urls.push(await begin(browser, i % 2 ? 'idp' : 'spare'));

    expect([...browser.cookies.keys()].filter((name) => name.includes('start'))).toHaveLength(MOST_STARTS);
    expect(await land(browser, urls.at(-1) as string)).toBe('/');
    const kept = new Set([...browser.cookies.keys()].filter((name) => name.includes('start')));
    expect(kept.size).toBe(MOST_STARTS - 1);
  });

  test.each(['oidc', 'saml'])(
    'are finished once if copies of a response arrive together: %s',
    async (method) => {
      const browser = openBrowser(service);
      const url = await begin(browser, method === 'saml' ? 'corp' : 'idp', { return_to: '/tasks' });
      const count = async () => ({
        succeeded: (await eventsOf('session.login.succeeded')).length,
        failed: (await eventsOf('session.login.failed')).length,
        unsolicited: (await eventsOf('session.login.unsolicited', 'configuration')).length,
      });
      const before = await count();
      const { searchParams } = new URL(url);
      const about = { iss: oidc.issuer, aud: 'gatehouse', sub: `subject of ${alan.email}` };
      oidc.claims = { ...about, email: alan.email, email_verified: true, nonce: searchParams.get('nonce') };
      const path = `/auth/sso/callback/idp?code=c&state=${searchParams.get('state')}`;
      const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const answer = method === 'saml' ? saml.respond(url, alan.email) : undefined;
      const send = () =>
        answer
          ? post(browser, answer, { cookie })
          : browser.call('GET', path, undefined, { headers: { cookie } });

      const replies = await Promise.all(Array.from({ length: 5 }, send));

      const locations = replies.map(({ headers }) => String(headers.location));
      const others = locations.filter((location) => location !== '/tasks');
      expect(others).toHaveLength(4);
      for (const location of others) {
        expect(location).toMatch(/\/auth\/sso\/continue\/\?finished=/);
        const next = await browser.call('GET', location.replace(HOME(), ''));
        expect(next.headers.location).toBe('/tasks');
      }
      expect(await count()).toEqual({ ...before, succeeded: before.succeeded + 1 });
    },
  );
});

describe('a copy of a response', () => {
  // A copy that waits without a reason does not end in time.
  const usual = { ...patience };
  beforeAll(() => Object.assign(patience, { everyMs: 3_600_000, longestMs: 3_600_000 }));
  afterAll(() => Object.assign(patience, usual));

  let count = 0;
  async function startOf({ isTaken }: { isTaken: boolean }) {
    const start = { provider: 'idp', state: `state ${count++}`, request: null };
    const { db: root } = service.database;
    const db = within(root, (await findOrganizationId(root, service.org)) ?? '');
    await rememberStart(db, start, false);
    if (isTaken) expect(await takeStart(db, start)).toEqual({ again: false });
    return { db, start };
  }
  const finish = { userId: '0199a7c4-0000-7000-8000-000000000001', location: '/tasks' };

  test('waits until the one that has taken the start has finished it', async () => {
    const { db, start } = await startOf({ isTaken: true });
    const copies = [finishOfCopy(db, start), finishOfCopy(db, start)];
    await rememberFinish(db, start, finish);

    const [key, other] = await Promise.all(copies);
    expect(key).toBeTypeOf('string');
    expect([other, await finishOfCopy(db, start)]).toEqual([key, key]);
  });

  test('stops waiting when that one has signed nobody in', async () => {
    const { db, start } = await startOf({ isTaken: true });
    const copy = finishOfCopy(db, start);
    await endTaken(db, start);

    expect(await copy).toBeUndefined();
  });

  test('waits for nothing if nobody has taken the start, or nobody knows it', async () => {
    const { db, start } = await startOf({ isTaken: false });

    expect(await finishOfCopy(db, start)).toBeUndefined();
    expect(await finishOfCopy(db, { ...start, state: 'unknown' })).toBeUndefined();
  });

  test.skipIf(inject('prepared').engine === 'pglite')('finds the end on another node', async () => {
    const { db, start } = await startOf({ isTaken: true });
    const other = await openDatabase(service.options);
    onTestFinished(() => other.close());
    patience.everyMs = 5;
    onTestFinished(() => void Object.assign(patience, { everyMs: 3_600_000 }));
    const copy = finishOfCopy(within(other.db, db.orgId), start);
    await rememberFinish(db, start, finish);

    expect(await copy).toBe(await finishOfCopy(db, start));
  });

  test('of a refusal with the cookie of its start waits for nothing', async () => {
    const browser = openBrowser(service);
    const state = new URL(await begin(browser)).searchParams.get('state');
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const path = `/auth/sso/callback/idp?error=access_denied&state=${state}`;
    const send = async () =>
      (await browser.call('GET', path, undefined, { headers: { cookie } })).headers.location;

    const [...together] = await Promise.all([send(), send(), send()]);
    expect(together.toSorted()).toEqual([
      `${HOME()}/sign-in?error=expired`,
      `${HOME()}/sign-in?error=expired`,
      `${HOME()}/sign-in?error=refused`,
    ]);
    expect(await send()).toBe(`${HOME()}/sign-in?error=expired`);
  });
});

describe('a response that arrives again', () => {
  test('goes on if its person is still signed in', async () => {
    const browser = openBrowser(service);
    const url = await begin(browser, 'idp', { return_to: '/tasks' });
    expect(await land(browser, url)).toBe('/tasks');

    expect(await land(browser, url)).toBe('/tasks');
    expect(await whoIs(browser)).toBe(alan.email);
  });

  test('is refused without an event of severity high if nobody or somebody else is signed in', async () => {
    const browser = openBrowser(service);
    const url = await begin(browser);
    await land(browser, url);
    const failed = (await eventsOf('session.login.failed')).length;

    await browser.call('POST', '/auth/sign-out/');
    expect(await land(browser, url)).toBe(`${HOME()}/sign-in?error=expired`);
    const other = await signInAs(service, grace, owner.call);
    expect(await land(other, url)).toBe(`${HOME()}/sign-in?error=expired`);

    expect(await whoIs(other)).toBe(grace.email);
    expect((await eventsOf('session.login.failed')).length).toBe(failed);
    const [event] = await eventsOf('session.login.unsolicited', 'configuration');
    expect(event).toMatchObject({
      severity: 'low',
      payload: { provider_id: 'idp', method: 'oidc', reason: 'unknown_request', verified: false },
    });
  });

  test.each(SITES)(
    'of SAML goes on, too, also in a browser %s and withholds its session',
    async (_, site) => {
      const browser = openBrowser(service);
      const answer = saml.respond(await begin(browser, 'corp', { return_to: '/tasks' }), alan.email);
      expect((await post(browser, answer)).headers.location).toBe('/tasks');

      expect((await post(browser, answer)).headers.location).toBe('/tasks');
      const { headers } = await postAcross(browser, answer, site);
      expect(headers.location).toMatch(/\/auth\/sso\/continue\/\?finished=/);
      const path = String(headers.location).replace(HOME(), '');
      expect((await browser.call('GET', path)).headers.location).toBe('/tasks');
      expect((await openBrowser(service).call('GET', path)).headers.location).toBe(
        `${HOME()}/sign-in?error=expired`,
      );
    },
  );
});

describe('a sign-in while somebody else is signed in', () => {
  const waiting = (browser: Browser, method: string) => browser.call(method, '/auth/waiting/');

  test('asks first, and replaces the session only on request', async () => {
    const browser = openBrowser(service);
    const [one, other] = [await begin(browser), await begin(browser, 'idp', { return_to: '/tasks' })];
    await land(browser, one);

    expect(await land(browser, other, 'idp', grace.email)).toBe(`${HOME()}/switch?return=%2Ftasks`);

    expect(await whoIs(browser)).toBe(alan.email);
    expect((await waiting(browser, 'GET')).body).toMatchObject({
      person: { email: grace.email },
      signed_in: { email: alan.email },
    });
    const before = new Map(browser.cookies);
    expect((await waiting(browser, 'POST')).status).toBe(204);
    expect(await whoIs(browser)).toBe(grace.email);
    expect((await eventsOf('session.login.succeeded'))[0].payload.email).toBe(grace.email);
    expect((await eventsOf('session.logout'))[0].payload.email).toBe(alan.email);
    browser.cookies.clear();
    for (const [name, value] of before) browser.cookies.set(name, value);
    expect((await browser.call('GET', '/api/me/')).status).toBe(401);
    expect((await waiting(browser, 'POST')).status).toBe(404);
  });

  test('changes nothing if it is declined', async () => {
    const browser = openBrowser(service);
    await land(browser, await begin(browser));
    await land(browser, await begin(browser), 'idp', grace.email);
    const held = new Map(browser.cookies);

    expect((await waiting(browser, 'DELETE')).status).toBe(204);

    expect(await whoIs(browser)).toBe(alan.email);
    for (const [name, value] of held) browser.cookies.set(name, value);
    expect((await waiting(browser, 'POST')).status).toBe(404);
    expect(await whoIs(browser)).toBe(alan.email);
  });

  test('does not ask the same person', async () => {
    const browser = openBrowser(service);
    await land(browser, await begin(browser));

    expect(await land(browser, await begin(browser))).toBe('/');
    expect((await waiting(browser, 'GET')).status).toBe(404);
  });

  test('cannot be continued by another site or another browser', async () => {
    const browser = openBrowser(service);
    await land(browser, await begin(browser));
    await land(browser, await begin(browser), 'idp', grace.email);

    const evil = { headers: { origin: 'https://evil.example' } };
    expect((await browser.call('POST', '/auth/waiting/', undefined, evil)).status).toBe(403);
    expect((await waiting(openBrowser(service), 'POST')).status).toBe(404);
    expect(await whoIs(browser)).toBe(alan.email);
  });

  test('is not a session as long as it waits', async () => {
    const browser = openBrowser(service);
    await land(browser, await begin(browser));
    await land(browser, await begin(browser), 'idp', grace.email);
    const [name = '', value = ''] = [...browser.cookies].find(([one]) => one.includes('waiting')) ?? [];
    expect(name).not.toBe('');
    const thief = openBrowser(service);
    thief.cookies.set('gatehouse.session_token', value);

    expect((await thief.call('GET', '/api/me/')).status).toBe(401);
  });

  test.each(SITES)('asks after SAML, too, in a browser %s and withholds its session', async (_, site) => {
    const browser = openBrowser(service);
    const url = await begin(browser, 'corp', { return_to: '/tasks' });
    const nobody = openBrowser(service);
    const forNobody = await begin(nobody, 'corp', { return_to: '/tasks' });
    await land(browser, await begin(browser));

    const { headers } = await postAcross(browser, saml.respond(url, grace.email), site);
    const path = String(headers.location).replace(HOME(), '');
    expect(path).toBe('/auth/sso/continue/?return=%2Ftasks');
    expect((await browser.call('GET', path)).headers.location).toBe(`${HOME()}/switch?return=%2Ftasks`);
    expect(await whoIs(browser)).toBe(alan.email);

    await postAcross(nobody, saml.respond(forNobody, grace.email), site);
    expect((await nobody.call('GET', path)).headers.location).toBe('/tasks');
    expect(await whoIs(nobody)).toBe(grace.email);
    expect((await nobody.call('GET', path)).headers.location).toBe(`${HOME()}/sign-in?error=expired`);
  });

  test('asks after SAML without a detour if the browser sends the session with the form', async () => {
    const browser = openBrowser(service);
    const url = await begin(browser, 'corp', { return_to: '/tasks' });
    await land(browser, await begin(browser));

    const { headers } = await post(browser, saml.respond(url, grace.email), { 'sec-fetch-site': '' });

    expect(headers.location).toBe(`${HOME()}/switch?return=%2Ftasks`);
  });
});
