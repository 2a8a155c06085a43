// @module-tag engine

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { transaction, within } from '#kit/database.ts';
import { sql } from '#kit/sql.ts';
import { openTestApp, type TestApp } from '#test/app.ts';
import { momentBetween } from '#test/moments.ts';
import { addOrganization, addPersonWithKey } from '#test/people.ts';
import { setTimes } from '#test/time.ts';
import { upsertPeople } from './queries/people.ts';

let service: TestApp;
let call: TestApp['call'];
beforeAll(async () => {
  service = await openTestApp();
  call = service.call;
});
afterAll(() => service.close());

let number = 0;
const newEmail = () => `past-${++number}@first.example`;
const add = async (more: object = {}) =>
  (await call('POST', '/api/users/', { email: newEmail(), ...more })).body as Person;
const change = async ({ external_uuid }: Person, more: object) =>
  (await call('PATCH', `/api/users/${external_uuid}/`, more)).body as Person;
const remove = ({ external_uuid }: Person) => call('DELETE', `/api/users/${external_uuid}/`);
const asOf = ({ external_uuid }: Person, time: string, key?: string) =>
  call('GET', `/api/users/${external_uuid}/?as_of=${time}`, undefined, key === undefined ? {} : { key });
/** A state of the past shows neither groups, sources nor leaves. */
const stateOf = ({
  groups: _,
  sources: __,
  on_leave: ___,
  leave_from: ____,
  leave_until: _____,
  ...state
}: Person) => state;
const historyOf = async ({ external_uuid }: Person, query = '') =>
  (await call('GET', `/api/users/${external_uuid}/history/${query}`)).body;
const upload = (text: string, query = '') =>
  call('POST', `/api/users/import/${query}`, text, { headers: { 'content-type': 'text/csv' } });
const find = async (email: string) =>
  (await call('GET', `/api/users/?email=${email}`)).body.results[0] as Person;

interface Person {
  external_uuid: string;
  email: string;
  status: string;
  created_at: string;
  updated_at: string;
  groups?: unknown;
  sources?: unknown;
  on_leave?: unknown;
  leave_from?: unknown;
  leave_until?: unknown;
}

const moment = () => momentBetween(service.database.db);

const justBefore = (time: string) => new Date(Date.parse(time) - 1).toISOString();

