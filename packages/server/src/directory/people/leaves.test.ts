import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sql } from '#kit/sql.ts';
import { openTestApp, type TestApp } from '#test/app.ts';
import { addPersonWithKey, eventsOf, organizationOf } from '#test/people.ts';
import { ENTERPRISE, GATEHOUSE, newUser, openScim, patchOf } from '#test/scim.ts';
import { setTimes } from '#test/time.ts';
import { organizationsWithLeaves, untilLeave } from './queries/absences.ts';

const ZONE = 'Pacific/Honolulu';
const CSV = { headers: { 'content-type': 'text/csv' } };

let service: TestApp;
let orgId: string;
let rita: Awaited<ReturnType<typeof addPersonWithKey>>;
beforeAll(async () => {
  service = await openTestApp();
  ({ orgId } = await organizationOf(service));
  await service.call('PATCH', '/api/organization/', { time_zone: ZONE });
});
afterAll(() => service.close());
beforeEach(async () => {
  rita = await addPersonWithKey(service, 'member');
});

const day = (offset: number) => Temporal.Now.plainDateISO(ZONE).add({ days: offset }).toString();
const midnight = (text: string) =>
  new Date(Temporal.PlainDate.from(text).toZonedDateTime(ZONE).epochMilliseconds).toISOString();
const pathOf = (id: string) => `/api/users/${id}/absences/`;
const setLeave = (more: object = {}) =>
  service.call('POST', pathOf(rita.id), {
    kind: 'leave',
    starts_at: new Date(Date.now() - 60_000).toISOString(),
    ...more,
  });
const person = async (id = rita.id) => (await service.call('GET', `/api/users/${id}/`)).body;
const absencesOf = async (id = rita.id) => (await service.call('GET', pathOf(id))).body.results;
const eventTypes = async (id = rita.id) => {
  await service.app.tick();
  return (await eventsOf(service, 'absence.'))
    .filter(({ subject }) => subject.uuid === id)
    .map(({ event_type }) => event_type.slice('absence.'.length));
};

test('a leave needs neither an end nor a deputy, and ends nothing', async () => {
  expect(await setLeave()).toMatchObject({
    status: 201,
    body: { kind: 'leave', deputy: null, ends_at: null, reason: null },
  });
  expect(await person()).toMatchObject({
    status: 'active',
    on_leave: true,
    leave_from: day(0),
    leave_until: null,
  });
  expect(await eventTypes()).toEqual(['created', 'leave_started']);
  expect((await service.call('GET', '/api/users/?on_leave=true')).body.results).toMatchObject([
    { external_uuid: rita.id },
  ]);
});

test('an absence without a kind needs both', async () => {
  const starts_at = '2099-01-01T00:00:00Z';
  const dora = await addPersonWithKey(service, 'member');
  const post = (body: object) => service.call('POST', pathOf(rita.id), { starts_at, ...body });
  const without = await post({ deputy: dora.id });
  expect(without).toMatchObject({ status: 400, body: { code: 'absence_without_end' } });
  expect(without.body.detail).toContain('ends_at');
  expect(await post({ ends_at: '2099-01-02T00:00:00Z' })).toMatchObject({ status: 400 });
  expect(await post({ ends_at: '2099-01-02T00:00:00Z', deputy: dora.id })).toMatchObject({
    status: 201,
    body: { kind: 'away' },
  });
  expect(await post({ kind: 'holiday' })).toMatchObject({ status: 400 });
});

test('nobody but the person, owners and administrators sees the reason, and no event has it', async () => {
  await setLeave({ reason: 'Parental leave' });
  const [admin, auditor] = [
    await addPersonWithKey(service, 'admin'),
    await addPersonWithKey(service, 'auditor'),
  ];
  const reasonFor = async (by: { key: string }) =>
    (await service.call('GET', pathOf(rita.id), undefined, by)).body.results[0].reason;
  expect(await reasonFor(admin)).toBe('Parental leave');
  expect(await reasonFor(rita)).toBe('Parental leave');
  expect(await reasonFor(auditor)).toBeNull();
  await service.app.tick();
  expect(JSON.stringify(await eventsOf(service, 'absence.'))).not.toContain('Parental');
});

test('a leave ends once, by the clock, or because it is removed or postponed', async () => {
  const { body } = await setLeave();
  await service.app.tick();
  await setTimes(service, 'absence', { ends_at: '1 second ago' }, { id: body.external_uuid });
  expect((await person()).on_leave).toBe(false);
  expect(await eventTypes()).toEqual(['created', 'leave_started', 'leave_ended']);

  const path = `${pathOf(rita.id)}${(await setLeave({ starts_at: new Date().toISOString() })).body.external_uuid}/`;
  await service.app.tick();
  await service.call('PATCH', path, { starts_at: '2099-01-01T00:00:00Z' });
  await service.app.tick();
  await service.call('PATCH', path, { starts_at: new Date().toISOString() });
  await service.app.tick();
  await service.call('DELETE', path);
  expect((await eventTypes()).slice(3)).toEqual([
    ...['created', 'leave_started', 'updated', 'leave_ended'],
    ...['updated', 'leave_started', 'deleted', 'leave_ended'],
  ]);
});

test('a leave that was missed is told in both ways', async () => {
  const { body } = await setLeave();
  await setTimes(service, 'absence', { ends_at: '1 second ago' }, { id: body.external_uuid });
  expect(await eventTypes()).toEqual(['created', 'leave_started', 'leave_ended']);
});

