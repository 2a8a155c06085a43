import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { within } from '#kit/database.ts';
import { createLogger } from '#kit/logger.ts';
import { sql } from '#kit/sql.ts';
import { addOrganization, addPersonWithKey } from '#test/people.ts';
import { openReviewsTest, type ReviewsTest } from '#test/reviews.ts';
import { setTimes } from '#test/time.ts';
import { runDue } from './due.ts';
import { limits } from './limits.ts';

let service: ReviewsTest;
const people: Record<string, { id: string; email: string; key: string }> = {};
beforeAll(async () => {
  service = await openReviewsTest([{ id: 'a', email: 'ann@x.example' }], { own: true });
  for (const role of ['admin', 'auditor', 'member'] as const)
    people[role] = await addPersonWithKey(service, role);
});
afterAll(() => service.close());

const call = (method: string, path: string, body?: unknown, by = {}) =>
  service.call(method, `/api/queries/${path}`, body, by);
const ok = async (method: string, path: string, body?: unknown, by = {}) => {
  const answer = await call(method, path, body, by);
  expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  return answer.body;
};
const query = {
  subject: 'accounts',
  conditions: [{ field: 'account.status', operator: 'is', value: 'ACTIVE' }],
};
const create = (more = {}, by = {}) => ok('POST', '', { name: 'Active', query, ...more }, by);
const to = (...names: string[]) => names.map((name) => people[name]?.id);
const events = async (type: string) =>
  (await service.call('GET', `/api/events/?catalog=all&event_type=${type}`)).body.results;
/** Lets the next run of a query come, and returns the query after it. */
async function run(id: string) {
  await setTimes(service.database.db, 'saved_query', { next_run_at: '1 second ago' }, { id });
  await service.app.tick();
  return ok('GET', `${id}/`);
}
const inbox = async (name: string) => {
  const { rows } = await sql<{ title: string; body: string; path: string }>`
    select title, body, path from notification
    where user_id = ${people[name]?.id} and kind like 'query_%' order by id desc`.execute(
    service.database.db,
  );
  return rows;
};

test('saves, changes and deletes a query', async () => {
  const made = await create();
  const { external_uuid: id } = made;

  expect(made).toMatchObject({
    name: 'Active',
    owner: { email: 'admin@acme.example' },
    query: {
      subject: 'accounts',
      conditions: [{ field: 'account.status', operator: 'is', value: ['ACTIVE'] }],
      columns: expect.arrayContaining(['account.email']),
      sort: 'account.email',
    },
    ...{ shared: false, schedule: null, next_run_at: null, stopped: null, may_change: true },
  });
  expect(await ok('GET', `${id}/rows/`)).toMatchObject({
    count: 1,
    results: [{ account: { email: 'ann@x.example' } }],
  });
  expect((await call('GET', `${id}/rows/?format=csv`)).body).toContain('account.email,');
  const { headers } = await call('GET', `${id}/`);
  const version = { headers: { 'if-match': String(headers.etag) } };
  expect(await ok('PATCH', `${id}/`, { name: 'All', query: { subject: 'people' } }, version)).toMatchObject({
    name: 'All',
    query: { subject: 'people', conditions: [] },
  });
  expect(await call('PATCH', `${id}/`, { name: 'Late' }, version)).toMatchObject({ status: 412 });
  await ok('DELETE', `${id}/`);
  expect(await call('GET', `${id}/`)).toMatchObject({ status: 404 });
  for (const type of ['query.created', 'query.updated', 'query.deleted'])
    expect((await events(type))[0]).toMatchObject({ payload: { query_id: id } });
});

