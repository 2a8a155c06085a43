import { expect } from 'vitest';
import { finishSession } from '#inventory/records/publication/finish.ts';
import { within } from '#kit/database.ts';
import { sql } from '#kit/sql.ts';
import { openTestApp, type TestApp, type TestAppOptions } from './app.ts';
import { organizationOf } from './people.ts';
import { settle } from './policies.ts';
import { newUser, openScim, patchOf, type Scim, type ScimTest, scimCaller } from './scim.ts';

/** A service without background work, with a SCIM client and an app whose accounts have the ids of their people. */
export interface HoldTest extends TestApp, ScimTest {
  orgId: string;
  appId: string;
  bridge: TestApp['call'];
  /** Creates users through SCIM, each with an account in the app. Returns their ids. */
  addUsers(count: number): Promise<string[]>;
  /** Creates another app, with an account of each of these people. Returns its id. */
  addApp(people: readonly { id: string; email: string }[]): Promise<string>;
  /** Creates a policy for leavers, which suspends their accounts in the app. Returns its id. */
  leavers(more?: object): Promise<string>;
  /** Continues with another SCIM key. */
  newClient(): Promise<void>;
  /** Returns the person of an account's email. */
  personOf(email: string): string;
  leave(...ids: string[]): Promise<void>;
  comeBack(...ids: string[]): Promise<void>;
  /** Waits until policies have acted on all events, and decided holds are settled. */
  settled(): Promise<void>;
  /** Returns the accounts of the tasks that the connector gets, sorted. */
  fetched(): Promise<string[]>;
  // biome-ignore lint/suspicious/noExplicitAny: tests state what they expect of a body.
  tasks(query?: string): Promise<any[]>;
  // biome-ignore lint/suspicious/noExplicitAny: tests state what they expect of a body.
  holds(query?: string): Promise<any[]>;
  // biome-ignore lint/suspicious/noExplicitAny: tests state what they expect of a body.
  onlyHold(): Promise<any>;
  decide(id: string, verb: 'confirm' | 'discard', body?: object): ReturnType<TestApp['call']>;
}

export async function openHoldTest(options: TestAppOptions = {}): Promise<HoldTest> {
  const service = await openTestApp(options);
  const { db } = service.database;
  const scimTest = await openScim(service);
  const { orgId } = await organizationOf(service);
  const addApp = async (name: string) => {
    const { id } = (await service.call('POST', '/api/v1/bridge/apps/', { name })).body;
    const types = `/api/v1/bridge/apps/${id}/resource-types/`;
    await service.call('POST', types, { slug: 'person', name: 'People', type: 'account' });
    await service.call('POST', types, { slug: 'team', name: 'Teams', type: 'group' });
    return id as string;
  };
  const appId = await addApp('Payroll');
  const bridge: TestApp['call'] = (method, path, body) =>
    service.call(method, `/api/v1/bridge/apps/${appId}${path}`, body);
  /** Pushes accounts of these people, which all have the group red. */
  const sync = async (app: string, people: readonly { id: string; email: string }[]) => {
    const at = `/api/v1/bridge/apps/${app}/sync`;
    const { sync_id } = (await service.call('POST', `${at}/`)).body;
    const push = async (slug: string, records: object[]) => {
      const { status, body } = await service.call('PUT', `${at}/${sync_id}/${slug}/`, { records });
      if (status !== 200) throw new Error(JSON.stringify(body));
    };
    await push('team', [{ id: 'red', name: 'Red' }]);
    const memberships = { team: [{ id: 'red', name: 'Red' }] };
    for (let start = 0; start < people.length; start += 100)
      await push(
        'person',
        people.slice(start, start + 100).map((one) => ({ ...one, memberships })),
      );
    // Without jobs, nothing could send the one that publishes the session.
    await sql`
      update sync_session set status = 'completing', completing_at = clock_now()
      where org_id = ${orgId} and id = ${sync_id}`.execute(db);
    await finishSession(within(db, orgId), sync_id, { number: 1, last: false });
    await settle(db);
  };
  const list = async (path: string) => (await service.call('GET', path)).body.results;
  const setActive = async (ids: readonly string[], value: boolean) => {
    for (const id of ids) expect((await patchActive(test.scim, id, value)).status).toBe(200);
  };
  const all: { id: string; email: string }[] = [];
  const test: HoldTest = {
    ...service,
    ...scimTest,
    orgId,
    appId,
    bridge,
    addUsers: async (count) => {
      const added: { id: string; email: string }[] = [];
      for (let n = 0; n < count; n++) added.push(await addUser(test.scim));
      all.push(...added);
      await sync(appId, all);
      return added.map(({ id }) => id);
    },
    addApp: async (people) => {
      const id = await addApp(`App of ${people.length}`);
      await sync(id, people);
      return id;
    },
    leavers: async (more = {}) => {
      const { status, body } = await service.call('POST', '/api/policies/', {
        name: 'Leavers',
        trigger: 'user.deactivated',
        condition: 'true',
        effects: [{ do: 'suspend', app: appId }],
        ...more,
      });
      if (status !== 201) throw new Error(JSON.stringify(body));
      return body.external_uuid;
    },
    newClient: async () => {
      const { body } = await test.owner('POST', '/api/api-keys/', {
        name: 'another provider',
        scopes: ['scim'],
      });
      test.scim = scimCaller(service, body.key);
    },
    personOf: (email) => all.find((one) => one.email === email)?.id ?? '',
    leave: (...ids) => setActive(ids, false),
    comeBack: (...ids) => setActive(ids, true),
    settled: () => settle(db),
    fetched: async () => {
      const { tasks } = (await bridge('GET', '/tasks/?status=pending&limit=1000')).body;
      return tasks
        .map(({ payload }: { payload: { account: { id: string } } }) => payload.account.id)
        .toSorted();
    },
    tasks: (query = '') => list(`/api/tasks/?limit=200${query}`),
    holds: (query = '') => list(`/api/holds/${query}`),
    onlyHold: async () => {
      const found = await test.holds();
      expect(found).toHaveLength(1);
      return found[0];
    },
    decide: (id, verb, body) =>
      service.call(
        'POST',
        `/api/holds/${id}/${verb}/`,
        body ?? (verb === 'discard' ? { reason: 'A mistake' } : undefined),
      ),
  };
  return test;
}

async function addUser(scim: Scim): Promise<{ id: string; email: string }> {
  const { body } = await scim('POST', '/Users', newUser());
  return { id: body.id, email: body.emails[0].value };
}

export const patchActive = (scim: Scim, id: string, value: boolean) =>
  scim('PATCH', `/Users/${id}`, patchOf({ op: 'replace', path: 'active', value }));
