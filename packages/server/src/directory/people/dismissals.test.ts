import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sql } from '#kit/sql.ts';
import { openTestApp, type TestApp } from '#test/app.ts';
import { addPersonWithKey, eventsOf, organizationOf } from '#test/people.ts';

let service: TestApp;
let admin: { id: string; email: string; key: string };
let orgId: string;
let ownerId: string;
beforeAll(async () => {
  service = await openTestApp();
  admin = await addPersonWithKey(service, 'admin');
  ({ orgId, ownerId } = await organizationOf(service));
});
afterAll(() => service.close());

const PATH = '/api/users/duplicates/dismissed/';
let pairs = 0;
let one: string;
let other: string;
/** Two people who look like duplicates. */
beforeEach(async () => {
  pairs += 1;
  [one, other] = [await add(`p${pairs}.x@acme.example`), await add(`p${pairs}.x@acme.test`)];
});

const add = async (email: string, more: object = {}) =>
  (await service.call('POST', '/api/users/', { email, ...more })).body.external_uuid as string;
const dismiss = (users: string[], by: { key: string } = admin) =>
  service.call('POST', PATH, { users }, { key: by.key });
const undo = (users: string[], by: { key: string } = admin) =>
  service.call('DELETE', `${PATH}${users.join('/')}/`, undefined, { key: by.key });
type Listed = { people: { external_uuid: string }[] };
const idsOf = ({ people }: Listed) => people.map(({ external_uuid }) => external_uuid).sort();
const listed = async (path: string) => {
  const { count, results } = (await service.call('GET', `${path}?limit=200`)).body;
  expect(results).toHaveLength(count);
  return (results as Listed[]).map(idsOf);
};
const suspected = () => listed('/api/users/duplicates/');
const dismissed = () => listed(PATH);

test('a dismissed pair leaves the list and the count, until it is undone', async () => {
  const pair = [one, other].sort();
  const before = await suspected();
  expect(before).toContainEqual(pair);

  const { status, body } = await dismiss([other, one]);

  expect(status).toBe(200);
  expect(body).toMatchObject({ dismissed_by: { external_uuid: admin.id, email: admin.email } });
  expect(idsOf(body)).toEqual(pair);
  expect(await suspected()).toEqual(before.filter((ids) => ids.join() !== pair.join()));
  expect((await service.call('GET', `${PATH}?limit=1`)).body.results).toEqual([body]);

  expect(await undo([one, other])).toMatchObject({ status: 204 });

  expect(await suspected()).toEqual(before);
  expect(await dismissed()).not.toContainEqual(pair);
  expect(await undo([one, other])).toMatchObject({ status: 404 });
});

test('records each change once, with both people', async () => {
  await dismiss([one, other]);
  const repeated = await dismiss([other, one]);
  await undo([other, one]);

  expect(repeated).toMatchObject({ status: 200 });
  const events = (await eventsOf(service, 'person.duplicate_')).filter(({ payload }) =>
    [one, other].includes(payload.user_id),
  );
  expect(events).toMatchObject([
    {
      event_type: 'person.duplicate_dismissed',
      actor: { uuid: admin.id },
      subject: { uuid: one },
      payload: { user_id: one, other_id: other, other_email: `p${pairs}.x@acme.test` },
    },
    { event_type: 'person.duplicate_restored', subject: { uuid: other }, payload: { other_id: one } },
  ]);
});

test('hides the pair only, not other pairs of the two', async () => {
  const third = await add(`p${pairs}.x@third.example`);
  await dismiss([one, other]);

  const found = await suspected();

  expect(found).toContainEqual([one, third].sort());
  expect(found).toContainEqual([other, third].sort());
  expect(found).not.toContainEqual([one, other].sort());
});

test('forgets the pair when one of the two is deleted', async () => {
  await dismiss([one, other]);
  expect(await service.call('DELETE', `/api/users/${other}/`)).toMatchObject({ status: 204 });
  expect((await dismissed()).flat()).not.toContain(one);
});

test('forgets the pairs of a person who is merged, but not in a dry run', async () => {
  const [third, pair] = [await add(`p${pairs}.y@acme.example`), [one, other].sort()];
  await dismiss([one, other]);
  await dismiss([third, one]);
  const merge = (query: string) =>
    service.call('POST', `/api/users/${third}/merge/${query}`, { from: other });

  expect(await merge('?dry_run=true')).toMatchObject({ status: 200 });
  expect(await dismissed()).toContainEqual(pair);
  expect(await merge('')).toMatchObject({ status: 200 });

  expect(await dismissed()).not.toContainEqual(pair);
  expect(await dismissed()).toContainEqual([third, one].sort());
  expect(await dismiss([one, other])).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('was merged into another person') },
  });
});

test('keeps the pair when the person who dismissed it is deleted', async () => {
  const leaver = await addPersonWithKey(service, 'admin');
  await dismiss([one, other], leaver);
  await sql`delete from api_key where org_id = ${orgId} and user_id = ${leaver.id}`.execute(
    service.database.db,
  );
  expect(await service.call('DELETE', `/api/users/${leaver.id}/`)).toMatchObject({ status: 204 });

  const { results } = (await service.call('GET', `${PATH}?limit=1`)).body;

  expect(results).toMatchObject([{ dismissed_by: null }]);
  expect(idsOf(results[0])).toEqual([one, other].sort());
});

test('rejects pairs that are none', async () => {
  const unknown = '0199a000-0000-7000-8000-000000000001';
  expect(await dismiss([one, one])).toMatchObject({ status: 400 });
  expect(await dismiss([one, one.toUpperCase()])).toMatchObject({ status: 400 });
  expect(await dismiss([one])).toMatchObject({ status: 400 });
  expect(await dismiss([one, unknown])).toMatchObject({ status: 404 });
  expect(await dismiss([one, 'x'])).toMatchObject({ status: 400 });
  expect(await undo([one, 'x'])).toMatchObject({ status: 404 });
  expect(await undo([one, unknown])).toMatchObject({ status: 404 });
});

test('is for those who may merge the two', async () => {
  const [auditor, member] = [
    await addPersonWithKey(service, 'auditor'),
    await addPersonWithKey(service, 'member'),
  ];
  for (const by of [auditor, member]) {
    expect(await dismiss([one, other], by)).toMatchObject({ status: 403 });
    expect(await undo([one, other], by)).toMatchObject({ status: 403 });
  }
  expect(await dismiss([one, ownerId])).toMatchObject({ status: 403 });
  expect(await dismiss([one, ownerId], service)).toMatchObject({ status: 200 });
  expect(await undo([one, ownerId])).toMatchObject({ status: 403 });
  expect(await undo([ownerId, one], service)).toMatchObject({ status: 204 });
});

test('dismissing a pair twice at the same time records it once', async () => {
  const answers = await Promise.all([dismiss([one, other]), dismiss([other, one]), dismiss([one, other])]);

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  const events = await eventsOf(service, 'person.duplicate_dismissed');
  expect(events.filter(({ payload }) => [one, other].includes(payload.user_id))).toHaveLength(1);
});
