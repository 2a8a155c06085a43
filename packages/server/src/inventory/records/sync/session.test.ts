// @module-tag engine
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '#kit/sql.ts';
import { resumeOrganization, suspendOrganization } from '#operate/organizations/suspend.ts';
import { addOrganization, eventsOf } from '#test/people.ts';
import { addSyncedApp, openSyncTest, people, type SyncedApp, type SyncTest } from '#test/sync.ts';
import { setTimes } from '#test/time.ts';
import { discardForgotten } from '../sessions/discard.ts';

let service: SyncTest;
beforeAll(async () => {
  service = await openSyncTest();
});
afterAll(() => service.close());

let app: SyncedApp;
beforeEach(async () => {
  app = await addSyncedApp(service);
});

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const progress = (counts: Partial<Record<string, number>> = {}) =>
  [
    ['person', 'account'],
    ['bot', 'account'],
    ['team', 'group'],
    ['channel', 'group'],
    ['seat', 'license'],
  ].map(([slug, type]) => ({
    slug,
    name: `All ${slug}s`,
    type,
    synced_count: counts[slug ?? ''] ?? 0,
  }));

/** Returns the types of the events of one session. */
async function newsOf(session: string) {
  const events = await eventsOf(service, 'app.sync.');
  return events.filter(({ payload }) => payload.sync_id === session).map(({ event_type }) => event_type);
}

describe('the view of a session (protocol 2.3, D20)', () => {
  test('counts records of a session in progress as they are pushed', async () => {
    const started = await app.bridge('POST', '/sync/');
    const session = started.body.sync_id;
    await app.push(session, 'person', people(3));
    await app.push(session, 'person', people(2));
    await app.push(session, 'seat', [{ id: 's', name: 'S' }]);
    await app.push(session, 'team', []);

    const view = await app.bridge('GET', `/sync/${session}/`);

    expect(started).toMatchObject({ status: 201, body: { sync_id: expect.stringMatching(UUID) } });
    expect(Object.keys(started.body)).toEqual(['sync_id']);
    expect(view.status).toBe(200);
    expect(view.body).toEqual({
      sync_id: session,
      status: 'in_progress',
      progress: progress({ person: 3, seat: 1 }),
      started_at: expect.stringMatching(MOMENT),
      finished_at: null,
      counts: null,
      membership_counts: null,
    });
  });

  test('shows the counts of a completed session, in the shape of the 202', async () => {
    await app.sync({
      team: [
        { id: 'kept', name: 'Kept' },
        { id: 'gone', name: 'Gone' },
      ],
      person: [
        ...people(3, () => ({ memberships: { team: [{ id: 'kept' }] } })),
        { id: 'leaver', username: 'leaver', memberships: { team: [{ id: 'kept' }, { id: 'gone' }] } },
      ],
    });
    const session = await app.start();
    await app.push(session, 'team', [{ id: 'kept', name: 'Kept' }]);
    await app.push(session, 'person', [
      { id: 'p0', email: 'p0@x.example', memberships: { team: [{ id: 'kept' }] } },
      { id: 'p1', email: 'changed@x.example', memberships: { channel: [{ id: 'new' }] } },
      { id: 'p2', email: 'p2@x.example' },
      { id: 'joiner', username: 'joiner', assignments: { seat: [{ id: 's' }] } },
    ]);

    const accepted = await app.bridge('POST', `/sync/${session}/complete/`);
    const view = await app.complete(session);

    expect(accepted.status).toBe(202);
    expect(Object.keys(accepted.body)).toEqual(Object.keys(view));
    expect(accepted.body).toMatchObject({ sync_id: session, status: expect.stringMatching(/^complet/) });
    expect(view).toEqual({
      sync_id: session,
      status: 'completed',
      progress: progress({ person: 4, team: 1 }),
      started_at: expect.stringMatching(MOMENT),
      finished_at: expect.stringMatching(MOMENT),
      // Created: joiner, new, s. Updated: p1. Unchanged: p0, p2, kept. Removed: leaver, gone.
      counts: { created: 3, updated: 1, unchanged: 3, removed: 2 },
      // Added: p1 in new, joiner has s. Removed: p1 and p2 from kept, both of leaver's.
      membership_counts: { added: 2, removed: 4 },
    });
    expect(Date.parse(view.finished_at)).toBeGreaterThanOrEqual(Date.parse(view.started_at));
  });

  test('shows the counts of an abandoned session', async () => {
    await app.sync({ person: people(2) });
    const session = await app.start();
    await app.push(
      session,
      'person',
      people(2, (n) => ({ status: n === 0 ? 'suspended' : 'active' })),
    );
    await app.push(session, 'bot', people(1));

    const answer = await app.abandon(session);

    expect(answer).toMatchObject({ status: 204, body: '' });
    expect(await app.view(session)).toEqual({
      sync_id: session,
      status: 'abandoned',
      progress: progress({ person: 2, bot: 1 }),
      started_at: expect.stringMatching(MOMENT),
      finished_at: expect.stringMatching(MOMENT),
      counts: { created: 1, updated: 1, unchanged: 1, removed: 0 },
      membership_counts: { added: 0, removed: 0 },
    });
  });

  test('shows a superseded session as abandoned, with its progress and the newer session', async () => {
    const first = await app.start();
    await app.push(first, 'person', people(7));

    const second = await app.start();

    expect(await app.view(first)).toEqual({
      sync_id: first,
      status: 'abandoned',
      progress: progress({ person: 7 }),
      superseded_by: second,
      started_at: expect.stringMatching(MOMENT),
      finished_at: expect.stringMatching(MOMENT),
      counts: null,
      membership_counts: null,
    });
    expect(await app.view(second)).toMatchObject({ status: 'in_progress', progress: progress() });
  });

  test('adds a new resource type to sessions in progress, not to ended ones', async () => {
    const ended = await app.sync({});
    const session = await app.start();
    await app.bridge('POST', '/resource-types/', { slug: 'role', name: 'Role', type: 'group' });
    await app.push(session, 'role', [{ id: 'r', name: 'R' }]);

    expect((await app.view(session)).progress).toEqual([
      ...progress(),
      { slug: 'role', name: 'Role', type: 'group', synced_count: 1 },
    ]);
    expect((await app.view(ended)).progress).toEqual(progress());
  });
});

