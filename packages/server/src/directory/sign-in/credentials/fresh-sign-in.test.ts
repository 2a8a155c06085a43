import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '#test/app.ts';
import { type HostileOidcProvider, openHostileOidcProvider } from '#test/hostile-oidc.ts';
import { moment, openHostileSamlProvider } from '#test/hostile-saml.ts';
import { addPersonWithRole } from '#test/people.ts';
import { type Browser, forgetAttempts, openBrowser, signInOwner } from '#test/sign-in.ts';

const PROVIDERS = '/api/sign-in-providers/';
let service: TestApp;
let owner: Browser;
let oidc: HostileOidcProvider;
const saml = openHostileSamlProvider();
const email = 'fresh@acme.example';
const now = () => Math.floor(Date.now() / 1000);

beforeAll(async () => {
  service = await openTestApp();
  owner = await signInOwner(service);
  oidc = await openHostileOidcProvider('gatehouse');
  await addPersonWithRole(service, email, 'admin');
});
afterAll(async () => {
  await oidc.close();
  await service.close();
});
beforeEach(() => forgetAttempts(service));

let providers = 0;
async function addOidc(): Promise<string> {
  const id = `oidc${providers++}`;
  const settings = { issuer: oidc.issuer, client_id: 'gatehouse', client_secret: 'secret' };
  expect((await owner.call('POST', PROVIDERS, { id, oidc: settings })).status).toBe(201);
  return id;
}
async function addSaml(): Promise<string> {
  const id = `saml${providers++}`;
  const settings = {
    entity_id: saml.entityId,
    sso_url: 'https://idp.example/sign-in',
    certificate: saml.certificate,
  };
  expect((await owner.call('POST', PROVIDERS, { id, saml: settings })).status).toBe(201);
  return id;
}

async function throughOidc(provider: string, auth_time: unknown, again = true): Promise<Browser> {
  const browser = openBrowser(service);
  const { body } = await browser.call('POST', '/auth/sso/', { provider, again });
  const { searchParams } = new URL(body.url);
  const about = { iss: oidc.issuer, aud: 'gatehouse', sub: provider, email, email_verified: true };
  oidc.claims = { ...about, nonce: searchParams.get('nonce'), auth_time };
  const state = searchParams.get('state');
  expect(
    (await browser.call('GET', `/auth/sso/callback/${provider}?code=c&state=${state}`)).headers.location,
  ).toBe('/');
  return browser;
}

async function throughSaml(provider: string, statement: string): Promise<Browser> {
  const browser = openBrowser(service);
  const { body } = await browser.call('POST', '/auth/sso/', { provider, again: true });
  const assertion = (xml: string) => xml.replace('</saml:Assertion>', `${statement}</saml:Assertion>`);
  const form = new URLSearchParams(saml.respond(body.url, email, { assertion })).toString();
  const { headers } = await browser.call('POST', `/auth/sso/saml2/sp/acs/${provider}`, form, {
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://idp.example' },
  });
  expect(headers.location).toBe('/');
  return browser;
}

const tells = async (provider: string) =>
  (await owner.call('GET', `${PROVIDERS}${provider}/`)).body.tells_auth_time;
const stepUp = ({ call }: Browser) =>
  call('POST', '/api/webhooks/', { name: 'x', url: 'https://hook.example/' });
const refusal = (detail: RegExp) => ({
  status: 403,
  body: {
    detail: expect.stringMatching(detail),
    errors: [{ code: 'confirmation_required', message: expect.stringMatching(detail) }],
  },
});
const UNKNOWN =
  /^Your sign-in provider does not say when you signed in .* password, a one-time code or a passkey\..*administrator/;
const NOT_ASKED = /^Your sign-in provider did not ask you to sign in again, although/;

