import { createHmac } from 'node:crypto';
import { mintRequestedLink } from '#directory/sign-in/credentials/password-links.ts';
import { within } from '#kit/database.ts';
import { sql } from '#kit/sql.ts';
import { type Answer, type CallOptions, ORIGIN, type TestApp } from './app.ts';
import { ORG, PASSWORD } from './organization.ts';
import { organizationOf } from './people.ts';

export { PASSWORD };

/** Calls the service like a browser, with its cookies. */
export type BrowserCall = (
  method: string,
  path: string,
  body?: unknown,
  options?: CallOptions,
) => Promise<Answer>;

export interface Browser {
  call: BrowserCall;
  cookies: Map<string, string>;
}

/**
 * Opens a browser. It keeps cookies, and sends the origin of its requests. All count as requests of its own site, so that a form of a
 * provider signs in without the redirect after which browsers send their session.
 */
export function openBrowser(service: TestApp, org?: string): Browser {
  const cookies = new Map<string, string>();
  const call: BrowserCall = async (method, path, body, options = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await service.call(method, path, body, {
      key: null,
      ...(org === undefined ? {} : { org }),
      ...options,
      headers: {
        origin: ORIGIN,
        'sec-fetch-site': 'same-origin',
        ...(cookie === '' ? {} : { cookie }),
        ...options.headers,
      },
    });
    for (const header of [answer.headers['set-cookie'] ?? []].flat() as string[]) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(header) ?? [];
      if (/max-age=0/i.test(header) || value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    return answer;
  };
  return { call, cookies };
}

/** Forgets all failed attempts to sign in. The tests of a file share one address, which they would block. */
export async function forgetAttempts({ database }: TestApp): Promise<void> {
  await sql`delete from sign_in_attempt`.execute(database.db);
}

const owners = new WeakMap<TestApp, Promise<Browser>>();

/** Signs in as the first administrator, an owner. Returns the same browser each time. */
export function signInAsOwner(service: TestApp): Promise<Browser> {
  const known = owners.get(service);
  if (known !== undefined) return known;
  const signingIn = signInOwner(service);
  owners.set(service, signingIn);
  return signingIn;
}

/** Sets a password for the person through a one-time link, and signs them in with it. */
export async function signInAs(
  service: TestApp,
  person: { external_uuid: string; email: string },
  administrator?: BrowserCall,
): Promise<Browser> {
  const browser = openBrowser(service);
  const by = administrator ?? (await signInAsOwner(service)).call;
  const token = await signInLinkToken(service, person, by);
  await browser.call('POST', '/auth/welcome/', { token, new_password: PASSWORD });
  const { status } = await browser.call('POST', '/auth/sign-in/', {
    email: person.email,
    password: PASSWORD,
  });
  if (status !== 200) throw new Error(`${person.email} could not sign in: status ${status}.`);
  return browser;
}

/** Returns the token of a sign-in link for the person, which an administrator makes, or which the service would send by email. */
export async function signInLinkToken(
  service: TestApp,
  person: { external_uuid: string; email: string },
  administrator: BrowserCall,
): Promise<string> {
  const { status, body } = await administrator('POST', `/api/users/${person.external_uuid}/sign-in-link/`);
  return status === 409 ? mailedToken(service, person) : (String(body.url).split('#')[1] as string);
}

/** Returns the token of the link that a service with a mail server would send to the person. */
async function mailedToken(
  service: TestApp,
  { external_uuid: userId, email }: { external_uuid: string; email: string },
) {
  const { orgId, ownerId } = await organizationOf(service);
  const link = await mintRequestedLink(within(service.database.db, orgId), {
    userId,
    email,
    requestedBy: ownerId,
  });
  if (!('token' in link)) throw new Error(link.reason);
  return link.token;
}

/** Signs in the first owner of an organization again. */
export async function signInOwner(service: TestApp, org = ORG, options: CallOptions = {}): Promise<Browser> {
  const browser = openBrowser(service, org === ORG ? undefined : org);
  const credentials = { email: `admin@${org}.example`, password: PASSWORD };
  const { status } = await browser.call('POST', '/auth/sign-in/', credentials, options);
  if (status !== 200) throw new Error(`The owner of ${org} could not sign in: status ${status}.`);
  return browser;
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const STEP_MS = 30_000;

/** Returns the code that an authenticator app shows (RFC 6238), `ahead` steps from now. */
export function codeOf(uri: string, ahead = 0): string {
  const bits = [...(new URL(uri).searchParams.get('secret') ?? '')]
    .map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  const secret = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / STEP_MS) + ahead));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const number = mac.readUInt32BE((mac.at(-1) as number) & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}
