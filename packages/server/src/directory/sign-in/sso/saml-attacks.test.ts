import { inflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createApp } from '#app.ts';
import { createLogger } from '#kit/logger.ts';
import { openTestApp, type TestApp } from '#test/app.ts';
import {
  type Difference,
  type HostileSamlProvider,
  moment,
  openHostileSamlProvider,
  RSA_SHA1,
  SHA1,
} from '#test/hostile-saml.ts';
import { secrets } from '#test/secrets.ts';
import { type Browser, forgetAttempts, openBrowser, signInOwner } from '#test/sign-in.ts';

const PROVIDERS = '/api/sign-in-providers/';
let service: TestApp;
let owner: Browser;
const idp: HostileSamlProvider = openHostileSamlProvider();

beforeAll(async () => {
  service = await openTestApp({ own: true });
  owner = await signInOwner(service);
  for (const id of ['corp', 'second']) {
    const made = await owner.call('POST', PROVIDERS, providerInput(id));
    expect(made.status).toBe(201);
  }
});
afterAll(() => service.close());

let person: { email: string };
let people = 0;
beforeEach(async () => {
  await forgetAttempts(service);
  person = (await service.call('POST', '/api/users/', { email: `s${people++}@acme.example` })).body;
});

const providerInput = (id: string) => ({
  id,
  saml: { entity_id: idp.entityId, sso_url: 'https://idp.example/sign-in', certificate: idp.certificate },
});

async function start(provider = 'corp', options = {}) {
  const browser = openBrowser(service);
  const { body } = await browser.call('POST', '/auth/sso/', { provider, ...options });
  return { browser, url: body.url as string };
}

const post = (browser: Browser, form: Record<string, string>, provider = 'corp') =>
  browser.call('POST', `/auth/sso/saml2/sp/acs/${provider}`, new URLSearchParams(form).toString(), {
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://idp.example' },
  });

async function attempt(difference: Difference, email = person.email) {
  const { browser, url } = await start();
  const { headers } = await post(browser, idp.respond(url, email, difference));
  const isSignedIn = (await browser.call('GET', '/auth/sessions/')).status === 200;
  return { location: headers.location, isSignedIn };
}

/** The reason of the last failed sign-in. */
async function lastReason(): Promise<string> {
  const { body } = await service.call('GET', '/api/events/?event_type=session.login.failed&limit=1');
  return body.results[0].payload.reason;
}

const REFUSED = { location: '/sign-in?error=provider', isSignedIn: false };

test('signs in with an honest response', async () => {
  expect(await attempt({})).toEqual({ location: '/', isSignedIn: true });
});

test('signs in with a response that is signed as a whole, too', async () => {
  expect(await attempt({ signs: ['Assertion', 'Response'] })).toEqual({ location: '/', isSignedIn: true });
});

test.each<[string, string, number]>([
  ['just now', `<saml:AuthnStatement AuthnInstant="${moment(-1)}"/>`, 200],
  ['an hour ago', `<saml:AuthnStatement AuthnInstant="${moment(-60)}"/>`, 403],
  [
    'twice, once an hour ago',
    `<saml:AuthnStatement AuthnInstant="${moment(0)}"/><saml:AuthnStatement AuthnInstant="${moment(-60)}"/>`,
    403,
  ],
  ['at an unknown time', '<saml:AuthnStatement/>', 403],
])(
  'a session whose person was authenticated %s can add a passkey: %s -> %i',
  async (_, statement, status) => {
    const { browser, url } = await start();
    const assertion = swap('</saml:Assertion>', `${statement}</saml:Assertion>`);
    await post(browser, idp.respond(url, person.email, { assertion }));
    expect((await browser.call('POST', '/auth/passkeys/options/')).status).toBe(status);
  },
);

