import { Writable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLogger } from '#kit/logger.ts';
import { sql } from '#kit/sql.ts';
import { openTestApp, type TestApp } from '#test/app.ts';
import {
  type Claims,
  endlessly,
  type HostileOidcProvider,
  openHostileOidcProvider,
  signedWithSecret,
  unsigned,
} from '#test/hostile-oidc.ts';
import { type Browser, forgetAttempts, openBrowser, signInOwner } from '#test/sign-in.ts';

const PROVIDERS = '/api/sign-in-providers/';
const CLIENT = 'gatehouse';
const SECRET = 'a secret of the tests';
let service: TestApp;
let owner: Browser;
let provider: HostileOidcProvider;
let log = '';

beforeAll(async () => {
  const destination = new Writable({
    write: (chunk, _, done) => {
      log += chunk;
      done();
    },
  });
  service = await openTestApp({ logger: createLogger('info', destination) });
  owner = await signInOwner(service);
  provider = await openHostileOidcProvider(CLIENT);
  const made = await owner.call('POST', PROVIDERS, providerInput('idp'));
  expect(made.status).toBe(201);
});
afterAll(async () => {
  await provider.close();
  await service.close();
});

let person: { email: string; external_uuid: string };
let honest: Claims;
let people = 0;
beforeEach(async () => {
  await forgetAttempts(service);
  person = (await service.call('POST', '/api/users/', { email: `o${people++}@acme.example` })).body;
  honest = {
    iss: provider.issuer,
    aud: CLIENT,
    sub: `subject of ${person.email}`,
    email: person.email,
    email_verified: true,
  };
  provider.claims = honest;
  provider.issue = (claims) => provider.rs256(claims);
  provider.instead.clear();
});

const providerInput = (id: string, rest: object = {}) => ({
  id,
  oidc: { issuer: provider.issuer, client_id: CLIENT, client_secret: SECRET },
  ...rest,
});

/** Begins a sign-in and lets the provider complete it. `claims` gets the nonce of the sign-in. */
async function signIn(claims: (nonce: string) => Claims = (nonce) => ({ ...honest, nonce }), id = 'idp') {
  const browser = openBrowser(service);
  const { body } = await browser.call('POST', '/auth/sso/', { provider: id });
  const { searchParams } = new URL(body.url);
  provider.claims = claims(searchParams.get('nonce') ?? '');
  const state = searchParams.get('state') ?? '';
  const { headers } = await browser.call(
    'GET',
    `/auth/sso/callback/${id}?code=the-secret-code&state=${state}`,
  );
  const sessions = await browser.call('GET', '/auth/sessions/');
  return { browser, location: headers.location, isSignedIn: sessions.status === 200, state };
}

const now = () => Math.floor(Date.now() / 1000);
const refused = (error: string) => ({ location: `/sign-in?error=${error}`, isSignedIn: false });
const lastReason = async () =>
  (await service.call('GET', '/api/events/?event_type=session.login.failed&limit=1')).body.results[0].payload
    .reason;

test.each<[string, Claims]>([
  ['', {}],
  ['as one of several audiences', { aud: ['another', CLIENT], azp: CLIENT }],
  ['as the only audience of a list', { aud: [CLIENT] }],
])('signs in with an honest id token for us %s', async (_, claims) => {
  expect(await signIn((nonce) => ({ ...honest, nonce, ...claims }))).toMatchObject({
    location: '/',
    isSignedIn: true,
  });
});

