import { ensureOrganization } from '#bootstrap.ts';
import type { Db } from '#kit/database.ts';
import type { Http } from '#kit/http.ts';
import { type Call, furnish } from '../furnish.ts';
import { secrets } from '../secrets.ts';
import type { World } from './fuzz.ts';

const ORIGIN = 'http://localhost:80';
const PASSWORD = 'correct horse battery staple';

/**
 * Creates an organization with one of everything, and callers of each kind: a key for everything, sessions of the
 * owner, a key for one app, nobody.
 */
export async function createWorld(http: Http, db: Db, batch: number): Promise<World> {
  const org = `fuzz${batch}`;
  const adminEmail = `admin@${org}.example`;
  const made = await ensureOrganization(db, secrets, {
    org,
    apiKey: undefined,
    adminEmail,
    adminPassword: PASSWORD,
  });
  if (made === undefined) throw new Error(`The organization ${org} already exists. Use an empty database.`);
  const first = { authorization: `Api-Key ${made.apiKey}` };
  // Generated requests sign out too, so there are several sessions.
  const sessions: Record<string, string>[] = [];
  for (let count = 0; count < 4; count++) sessions.push(await signIn(http, org, adminEmail));
  const asOwner = callerOf(http, org, await signIn(http, org, adminEmail));
  const ids = await furnish(callerOf(http, org, first), asOwner, org);

  const keyWith = async (request: object) => {
    const { body } = await callerOf(http, org, first)('POST', '/api/api-keys/', { name: 'fuzz', ...request });
    return { authorization: `Api-Key ${body.key}` };
  };
  const everything = await keyWith({ scopes: ['bridge', 'events', 'read', 'govern'] });
  const oneApp = await keyWith({ scopes: ['read', 'bridge'], apps: [ids.app_id] });
  const { body: scim } = await asOwner('POST', '/api/api-keys/', { name: 'fuzz', scopes: ['scim'] });
  const scimKey = { authorization: `Bearer ${scim.key}` };
  const callers = [scimKey, scimKey, ...Array.from({ length: 6 }, () => everything), ...sessions, oneApp, {}];
  return { org, ids, callers };
}

const callerOf =
  (http: Http, org: string, headers: Record<string, string>): Call =>
  async (method, path, body, options) => {
    const reply = await http.inject({
      method: method as 'GET',
      url: `/org/${org}${path}`,
      headers: {
        ...(options?.key === undefined ? headers : { authorization: `Api-Key ${options.key}` }),
        ...options?.headers,
      },
      ...(body === undefined ? {} : { payload: body as object | string }),
    });
    return {
      status: reply.statusCode,
      headers: reply.headers,
      body: String(reply.headers['content-type']).includes('json') ? reply.json() : reply.payload,
    };
  };

/** Returns the headers of a signed-in browser. */
async function signIn(http: Http, org: string, email: string): Promise<Record<string, string>> {
  const reply = await http.inject({
    method: 'POST',
    url: `/org/${org}/auth/sign-in/`,
    headers: { origin: ORIGIN },
    payload: { email, password: PASSWORD },
  });
  const cookie = reply.cookies.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join('; ');
  return { cookie, origin: ORIGIN };
}