test('columns of an import set a leave, in days of the time zone of the organization', async () => {
  const dora = await addPersonWithKey(service, 'member');
  await service.call('POST', pathOf(rita.id), {
    deputy: dora.id,
    starts_at: new Date(Date.now() - 1000).toISOString(),
    ends_at: midnight(day(100)),
  });
  const upload = (cells: string, query = '') =>
    service.call(
      'POST',
      `/api/users/import/${query}`,
      `email,leave_from,leave_until\n${rita.email},${cells}\n`,
      CSV,
    );
  expect((await upload(`${day(-2)},${day(9)}`, '?dry_run=true')).body).toMatchObject({
    updated: 1,
    changes: [
      {
        changes: [
          { field: 'leave_from', from: null, to: day(-2) },
          { field: 'leave_until', from: null, to: day(9) },
        ],
      },
    ],
  });
  expect((await person()).on_leave).toBe(false);
  expect((await upload(`${day(-2)},${day(9)}`)).body).toMatchObject({ updated: 1 });
  expect(await absencesOf()).toMatchObject([{ kind: 'leave', deputy: null, starts_at: midnight(day(-2)) }]);
  expect(Date.parse((await absencesOf())[0].ends_at) + 1).toBe(Date.parse(midnight(day(10))));
  expect(await person()).toMatchObject({ on_leave: true, leave_from: day(-2), leave_until: day(9) });
  await service.app.tick();
  expect((await upload(`${day(-2)},${day(9)}`)).body).toMatchObject({ unchanged: 1 });
  expect((await upload(`${day(-2)},`)).body).toMatchObject({ updated: 1 });
  expect((await person()).leave_until).toBeNull();
  expect((await upload(',')).body).toMatchObject({ updated: 1 });
  expect(await person()).toMatchObject({ on_leave: false, leave_from: null });
  expect((await upload(`${day(-90)},${day(-30)}`)).body).toMatchObject({ unchanged: 1 });
  expect(await eventTypes()).toEqual([
    ...['created', 'deleted', 'created', 'leave_started', 'updated', 'updated', 'leave_ended'],
  ]);
});

test.each([
  [`,${day(3)}`, 'leave_from'],
  [`${day(3)},${day(2)}`, 'leave_until'],
  ['soon,', 'leave_from'],
  ['1900-01-01,', 'leave_from'],
])('an import refuses the leave %s', async (cells, field) => {
  const { status, body } = await service.call(
    'POST',
    '/api/users/import/',
    `email,leave_from,leave_until\n${rita.email},${cells}\n`,
    CSV,
  );
  expect(status).toBe(400);
  expect(JSON.stringify(body)).toContain(field);
});

test('an identity provider sets a leave', async () => {
  const { scim } = await openScim(service);
  const made = await scim('POST', '/Users', {
    ...newUser({ [ENTERPRISE]: { department: 'Finance' } }),
    [GATEHOUSE]: { leaveFrom: day(-1), leaveUntil: day(30) },
  });
  expect(made).toMatchObject({
    status: 201,
    body: { [GATEHOUSE]: { leaveFrom: day(-1), leaveUntil: day(30) } },
  });
  const { id } = made.body;
  expect(await person(id)).toMatchObject({
    on_leave: true,
    leave_until: day(30),
    sources: { leave_from: 'scim', leave_until: 'scim' },
  });
  const patched = await scim(
    'PATCH',
    `/Users/${id}`,
    patchOf({ op: 'replace', path: `${GATEHOUSE}:leaveUntil`, value: `${day(40)}T00:00:00Z` }),
  );
  expect(patched).toMatchObject({ status: 200, body: { [GATEHOUSE]: { leaveUntil: day(40) } } });
  await scim('PATCH', `/Users/${id}`, patchOf({ op: 'remove', path: `${GATEHOUSE}:leaveFrom` }));
  expect(await person(id)).toMatchObject({ on_leave: false, leave_from: null, leave_until: null });
  expect((await scim('GET', `/Schemas/${GATEHOUSE}`)).status).toBe(200);
});

test('a leave stays without its deputy, and moves with a merge', async () => {
  const gone = (await service.call('POST', '/api/users/', { email: `gone-${Date.now()}@acme.example` })).body;
  await setLeave({ deputy: gone.external_uuid });
  expect((await service.call('DELETE', `/api/users/${gone.external_uuid}/`)).status).toBe(204);
  expect(await absencesOf()).toMatchObject([{ kind: 'leave', deputy: null }]);
  const into = (await service.call('POST', '/api/users/', { email: `into-${Date.now()}@acme.example` })).body;
  await service.call('POST', pathOf(into.external_uuid), {
    deputy_email: rita.email,
    starts_at: new Date().toISOString(),
    ends_at: midnight(day(9)),
  });
  const admin = await addPersonWithKey(service, 'owner');
  const merged = await service.call(
    'POST',
    `/api/users/${into.external_uuid}/merge/`,
    { from: rita.id },
    admin,
  );
  expect(merged.status).toBe(200);
  expect(await person(into.external_uuid)).toMatchObject({ on_leave: true });
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from absence where org_id = ${orgId} and user_id = ${rita.id}`.execute(
    service.database.db,
  );
  expect(rows[0]?.n).toBe(0);
});

test('the loop for leaves sleeps until the next one begins', async () => {
  const { db } = service.database;
  await setLeave({ starts_at: new Date(Date.now() + 3_600_000).toISOString() });
  await service.app.tick();
  expect(await untilLeave(db)).toBeLessThanOrEqual(3600);
  expect(await organizationsWithLeaves(db)).not.toContainEqual({ org_id: orgId });
  await setTimes(service, 'absence', { starts_at: '1 minute ago' }, { user_id: rita.id });
  expect(await organizationsWithLeaves(db)).toContainEqual({ org_id: orgId });
  await service.app.tick();
  expect(await organizationsWithLeaves(db)).not.toContainEqual({ org_id: orgId });
});