test('a private query is seen by its owner only, a shared one by all but members', async () => {
  const { auditor, admin, member } = people;
  const { external_uuid: id } = await create({ name: 'Mine' }, auditor);

  expect(await call('GET', `${id}/`, undefined, admin)).toMatchObject({ status: 404 });
  expect(await call('GET', `${id}/rows/`, undefined, admin)).toMatchObject({ status: 404 });
  expect((await ok('GET', '', undefined, admin)).results).not.toContainEqual(
    expect.objectContaining({ name: 'Mine' }),
  );
  await ok('PATCH', `${id}/`, { shared: true }, auditor);
  expect(await ok('GET', `${id}/`, undefined, admin)).toMatchObject({ may_change: true });
  expect(await call('GET', `${id}/`, undefined, member)).toMatchObject({ status: 403 });
  const { external_uuid: of } = await create({ name: 'Shared', shared: true }, admin);
  expect(await ok('GET', `${of}/`, undefined, auditor)).toMatchObject({ may_change: false });
  expect(await call('PATCH', `${of}/`, { name: 'x' }, auditor)).toMatchObject({ status: 403 });
  expect(await call('DELETE', `${of}/`, undefined, auditor)).toMatchObject({ status: 403 });
  const stranger = await addOrganization(service);
  expect(await stranger('GET', `/api/queries/${of}/`)).toMatchObject({ status: 404 });
  expect((await stranger('GET', '/api/queries/')).body).toMatchObject({ count: 0 });
});

test('keys for some apps have no saved queries', async () => {
  const { key } = (
    await service.call('POST', '/api/api-keys/', { name: 'k', scopes: ['govern'], apps: [service.appId] })
  ).body;

  expect(await call('GET', '', undefined, { key })).toMatchObject({ status: 403 });
  expect(await call('POST', '', { name: 'x', query }, { key })).toMatchObject({ status: 403 });
});

test.each<[string, object, number, string]>([
  ['without a name', { name: ' ' }, 400, 'name'],
  ['with an unknown field', { query: { subject: 'people', columns: ['x'] } }, 400, 'query.columns[0]'],
  ['without recipients', { schedule: { every: 'daily', recipients: [] } }, 400, 'schedule.recipients'],
  [
    'with a wrong hour',
    { schedule: { every: 'daily', hour: 24, recipients: [randomUUID()] } },
    400,
    'schedule.hour',
  ],
  [
    'with an unknown recipient',
    { schedule: { every: 'daily', recipients: [randomUUID()] } },
    404,
    'schedule.recipients',
  ],
  [
    'with a weekday',
    { schedule: { every: 'daily', weekday: 1, recipients: [randomUUID()] } },
    400,
    'schedule.weekday',
  ],
  ['with a day', { schedule: { every: 'weekly', day: 1, recipients: [randomUUID()] } }, 400, 'schedule.day'],
])('refuses a query %s', async (_, more, status, place) => {
  const answer = await call('POST', '', { name: 'Bad', query, ...more });

  expect(answer).toMatchObject({ status });
  expect(JSON.stringify(answer.body)).toContain(place);
});

test('sends results to people who may read them only', async () => {
  const schedule = { every: 'daily', recipients: to('auditor', 'member') };

  expect(await call('POST', '', { name: 'x', query, schedule })).toMatchObject({
    status: 409,
    body: { code: 'query_recipient_may_not_read' },
  });
});

test('a scheduled run tells its recipients how many rows it found, once', async () => {
  const made = await create({ name: 'Weekly', schedule: { every: 'weekly', recipients: to('auditor') } });
  expect(made.schedule).toMatchObject({ every: 'weekly', hour: 8, weekday: 1, day: null });
  expect(new Date(made.next_run_at).getUTCDay()).toBe(1);

  const after = await run(made.external_uuid);
  await service.app.tick();

  expect(after).toMatchObject({ last_count: 1, stopped: null, last_run_at: expect.any(String) });
  expect(Date.parse(after.next_run_at)).toBeGreaterThan(Date.now());
  expect(await inbox('auditor')).toMatchObject([
    {
      title: 'Query results: Weekly',
      body: expect.stringContaining('It found 1 row.'),
      path: `/queries/${made.external_uuid}`,
    },
  ]);
  await run(made.external_uuid);
  expect((await inbox('auditor'))[0]?.body).toContain('as many as last time');
  expect(await ok('GET', `${made.external_uuid}/`, undefined, people.auditor)).toMatchObject({
    may_change: false,
  });
});

