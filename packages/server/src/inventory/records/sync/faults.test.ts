// @module-tag long
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import type { DatabaseOptions } from '#kit/database/open.ts';
import { createTestDatabase } from '#test/database.ts';
import { holdBefore, overHttp, stallBefore } from '#test/faults.ts';
import { type Service, startService } from '#test/service.ts';
import { addSyncedApp, people, type SyncedApp, syncedApp, untilEnded } from '#test/sync.ts';

/** These tests kill the service with SIGKILL at a point where it is certainly working, and start it again. */

// Each starts the service twice, which takes long on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

// The lock of a hold does not reach the shards of a cluster.
const testHolding = test.skipIf(inject('prepared').engine === 'citus');

const inTeam = (id: string) => () => ({ memberships: { team: [{ id }] } });

async function newDatabase(): Promise<DatabaseOptions> {
  const { options, remove } = await createTestDatabase();
  onTestFinished(remove);
  return options;
}

async function start(database: DatabaseOptions, key?: string): Promise<Service> {
  const service = await startService({ database, ...(key === undefined ? {} : { key }) });
  onTestFinished(() => service.kill());
  return service;
}

interface Killable {
  app: SyncedApp;
  first: Service;
  /** Kills the service at the point where it stopped, and returns the same app in a new service. */
  killThere(): Promise<{ app: SyncedApp; service: Service; call: Call }>;
}

/** Starts a service that stops at this point, by default of its second session, with an app that was synced once. */
async function openStalled(point: string, condition?: string): Promise<Killable> {
  const database = await newDatabase();
  const stall = await stallBefore(database, point, condition);
  const first = await start(database);
  const app = await addSyncedApp(overHttp(first));
  await app.sync({ person: people(20, inTeam('old')) });
  return {
    app,
    first,
    killThere: async () => {
      await stall.untilReached(first);
      await first.kill();
      await stall.lift();
      const service = await start(database, first.key);
      const { call } = overHttp(service);
      return { app: syncedApp({ call }, app.id), service, call };
    },
  };
}

/** Sends a request that gets no response. */
function sendInVain(request: Promise<unknown>) {
  request.catch(() => {});
}

type Call = ReturnType<typeof overHttp>['call'];

/** Returns the status and groups of each account. */
async function accountsOf(call: Call, app: SyncedApp): Promise<Record<string, string>> {
  const { body } = await call('GET', `/api/accounts/?app=${app.id}&limit=200`);
  return Object.fromEntries(
    (body.results as Listed[]).map(({ external_id, status, memberships }) => [
      external_id,
      [status, ...(memberships.team ?? []).map(({ id }) => id)].join(' '),
    ]),
  );
}
interface Listed {
  external_id: string;
  status: string;
  memberships: Record<string, { id: string }[]>;
}

const each = (records: { id: string }[], state: string) =>
  Object.fromEntries(records.map(({ id }) => [id, state]));

async function endsOf(call: Call, session: string): Promise<string[]> {
  const { body } = await call('GET', '/api/events/?event_type_prefix=app.sync.&limit=200');
  return body.results
    .filter(({ payload }: { payload: { sync_id: string } }) => payload.sync_id === session)
    .map(({ event_type }: { event_type: string }) => event_type)
    .filter((type: string) => type !== 'app.sync.started');
}

testHolding('a kill during a push keeps every acknowledged page, and the session continues', async () => {
  const { app, killThere } = await openStalled('insert on sync_page');
  const session = await app.start();
  sendInVain(app.push(session, 'person', people(20, inTeam('new'))));

  const again = await killThere();

  expect(await again.app.view(session)).toMatchObject({ status: 'in_progress' });
  expect(await again.app.push(session, 'person', people(20, inTeam('new')))).toMatchObject({ status: 200 });
  expect(await again.app.complete(session)).toMatchObject({
    status: 'completed',
    counts: { created: 1, updated: 0, unchanged: 20, removed: 1 },
  });
  expect(await accountsOf(again.call, app)).toEqual(each(people(20), 'ACTIVE new'));
});

testHolding('a kill during a start that would tell of superseded sessions: the next one tells', async () => {
  const { app, first, killThere } = await openStalled(
    'update on sync_session',
    '(select count(superseded_by) from sync_session) >= 3',
  );
  const { body } = await overHttp(first).call('POST', '/api/api-keys/', {
    name: 'Other',
    scopes: ['bridge'],
  });
  const other = (service: Service) => syncedApp(overHttp({ ...service, key: body.key }), app.id);
  await app.start();
  await other(first).start();
  const open = await app.start();
  sendInVain(other(first).start());

  const again = await killThere();

  expect(await again.app.view(open)).toMatchObject({ status: 'in_progress' });
  const told = async () =>
    (await again.call('GET', '/api/events/?event_type=app.sync.superseded')).body.results.map(
      ({ payload }: { payload: { count: number } }) => payload.count,
    );
  expect(await told()).toEqual([]);
  await other(again.service).start();
  expect(await told()).toEqual([3]);
});