describe('an OpenID Connect provider', () => {
  test.each<[string, () => unknown, string, RegExp | null]>([
    ['that says when people signed in', () => now() - 60, 'yes', null],
    ['that says it as text', () => String(now() - 60), 'yes', null],
    ['that says it in milliseconds', () => (now() - 60) * 1000, 'yes', null],
    ['that does not ask again', () => now() - 3600, 'yes', NOT_ASKED],
    ['that says nothing', () => undefined, 'no', UNKNOWN],
    ['that sends a time in the future', () => now() + 3600, 'no', UNKNOWN],
    ['that sends something else', () => 'yesterday', 'no', UNKNOWN],
  ])('%s is known as such after a test, and in the refusal', async (_, authTime, told, reason) => {
    const provider = await addOidc();
    expect(await tells(provider)).toBe('unknown');

    const browser = await throughOidc(provider, authTime());

    expect(await tells(provider)).toBe(told);
    const answer = await stepUp(browser);
    if (reason === null) expect(answer.status).not.toBe(403);
    else expect(answer).toMatchObject(refusal(reason));
  });

  test('that was not asked again leads to the usual refusal', async () => {
    const browser = await throughOidc(await addOidc(), now() - 3600, false);

    expect(await stepUp(browser)).toMatchObject(refusal(/^You signed in more than 15 minutes ago\./));
  });

  test('ends the keys that were made in its sessions when it is removed', async () => {
    const provider = await addOidc();
    const browser = await throughOidc(provider, now());
    const { status, body } = await browser.call('POST', '/api/api-keys/', { name: 'Made', scopes: ['read'] });
    expect(status).toBe(201);
    const use = async () => (await service.call('GET', '/api/apps/', undefined, { key: body.key })).status;
    expect(await use()).not.toBe(401);

    await owner.call('DELETE', `${PROVIDERS}${provider}/`);

    expect(await use()).toBe(401);
  });

  test('is unknown again after its settings change', async () => {
    const provider = await addOidc();
    await throughOidc(provider, now());
    await owner.call('PATCH', `${PROVIDERS}${provider}/`, { name: 'Renamed' });
    expect(await tells(provider)).toBe('yes');

    const settings = { issuer: oidc.issuer, client_id: 'gatehouse', scopes: ['openid', 'email'] };
    await owner.call('PATCH', `${PROVIDERS}${provider}/`, { oidc: settings });

    expect(await tells(provider)).toBe('unknown');
  });

  test('is known also if it names somebody who cannot sign in', async () => {
    const provider = await addOidc();
    const browser = openBrowser(service);
    const { body } = await browser.call('POST', '/auth/sso/', { provider, again: true });
    const { searchParams } = new URL(body.url);
    const about = { iss: oidc.issuer, aud: 'gatehouse', sub: 'nobody', email: 'nobody@acme.example' };
    oidc.claims = { ...about, email_verified: true, nonce: searchParams.get('nonce') };

    await browser.call('GET', `/auth/sso/callback/${provider}?code=c&state=${searchParams.get('state')}`);

    expect(await tells(provider)).toBe('no');
  });
});

describe('a SAML provider', () => {
  test.each<[string, string, string, RegExp | null]>([
    ['that says when people signed in', `<saml:AuthnStatement AuthnInstant="${moment(-1)}"/>`, 'yes', null],
    ['that does not ask again', `<saml:AuthnStatement AuthnInstant="${moment(-60)}"/>`, 'yes', NOT_ASKED],
    ['that says nothing', '', 'no', UNKNOWN],
    ['whose statement has no time', '<saml:AuthnStatement/>', 'no', UNKNOWN],
    [
      'that says it in one of two statements',
      `<saml:AuthnStatement AuthnInstant="${moment(-1)}"/><saml:AuthnStatement/>`,
      'no',
      UNKNOWN,
    ],
    ['that sends a time in the future', `<saml:AuthnStatement AuthnInstant="${moment(60)}"/>`, 'no', UNKNOWN],
    [
      'whose session goes on',
      `<saml:AuthnStatement AuthnInstant="${moment(-1)}" SessionNotOnOrAfter="${moment(60)}"/>`,
      'yes',
      null,
    ],
  ])('%s is known as such after a test, and in the refusal', async (_, statement, told, reason) => {
    const provider = await addSaml();

    const browser = await throughSaml(provider, statement);

    expect(await tells(provider)).toBe(told);
    const answer = await stepUp(browser);
    if (reason === null) expect(answer.status).not.toBe(403);
    else expect(answer).toMatchObject(refusal(reason));
  });
});