test.each<[string, string, RegExp, Claims]>([
  ['without the nonce of the sign-in', 'id_token_nonce', /nonce/, { nonce: undefined }],
  ['with the nonce of another sign-in', 'id_token_nonce', /nonce/, { nonce: 'another' }],
  ['that never expires', 'id_token_times', /expires/, { exp: undefined }],
  ['that has expired', 'id_token_expired', /expired.*clocks/, { exp: now() - 120 }],
  ['that was issued at an unknown time', 'id_token_times', /issued/, { iat: undefined }],
  [
    'that was issued an hour ago',
    'id_token_expired',
    /10 minutes.*clocks/,
    { iat: now() - 3600, exp: now() + 3600 },
  ],
  [
    'that was issued in the future',
    'id_token_early',
    /future.*clocks/,
    { iat: now() + 600, exp: now() + 3600 },
  ],
  ['that is not valid yet', 'id_token_early', /future.*clocks/, { nbf: now() + 600, exp: now() + 3600 }],
  ['for another client', 'id_token_audience', /\(aud\)/, { aud: 'another' }],
  ['for other clients', 'id_token_audience', /\(aud\)/, { aud: ['another', 'third'], azp: CLIENT }],
  ['for nobody', 'id_token_audience', /\(aud\)/, { aud: undefined }],
  ['for several clients, issued to none', 'id_token_party', /\(azp\)/, { aud: [CLIENT, 'another'] }],
  [
    'for several clients, issued to another',
    'id_token_party',
    /\(azp\)/,
    { aud: [CLIENT, 'another'], azp: 'another' },
  ],
  ['for another authorized party', 'id_token_party', /\(azp\)/, { azp: 'another' }],
  ['of another issuer', 'id_token_issuer', /issuer/, { iss: 'https://idp.example' }],
  ['of an issuer that differs in its last slash', 'id_token_issuer', /issuer/, { iss: 'http://127.0.0.1/' }],
])('rejects an id token %s, and says why', async (_, error, reason, claims) => {
  expect(await signIn((nonce) => ({ ...honest, nonce, ...claims }))).toMatchObject(refused(error));
  expect(await lastReason()).toMatch(reason);
});

test.each<[string, string, (claims: Claims) => string | undefined]>([
  ['no id token', 'no_id_token', () => undefined],
  ['an unsigned id token', 'id_token_signature', unsigned],
  [
    'an id token that is signed with the client secret',
    'id_token_signature',
    (claims) => signedWithSecret(claims, SECRET),
  ],
  ['an altered id token', 'id_token_signature', (claims) => `${provider.rs256(claims).slice(0, -8)}AAAAAAAA`],
])('rejects %s', async (_, error, issue) => {
  provider.issue = issue;

  expect(await signIn()).toMatchObject(refused(error));
});

test('rejects a person without an email address, and says what is missing', async () => {
  expect(await signIn((nonce) => ({ ...honest, nonce, email: undefined }))).toMatchObject(
    refused('no_email'),
  );
});

test('says that the provider refused the client, without the words of the provider', async () => {
  provider.instead.set('/token', (_, response) => {
    response.writeHead(401, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: 'invalid_client', error_description: 'the secret is s3cret' }));
  });

  expect(await signIn()).toMatchObject(refused('unavailable'));
  expect(await lastReason()).toMatch(/client secret/);
  expect(await lastReason()).not.toContain('s3cret');
});

test('says why a request to the provider got no response', async () => {
  provider.instead.set('/token', (request) => void request.socket.destroy());

  expect(await signIn()).toMatchObject(refused('unavailable'));
  expect(await lastReason()).toMatch(/^The request to the provider failed\. .*127\.0\.0\.1/);
});