test('a kill during many pushes keeps every acknowledged page', async () => {
  const database = await newDatabase();
  const first = await start(database);
  const app = await addSyncedApp(overHttp(first));
  const session = await app.start();
  const acknowledged: number[] = [];
  let next = 0;
  const pusher = async () => {
    for (;;) {
      const page = next++;
      const { status } = await app.push(session, 'person', people(10, undefined, page * 10));
      if (status !== 200) return;
      acknowledged.push(page);
      if (acknowledged.length === 25) await first.kill();
    }
  };
  await Promise.allSettled([pusher(), pusher(), pusher(), pusher()]);

  const second = await start(database, first.key);
  const { call } = overHttp(second);
  const again = syncedApp({ call }, app.id);

  expect(acknowledged.length).toBeGreaterThanOrEqual(25);
  const before = (await again.view(session)).progress[0].synced_count;
  expect(before).toBeGreaterThanOrEqual(acknowledged.length * 10);
  expect(await again.complete(session)).toMatchObject({ status: 'completed', counts: { created: before } });
  for (const page of acknowledged) {
    const { body } = await call('GET', `/api/accounts/?app=${app.id}&email=p${page * 10 + 9}@`);
    expect(body.results.map((one: Listed) => one.external_id)).toContain(`p${page * 10 + 9}`);
  }
});

for (const [name, statement] of [
  [
    'a kill during a publication shows none of its changes, and the restart publishes once',
    'insert on membership',
  ],
  [
    'a kill during a cleanup keeps published records, and the restart removes stale ones',
    'delete on sync_removal',
  ],
] as const)
  testHolding(name, async () => {
    const { app, killThere } = await openStalled(statement);
    const session = await app.start();
    await app.push(session, 'person', people(10, inTeam('new')));
    sendInVain(app.bridge('POST', `/sync/${session}/complete/`));

    const again = await killThere();

    expect(await untilEnded(again.app, session)).toMatchObject({
      status: 'completed',
      counts: { created: 1, updated: 0, unchanged: 10, removed: 11 },
      membership_counts: { added: 10, removed: 20 },
    });
    expect(await accountsOf(again.call, app)).toEqual({
      ...each(people(20), 'INACTIVE'),
      ...each(people(10), 'ACTIVE new'),
    });
    expect(await endsOf(again.call, session)).toEqual(['app.sync.completed']);
  });

testHolding('a kill while abandoning gives no response, and the request can be repeated', async () => {
  const { app, killThere } = await openStalled('insert on membership');
  const session = await app.start();
  await app.push(session, 'person', people(10, inTeam('new')));
  sendInVain(app.abandon(session));

  const again = await killThere();

  expect(await again.app.view(session)).toMatchObject({ status: 'in_progress', counts: null });
  expect(await accountsOf(again.call, app)).toEqual(each(people(20), 'ACTIVE old'));
  expect(await again.app.abandon(session)).toMatchObject({ status: 204 });
  // An abandoned session takes no membership away (D17).
  expect(await accountsOf(again.call, app)).toEqual({
    ...each(people(20), 'ACTIVE old'),
    ...each(people(10), 'ACTIVE new old'),
  });
  expect(await endsOf(again.call, session)).toEqual(['app.sync.completed']);
});

testHolding(
  'a restart before PostgreSQL notices the kill waits for the old connection and does the work once',
  async ({ skip }) => {
    const database = await newDatabase();
    if (database.url === undefined) return skip('PGlite dies with its process');
    const first = await start(database);
    const app = await addSyncedApp(overHttp(first));
    await app.sync({ person: people(20, inTeam('old')) });
    const session = await app.start();
    await app.push(session, 'person', people(10, inTeam('new')));
    const hold = await holdBefore(database.url, 'insert on membership');
    await app.bridge('POST', `/sync/${session}/complete/`);
    await hold.untilReached();
    await first.kill();

    const { call } = overHttp(await start(database, first.key));
    const again = syncedApp({ call }, app.id);
    await hold.untilReached(2);
    const meanwhile = await again.view(session);
    await hold.release();
    const view = await untilEnded(again, session);
    await hold.close();

    expect(meanwhile).toMatchObject({ status: 'completing', counts: null });
    expect(view).toMatchObject({ status: 'completed', counts: { created: 1, unchanged: 10, removed: 11 } });
    expect(await endsOf(call, session)).toEqual(['app.sync.completed']);
  },
);

test('two nodes share a session, which ends once', async ({ skip }) => {
  const database = await newDatabase();
  skip(database.url === undefined, 'PGlite serves one process');
  const one = await start(database);
  const other = await start(database, one.key);
  const app = await addSyncedApp(overHttp(one));
  const apps = [app, syncedApp(overHttp(other), app.id)] as const;
  const session = await apps[1].start();

  const pages = await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      apps[n % 2]?.push(session, 'person', people(10, inTeam('g'), n * 10)),
    ),
  );
  const completes = await Promise.all(apps.map(({ bridge }) => bridge('POST', `/sync/${session}/complete/`)));

  expect(pages.map((page) => page?.status)).toEqual(Array(10).fill(200));
  expect(completes.map(({ status }) => status)).toEqual([202, 202]);
  expect(await untilEnded(app, session)).toMatchObject({ status: 'completed', counts: { created: 101 } });
  expect(await endsOf(overHttp(other).call, session)).toEqual(['app.sync.completed']);
});