describe('steps (protocol 3.1, D20)', () => {
  test('a repeated complete returns 202 and changes nothing', async () => {
    const session = await app.start();
    await app.push(session, 'person', people(2));
    const view = await app.complete(session);

    const again = await app.bridge('POST', `/sync/${session}/complete/`);

    expect(again).toMatchObject({ status: 202, body: view });
    expect(await newsOf(session)).toEqual(['app.sync.started', 'app.sync.completed']);
  });

  test('a repeated abandon returns 204 and changes nothing', async () => {
    const session = await app.start();
    await app.push(session, 'person', people(2));
    await app.abandon(session);
    const view = await app.view(session);

    expect(await app.abandon(session)).toMatchObject({ status: 204 });
    expect(await app.view(session)).toEqual(view);
    expect(await newsOf(session)).toEqual(['app.sync.started', 'app.sync.completed']);
  });

  test('other steps on an ended session return 400 and name its status', async () => {
    const completed = await app.start();
    await app.complete(completed);
    const abandoned = await app.start();
    await app.abandon(abandoned);
    const superseded = await app.start();
    const { started_at } = await app.view(await app.start());

    const answers = [
      await app.abandon(completed),
      await app.bridge('POST', `/sync/${abandoned}/complete/`),
      await app.bridge('POST', `/sync/${superseded}/complete/`),
      await app.abandon(superseded),
    ];

    expect(answers.map(({ status, body }) => [status, body.detail])).toEqual([
      [400, 'The sync session is completed; this step requires a session that is in_progress.'],
      [400, 'The sync session is abandoned; this step requires a session that is in_progress.'],
      [
        400,
        `The sync session is abandoned; this step requires a session that is in_progress. A newer session has replaced it. The same API key started it at ${started_at}.`,
      ],
      [
        400,
        `The sync session is abandoned; this step requires a session that is in_progress. A newer session has replaced it. The same API key started it at ${started_at}.`,
      ],
    ]);
  });

  test('a session that is held or in error cannot be completed again or abandoned', async () => {
    await service.call('PATCH', `/api/apps/${app.id}/`, { removal_guard: { percent: 1, at_least: 1 } });
    await app.sync({ person: people(3) });
    const session = await app.start();
    const held = await app.complete(session);

    expect(held).toMatchObject({ status: 'completing', held: { accounts: 3, memberships: 0 } });
    expect(await app.bridge('POST', `/sync/${session}/complete/`)).toMatchObject({ status: 202, body: held });
    expect(await app.abandon(session)).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('is completing') },
    });
    await service.call('POST', `/api/apps/${app.id}/syncs/${session}/reject/`);
    for (const step of ['complete', 'abandon']) {
      expect(await app.bridge('POST', `/sync/${session}/${step}/`)).toMatchObject({
        status: 400,
        body: { detail: 'The sync session is error; this step requires a session that is in_progress.' },
      });
    }
  });

  test('accepts a POST without a body whatever its content type (D19)', async () => {
    for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded']) {
      const start = await service.call('POST', `/api/v1/bridge/apps/${app.id}/sync/`, undefined, {
        headers: { 'content-type': type },
      });
      expect(start.status).toBe(201);
      const address = `/api/v1/bridge/apps/${app.id}/sync/${start.body.sync_id}/abandon/`;
      expect(
        await service.call('POST', address, undefined, { headers: { 'content-type': type } }),
      ).toMatchObject({ status: 204 });
    }
  });

  test('returns 404 for unknown addresses and those of other organizations', async () => {
    const session = await app.start();
    const other = await addSyncedApp(service);
    const stranger = await addOrganization(service, `o${randomUUID().slice(0, 8)}`);
    const steps = [
      ['GET', ''],
      ['POST', 'complete/'],
      ['POST', 'abandon/'],
    ] as const;

    for (const [method, step] of steps) {
      for (const id of [randomUUID(), 'x', '%00']) {
        expect(await app.bridge(method, `/sync/${id}/${step}`)).toMatchObject({ status: 404 });
        expect(await service.call(method, `/api/v1/bridge/apps/${id}/sync/${session}/${step}`)).toMatchObject(
          {
            status: 404,
            body: { detail: expect.any(String) },
          },
        );
      }
      expect(await other.bridge(method, `/sync/${session}/${step}`)).toMatchObject({ status: 404 });
      expect(await stranger(method, `/api/v1/bridge/apps/${app.id}/sync/${session}/${step}`)).toMatchObject({
        status: 404,
      });
    }
    expect(await service.call('POST', `/api/v1/bridge/apps/${randomUUID()}/sync/`)).toMatchObject({
      status: 404,
    });
    expect(await stranger('POST', `/api/v1/bridge/apps/${app.id}/sync/`)).toMatchObject({ status: 404 });
    expect(await app.view(session)).toMatchObject({ status: 'in_progress' });
  });

  test('returns 403 for every step to a key limited to other apps', async () => {
    const session = await app.start();
    const other = await addSyncedApp(service);
    const { body } = await service.call('POST', '/api/api-keys/', { name: 'listed', apps: [other.id] });
    const options = { key: body.key };

    const answers = [
      await app.bridge('POST', '/sync/', undefined, options),
      await app.bridge('GET', `/sync/${session}/`, undefined, options),
      await app.bridge('POST', `/sync/${session}/complete/`, undefined, options),
      await app.bridge('POST', `/sync/${session}/abandon/`, undefined, options),
      await other.bridge('POST', '/sync/', undefined, options),
    ];

    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 201]);
    expect(await app.view(session)).toMatchObject({ status: 'in_progress' });
  });

  test('accepts each step without the trailing slash (D2)', async () => {
    const { body } = await app.bridge('POST', '/sync');
    expect(await app.bridge('PUT', `/sync/${body.sync_id}/person`, { records: people(1) })).toMatchObject({
      status: 200,
    });
    expect(await app.bridge('GET', `/sync/${body.sync_id}`)).toMatchObject({ status: 200 });
    expect(await app.bridge('POST', `/sync/${body.sync_id}/complete`)).toMatchObject({ status: 202 });
  });
});

