// @module-tag engine
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '#kit/sql.ts';
import { addOrganization } from '#test/people.ts';
import { addSyncedApp, openSyncTest, people, type SyncedApp, type SyncTest, syncedApp } from '#test/sync.ts';
import { setTimes } from '#test/time.ts';

let service: SyncTest;
beforeAll(async () => {
  service = await openSyncTest();
});
afterAll(() => service.close());

let app: SyncedApp;
let session: string;
beforeEach(async () => {
  app = await addSyncedApp(service);
  session = await app.start();
});

const path = (appId: string, sessionId: string, slug: string) =>
  `/api/v1/bridge/apps/${appId}/sync/${sessionId}/${slug}/`;
const put = (address: string, body: unknown, options?: Parameters<SyncTest['call']>[3]) =>
  service.call('PUT', address, body, options);
const ONE = { records: [{ id: 'a', email: 'a@x.example' }] };
/** Invalid bodies, and the status that each gets at a valid address. */
const BAD_BODIES: [what: string, status: number, body: string, headers?: Record<string, string>][] = [
  ['nothing', 400, ''],
  ['not JSON', 400, '{"records": ['],
  ['JSON with a tail', 400, '{"records": []} x'],
  ['a list', 400, '[]'],
  ['null', 400, 'null'],
  ['an invalid record', 400, '{"records": [{"id": "a"}]}'],
  ['NUL', 400, String.raw`{"records": [{"id": "a\u0000", "email": "a@x"}]}`],
  ['a lone surrogate', 400, String.raw`{"records": [{"id": "a\ud83d", "email": "a@x"}]}`],
  ['very deep', 400, `${'['.repeat(200_000)}`],
  ['very deep, and closed', 400, `${'['.repeat(200_000)}${']'.repeat(200_000)}`],
  ['an unknown slug', 422, '{"records": [{"id": "a", "email": "a@x", "memberships": {"squad": []}}]}'],
  ['an id twice', 422, '{"records": [{"id": "a", "email": "a@x"}, {"id": "a", "email": "a@x"}]}'],
  ['text', 415, 'records', { 'content-type': 'text/plain' }],
  ['a form', 415, 'records=all', { 'content-type': 'application/x-www-form-urlencoded' }],
  ['no content type', 415, '{"records": []}', { 'content-type': '' }],
];

