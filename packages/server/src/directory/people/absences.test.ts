import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { within } from '#kit/database.ts';
import { sql } from '#kit/sql.ts';
import { openTestApp, type TestApp } from '#test/app.ts';
import { addPersonWithKey, eventsOf, organizationOf } from '#test/people.ts';
import { absentPeople } from './deputy-facts.ts';

let service: TestApp;
let rita: { id: string; email: string; key: string };
let dora: { id: string; email: string; key: string };
beforeAll(async () => {
  service = await openTestApp();
});
afterAll(() => service.close());
beforeEach(async () => {
  [rita, dora] = [await addPersonWithKey(service, 'member'), await addPersonWithKey(service, 'member')];
});

const WEEK = { starts_at: '2099-03-01T00:00:00Z', ends_at: '2099-03-08T00:00:00Z' };
const pathOf = ({ id }: { id: string }) => `/api/users/${id}/absences/`;
const set = (person: { id: string }, body: object, by: { key: string } = rita) =>
  service.call('POST', pathOf(person), body, by);

test('people set, change and remove their own absences, and each change is recorded', async () => {
  const created = await set(rita, { ...WEEK, deputy: dora.id });
  expect(created).toMatchObject({
    status: 201,
    body: { user: { email: rita.email }, deputy: { email: dora.email }, created_by: rita.id },
  });
  const path = `${pathOf(rita)}${created.body.external_uuid}/`;
  const changed = await service.call('PATCH', path, { ends_at: '2099-03-09T00:00:00Z' }, rita);
  expect(changed).toMatchObject({ status: 200, body: { ends_at: '2099-03-09T00:00:00.000Z' } });
  expect((await service.call('GET', pathOf(rita), undefined, rita)).body).toMatchObject({ count: 1 });
  expect(await service.call('DELETE', path, undefined, rita)).toMatchObject({ status: 204 });
  expect(await service.call('DELETE', path, undefined, rita)).toMatchObject({ status: 404 });
  const events = (await eventsOf(service, 'absence.')).filter(({ subject }) => subject.uuid === rita.id);
  expect(events.map(({ event_type }) => event_type)).toEqual([
    ...['absence.created', 'absence.updated', 'absence.deleted'],
  ]);
  expect(events[1]?.payload.changes).toMatchObject([{ field: 'ends_at' }]);
});

test('gives means to act to a new deputy, and not to the same one for longer', async () => {
  const given = async () => {
    const { rows } = await sql<{ kind: string; receiver_id: string }>`
      select kind, receiver_id from given_means where giver_id = ${rita.id} order by given_at`.execute(
      service.database.db,
    );
    return rows.map(({ kind, receiver_id }) => [kind, receiver_id]);
  };
  const { body } = await set(rita, { ...WEEK, deputy: dora.id });
  const change = async (to: object) =>
    expect((await service.call('PATCH', `${pathOf(rita)}${body.external_uuid}/`, to, rita)).status).toBe(200);

  await change({ ends_at: '2099-03-09T00:00:00Z' });
  await change({ deputy: dora.id, reason: 'Longer' });
  expect(await given()).toEqual([['deputy', dora.id]]);
  const other = await addPersonWithKey(service, 'member');
  await change({ deputy: other.id });
  expect(await given()).toEqual([
    ['deputy', dora.id],
    ['deputy', other.id],
  ]);
});

test('a deputy on leave without a deputy decides for nobody (D76, D85)', async () => {
  const { orgId } = await organizationOf(service);
  const [absent, other] = [
    await addPersonWithKey(service, 'member'),
    await addPersonWithKey(service, 'member'),
  ];
  const [starts_at, ends_at] = [-1, 1].map((hours) => new Date(Date.now() + hours * 3_600_000).toISOString());
  const away = (person: { id: string }, body: object) =>
    service.call('POST', pathOf(person), { starts_at, ends_at, ...body });
  const deputyOf = async (person: { id: string }) =>
    (await absentPeople(within(service.database.db, orgId))).find(({ absentId }) => absentId === person.id)
      ?.deputyId;

  await away(absent, { deputy: dora.id });
  await away(dora, { deputy: other.id });
  expect([await deputyOf(absent), await deputyOf(dora)]).toEqual([other.id, other.id]);
  expect((await away(other, { kind: 'leave', ends_at: null })).status).toBe(201);
  expect([await deputyOf(absent), await deputyOf(dora)]).toEqual([null, null]);
});