describe('simultaneous steps', () => {
  const openSessions = async () =>
    (
      await sql<{ id: string }>`
        select id from sync_session where app_id = ${app.id} and status = 'in_progress'`.execute(
        service.database.db,
      )
    ).rows.map(({ id }) => id);

  test('simultaneous starts leave one session in progress; each other one names its successor', async () => {
    const sessions = await Promise.all(Array.from({ length: 6 }, () => app.start()));

    const views = await Promise.all(sessions.map((id) => app.view(id)));
    const [open, ...more] = await openSessions();
    expect(more).toEqual([]);
    expect(sessions).toContain(open);
    expect(views.filter(({ status }) => status === 'in_progress').map(({ sync_id }) => sync_id)).toEqual([
      open,
    ]);
    const replaced = views.filter(({ status }) => status === 'abandoned');
    expect(replaced).toHaveLength(5);
    expect(new Set(replaced.map(({ superseded_by }) => superseded_by)).size).toBe(5);
  });

  test('simultaneous completes publish once', async () => {
    const session = await app.start();
    await app.push(session, 'person', people(20));

    const answers = await Promise.all(
      Array.from({ length: 6 }, () => app.bridge('POST', `/sync/${session}/complete/`)),
    );

    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(202));
    expect(await app.complete(session)).toMatchObject({ status: 'completed', counts: { created: 20 } });
    expect(await newsOf(session)).toEqual(['app.sync.started', 'app.sync.completed']);
  });

  test('simultaneous abandons publish once', async () => {
    const session = await app.start();
    await app.push(session, 'person', people(20));

    const answers = await Promise.all(Array.from({ length: 6 }, () => app.abandon(session)));

    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(204));
    expect(await app.view(session)).toMatchObject({ status: 'abandoned', counts: { created: 20 } });
    expect(await newsOf(session)).toEqual(['app.sync.started', 'app.sync.completed']);
  });

  test('of a complete and an abandon, one is rejected', async () => {
    await app.sync({ person: people(10) });
    const session = await app.start();
    await app.push(session, 'person', people(5));

    const [completed, abandoned] = await Promise.all([
      app.bridge('POST', `/sync/${session}/complete/`),
      app.abandon(session),
    ]);

    expect([
      [202, 400],
      [400, 204],
    ]).toContainEqual([completed.status, abandoned.status]);
    const { status, counts } =
      completed.status === 202 ? await app.complete(session) : await app.view(session);
    expect({ status, removed: counts.removed }).toEqual(
      completed.status === 202 ? { status: 'completed', removed: 5 } : { status: 'abandoned', removed: 0 },
    );
  });

  test('a start and a complete: the session is either superseded or published', async () => {
    const session = await app.start();
    await app.push(session, 'person', people(5));

    const [completed, newer] = await Promise.all([
      app.bridge('POST', `/sync/${session}/complete/`),
      app.bridge('POST', '/sync/'),
    ]);

    expect(newer.status).toBe(201);
    const { body } = await service.call('GET', `/api/accounts/?app=${app.id}`);
    if (completed.status === 202) {
      expect(await app.complete(session)).toMatchObject({ status: 'completed', counts: { created: 5 } });
    } else {
      expect(await app.view(session)).toMatchObject({
        status: 'abandoned',
        superseded_by: newer.body.sync_id,
      });
      expect(body.count).toBe(0);
    }
    expect(await openSessions()).toEqual([newer.body.sync_id]);
  });

  test('sessions of different apps do not wait for each other', async () => {
    const others = await Promise.all(Array.from({ length: 4 }, () => addSyncedApp(service)));

    await Promise.all(
      others.map((other) => other.sync({ person: people(30), team: [{ id: 'g', name: 'G' }] })),
    );

    for (const other of others) {
      expect((await service.call('GET', `/api/accounts/?app=${other.id}&status=ACTIVE`)).body.count).toBe(30);
    }
  });
});