test('asks the provider to authenticate the person again', async () => {
  const requested = async (body: object) => {
    const answer = await openBrowser(service).call('POST', '/auth/sso/', { provider: 'corp', ...body });
    const request = new URL(answer.body.url).searchParams.get('SAMLRequest') ?? '';
    return inflateRawSync(Buffer.from(request, 'base64')).toString();
  };
  expect(await requested({})).not.toContain('ForceAuthn');
  expect(await requested({ again: true })).toMatch(/<samlp:AuthnRequest ForceAuthn="true" .* ID="/s);

  const { browser, url } = await start('corp', { again: true });
  await post(browser, idp.respond(url, person.email));
  expect((await browser.call('GET', '/auth/sessions/')).status).toBe(200);
});

const drop = (pattern: RegExp) => (xml: string) => xml.replace(pattern, '');
const swap = (pattern: RegExp | string, text: string) => (xml: string) => {
  const changed = xml.replace(pattern, text);
  if (changed === xml) throw new Error(`${pattern} matches nothing.`);
  return changed;
};

test.each<[string, Difference, RegExp]>([
  ['with a SHA-1 signature', { signatureMethod: RSA_SHA1 }, /rsa-sha1, which is not accepted/],
  ['with a SHA-1 digest', { digestMethod: SHA1 }, /sha1, which is not accepted/],
  ['whose signature has two references', { references: 2 }, /exactly one reference/],
  ['with a signature of the response only', { signs: ['Response'] }, /needs exactly one signature/],
  [
    'with a DOCTYPE',
    { after: (xml) => `<!DOCTYPE a [<!ENTITY b "c">]>${xml}` },
    /DOCTYPE, an entity, a comment/,
  ],
  [
    'with a comment in the address',
    { assertion: swap(/(<saml:NameID>[^<]+)</, '$1<!---->.evil.example<') },
    /a comment/,
  ],
  ['with a processing instruction', { after: (xml) => `<?xml-stylesheet?>${xml}` }, /processing instruction/],
  ['that is not XML', { after: () => '<samlp:Response' }, /not well-formed/],
  [
    'without the time at which its confirmation ends',
    { assertion: drop(/NotOnOrAfter="[^"]+" (?=Recipient)/) },
    /SubjectConfirmationData has no NotOnOrAfter/,
  ],
  [
    'whose confirmation has expired',
    { assertion: swap(/NotOnOrAfter="[^"]+" (?=Recipient)/, `NotOnOrAfter="${moment(-2)}" `) },
    /confirmation of its subject has expired/,
  ],
  [
    'that is confirmed to another address',
    { assertion: swap(/Recipient="[^"]+"/, 'Recipient="https://other.example/acs"') },
    /confirmed to another address/,
  ],
  [
    'with a second confirmation',
    { assertion: swap(/(<saml:SubjectConfirmation .*<\/saml:SubjectConfirmation>)/, '$1$1') },
    /exactly one SubjectConfirmation/,
  ],
  [
    'that is not confirmed as bearer',
    { assertion: swap('cm:bearer', 'cm:sender-vouches') },
    /not confirmed as bearer/,
  ],
  [
    'whose assertion responds to no request',
    { assertion: drop(/ InResponseTo="[^"]+"/) },
    /not confirmed in response to a request/,
  ],
  [
    'whose assertion responds to another request',
    { assertion: swap(/InResponseTo="[^"]+"/, 'InResponseTo="_another"') },
    /name different requests/,
  ],
  [
    'without an audience',
    { assertion: drop(/<saml:AudienceRestriction>.*<\/saml:AudienceRestriction>/) },
    /audience/,
  ],
  [
    'for another audience too',
    {
      assertion: swap(
        '</saml:Conditions>',
        '<saml:AudienceRestriction><saml:Audience>https://other.example</saml:Audience></saml:AudienceRestriction></saml:Conditions>',
      ),
    },
    /audience/,
  ],
  [
    'without conditions',
    { assertion: drop(/<saml:Conditions.*<\/saml:Conditions>/) },
    /exactly one Conditions/,
  ],
  [
    'that never expires',
    { assertion: swap(/(NotBefore="[^"]+") NotOnOrAfter="[^"]+"/, '$1') },
    /Conditions has no NotOnOrAfter/,
  ],
  [
    'that is not valid yet',
    { assertion: swap(/NotBefore="[^"]+"/, `NotBefore="${moment(3)}"`) },
    /not valid yet/,
  ],
  ['of another issuer', { assertion: swap(idp.entityId, 'https://other.example') }, /another issuer/],
  [
    'with an encrypted part',
    {
      response: swap(
        '</samlp:Status>',
        '</samlp:Status><saml:EncryptedAssertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"/>',
      ),
    },
    /encrypted/,
  ],
  [
    'for another address',
    { response: swap(/Destination="[^"]+"/, 'Destination="https://other.example"') },
    /meant for another address/,
  ],
  [
    'with two elements that have the same id',
    {
      after: (xml) =>
        xml.replace('<samlp:Status>', `<samlp:Status ID="${/Assertion [^>]*ID="([^"]+)"/.exec(xml)?.[1]}">`),
    },
    /same id/,
  ],
])('rejects a response %s', async (_, difference, reason) => {
  expect(await attempt(difference)).toEqual(REFUSED);
  expect(await lastReason()).toMatch(reason);
});

describe('a signed assertion of one person', () => {
  /** The signed assertion, and a copy of it for the victim that nobody signed. */
  const parts = (xml: string, victim: string) => {
    const signed = /<saml:Assertion.*<\/saml:Assertion>/s.exec(xml)?.[0] ?? '';
    const bare = signed
      .replace(/<Signature.*<\/Signature>/s, '')
      .replace('mallory@acme.example', victim)
      .replace(/ ID="[^"]+"/, ' ID="_evil"');
    return { signed, bare };
  };

  test.each<[string, (xml: string, given: { signed: string; bare: string }) => string]>([
    ['after an unsigned one', (xml, { signed, bare }) => xml.replace(signed, bare + signed)],
    ['before an unsigned one', (xml, { signed, bare }) => xml.replace(signed, signed + bare)],
    [
      'inside the confirmation of an unsigned one',
      (xml, { signed, bare }) =>
        xml.replace(
          signed,
          bare.replace(
            /(<saml:SubjectConfirmationData [^>]*)\/>/,
            `$1>${signed}</saml:SubjectConfirmationData>`,
          ),
        ),
    ],
    [
      'in the extensions',
      (xml, { signed, bare }) =>
        xml
          .replace(signed, bare)
          .replace('<samlp:Status>', `<samlp:Extensions>${signed}</samlp:Extensions><samlp:Status>`),
    ],
    [
      'inside the signature of an unsigned one',
      (xml, { signed, bare }) => {
        const signature = /<Signature.*<\/Signature>/s.exec(signed)?.[0] ?? '';
        const wrapping = signature.replace(
          '</Signature>',
          `<Object>${signed.replace(signature, '')}</Object></Signature>`,
        );
        return xml.replace(signed, bare.replace('</saml:Issuer>', `</saml:Issuer>${wrapping}`));
      },
    ],
    [
      'whose signature an unsigned one carries',
      (xml, { signed, bare }) => {
        const signature = /<Signature.*<\/Signature>/s.exec(signed)?.[0] ?? '';
        return xml.replace(signed, bare.replace('</saml:Issuer>', `</saml:Issuer>${signature}`));
      },
    ],
  ])('does not sign in another person: %s', async (_, wrap) => {
    const victim = person.email;

    const result = await attempt({ after: (xml) => wrap(xml, parts(xml, victim)) }, 'mallory@acme.example');

    expect(result).toEqual(REFUSED);
  });

  test('does not sign in with the key that the response brings along', async () => {
    const stranger = openHostileSamlProvider();
    const { browser, url } = await start();
    const answer = stranger.respond(url, person.email);

    expect((await post(browser, answer)).headers.location).toBe('/sign-in?error=provider');
    expect(await lastReason()).toMatch(/signature is not valid/);
  });
});

describe('a response', () => {
  test('cannot complete a sign-in that another browser has started', async () => {
    const [attacker, victim] = [await start(), await start()];
    const answer = idp.respond(attacker.url, person.email);
    const RelayState = new URL(victim.url).searchParams.get('RelayState') ?? '';

    const { headers } = await post(victim.browser, { ...answer, RelayState });

    expect(headers.location).toBe('/sign-in?error=expired');
    expect((await victim.browser.call('GET', '/auth/sessions/')).status).toBe(401);
  });

  test('cannot complete a sign-in through another provider of the same authority', async () => {
    const { browser, url } = await start('second');
    const answer = idp.respond(url, person.email, {
      assertion: (xml) => xml.replace('/acs/second', '/acs/corp').replace('/second/', '/corp/'),
      response: (xml) => xml.replace('/acs/second', '/acs/corp'),
    });

    expect((await post(browser, answer)).headers.location).toBe('/sign-in?error=expired');
  });

  test('with an assertion that was used before is rejected, also on another node', async () => {
    const other = await createApp({
      database: service.database,
      secrets,
      logger: createLogger('silent'),
      publicUrl: undefined,
      trustProxy: false,
    });
    onTestFinished(() => other.close());
    const assertionId = '_used-twice';
    const first = await start();
    const answer = idp.respond(first.url, person.email, { assertionId });
    expect((await post(first.browser, answer)).headers.location).toBe('/');

    const second = await start();
    const again = idp.respond(second.url, person.email, { assertionId });
    const { headers } = await other.http.inject({
      method: 'POST',
      url: `/org/${service.org}/auth/sso/saml2/sp/acs/corp`,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        origin: 'https://idp.example',
        'sec-fetch-site': 'same-origin',
      },
      payload: new URLSearchParams(again).toString(),
    });
    expect(headers.location).toBe('/sign-in?error=expired');
  });

  test('of more than 64 KB is refused with 413', async () => {
    const { browser, url } = await start();
    const answer = idp.respond(url, person.email, { after: (xml) => xml + ' '.repeat(65 * 1024) });

    expect((await post(browser, answer)).status).toBe(413);
    const huge = { ...answer, SAMLResponse: 'A'.repeat(200 * 1024) };
    expect((await post(browser, huge)).status).toBe(413);
  });

  const padding = (count: number, part: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => part(index)).join('');
  test.each<[string, (xml: string) => string]>([
    [
      'with many references',
      (xml) =>
        xml.replace(/<Reference.*<\/Reference>/s, (one) => one.repeat(Math.floor(55_000 / one.length))),
    ],
    [
      'with many elements',
      (xml) => xml.replace('</samlp:Status>', `</samlp:Status>${'<a/>'.repeat(15_000)}`),
    ],
    [
      'with deep elements',
      (xml) =>
        xml.replace(
          '</samlp:Status>',
          `</samlp:Status>${'<a>'.repeat(9000)}${'</a>'.repeat(9000)}`.slice(0, 60_000),
        ),
    ],
    [
      'with many namespaces',
      (xml) =>
        xml.replace('<samlp:Response', `<samlp:Response${padding(1800, (n) => ` xmlns:n${n}="urn:${n}"`)}`),
    ],
    [
      'with many namespaces and elements',
      (xml) =>
        xml
          .replace('<samlp:Response', `<samlp:Response${padding(900, (n) => ` xmlns:n${n}="urn:${n}"`)}`)
          .replace('</samlp:Status>', `</samlp:Status>${padding(900, (n) => `<n${n}:a b="c"/>`)}`),
    ],
  ])('%s does not hold up the server', async (_, pad) => {
    const send = async (difference: Difference) => {
      const { browser, url } = await start();
      const answer = idp.respond(url, person.email, difference);
      // Not the time of the clock, as the machine that runs the tests may be busy.
      const before = process.threadCpuUsage();
      const { status } = await post(browser, answer);
      const { user, system } = process.threadCpuUsage(before);
      return { status, ran: (user + system) / 1000 };
    };
    const usual = await send({});

    const { status, ran } = await send({ after: pad });

    expect([303, 413]).toContain(status);
    expect(ran).toBeLessThan(250 + usual.ran);
  });
});

describe('metadata', () => {
  const metadata = (location: string, rest = '') =>
    `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://idp.example/m">${rest}<IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><KeyDescriptor use="signing"><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data><X509Certificate>${idp.certificate.replace(/-----[A-Z ]+-----|\s/g, '')}</X509Certificate></X509Data></KeyInfo></KeyDescriptor><SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="${location}"/><SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://idp.example/sign-in"/></IDPSSODescriptor></EntityDescriptor>`;
  const create = (idp_metadata: string) =>
    owner.call('POST', PROVIDERS, { id: 'meta', saml: { idp_metadata } });

  test('may contain comments', async () => {
    const given = metadata('https://idp.example/post', '<!-- ours -->');
    const { status, body } = await create(given);

    expect(status).toBe(201);
    expect(body.saml).toMatchObject({ idp_metadata: given, entity_id: 'https://idp.example/m' });
  });

  test.each([
    ['an address without https', metadata('http://idp.example/post'), /not an https address/],
    ['an address that is not a web address', metadata('javascript:alert(1)'), /not an https address/],
    ['a DOCTYPE', `<!DOCTYPE a>${metadata('https://a.example')}`, /DOCTYPE/],
    ['many elements', metadata('https://a.example', '<a/>'.repeat(9000)), /too complex/],
    ['an unclosed element', metadata('https://a.example', '<a>'), /not well-formed/],
    [
      'several providers',
      `<EntitiesDescriptor>${metadata('https://a.example')}</EntitiesDescriptor>`,
      /EntityDescriptor/,
    ],
  ])('with %s is rejected', async (_, given, reason) => {
    expect(await create(given)).toMatchObject({
      status: 400,
      body: { detail: expect.stringMatching(reason) },
    });
  });
});
