// @module-tag long

import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createApp } from '#app.ts';
import type { Db } from '#kit/database.ts';
import { createLogger } from '#kit/logger.ts';
import { sql } from '#kit/sql.ts';
import { caller } from '#test/app.ts';
import { openTestDatabase } from '#test/database.ts';
import { ORG } from '#test/organization.ts';
import { eventsOf, organizationOf } from '#test/people.ts';
import { newUser, openScim, patchOf, type Scim } from '#test/scim.ts';
import { secrets } from '#test/secrets.ts';

/**
 * Changes of a group with very many members must read only the members that they name: reading all of them holds the
 * event loop and the lock of all people.
 */
const MEMBERS = 100_000;
const NEWCOMERS = 1000;

/** The most statements of one request, whatever the size of the group. Authentication and the trail take some of them. */
const FEW = 60;
/** The most characters that a request may read if it names a few members. All members are a hundred times that. */
const LITTLE = 60_000;

interface Traffic {
  statements: number;
  /** The length of all results as JSON. Lists in a single row count in full. */
  read: number;
}

const traffic: Traffic = { statements: 0, read: 0 };
const counted = (db: Db): Db =>
  db.withPlugin({
    transformQuery: ({ node }) => {
      traffic.statements++;
      return node;
    },
    transformResult: async ({ result }) => {
      traffic.read += JSON.stringify(result.rows).length;
      return result;
    },
  });

async function openCountedApp() {
  const opened = await openTestDatabase('organization');
  const app = await createApp({
    database: { ...opened.database, db: counted(opened.database.db) },
    secrets,
    logger: createLogger('silent'),
    publicUrl: undefined,
    trustProxy: false,
  });
  const { key } = inject('prepared');
  const close = async () => {
    await app.close();
    await opened.close();
  };
  return { ...opened, app, org: ORG, key, call: caller(app, key), close };
}

let service: Awaited<ReturnType<typeof openCountedApp>>;
let scim: Scim;
let group: string;
const idOf = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
beforeAll(async () => {
  service = await openCountedApp();
  ({ scim } = await openScim(service));
  const { orgId } = await organizationOf(service);
  group = (await scim('POST', '/Groups', { displayName: 'Everybody' })).body.id;
  const { db } = service.database;
  const id = sql`('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid`;
  await sql`
    insert into platform_user (org_id, id, username, email, first_name)
    select ${orgId}::uuid, ${id}, 'p' || n, 'p' || n || '@large.example', 'Person ' || n
    from generate_series(1, ${MEMBERS + 2 * NEWCOMERS + 1}::integer) n`.execute(db);
  await sql`
    insert into person_group_member (org_id, group_id, user_id)
    select ${orgId}::uuid, ${group}::uuid, ${id} from generate_series(1, ${MEMBERS}::integer) n`.execute(db);
}, 300_000);
afterAll(() => service.close());

/** Sends a request and returns its answer with its traffic to the database. */
async function measured(...request: Parameters<Scim>) {
  const before = { ...traffic };
  const { status, headers, body } = await scim(...request);
  const took: Traffic = {
    statements: traffic.statements - before.statements,
    read: traffic.read - before.read,
  };
  return { status, headers, body, took };
}

const patch = (...operations: object[]) => measured('PATCH', `/Groups/${group}`, patchOf(...operations));
const size = async () =>
  (await service.call('GET', '/api/person-groups/?q=everybody')).body.results[0].members as number;
const isMember = async (n: number) =>
  ((await service.call('GET', `/api/users/${idOf(n)}/`)).body.groups as { id: string }[]).some(
    ({ id }) => id === group,
  );
const version = async () => (await scim('GET', `/Groups/${group}?excludedAttributes=members`)).headers.etag;
const lastChange = async () => (await eventsOf(service, 'person_group.members_changed')).at(-1)?.payload;

test('adding or removing one member reads no others', async () => {
  const newcomer = MEMBERS + 1;
  const first = await version();
  const add = await patch({ op: 'add', path: 'members', value: [{ value: idOf(newcomer) }] });
  expect(add.status).toBe(204);
  expect([await size(), await isMember(newcomer)]).toEqual([MEMBERS + 1, true]);
  expect(await version()).not.toBe(first);
  expect(await lastChange()).toMatchObject({ added: 1, removed: 0 });

  const remove = await patch({ op: 'remove', path: `members[value eq "${idOf(7)}"]` });
  expect(remove.status).toBe(204);
  expect([await size(), await isMember(7)]).toEqual([MEMBERS, false]);
  expect(await lastChange()).toMatchObject({ added: 0, removed: 1 });

  const byName = await patch({ op: 'remove', path: 'members[display eq "Person 8"]' });
  expect(byName.status).toBe(204);
  expect([await size(), await isMember(8), await isMember(80)]).toEqual([MEMBERS - 1, false, true]);
  for (const { took } of [add, remove, byName]) {
    expect(took.statements).toBeLessThan(FEW);
    expect(took.read).toBeLessThan(LITTLE);
  }
});