describe('events of sessions (D27)', () => {
  test('records started, and completed with counts', async () => {
    const session = await app.sync({ person: people(2) });

    const [started, completed] = (await eventsOf(service, 'app.sync.')).filter(
      ({ payload }) => payload.sync_id === session,
    );

    const common = { app_id: app.id, app_name: 'Directory', sync_id: session };
    expect(started).toMatchObject({
      event_type: 'app.sync.started',
      actor: { type: 'user' },
      subject: { type: 'app', uuid: app.id },
      source: { type: 'api' },
      payload: common,
    });
    expect(completed).toMatchObject({
      event_type: 'app.sync.completed',
      actor: { type: 'system', uuid: null },
      subject: { type: 'app', uuid: app.id },
      source: { type: 'sync', uuid: session },
      payload: {
        ...common,
        outcome: 'completed',
        baseline: true,
        counts: { created: 2, updated: 0, unchanged: 0, removed: 0 },
        membership_counts: { added: 0, removed: 0 },
      },
    });
  });

  test('records an abandoned session as completed with that outcome, without setting last_synced_at', async () => {
    const session = await app.start();
    await app.abandon(session);
    const before = await service.call('GET', `/api/v1/bridge/apps/${app.id}/`);
    await app.sync({});
    const after = await service.call('GET', `/api/v1/bridge/apps/${app.id}/`);

    const [, event] = (await eventsOf(service, 'app.sync.')).filter(
      ({ payload }) => payload.sync_id === session,
    );
    expect(event).toMatchObject({
      event_type: 'app.sync.completed',
      source: { type: 'sync', uuid: session },
      payload: { outcome: 'abandoned' },
    });
    expect(before.body).toMatchObject({
      configuration_status: 'CHECKING_CONFIGURATION',
      last_synced_at: null,
    });
    expect(after.body).toMatchObject({
      configuration_status: 'CONNECTED',
      last_synced_at: expect.any(String),
    });
  });

  test('records a superseded session as failed, with its successor', async () => {
    const first = await app.start();
    const second = await app.start();

    const [, event] = (await eventsOf(service, 'app.sync.')).filter(
      ({ payload }) => payload.sync_id === first,
    );
    expect(event).toMatchObject({
      event_type: 'app.sync.failed',
      subject: { type: 'app', uuid: app.id },
      source: { type: 'sync', uuid: first },
      payload: { app_id: app.id, reason: 'superseded', superseded_by: second },
    });
  });
});

