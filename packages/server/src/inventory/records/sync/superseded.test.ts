// @module-tag engine
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createRunKey } from '#directory/access/run-keys.ts';
import { transaction, within } from '#kit/database.ts';
import { addPersonWithKey, eventsOf, organizationOf } from '#test/people.ts';
import {
  addSyncedApp,
  openSyncTest,
  people,
  type SyncedApp,
  type SyncTest,
  syncedApp,
  untilEnded,
} from '#test/sync.ts';
import { until } from '#test/until.ts';

/** Two connectors of one app discard each other's sessions (D21). */

let service: SyncTest;
beforeAll(async () => {
  service = await openSyncTest();
});
afterAll(() => service.close());

let app: SyncedApp;
let a: SyncedApp;
let b: SyncedApp;
let ids: { a: string; b: string };
beforeEach(async () => {
  app = await addSyncedApp(service);
  const [first, second] = [await addKey('Bridge A'), await addKey('Bridge B')];
  ids = { a: first.id, b: second.id };
  a = withKey(first.key);
  b = withKey(second.key);
});

async function addKey(name: string, more: object = {}): Promise<{ id: string; key: string }> {
  const { body } = await service.call('POST', '/api/api-keys/', { name, scopes: ['bridge'], ...more });
  return { id: body.id, key: body.key };
}

/** Returns the app as a client with this key sees it. */
const withKey = (key: string) =>
  syncedApp({ call: (method, path, body) => service.call(method, path, body, { key }) }, app.id);

/** Starts a session and pushes one record. */
async function begin(client: SyncedApp): Promise<string> {
  const { status, body } = await client.bridge('POST', '/sync/');
  expect(status).toBe(201);
  expect(await client.push(body.sync_id, 'person', people(1))).toMatchObject({ status: 200 });
  return body.sync_id;
}

async function beginAll(...clients: SyncedApp[]): Promise<string[]> {
  const sessions: string[] = [];
  for (const client of clients) sessions.push(await begin(client));
  return sessions;
}

const told = async () =>
  (await eventsOf(service, 'app.sync.superseded')).filter(({ payload }) => payload.app_id === app.id);
const adminView = async (session: string) =>
  (await service.call('GET', `/api/apps/${app.id}/syncs/${session}/`)).body;