test('a recipient who became a member gets nothing, and without others the schedule stops', async () => {
  const { id, key } = await addPersonWithKey(service, 'auditor');
  const { external_uuid } = await create({ schedule: { every: 'daily', recipients: [id] } });
  await sql`update platform_user set role = 'member' where id = ${id}`.execute(service.database.db);

  expect(await run(external_uuid)).toMatchObject({
    stopped: 'no_recipients',
    schedule: null,
    next_run_at: null,
  });
  expect(await call('GET', `${external_uuid}/`, undefined, { key })).toMatchObject({ status: 403 });
  expect((await inbox('admin'))[0]?.title).toContain('was stopped');
  const schedule = { every: 'daily', recipients: to('auditor') };
  expect(await ok('PATCH', `${external_uuid}/`, { schedule })).toMatchObject({ stopped: null });
});

test.each([
  ['left', `status = 'deactivated'`, 'owner_left'],
  ['lost the right to read', `role = 'member'`, 'owner_may_not'],
])('the schedule of an owner who %s stops', async (_, change, reason) => {
  const owner = await addPersonWithKey(service, 'admin');
  const made = await create({ shared: true, schedule: { every: 'daily', recipients: to('auditor') } }, owner);
  await sql`update platform_user set ${sql.raw(change)} where id = ${owner.id}`.execute(service.database.db);
  const before = (await inbox('auditor')).length;

  expect(await run(made.external_uuid)).toMatchObject({ stopped: reason, schedule: null });
  expect(await inbox('auditor')).toHaveLength(before);
  expect((await events('query.stopped'))[0]).toMatchObject({ severity: 'medium', payload: { reason } });
});

test('the queries of a deleted person go with them, and of recipients one fewer remains', async () => {
  const leaver = await addPersonWithKey(service, 'auditor');
  const own = await create({ shared: true }, leaver);
  const sent = await create({ schedule: { every: 'daily', recipients: [leaver.id, ...to('auditor')] } });
  await sql`update api_key set revoked_at = now() where user_id = ${leaver.id}`.execute(service.database.db);
  await sql`update platform_user set role = 'member' where id = ${leaver.id}`.execute(service.database.db);

  const deleted = await service.call('DELETE', `/api/users/${leaver.id}/`);

  expect(deleted.status, JSON.stringify(deleted.body)).toBe(204);
  expect(await call('GET', `${own.external_uuid}/`)).toMatchObject({ status: 404 });
  expect((await ok('GET', `${sent.external_uuid}/`)).schedule.recipients).toHaveLength(1);
});

test('administrators see and delete what others left behind, and change nothing of it', async () => {
  const { admin, auditor, member } = people;
  const owner = await addPersonWithKey(service, 'auditor');
  const { external_uuid: id } = await create({ name: 'Left behind' }, owner);
  const seen = async (by?: object) =>
    (await ok('GET', '?limit=100', undefined, by)).results.map(({ name }: { name: string }) => name);
  expect(await seen(admin)).not.toContain('Left behind');

  await sql`update platform_user set status = 'deactivated' where id = ${owner.id}`.execute(
    service.database.db,
  );

  expect(await seen(admin)).toContain('Left behind');
  expect(await seen(auditor)).not.toContain('Left behind');
  expect(await ok('GET', `${id}/`, undefined, admin)).toMatchObject({ may_change: false, may_delete: true });
  expect(await call('PATCH', `${id}/`, { name: 'Mine' }, admin)).toMatchObject({ status: 403 });
  expect(await call('GET', `${id}/`, undefined, auditor)).toMatchObject({ status: 404 });
  expect(await call('DELETE', `${id}/`, undefined, auditor)).toMatchObject({ status: 404 });
  expect(await call('DELETE', `${id}/`, undefined, member)).toMatchObject({ status: 403 });
  await ok('DELETE', `${id}/`, undefined, admin);
  expect((await events('query.deleted'))[0]).toMatchObject({ payload: { query_id: id } });
});