describe('a session without a push for seven days (D21)', () => {
  const age = (session: string, days: number) =>
    setTimes(service, 'sync_session', { started_at: `${days} days earlier` }, { id: session });
  const agePages = (session: string, days: number) =>
    setTimes(service, 'sync_page', { received_at: `${days} days earlier` }, { session_id: session });

  test('is discarded with an event', async () => {
    const session = await app.start();
    await app.push(session, 'person', people(2));
    await age(session, 9);
    await agePages(session, 8);

    await discardForgotten(service.database.db);

    expect(await app.view(session)).toMatchObject({
      status: 'abandoned',
      progress: progress({ person: 2 }),
      counts: null,
    });
    expect((await service.call('GET', `/api/accounts/?app=${app.id}`)).body.count).toBe(0);
    expect((await eventsOf(service, 'app.sync.failed')).at(-1)).toMatchObject({
      payload: { sync_id: session, reason: 'forgotten' },
    });
  });

  test('is kept while its organization is suspended', async () => {
    const { db } = service.database;
    const session = await app.start();
    await age(session, 9);
    await suspendOrganization(db, service.org, 'Paused.');

    await discardForgotten(db);

    await resumeOrganization(db, service.org);
    await expect.poll(async () => (await app.view(session)).status, { timeout: 10_000 }).toBe('in_progress');
  });

  test('is kept if it started or received a page since then', async () => {
    const pushed = await app.start();
    await app.push(pushed, 'person', people(2));
    await age(pushed, 9);
    await agePages(pushed, 6);
    const other = await addSyncedApp(service);
    const young = await other.start();
    await age(young, 6);

    await discardForgotten(service.database.db);

    expect(await app.view(pushed)).toMatchObject({ status: 'in_progress' });
    expect(await other.view(young)).toMatchObject({ status: 'in_progress' });
  });
});
