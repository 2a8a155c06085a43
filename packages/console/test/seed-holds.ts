import { type Api, until } from './api.ts';
import { accountsOf, addApp, sync } from './seed-apps.ts';

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

/** An identity provider that keeps people up to date, and an app in which they have accounts. */
export interface Provider {
  key: { id: string; key: string };
  app: string;
  /** The ids of its people, in the order of their names. */
  people: string[];
  /** Sends a SCIM request. Returns the status. */
  scim(method: string, path: string, body?: object): Promise<number>;
  leave(people: readonly string[]): Promise<void>;
}

const NAMES = 'Ada Alan Barbara Claude Donald Edsger Frances Grace Hedy Ivan John Katherine'.split(' ');

/** Adds an identity provider with people who have accounts in an app, and a policy that suspends those of leavers. */
export async function addProvider(base: string, owner: Api, api: Api, name = 'Okta'): Promise<Provider> {
  const key = await owner.post('/api/api-keys/', { name, scopes: ['scim'] });
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${base}/scim/v2${path}`, {
      method,
      headers: { authorization: `Bearer ${key.key}`, 'content-type': 'application/scim+json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json().catch(() => undefined) };
  };
  const people: string[] = [];
  const emails = NAMES.map((first) => `${first.toLowerCase()}@${name.toLowerCase()}.example`);
  for (const [at, email] of emails.entries()) {
    const { body } = await call('POST', '/Users', {
      ...{ schemas: [USER], userName: email, emails: [{ value: email, type: 'work' }] },
      ...{ externalId: `${name}-${at}`, name: { givenName: NAMES[at], familyName: 'Example' } },
    });
    people.push(body.id);
  }
  const app = await addApp(api, `${name} Payroll`);
  const accounts = emails.map((email, at) => ({
    ...{ id: email, email, username: email, display_name: NAMES[at] ?? '', status: 'active' as const },
    ...{ memberships: {}, assignments: {} },
  }));
  await sync(api, app, { name: `${name} Payroll`, groups: [], licenses: [], accounts });
  await until(
    () => accountsOf(api, app),
    (found) => found.length === emails.length,
  );
  await api.post('/api/policies/', {
    ...{ name: `Leavers of ${name}`, trigger: 'user.deactivated', condition: 'true' },
    effects: [{ do: 'suspend', app }],
  });
  return {
    key,
    app,
    people,
    scim: async (method, path, body) => (await call(method, path, body)).status,
    leave: async (ids) => {
      for (const id of ids)
        await call('PATCH', `/Users/${id}`, {
          schemas: [PATCH],
          Operations: [{ op: 'replace', path: 'active', value: false }],
        });
    },
  };
}

/** Confirms what is held because many people left at the same time (D78): in the story, they left one after the other. */
export async function confirmLeavers(api: Api): Promise<void> {
  const { results } = await api.get('/api/holds/?status=open');
  for (const { external_uuid, kind } of results)
    if (kind === 'people') await api.post(`/api/holds/${external_uuid}/confirm/`);
}

/** A deactivation with a manager that nobody is, of which the manager is not applied, and a request that is refused. */
export async function sendNonsense({ scim, people }: Provider): Promise<void> {
  await scim('PATCH', `/Users/${people.at(-1)}`, {
    schemas: [PATCH],
    Operations: [
      { op: 'replace', path: `${ENTERPRISE}:manager`, value: '10042' },
      { op: 'replace', path: 'active', value: false },
    ],
  });
  await scim('POST', '/Users', { schemas: [USER], userName: '' });
}