describe('a person as of a time', () => {
  test('has the manager, department, role, email and status of that time', async () => {
    const [boss, head] = [await add(), await add()];
    const person = await add({ manager: boss.external_uuid, attributes: { department: 'Payroll' } });
    const joined = await moment();
    await change(person, { manager: head.external_uuid, attributes: { department: 'Sales', site: 'A' } });
    const moved = await moment();
    await change(person, { email: `renamed-${person.email}`, start_date: '2026-01-05' });
    const renamed = await moment();
    await call('POST', `/api/users/${person.external_uuid}/deactivate/`, { reason: 'Leave' });
    const left = await moment();
    await call('POST', `/api/users/${person.external_uuid}/reactivate/`);

    expect((await asOf(person, joined)).body).toMatchObject({
      external_uuid: person.external_uuid,
      email: person.email,
      manager: boss.external_uuid,
      attributes: { department: 'Payroll' },
      role: 'member',
      status: 'active',
      as_of: joined,
    });
    expect((await asOf(person, moved)).body).toMatchObject({
      email: person.email,
      manager: head.external_uuid,
      attributes: { department: 'Sales', site: 'A' },
      start_date: null,
    });
    expect((await asOf(person, renamed)).body).toMatchObject({
      email: `renamed-${person.email}`,
      start_date: '2026-01-05',
      status: 'active',
    });
    expect((await asOf(person, left)).body).toMatchObject({ status: 'deactivated' });
    expect((await asOf(person, await moment())).body).toMatchObject({ status: 'active', ended_at: null });
  });

  test('changes exactly at the time that responses name', async () => {
    const person = await add({ first_name: 'Old' });
    const { updated_at } = await change(person, { first_name: 'New' });

    expect((await asOf(person, person.created_at)).body).toMatchObject({
      first_name: 'Old',
      updated_at: person.created_at,
      ended_at: updated_at,
    });
    expect((await asOf(person, justBefore(updated_at))).body).toMatchObject({ first_name: 'Old' });
    expect((await asOf(person, updated_at)).body).toMatchObject({ first_name: 'New', ended_at: null });
    expect(person.created_at).toBe(person.updated_at);
  });

  test('has the role of that time', async () => {
    const { id, email } = await addPersonWithKey(service, 'member');
    const person = { external_uuid: id, email } as Person;
    const joined = await moment();
    const { orgId } = await organizationOf(person);
    const profile = { id, username: email, email, first_name: '', last_name: '', identity_type: 'human' };
    for (const role of ['admin', 'auditor', 'auditor'])
      await transaction(within(service.database.db, orgId), (tx) =>
        upsertPeople(tx, [
          JSON.stringify({ ...profile, domain_type: 'internal', status: 'active', role, attributes: {} }),
        ]),
      );

    expect((await asOf(person, joined)).body).toMatchObject({ role: 'member' });
    expect((await historyOf(person)).results.map(rolesOf)).toEqual(['auditor', 'admin', 'member']);
  });

  test('is unknown before the first recorded state, after deletion and in the future', async () => {
    const person = await add();
    const future = new Date(Date.now() + 60_000).toISOString();

    expect(await asOf(person, justBefore(person.created_at))).toMatchObject({
      status: 404,
      body: {
        detail: `The first recorded state of this person began at ${person.created_at}. Choose a later time.`,
      },
    });
    expect(await asOf(person, '0000-01-01')).toMatchObject({ status: 404 });
    expect(await asOf(person, future)).toMatchObject({
      status: 400,
      body: { detail: 'as_of is in the future. Use a time that has passed.' },
    });
    await remove(person);
    expect(await asOf(person, await moment())).toMatchObject({
      status: 404,
      body: { detail: 'This person had been deleted by then. Choose an earlier time.' },
    });
  });

  test('is not invented for changes that were made before there was a history', async () => {
    const person = await add();
    await setTimes(service, 'platform_user', { created_at: '1 day earlier' }, { id: person.external_uuid });

    expect(await asOf(person, justBefore(person.updated_at))).toMatchObject({ status: 404 });
    expect((await historyOf(person)).results).toMatchObject([{ began: null, ended: null }]);
  });
});