async function staged(): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select (select count(*) from sync_page where session_id = ${session})
      + (select count(*) from sync_new_record where session_id = ${session}) as n`.execute(
    service.database.db,
  );
  return rows[0]?.n ?? -1;
}

describe('invalid bodies', () => {
  test.each(BAD_BODIES)('%s: %i', async (_what, status, body, headers = {}) => {
    const answer = await put(path(app.id, session, 'person'), body, { headers });

    expect(answer).toMatchObject({ status, body: { detail: expect.any(String) } });
    expect(await staged()).toBe(0);
  });

  test('accepts a body of 30 MB and rejects one of more than 32 MB with 413', async () => {
    const filled = (bytes: number) => JSON.stringify({ ...ONE, filler: 'x'.repeat(bytes) });

    const large = await put(path(app.id, session, 'person'), filled(30 * 1024 * 1024));
    const tooLarge = await put(path(app.id, session, 'person'), filled(32 * 1024 * 1024));

    expect(large).toMatchObject({ status: 200, body: { total: 1, created: 1, updated: 0 } });
    expect(tooLarge).toMatchObject({ status: 413, body: { detail: expect.any(String) } });
    expect(await staged()).toBe(2);
  });

  test('rejects a whole page, which can be corrected and pushed again', async () => {
    await app.push(session, 'team', [{ id: 'g', name: 'G' }]);

    const refused = await app.push(session, 'person', [...people(50), { id: 'bad' }]);
    const corrected = await app.push(session, 'person', [...people(50), { id: 'bad', username: 'bad' }]);

    expect(refused).toMatchObject({
      status: 400,
      body: {
        detail: 'Field required (records[50].email)',
        errors: [{ path: 'records[50].email', code: 'missing', message: 'Field required' }],
      },
    });
    expect(corrected).toMatchObject({ status: 200, body: { total: 51, created: 51, updated: 0 } });
    await app.complete(session);
    expect((await app.view(session)).counts).toMatchObject({ created: 52 });
  });

  test('returns 422 with the fixed detail for an unknown slug and a repeated id', async () => {
    const slug = await app.push(session, 'person', [
      { id: 'a', email: 'a@x', assignments: { team: [{ id: 'g' }] } },
    ]);
    const twice = await app.push(session, 'bot', [...people(2), ...people(1)]);

    expect(slug).toMatchObject({
      status: 422,
      body: { detail: "Record 'a': unknown assignment slug 'team'" },
    });
    expect(twice).toMatchObject({
      status: 422,
      body: { detail: "Sync failed for 'bot': a record with the same identifier already exists" },
    });
  });
});

describe('an error in the address comes before an error in the body (D6)', () => {
  const everyBody = async (
    address: string,
    expected: number,
    options: Parameters<SyncTest['call']>[3] = {},
  ) => {
    for (const [what, , body, headers = {}] of [
      ...BAD_BODIES,
      ['a page', 200, JSON.stringify(ONE)] as const,
    ]) {
      const { status } = await put(address, body, { ...options, headers });
      expect({ what, status }).toEqual({ what, status: expected });
    }
    expect(await staged()).toBe(0);
  };

  test('404 for an unknown app', async () => {
    await everyBody(path(randomUUID(), session, 'person'), 404);
    for (const id of ['x', '1234', `${app.id}0`, '%00', "'"]) {
      expect(await put(path(id, session, 'person'), ONE)).toMatchObject({ status: 404 });
    }
  });

  test('404 for an unknown session', async () => {
    await everyBody(path(app.id, randomUUID(), 'person'), 404);
    for (const id of ['x', '0', `${session}0`, '%00']) {
      expect(await put(path(app.id, id, 'person'), ONE)).toMatchObject({ status: 404 });
    }
  });

  test('404 for a session of another app or of a clone', async () => {
    const other = await addSyncedApp(service);
    const clone = await addSyncedApp(service, { cloneFrom: app.id });

    await everyBody(path(other.id, session, 'person'), 404);
    await everyBody(path(clone.id, session, 'person'), 404);
  });

  test('404 for an unknown slug', async () => {
    await everyBody(path(app.id, session, 'squad'), 404);
    for (const slug of ['Person', 'person%20', '__proto__', 'constructor', '%00', 'complete-']) {
      expect(await put(path(app.id, session, slug), ONE)).toMatchObject({ status: 404 });
    }
  });

  test("404 for a session of another organization, under either organization's slug", async () => {
    const other = `o${randomUUID().slice(0, 8)}`;
    const callAsOther = await addOrganization(service, other);
    await put(path(app.id, session, 'team'), { records: [] });

    expect(await callAsOther('PUT', path(app.id, session, 'person'), ONE)).toMatchObject({ status: 404 });
    expect(await callAsOther('PUT', path(app.id, session, 'person'), {})).toMatchObject({ status: 404 });
    expect(await put(path(app.id, session, 'person'), ONE, { org: other })).toMatchObject({ status: 404 });
    expect(
      (await app.view(session)).progress.map((one: { synced_count: number }) => one.synced_count),
    ).toEqual([0, 0, 0, 0, 0]);
  });

  test('403 for a key limited to other apps', async () => {
    const { key } = await newKey({ apps: [(await addSyncedApp(service)).id] });

    await everyBody(path(app.id, session, 'person'), 403, { key });
    expect(await put(path(randomUUID(), session, 'person'), ONE, { key })).toMatchObject({ status: 404 });
  });

  test('403 for a key without the scope', async () => {
    const { key } = await newKey({ scopes: ['read', 'events'] });

    expect(await put(path(app.id, session, 'person'), ONE, { key })).toMatchObject({ status: 403 });
  });

  test('401 for a key that has just been revoked', async () => {
    const { key, id } = await newKey({});
    expect(await put(path(app.id, session, 'person'), { records: [] }, { key })).toMatchObject({
      status: 200,
    });

    await service.call('DELETE', `/api/api-keys/${id}/`);

    for (const [what, , body, headers = {}] of [
      ...BAD_BODIES,
      ['a page', 200, JSON.stringify(ONE)] as const,
    ]) {
      const { status, headers: reply } = await put(path(app.id, session, 'person'), body, { key, headers });
      expect({ what, status, asks: reply['www-authenticate'] }).toEqual({
        what,
        status: 401,
        asks: 'Api-Key',
      });
    }
    for (const address of [path(randomUUID(), session, 'person'), path(app.id, session, 'squad')]) {
      expect(await put(address, ONE, { key })).toMatchObject({ status: 401 });
    }
    expect(
      (await app.view(session)).progress.every((one: { synced_count: number }) => one.synced_count === 0),
    ).toBe(true);
  });

  test('401 for a key that has just expired', async () => {
    const { key, id } = await newKey({ expires_at: new Date(Date.now() + 3_600_000).toISOString() });
    expect(await put(path(app.id, session, 'person'), { records: [] }, { key })).toMatchObject({
      status: 200,
    });

    await setTimes(service, 'api_key', { expires_at: '1 second ago' }, { id });

    expect(await put(path(app.id, session, 'person'), ONE, { key })).toMatchObject({ status: 401 });
  });
});

describe('a session that is not in progress rejects pages and says why', () => {
  test('completed session', async () => {
    await app.complete(session);

    await refusesPages('The sync session is completed');
  });

  test('abandoned session', async () => {
    await app.abandon(session);

    await refusesPages('The sync session is abandoned');
  });

  test('session replaced by a newer one', async () => {
    await app.push(session, 'person', people(1));
    await app.start();

    await refusesPages('The sync session is abandoned');
    await refusesPages('A newer session has replaced it.');
  });

  test('completing session held by the removal guard', async () => {
    await service.call('PATCH', `/api/apps/${app.id}/`, { removal_guard: { percent: 1, at_least: 1 } });
    await app.push(session, 'person', people(3));
    await app.complete(session);
    session = await app.start();
    await app.complete(session);

    await refusesPages('The sync session is completing');
  });

  test('returns 404 for a session of an archived app', async () => {
    await app.push(session, 'person', people(1));
    await service.call('DELETE', `/api/apps/${app.id}/`);

    expect(await app.push(session, 'person', people(1))).toMatchObject({ status: 404 });
    expect(await app.push(session, 'person', [{}])).toMatchObject({ status: 404 });
  });

  async function refusesPages(why: string) {
    const before = await app.view(session);
    for (const records of [people(1), [], [{ id: 'invalid' }]]) {
      expect(await app.push(session, 'person', records)).toMatchObject({
        status: 400,
        body: { detail: expect.stringContaining(why) },
      });
    }
    expect(await app.push(session, 'squad', [])).toMatchObject({ status: 404 });
    expect(await app.view(session)).toEqual(before);
  }
});

describe('created and updated (D19)', () => {
  test('an empty page counts no record', async () => {
    expect(await app.push(session, 'person', [])).toMatchObject({
      status: 200,
      body: { total: 0, created: 0, updated: 0 },
    });
  });

  test('counts a record as created the first time a session pushes it', async () => {
    const first = await app.push(session, 'person', people(3));
    const overlapping = await app.push(
      session,
      'person',
      people(4, () => ({ status: 'suspended' })),
    );
    const otherType = await app.push(session, 'bot', people(4));

    expect([first.body, overlapping.body, otherType.body]).toEqual([
      { total: 3, created: 3, updated: 0 },
      { total: 4, created: 1, updated: 3 },
      { total: 4, created: 4, updated: 0 },
    ]);
  });

  test('counts a removed record as updated in a later session', async () => {
    await app.sync({ person: people(3), team: [{ id: 'g', name: 'G' }] });
    await app.sync({});
    session = await app.start();

    expect((await app.push(session, 'person', people(4))).body).toEqual({ total: 4, created: 1, updated: 3 });
    expect((await app.push(session, 'team', [{ id: 'g', name: 'G' }])).body).toMatchObject({ created: 0 });
  });

  test('counts a record as created again if its first session was discarded', async () => {
    await app.push(session, 'person', people(3));
    session = await app.start();

    expect((await app.push(session, 'person', people(3))).body).toEqual({ total: 3, created: 3, updated: 0 });
  });

  test('counts the push of a placeholder as created in the session of its reference and as updated later (D18)', async () => {
    const records = [
      {
        id: 'a',
        email: 'a@x',
        memberships: { team: [{ id: 'g' }, { id: 'h' }] },
        assignments: { seat: [{ id: 's' }] },
      },
    ];
    await app.push(session, 'person', records);
    const sameSession = await app.push(session, 'team', [{ id: 'g', name: 'G' }]);
    await app.complete(session);
    session = await app.start();

    const later = await app.push(session, 'team', [
      { id: 'g', name: 'G' },
      { id: 'h', name: 'H' },
    ]);
    const license = await app.push(session, 'seat', [{ id: 's', name: 'S', max_count: 0 }]);

    expect(sameSession.body).toEqual({ total: 1, created: 1, updated: 0 });
    expect(later.body).toEqual({ total: 2, created: 0, updated: 2 });
    expect(license.body).toEqual({ total: 1, created: 0, updated: 1 });
  });

  test('counts the records of each app and clone separately', async () => {
    await app.sync({ person: people(2) });
    const clone = await addSyncedApp(service, { cloneFrom: app.id });

    const answer = await clone.push(await clone.start(), 'person', people(2));

    expect(answer.body).toEqual({ total: 2, created: 2, updated: 0 });
  });

  test('counts a record as created once if two pages push it at the same time', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        app.push(session, 'person', n % 2 === 0 ? people(100) : people(100).reverse()),
      ),
    );

    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(answers.reduce((sum, { body }) => sum + body.created, 0)).toBe(100);
    expect((await app.view(session)).progress[0]).toMatchObject({ slug: 'person', synced_count: 100 });
  });
});

test('publishes every page that was accepted while the session was being completed', async () => {
  const answers = await Promise.all([
    ...Array.from({ length: 10 }, (_, n) => app.push(session, 'person', people(10, undefined, n * 10))),
    app.bridge('POST', `/sync/${session}/complete/`),
    ...Array.from({ length: 10 }, (_, n) => app.push(session, 'bot', people(10, undefined, n * 10))),
  ]);
  const { counts, status } = await app.complete(session);

  const taken = answers.filter((answer) => answer.status === 200).length;
  const refused = answers.filter((answer) => answer.status === 400);
  expect(taken + refused.length).toBe(20);
  expect(refused.every(({ body }) => /The sync session is complet/.test(body.detail))).toBe(true);
  expect({ status, counts }).toMatchObject({ status: 'completed', counts: { created: taken * 10 } });
});

test('accepts a resource type as soon as another app of the clone group registers it (D12)', async () => {
  const clone = await addSyncedApp(service, { cloneFrom: app.id });
  const cloneSession = await clone.start();
  await clone.push(cloneSession, 'person', people(1));
  await app.bridge('POST', '/resource-types/', { slug: 'role', name: 'Role', type: 'group' });

  const refs = await clone.push(
    cloneSession,
    'person',
    people(1, () => ({ memberships: { role: [{ id: 'r' }] } })),
  );
  const page = await syncedApp(service, clone.id).push(cloneSession, 'role', [{ id: 'r', name: 'R' }]);

  expect([refs.status, page.status]).toEqual([200, 200]);
});

test('keeps ids apart that a database could confuse, and returns them unchanged', async () => {
  const ids = [
    'é',
    'e\u0301',
    'É',
    ' é',
    'é ',
    '😀',
    '\u202ea',
    "a'b",
    'a\\b',
    'a%',
    '\uffff',
    '0',
    '00',
    'null',
    '{a,b}',
    '"',
  ];
  const records = ids.map((id) => ({ id, username: id, memberships: { team: [{ id, name: id }] } }));

  expect(await app.push(session, 'person', records)).toMatchObject({
    status: 200,
    body: { created: ids.length },
  });
  await app.complete(session);

  const { body } = await service.call('GET', `/api/accounts/?app=${app.id}&limit=200`);
  expect(body.results.map((one: { external_id: string }) => one.external_id).sort()).toEqual([...ids].sort());
  for (const { external_id: id, username, memberships } of body.results) {
    expect({ id, username, memberships }).toMatchObject({
      id,
      username: id,
      memberships: { team: [{ id, name: id }] },
    });
  }
});

test('stores ids of the maximum length in the widest characters', async () => {
  const id = '😀'.repeat(512);

  const answer = await app.push(session, 'person', [
    { id, email: id, username: id, display_name: id, memberships: { team: [{ id, name: id }] } },
  ]);

  expect(answer.status).toBe(200);
  expect(await app.complete(session)).toMatchObject({ status: 'completed', counts: { created: 2 } });
});

async function newKey(body: object): Promise<{ key: string; id: string }> {
  const created = await service.call('POST', '/api/api-keys/', { name: 'connector', ...body });
  expect(created.status).toBe(201);
  return created.body;
}