describe('the third session in a row that another key discards', () => {
  test('is told once, with both keys', async () => {
    await beginAll(a, b, a);
    expect(await told()).toEqual([]);

    const [second, third] = await beginAll(b, a, b, a, b);

    const client = (id: string, name: string) => ({ type: 'api_key', id, name });
    const [event, ...more] = await told();
    expect(more).toEqual([]);
    expect(event).toMatchObject({
      subject: { type: 'app', uuid: app.id },
      source: { type: 'sync' },
      payload: {
        app_name: 'Directory',
        superseded_by: second,
        client: client(ids.a, 'Bridge A'),
        superseded_by_client: client(ids.b, 'Bridge B'),
        count: 3,
        since: expect.any(String),
      },
    });
    expect(event?.payload.sync_id).not.toBe(third);
  });

  test('is told again only after a session has completed', async () => {
    await beginAll(a, b, a, b, a, b);
    const completed = await begin(a);
    expect(await a.complete(completed)).toMatchObject({ status: 'completed' });
    await beginAll(a, b, a);
    expect(await told()).toHaveLength(1);

    await beginAll(b, a, b);

    expect(await told()).toHaveLength(2);
  });

  test('does not count restarts with the same key, and they do not break the row', async () => {
    await beginAll(a, a, a, a, a);
    expect(await told()).toEqual([]);

    await beginAll(b, b, a, a, b);

    expect(await told()).toMatchObject([{ payload: { count: 3 } }]);
  });

  test('is told although the other key abandons its sessions', async () => {
    for (let n = 0; n < 3; n++) {
      await begin(a);
      expect(await b.abandon(await begin(b))).toMatchObject({ status: 204 });
      expect(await b.abandon(await begin(b))).toMatchObject({ status: 204 });
    }

    expect(await told()).toMatchObject([{ payload: { count: 3, client: { id: ids.a } } }]);
  });

  test('is not told if the key whose sessions were discarded publishes its records by abandoning one', async () => {
    for (let n = 0; n < 3; n++) {
      await beginAll(a, b);
      await begin(a).then(a.abandon);
    }

    expect(await told()).toEqual([]);
  });

  test('is told once if both start at the same time, again and again', async () => {
    const starts = await Promise.all(
      Array.from({ length: 12 }, (_, n) => (n % 2 === 0 ? a : b).bridge('POST', '/sync/')),
    );
    expect(starts.map(({ status }) => status)).toEqual(Array(12).fill(201));
    await beginAll(a, b, a, b);

    const { results } = (await service.call('GET', `/api/apps/${app.id}/syncs/?limit=50`)).body;
    type Listed = { client: { id: string }; superseded_by_client?: { id: string } };
    const discarded = (results as Listed[]).filter(
      ({ client, superseded_by_client: by }) => by !== undefined && by.id !== client.id,
    );
    expect(results[0].superseded_in_row.count).toBe(discarded.length);
    expect(await told()).toHaveLength(1);
  });

  test('concerns one app only', async () => {
    const other = await addSyncedApp(service);
    for (const client of [a, b, a]) {
      await begin(client);
      await other.start();
    }

    expect(await told()).toEqual([]);
  });

  test('is found by its type and by its sync, but not by the prefix alone', async () => {
    await beginAll(a, b, a, b);
    const [event] = await told();
    const typesOf = async (query: string): Promise<string[]> =>
      (await service.call('GET', `/api/events/?limit=200&${query}`)).body.results.map(
        ({ event_type }: { event_type: string }) => event_type,
      );

    expect(await typesOf('event_type=app.sync.superseded')).toContain('app.sync.superseded');
    expect(await typesOf(`sync_uuid=${event?.payload.sync_id}`)).toContain('app.sync.superseded');
    expect(await typesOf('event_type_prefix=app.sync.&catalog=all')).toContain('app.sync.superseded');
    expect(await typesOf('event_type_prefix=app.sync.')).not.toContain('app.sync.superseded');
    expect(await typesOf('event_type_prefix=app.sync.superseded.')).toEqual([]);
  });
});

describe('clients', () => {
  async function runKey(runId: string) {
    const { orgId, ownerId } = await organizationOf(service);
    return transaction(within(service.database.db, orgId), (tx) =>
      createRunKey(tx, { appId: app.id, userId: ownerId, runId }, 600),
    );
  }

  test('runs of the managed connector are one client, although each has a key of its own', async () => {
    const runs = [await runKey(randomUUID()), await runKey(randomUUID())].map(({ key }) => withKey(key));
    await beginAll(...runs, ...runs, ...runs);
    expect(await told()).toEqual([]);

    const last = runs[1] as SyncedApp;
    await beginAll(a, last, a);

    expect(await told()).toMatchObject([
      {
        payload: {
          client: { type: 'connector', id: app.id, name: 'Managed connector' },
          superseded_by_client: { type: 'api_key', name: 'Bridge A' },
        },
      },
    ]);
  });

  test('a mixed load of two connectors and an upload: everybody starts, and one event tells it', async () => {
    await beginAll(a, b);
    const planned = await upload();
    const last = await begin(a);

    expect(planned.status).toBe('planned');
    expect(await told()).toMatchObject([
      {
        payload: {
          sync_id: planned.sync_id,
          superseded_by: last,
          client: { type: 'api_key' },
          superseded_by_client: { type: 'api_key', id: ids.a },
        },
      },
    ]);
    const refused = await service.call('POST', `${uploads()}${planned.upload_id}/apply/`);
    expect(refused).toMatchObject({ status: 409, body: { detail: expect.stringContaining('"Bridge A"') } });

    const again = await upload();
    expect(await service.call('POST', `${uploads()}${again.upload_id}/apply/`)).toMatchObject({
      status: 200,
    });
    expect(await untilEnded(app, again.sync_id)).toMatchObject({ status: 'completed' });
    expect((await adminView(await begin(b))).superseded_in_row).toBeUndefined();
  });

  const uploads = () => `/api/apps/${app.id}/uploads/`;

  /** Uploads a file and waits for its plan. */
  async function upload() {
    const { payload } = await service.app.http.inject({
      method: 'POST',
      url: `/org/${service.org}${uploads()}?file_name=people.csv`,
      headers: { authorization: `Api-Key ${service.key}`, 'content-type': 'application/octet-stream' },
      payload: 'id,email\n1,ada@x.example',
    });
    const { upload_id, suggestion } = JSON.parse(payload);
    const path = `${uploads()}${upload_id}/`;
    await service.call('POST', `${path}check/`, { mapping: suggestion });
    const { body } = await until(
      'the check of an upload',
      () => service.call('GET', path),
      ({ body }) => body.status !== 'checking',
    );
    return body;
  }
});