describe('the history of a person', () => {
  test('lists states, newest first, with their changes', async () => {
    const boss = await add();
    const person = await add({ attributes: { department: 'Payroll' } });
    const second = await change(person, { manager: boss.external_uuid, attributes: { department: 'Sales' } });
    const third = await change(person, { status: 'deactivated' });

    expect(await historyOf(person)).toMatchObject({
      count: 3,
      next: null,
      results: [
        {
          since: third.updated_at,
          ended_at: null,
          began: 'changed',
          ended: null,
          changes: [{ field: 'status', from: 'active', to: 'deactivated' }],
          person: stateOf(third),
        },
        {
          since: second.updated_at,
          ended_at: third.updated_at,
          began: 'changed',
          ended: 'changed',
          changes: [
            { field: 'manager', from: null, to: boss.external_uuid },
            { field: 'attributes.department', from: 'Payroll', to: 'Sales' },
          ],
          person: stateOf(second),
        },
        {
          since: person.created_at,
          ended_at: second.updated_at,
          began: 'created',
          ended: 'changed',
          changes: [],
          person: stateOf(person),
        },
      ],
    });
  });

  test('has pages, whose last item still states its changes', async () => {
    const person = await add({ first_name: 'n0' });
    for (let n = 1; n < 5; n++) await change(person, { first_name: `n${n}` });

    const first = await historyOf(person, '?limit=2');
    const second = await historyOf(person, '?limit=2&offset=2');
    const last = await historyOf(person, '?limit=2&offset=4');

    expect(first.next).toContain('offset=2');
    expect([first, second, last].flatMap(({ results }) => results).map(nameOf)).toEqual([
      'n4',
      'n3',
      'n2',
      'n1',
      'n0',
    ]);
    expect(second).toMatchObject({
      count: 5,
      results: [
        { changes: [{ field: 'first_name', from: 'n1', to: 'n2' }] },
        { changes: [{ field: 'first_name', from: 'n0', to: 'n1' }] },
      ],
    });
    expect(last.results).toMatchObject([{ began: 'created', ended: 'changed' }]);
  });

  test('has nothing new after changes that change nothing', async () => {
    const person = await add({ attributes: { a: 1, b: [1, { c: 2 }] } });

    await change(person, { email: person.email, attributes: { b: [1, { c: 2 }] } });
    await upload(`email,username\n${person.email.toUpperCase()},${person.email}`);
    await upload(`email,username\n${person.email},other`, '?dry_run=true');

    expect(await historyOf(person)).toMatchObject({ count: 1 });
    expect(await find(person.email)).toEqual(person);
  });

  test('includes imports, with one time for all people of a file', async () => {
    const people = [await add({ attributes: { site: 'A' } }), await add(), await add()];
    const before = await moment();
    const [one, two, same] = people.map(({ email }) => email);
    await upload(`email,site,manager_email\n${one},B,${two}\n${two},B,\n${same},,`);

    const histories = await Promise.all(people.map((person) => historyOf(person)));
    expect(histories.map(({ count }) => count)).toEqual([2, 2, 1]);
    expect(histories[0].results[0].changes).toEqual([
      { field: 'manager', from: null, to: people[1]?.external_uuid },
      { field: 'attributes.site', from: 'A', to: 'B' },
    ]);
    expect(histories[0].results[0].since).toBe(histories[1].results[0].since);
    expect((await asOf(people[0]!, before)).body).toMatchObject({ attributes: { site: 'A' }, manager: null });
  });

  test('has no gaps and no overlaps, even if the clock was set back', async () => {
    const person = await add({ first_name: 'Before' });
    await setTimes(
      service,
      'platform_user',
      { updated_at: '1 hour later', created_at: '1 hour later' },
      { id: person.external_uuid },
    );
    for (const first_name of ['First', 'Second', 'Third']) await change(person, { first_name });

    const { results } = await historyOf(person);

    expect(results.map(nameOf)).toEqual(['Third', 'Second', 'First', 'Before']);
    for (const [index, { since, ended_at }] of results.entries()) {
      if (index > 0) expect(ended_at).toBe(results[index - 1].since);
      if (ended_at !== null) expect(Date.parse(ended_at)).toBeGreaterThan(Date.parse(since));
    }
  });

  test('has the changes of concurrent requests in the order in which they took effect', async () => {
    const person = await add({ attributes: {} });
    const names = Array.from({ length: 12 }, (_, n) => `a${n}`);
    await Promise.all(names.map((name) => change(person, { attributes: { [name]: 'x' } })));

    const { results } = await historyOf(person);

    expect(results.map((period: Period) => Object.keys(period.person.attributes).length)).toEqual(
      [...names.keys(), names.length].reverse(),
    );
    for (const [index, { ended_at }] of results.entries())
      expect(ended_at).toBe(index === 0 ? null : results[index - 1].since);
  });

  test('does not include a change that was rolled back', async () => {
    const [person, other] = [await add(), await add()];

    expect(await call('PATCH', `/api/users/${person.external_uuid}/`, { email: other.email })).toMatchObject({
      status: 409,
    });

    expect(await historyOf(person)).toMatchObject({ count: 1 });
  });
});

