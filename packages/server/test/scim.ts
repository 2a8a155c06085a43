import { expect } from 'vitest';
import { type Answer, openTestApp, type TestApp, type TestAppOptions } from './app.ts';
import { openBrowser, PASSWORD } from './sign-in.ts';

export const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
export const GATEHOUSE = 'urn:ietf:params:scim:schemas:extension:gatehouse:2.0:User';
export const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

export type Scim = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Answer>;

export interface ScimTest {
  scim: Scim;
  key: string;
  owner: (method: string, path: string, body?: unknown) => Promise<Answer>;
}

/** Signs in as the first owner, makes a key with the scope scim, and returns a function that calls SCIM with it. */
export async function openScim(service: TestApp): Promise<ScimTest> {
  const browser = openBrowser(service);
  const { status } = await browser.call('POST', '/auth/sign-in/', {
    email: 'admin@acme.example',
    password: PASSWORD,
  });
  if (status !== 200) throw new Error(`The owner could not sign in: ${status}`);
  const owner: ScimTest['owner'] = (method, path, body) => browser.call(method, path, body);
  const made = await owner('POST', '/api/api-keys/', { name: 'identity provider', scopes: ['scim'] });
  if (made.status !== 201) throw new Error(JSON.stringify(made.body));
  return { scim: scimCaller(service, made.body.key), key: made.body.key, owner };
}

/** A service with a SCIM client, and what the tests of SCIM read and create most. */
export interface ScimService extends TestApp, ScimTest {
  /** Returns the person of a user, as the API shows them. */
  // biome-ignore lint/suspicious/noExplicitAny: tests state what they expect of a body.
  person: (id: string) => Promise<any>;
  /** Creates a user. Returns the resource. */
  // biome-ignore lint/suspicious/noExplicitAny: tests state what they expect of a body.
  create: (more?: object) => Promise<any>;
}

export async function openScimService(options: TestAppOptions = {}): Promise<ScimService> {
  const service = await openTestApp(options);
  const scimTest = await openScim(service);
  return {
    ...service,
    ...scimTest,
    person: async (id) => (await service.call('GET', `/api/users/${id}/`)).body,
    create: async (more = {}) => {
      const { status, body } = await scimTest.scim('POST', '/Users', newUser(more));
      expect({ status, detail: body.detail }).toEqual({ status: 201, detail: undefined });
      return body;
    },
  };
}

/** Returns a function that calls SCIM with a key as the bearer token. */
export const scimCaller =
  (service: TestApp, key: string): Scim =>
  (method, path, body, headers = {}) =>
    service.call(method, `/scim/v2${path}`, body, {
      key: null,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/scim+json' }),
        ...headers,
      },
    });

export const patchOf = (...Operations: object[]) => ({ schemas: [PATCH], Operations });

let number = 0;
/** A user as a client creates it, with a name of its own. */
export function newUser(more: object = {}) {
  const name = `scim-${++number}`;
  return {
    schemas: [USER],
    userName: `${name}@acme.example`,
    emails: [{ value: `${name}@acme.example`, type: 'work', primary: true }],
    ...more,
  };
}