describe('what a client learns', () => {
  /** Sends each step to a session that is no longer in progress. */
  async function refusals(client: SyncedApp, session: string): Promise<string[]> {
    const answers = [
      await client.push(session, 'person', people(1)),
      await client.bridge('POST', `/sync/${session}/complete/`),
      await client.abandon(session),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400]);
    const details = answers.map(({ body }) => body.detail);
    expect(new Set(details).size).toBe(1);
    return details;
  }

  test('says when another key started the newer session, and what to do, without its name', async () => {
    const [session, newer] = (await beginAll(a, b)) as [string, string];

    const [detail] = await refusals(a, session);

    const { started_at } = await app.view(newer);
    expect(detail).toBe(
      'The sync session is abandoned; this step requires a session that is in_progress. A newer session has replaced it. ' +
        `Another API key started it at ${started_at}. ` +
        'If two connectors send this app, stop one of them, or give each an app of its own.',
    );
  });

  test.each([
    ['may read events', { scopes: ['bridge', 'events'] }, 'The API key "Bridge B" started it at '],
    ['is limited to this app', { scopes: ['bridge', 'read'] }, 'Another API key started it at '],
  ])('names the other key to one that %s', async (_what, { scopes }, expected) => {
    const apps = scopes.includes('events') ? null : [app.id];
    const reader = withKey((await addKey('Reader', { scopes, apps })).key);
    const [session] = await beginAll(reader, b);

    expect((await refusals(reader, session as string))[0]).toContain(expected);
  });

  test('says that the same key started the newer session', async () => {
    const [session] = await beginAll(a, a);

    const [detail] = await refusals(a, session as string);

    expect(detail).toMatch(/A newer session has replaced it[.] The same API key started it at \S+Z[.]$/);
  });

  test('shows administrators who started and who discarded a session, and the row', async () => {
    const [first, second] = (await beginAll(a, b)) as [string, string];

    expect(await adminView(first)).toMatchObject({
      client: { type: 'api_key', id: ids.a, name: 'Bridge A' },
      superseded_by_client: { type: 'api_key', id: ids.b, name: 'Bridge B' },
    });
    const { results } = (await service.call('GET', `/api/apps/${app.id}/syncs/`)).body;
    expect(results[0]).toMatchObject({
      sync_id: second,
      client: { name: 'Bridge B' },
      superseded_in_row: { count: 1, since: (await adminView(first)).finished_at },
    });
    expect(await a.view(first)).not.toHaveProperty('client');
    expect(await a.view(first)).not.toHaveProperty('superseded_by_client');
  });

  test('hides names from a key that is limited to listed apps', async () => {
    const { key } = await addPersonWithKey(service, 'admin', { apps: [app.id] });
    const [first] = await beginAll(a, b);

    const { body } = await service.call('GET', `/api/apps/${app.id}/syncs/${first}/`, undefined, { key });

    expect(body).toMatchObject({ client: { name: null }, superseded_by_client: { name: null } });
  });
});