describe('the history of a deleted person', () => {
  test('stays and ends with the deletion, without the deactivation that belongs to it', async () => {
    const person = await add({ attributes: { department: 'Payroll' } });
    const report = await add({ manager: person.external_uuid });
    const joined = await moment();
    await change(person, { first_name: 'Ada' });
    const renamed = await moment();
    expect(await remove(person)).toMatchObject({ status: 204 });

    const { count, results } = await historyOf(person);

    expect(await call('GET', `/api/users/${person.external_uuid}/`)).toMatchObject({ status: 404 });
    expect(count).toBe(2);
    expect(results).toMatchObject([
      { ended: 'deleted', began: 'changed', person: { first_name: 'Ada', status: 'active' } },
      { ended: 'changed', began: 'created', person: { first_name: '', status: 'active' } },
    ]);
    expect((await asOf(person, joined)).body).toMatchObject({ attributes: { department: 'Payroll' } });
    expect((await asOf(person, renamed)).body).toMatchObject({ ended_at: results[0].ended_at });
    expect((await asOf(report, renamed)).body).toMatchObject({ manager: person.external_uuid });
    expect((await historyOf(report)).results[0].changes).toEqual([
      { field: 'manager', from: person.external_uuid, to: null },
    ]);
    expect((await historyOf(person, '?offset=1')).results).toMatchObject([{ ended: 'changed' }]);
  });

  test('does not belong to a person who gets the same email later', async () => {
    const person = await add();
    await remove(person);
    const { body: next } = await call('POST', '/api/users/', { email: person.email });

    expect(await historyOf(next)).toMatchObject({ count: 1, results: [{ began: 'created' }] });
    expect(await asOf(next, person.created_at)).toMatchObject({ status: 404 });
  });

  test('has no entry for a deletion that was refused', async () => {
    const { id, email } = await addPersonWithKey(service, 'member');

    expect(await call('DELETE', `/api/users/${id}/`)).toMatchObject({ status: 409 });

    expect(await historyOf({ external_uuid: id, email } as Person)).toMatchObject({
      results: [{ ended: null, person: { status: 'active' } }],
    });
  });
});

test('the history follows the rights to the person', async () => {
  const person = await add();
  const deleted = await add();
  await remove(deleted);
  const other = await addOrganization(service);
  const [member, auditor] = [
    await addPersonWithKey(service, 'member'),
    await addPersonWithKey(service, 'auditor'),
  ];
  const now = await moment();
  const both = async (id: string, caller: (path: string) => Promise<{ status: number }>) => [
    (await caller(`/api/users/${id}/history/`)).status,
    (await caller(`/api/users/${id}/?as_of=${now}`)).status,
    (await caller(`/api/users/${id}/?as_of=never`)).status,
  ];
  const as = (key: string) => (path: string) => call('GET', path, undefined, { key });

  expect(await both(person.external_uuid, as(auditor.key))).toEqual([200, 200, 400]);
  expect(await both(member.id, as(member.key))).toEqual([200, 200, 400]);
  expect(await both(person.external_uuid, as(member.key))).toEqual([403, 403, 403]);
  expect(await both(deleted.external_uuid, as(member.key))).toEqual([404, 404, 404]);
  expect(await both(deleted.external_uuid, as(auditor.key))).toEqual([200, 404, 400]);
  expect(await both(person.external_uuid, (path) => other('GET', path))).toEqual([404, 404, 404]);
  expect(await both(deleted.external_uuid, (path) => other('GET', path))).toEqual([404, 404, 404]);
  expect(await both(randomUUID(), as(auditor.key))).toEqual([404, 404, 404]);
  expect(await both('x', as(auditor.key))).toEqual([404, 404, 404]);
});

interface Period {
  person: { first_name: string; role: string; attributes: object };
}
const nameOf = ({ person }: Period) => person.first_name;
const rolesOf = ({ person }: Period) => person.role;

const organizationOf = async ({ external_uuid }: Person) => {
  const { rows } = await sql<{ orgId: string }>`
    select org_id as "orgId" from platform_user where id = ${external_uuid}`.execute(service.database.db);
  return rows[0] as { orgId: string };
};
