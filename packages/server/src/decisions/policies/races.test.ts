// @module-tag engine

import { afterEach, beforeEach, expect, test } from 'vitest';
import { setHooks } from '#hooks.ts';
import { openDatabase } from '#kit/database/open.ts';
import { type Database, within } from '#kit/database.ts';
import { openTestApp, type TestApp } from '#test/app.ts';
import { addOrganization, eventsOf, organizationOf } from '#test/people.ts';
import { settle } from '#test/policies.ts';
import { setTimes } from '#test/time.ts';
import { firePolicies } from './fire.ts';

// Without background jobs, so that the tests decide when policies fire.
let service: TestApp;
/** Another node, if the engine supports several. */
let other: Database;
let orgId: string;
let app: string;

beforeEach(async () => {
  service = await openTestApp({ own: true });
  const { database, options } = service;
  other = database.engine === 'postgres' ? await openDatabase(options) : database;
  setHooks(other.db);
  orgId = (await organizationOf(service)).orgId;
  app = (await service.call('POST', '/api/v1/bridge/apps/', { name: 'Payroll' })).body.id;
  await service.call('POST', `/api/v1/bridge/apps/${app}/resource-types/`, {
    slug: 'user',
    name: 'Users',
    type: 'account',
  });
});
afterEach(async () => {
  if (other !== service.database) await other.close();
  await service.close();
});

const policy = async (more: object = {}) => {
  const { body } = await service.call('POST', '/api/policies/', {
    name: 'Everyone',
    trigger: 'user.created',
    condition: 'true',
    effects: [{ do: 'grant', app }],
    ...more,
  });
  return body.external_uuid as string;
};
const join = (count: number, from = 0) =>
  Promise.all(
    Array.from({ length: count }, (_, i) =>
      service.call('POST', '/api/users/', { email: `p${from + i}@acme.example` }),
    ),
  );
const granted = async () => {
  const { body } = await service.call('GET', '/api/tasks/?limit=200');
  return body.results.map(({ app_user }: { app_user: { email: string } }) => app_user.email).toSorted();
};
const emails = (count: number) => Array.from({ length: count }, (_, i) => `p${i}@acme.example`).toSorted();

test('creates each task once when several nodes fire at the same time', async () => {
  await policy();
  await join(8);
  const nodes = [service.database, other, service.database, other];
  await Promise.all(nodes.map(({ db }) => firePolicies(within(db, orgId))));
  await Promise.all([join(8, 8), ...nodes.map(({ db }) => firePolicies(within(db, orgId)))]);
  await settle(other.db);
  expect(await granted()).toEqual(emails(16));
  expect(await eventsOf(service, 'task.created')).toHaveLength(16);
});

test('leaves nothing behind when a node dies while firing, and the next node does all of it', async () => {
  await policy();
  await join(3);
  await service.database.exec(
    `create function die() returns trigger language plpgsql as $$ begin raise exception 'died'; end $$`,
  );
  await service.database.exec('create trigger die before insert on task for each row execute function die()');
  await expect(firePolicies(within(service.database.db, orgId))).rejects.toThrow('died');
  await service.database.exec('drop trigger die on task');
  expect(await granted()).toEqual([]);
  await settle(other.db);
  expect(await granted()).toEqual(emails(3));
});

test('runs a daily policy once on several nodes', async () => {
  const id = await policy({ trigger: 'daily', condition: 'user.email.startsWith("p")' });
  await join(3);
  await setTimes(service, 'policy', { ran_at: '3 days earlier' });
  await Promise.all([service.database, other, other].map(({ db }) => firePolicies(within(db, orgId))));
  expect(await granted()).toEqual(emails(3));
  const { body } = await service.call('GET', `/api/policies/${id}/`);
  expect(body.last_fired_count).toBe(3);
});

test('tolerates an administrator who does the same at the same time', async () => {
  await policy();
  const [joined] = await join(1);
  const user = joined?.body.external_uuid;
  const manual = service.call('POST', '/api/tasks/', { app, action: 'create_account', user });
  // The later of the two finds an existing account; the policy then plans again.
  await Promise.allSettled([manual, firePolicies(within(other.db, orgId))]);
  await settle(other.db);
  expect(await granted()).toEqual(emails(1));
});

test('uses the current state of people who return or leave before policies run', async () => {
  const [joined] = await join(1);
  const address = `/api/users/${joined?.body.external_uuid}`;
  const back = await policy({ trigger: 'user.reactivated' });
  const turn = (verb: string) => service.call('POST', `${address}/${verb}/`);
  await turn('deactivate');
  await turn('reactivate');
  await turn('deactivate');
  await settle(service.database.db);
  expect(await granted()).toEqual([]);
  await turn('reactivate');
  await settle(service.database.db);
  expect(await granted()).toEqual(emails(1));
  const { body } = await service.call('GET', `/api/policies/${back}/`);
  expect(body.last_fired_count).toBe(1);
});

test('creates one task when two policies need the same', async () => {
  await policy();
  const second = await policy({ name: 'Everyone again' });
  await join(2);
  await settle(service.database.db);
  expect(await granted()).toEqual(emails(2));
  const { body } = await service.call('POST', `/api/policies/${second}/preview/`);
  // Only the first administrator has no account yet.
  expect(body).toMatchObject({ count: 1, tasks: [{ user: { email: 'admin@acme.example' } }] });
});

test('keeps triggers and effects within the organization', async () => {
  await policy();
  const globex = await addOrganization(service);
  expect((await globex('POST', '/api/users/', { email: 'p9@acme.example' })).status).toBe(201);
  await settle(service.database.db);
  expect(await granted()).toEqual([]);
  const theirs = {
    name: 'Theirs',
    trigger: 'daily',
    condition: 'true',
    effects: [{ do: 'delete', app: 'all' }],
  };
  const made = await globex('POST', '/api/policies/', theirs);
  expect((await globex('POST', `/api/policies/${made.body.external_uuid}/preview/`)).body.count).toBe(0);
});