test('names the deputy by email', async () => {
  expect(await set(rita, { ...WEEK, deputy_email: dora.email.toUpperCase() })).toMatchObject({
    status: 201,
    body: { deputy: { external_uuid: dora.id } },
  });
  expect(await set(dora, { ...WEEK, deputy_email: 'nobody@acme.example' }, dora)).toMatchObject({
    status: 404,
  });
});

test('members set only their own absences, administrators those of all people, auditors none', async () => {
  const [admin, auditor] = [
    await addPersonWithKey(service, 'admin'),
    await addPersonWithKey(service, 'auditor'),
  ];
  const body = { ...WEEK, deputy: dora.id };
  expect(await set(rita, body, dora)).toMatchObject({ status: 403 });
  expect(await set(rita, body, auditor)).toMatchObject({ status: 403 });
  expect(await set(rita, body, admin)).toMatchObject({ status: 201 });
  expect(await service.call('GET', pathOf(rita), undefined, dora)).toMatchObject({ status: 403 });
  expect(await service.call('GET', pathOf(rita), undefined, auditor)).toMatchObject({ status: 200 });
});

test('refuses absences of a person that overlap, also when they are set at the same time', async () => {
  const body = { ...WEEK, deputy: dora.id };
  const answers = await Promise.all([set(rita, body), set(rita, body)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
  const after = { starts_at: WEEK.ends_at, ends_at: '2099-03-10T00:00:00Z', deputy: dora.id };
  const second = await set(rita, after);
  expect(second).toMatchObject({ status: 201 });
  const path = `${pathOf(rita)}${second.body.external_uuid}/`;
  expect(await service.call('PATCH', path, { starts_at: '2099-03-07T00:00:00Z' }, rita)).toMatchObject({
    status: 409,
  });
});

test('refuses a deputy who cannot decide', async () => {
  const auditor = await addPersonWithKey(service, 'auditor');
  const gone = await addPersonWithKey(service, 'member');
  await service.call('POST', `/api/users/${gone.id}/deactivate/`, {});
  const admin = await addPersonWithKey(service, 'admin');
  for (const { id } of [rita, auditor, gone])
    expect(await set(rita, { ...WEEK, deputy: id }, admin)).toMatchObject({ status: 409 });
  expect(await set(rita, { ...WEEK, deputy: rita.id })).toMatchObject({ status: 409 });
  expect(await set(rita, WEEK)).toMatchObject({ status: 400 });
});

test('members learn nothing about people whom they cannot name', async () => {
  const auditor = await addPersonWithKey(service, 'auditor');
  const gone = await addPersonWithKey(service, 'member');
  await service.call('POST', `/api/users/${gone.id}/deactivate/`, {});

  const refusals = await Promise.all(
    [auditor.email, gone.email, 'nobody@acme.example'].map((deputy_email) =>
      set(rita, { ...WEEK, deputy_email }),
    ),
  );
  for (const { status, body } of refusals)
    expect({ status, body }).toEqual({
      status: 404,
      body: { detail: 'Deputy not found.', code: 'deputy_not_found' },
    });
});

test.each([
  ['ends before it starts', { starts_at: WEEK.ends_at, ends_at: WEEK.starts_at }],
  ['is over', { starts_at: '2020-01-01T00:00:00Z', ends_at: '2020-01-02T00:00:00Z' }],
  ['lasts longer than a year', { starts_at: WEEK.starts_at, ends_at: '2101-01-01T00:00:00Z' }],
])('refuses an absence that %s', async (_what, times) => {
  expect(await set(rita, { ...times, deputy: dora.id })).toMatchObject({ status: 400 });
});

test('deleting a person removes their absences and those for which they are the deputy', async () => {
  const gone = (await service.call('POST', '/api/users/', { email: `gone-${Date.now()}@acme.example` })).body;
  await set(rita, { ...WEEK, deputy: gone.external_uuid });
  expect(await service.call('DELETE', `/api/users/${gone.external_uuid}/`)).toMatchObject({ status: 204 });
  expect((await service.call('GET', pathOf(rita), undefined, rita)).body.results).toEqual([]);
});