test.each([
  ['in one operation', MEMBERS + 2, (value: object[]) => [{ op: 'add', path: 'members', value }]],
  [
    'in an operation for each',
    MEMBERS + 2 + NEWCOMERS,
    (value: object[]) => value.map((one) => ({ op: 'add', path: 'members', value: [one] })),
  ],
])(
  'adding 1,000 members %s takes a few statements, and twice changes nothing',
  async (_, from, operations) => {
    const before = await size();
    const newcomers = Array.from({ length: NEWCOMERS }, (__, i) => ({ value: idOf(from + i) }));
    const add = await patch(...operations(newcomers));
    expect(add.status).toBe(204);
    expect(await size()).toBe(before + NEWCOMERS);
    expect(await lastChange()).toMatchObject({ added: NEWCOMERS, removed: 0 });
    expect(add.took.statements).toBeLessThan(FEW);
    // Each newcomer is read a few times: their groups before and after, their record and their events.
    expect(add.took.read).toBeLessThan(2000 * NEWCOMERS);
    const changed = await version();
    const again = await patch(...operations(newcomers));
    expect(again.status).toBe(204);
    expect([await size(), await version()]).toEqual([before + NEWCOMERS, changed]);
  },
);

test('only the last operation on a member counts, also among many', async () => {
  const before = await size();
  const [stays, goes] = [idOf(100), idOf(101)];
  const { status, took } = await patch(
    ...Array.from({ length: 200 }, () => [
      { op: 'remove', path: `members[value eq "${stays}"]` },
      { op: 'add', path: 'members', value: [{ value: goes }] },
      { op: 'add', path: 'members', value: [{ value: stays }] },
      { op: 'remove', path: `members[value eq "${goes}"]` },
    ]).flat(),
  );
  expect(status).toBe(204);
  expect([await size(), await isMember(100), await isMember(101)]).toEqual([before - 1, true, false]);
  expect(await lastChange()).toMatchObject({ added: 0, removed: 1 });
  expect(took.statements).toBeLessThan(FEW);
});

test('a PATCH with an unknown member changes nothing', async () => {
  const [before, etag] = [await size(), await version()];
  const unknown = idOf(999_999_999);
  const { status, body } = await patch(
    { op: 'remove', path: `members[value eq "${idOf(200)}"]` },
    { op: 'add', path: 'members', value: [{ value: unknown }] },
    { op: 'remove', path: `members[value eq "${unknown}"]` },
  );
  expect({ status, detail: body.detail }).toEqual({ status: 400, detail: expect.stringContaining(unknown) });
  expect([await size(), await version(), await isMember(200)]).toEqual([before, etag, true]);
});

test('responses without members do not read them', async () => {
  const { id } = (await scim('POST', '/Users', newUser())).body;
  const operation = patchOf({ op: 'add', path: 'members', value: [{ value: id }] });
  const answers = [
    await measured('GET', `/Groups/${group}?excludedAttributes=members`),
    await measured('GET', `/Groups/${group}?attributes=displayName`),
    await measured('GET', '/Groups?excludedAttributes=members'),
    await measured('POST', '/Groups/.search', { excludedAttributes: ['members'] }),
    await measured('PATCH', `/Groups/${group}?attributes=displayName`, operation),
    await measured('POST', '/Bulk', {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
      Operations: [{ method: 'PATCH', path: `/Groups/${group}`, data: operation }],
    }),
  ];
  const whole = await measured('GET', `/Groups/${group}`);
  expect(whole.body.members).toHaveLength(await size());
  expect(whole.took.read).toBeGreaterThan(50 * LITTLE);
  for (const { status, body, took } of answers) {
    expect(status).toBe(200);
    expect(JSON.stringify(body)).not.toContain('"members"');
    expect(took.statements).toBeLessThan(FEW);
    expect(took.read).toBeLessThan(LITTLE);
  }
});