test('administrators see a stopped query of an active owner', async () => {
  const { auditor, admin } = people;
  const { external_uuid: id } = await create({ name: 'Stopped' }, auditor);
  expect(await call('DELETE', `${id}/`, undefined, admin)).toMatchObject({ status: 404 });

  await sql`update saved_query set stopped = 'too_slow' where id = ${id}`.execute(service.database.db);

  expect(await ok('GET', `${id}/`, undefined, admin)).toMatchObject({
    ...{ stopped: 'too_slow', may_change: false, may_delete: true },
  });
  await ok('DELETE', `${id}/`, undefined, admin);
});

test('another definition is not compared with the last run, and another name is', async () => {
  const { external_uuid: id } = await create({ schedule: { every: 'daily', recipients: to('auditor') } });
  expect(await run(id)).toMatchObject({ last_count: 1 });

  expect(await ok('PATCH', `${id}/`, { name: 'Renamed', query })).toMatchObject({ last_count: 1 });
  expect(await ok('PATCH', `${id}/`, { query: { subject: 'people' } })).toMatchObject({ last_count: null });
  await run(id);
  expect((await inbox('auditor'))[0]?.body).not.toContain('last time');
});

test('a person has at most 100 queries, and others have room', async () => {
  const one = await addPersonWithKey(service, 'auditor');
  await sql`
    insert into saved_query (org_id, owner_id, name, definition)
    select org_id, id, 'q' || n, ${JSON.stringify(query)}::jsonb
    from platform_user, generate_series(1, 100) n where id = ${one.id}`.execute(service.database.db);

  expect(await call('POST', '', { name: 'One more', query }, one)).toMatchObject({
    status: 409,
    body: { code: 'too_many_own_queries' },
  });
  await create({ name: 'Of another' });
});

/** Runs `work` while every statement that reads accounts waits until it takes too long. */
const whileSlow = async (work: () => Promise<void>) => {
  const before = { ...limits };
  onTestFinished(() => {
    Object.assign(limits, before);
  });
  Object.assign(limits, { seconds: 0.2, scheduledSeconds: 0.2 });
  await service.database.db.transaction().execute(async (tx) => {
    await sql`lock table account in access exclusive mode`.execute(tx);
    await work();
  });
  Object.assign(limits, before);
};

test.runIf(inject('prepared').engine === 'postgres')(
  'a query that takes too long is 400, exports nothing, and stops its schedule',
  async () => {
    const { external_uuid: id } = await create({ schedule: { every: 'daily', recipients: to('auditor') } });
    const exports = async () =>
      (await service.call('GET', '/api/events/?event_type=export.created')).body.results.length;
    const before = await exports();
    const told = (await inbox('auditor')).length;

    await whileSlow(async () => {
      for (const path of [
        'run/',
        'run/?offset=1&limit=1',
        'run/?format=csv',
        `${id}/rows/`,
        `${id}/rows/?format=csv`,
      ])
        expect(await call('GET', path), path).toMatchObject({
          status: 400,
          body: { code: 'query_too_slow', detail: expect.stringContaining('app.id') },
        });
      await setTimes(service.database.db, 'saved_query', { next_run_at: '1 second ago' }, { id });
      // Other work of a tick would wait for the accounts.
      await runDue(within(service.database.db, service.orgId), id, createLogger('silent'));
    });
    await service.app.tick();

    expect(await exports()).toBe(before);
    expect(await ok('GET', `${id}/`)).toMatchObject({
      stopped: 'too_slow',
      schedule: null,
      last_count: null,
    });
    expect(await inbox('auditor')).toHaveLength(told);
    expect((await inbox('admin'))[0]).toMatchObject({
      title: expect.stringContaining('was stopped'),
      body: expect.stringContaining('takes too long'),
    });
    expect((await call('GET', 'run/')).status).toBe(200);
  },
);