describe('a session through a provider', () => {
  const asFresh = async (auth_time: unknown) => {
    const { browser } = await signIn((nonce) => ({ ...honest, nonce, auth_time }));
    return browser.call('POST', '/auth/passkeys/options/');
  };
  const STALE = { status: 403, body: { errors: [{ code: 'confirmation_required' }] } };

  test('is recent if the provider has just authenticated the person', async () => {
    expect((await asFresh(now() - 60)).status).toBe(200);
  });

  test.each<[string, unknown]>([
    ['authenticated the person an hour ago', now() - 3600],
    ['does not say when it authenticated the person', undefined],
    ['sends a time that is not a number', 'now'],
    ['sends a time beyond all dates', 1e300],
  ])('is not recent if the provider %s', async (_, authTime) => {
    expect(await asFresh(authTime)).toMatchObject(STALE);
  });

  test.each<[string, () => unknown]>([
    ['as text', () => String(now() - 60)],
    ['in milliseconds', () => (now() - 60) * 1000],
    ['in milliseconds as text', () => String((now() - 60) * 1000)],
    ['by a clock that is half a minute ahead', () => now() + 30],
  ])('is recent if the provider sends a recent time %s', async (_, authTime) => {
    expect((await asFresh(authTime())).status).toBe(200);
  });

  test.each<[string, () => unknown]>([
    ['an old time as text', () => '1767225600'],
    ['an old time in milliseconds', () => (now() - 3600) * 1000],
    ['a time in the future', () => now() + 3600],
    ['a time in the future as text', () => String(now() + 3600)],
    ['a time in the future in milliseconds', () => (now() + 3600) * 1000],
    ['a time in microseconds', () => now() * 1_000_000],
    ['text with a number in it', () => `${now()} seconds`],
    ['a number in another notation', () => '0x6a2b1c3d'],
    ['a date', () => new Date().toISOString()],
    ['a list', () => [now()]],
    ['true', () => true],
    ['zero', () => 0],
    ['a negative number', () => -now()],
    ['null', () => null],
  ])('is not recent if the provider sends %s', async (_, authTime) => {
    expect(await asFresh(authTime())).toMatchObject(STALE);
  });

  test('is not recent for longer if the clock of the provider is ahead', async () => {
    await asFresh(now() + 30);
    const { rows } = await sql<{ ahead: boolean }>`
      select authenticated_at > now() as ahead from sign_in_session
      where user_id = ${person.external_uuid}`.execute(service.database.db);
    expect(rows).toEqual([{ ahead: false }]);
  });

  test.each<[object, Record<string, string | null>]>([
    [{}, { max_age: '604800', prompt: null }],
    [{ again: true }, { max_age: '0', prompt: 'login' }],
  ])('is asked for with %j', async (options, expected) => {
    const { body } = await openBrowser(service).call('POST', '/auth/sso/', { provider: 'idp', ...options });
    const { searchParams } = new URL(body.url);
    for (const [name, value] of Object.entries(expected)) expect(searchParams.get(name)).toBe(value);
  });
});

describe('an email address without a verification', () => {
  const silent = (nonce: string) => ({ ...honest, nonce, email_verified: undefined });
  const denied = (nonce: string) => ({ ...honest, nonce, email_verified: false });
  const UNVERIFIED = { location: '/sign-in?error=email_not_verified', isSignedIn: false };

  test('is rejected', async () => {
    expect(await signIn(silent)).toMatchObject(UNVERIFIED);
    expect(await signIn(denied)).toMatchObject(UNVERIFIED);
  });

  test('is accepted from a provider whose addresses an owner trusts, unless it denies them', async () => {
    await owner.call('POST', PROVIDERS, providerInput('trusted', { trusts_email: true }));

    expect(await signIn(denied, 'trusted')).toMatchObject(UNVERIFIED);
    expect(await signIn(silent, 'trusted')).toMatchObject({ location: '/', isSignedIn: true });
  });

  test('is rejected if the id token verifies another address', async () => {
    const { email: victim } = person;
    provider.instead.set('/userinfo', (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ sub: honest.sub, email: victim }));
    });

    expect(await signIn((nonce) => ({ ...honest, nonce, email: 'mallory@acme.example' }))).toMatchObject(
      UNVERIFIED,
    );
  });
});

test.each(['/token', '/jwks', '/userinfo'] as const)(
  'stops reading an endless response from %s',
  async (path) => {
    provider.instead.set(path, endlessly);

    expect(await signIn()).toMatchObject({ isSignedIn: false, location: expect.stringMatching(/error=/) });
  },
);

test.each(['/token', '/jwks', '/userinfo'] as const)('follows no redirect from %s', async (path) => {
  let followed = false;
  provider.instead.set('/elsewhere' as '/token', (_, response) => {
    followed = true;
    response.end('{}');
  });
  provider.instead.set(path, (_, response) => response.writeHead(307, { location: '/elsewhere' }).end());

  expect(await signIn()).toMatchObject({ isSignedIn: false, location: expect.stringMatching(/error=/) });
  expect(followed).toBe(false);
});

test('rejects a provider whose discovery document has no end', async () => {
  provider.instead.set('/.well-known/openid-configuration', endlessly);

  expect(await owner.call('POST', PROVIDERS, providerInput('endless'))).toMatchObject({
    status: 400,
    body: { detail: expect.stringMatching(/could not be read/) },
  });
});

test('keeps codes and states out of the log', async () => {
  const { state } = await signIn();

  expect(log).toContain('/auth/sso/callback/idp');
  expect(log).not.toContain('the-secret-code');
  expect(log).not.toContain(state);
});
