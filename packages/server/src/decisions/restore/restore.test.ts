import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '#kit/sql.ts';
import { momentBetween } from '#test/moments.ts';
import { addPersonWithKey, eventsOf } from '#test/people.ts';
import { addSyncedApp, inventoryOf, openSyncTest, type SyncedApp, type SyncTest } from '#test/sync.ts';

let service: SyncTest;
beforeAll(async () => {
  service = await openSyncTest();
});
afterAll(() => service.close());

const restore = (body: object) => service.call('POST', '/api/restore/', body);

const member = (name: string, teams: string[], seats: string[] = []) => ({
  id: name,
  email: `${name}@acme.example`,
  username: name,
  memberships: { team: teams.map((id) => ({ id, name: id })) },
  assignments: { seat: seats.map((id) => ({ id, name: id })) },
});

let number = 0;
const fresh = (name: string) => `${name}${++number}`;
const addPerson = async (name: string) =>
  (await service.call('POST', '/api/users/', { email: `${name}@acme.example` })).body.external_uuid as string;
const now = () => momentBetween(service.database.db);
/** A time between two syncs that both saw the access. */
async function seenTwice(app: SyncedApp, records: Record<string, unknown[]>): Promise<string> {
  await app.sync(records);
  const at = await now();
  await app.sync(records);
  return at;
}

/** Carries out all tasks of an app, as its connector would, and returns the number. */
async function work(app: SyncedApp): Promise<number> {
  let done = 0;
  for (;;) {
    const { body } = await app.bridge('GET', '/tasks/?status=pending');
    if (body.tasks.length === 0) return done;
    for (const { id, action } of body.tasks) {
      const result = action === 'create_account' ? { account: { id: fresh('restored') } } : {};
      const { status } = await app.bridge('PATCH', `/tasks/${id}/status/`, { status: 'completed', result });
      expect(status).toBe(200);
      done++;
    }
  }
}

test('creates an account again with its groups and licenses', async () => {
  const app = await addSyncedApp(service);
  const name = fresh('gone');
  const user = await addPerson(name);
  const asOf = await seenTwice(app, {
    person: [member(name, ['a', 'b'], ['gold']), member(fresh('x'), ['a', 'b'], ['gold'])],
  });
  await app.sync({ person: [member(fresh('y'), ['a', 'b'], ['gold'])] });

  const shown = await restore({ users: [user], as_of: asOf });
  expect(shown).toMatchObject({
    status: 200,
    body: {
      dry_run: true,
      coverage: [{ app: { id: app.id }, known: true }],
      counts: {
        create_account: 1,
        unsuspend_account: 0,
        update_account: 0,
        groups: 2,
        licenses: 1,
        left_out: 0,
      },
      results: [{ action: 'create_account', user, certainty: 'certain', included: true }],
      tasks: [],
    },
  });
  expect((await service.call('GET', `/api/tasks/?app=${app.id}`)).body.count).toBe(0);
  const done = await restore({ users: [user], as_of: asOf, dry_run: false, plan: shown.body.plan });
  expect(done).toMatchObject({ status: 200, body: { dry_run: false, tasks: [expect.any(String)] } });
  const { body: task } = await service.call('GET', `/api/tasks/${done.body.tasks[0]}/`);
  expect(task).toMatchObject({
    action: 'create_account',
    source: { type: 'restore', id: shown.body.plan },
    reason: `Restore to ${asOf}.`,
  });
  expect((await eventsOf(service, 'restore.created')).at(-1)).toMatchObject({
    payload: { restore_id: shown.body.plan, tasks: 1, groups: 2, licenses: 1 },
  });
  await work(app);
  const { memberships } = await inventoryOf(service, app.id);
  expect(Object.values(memberships)).toContainEqual(['seat:gold', 'team:a', 'team:b']);
  expect(await restore({ users: [user], as_of: asOf, dry_run: false, plan: shown.body.plan })).toMatchObject({
    status: 409,
    body: { detail: 'This plan has already been applied.' },
  });
});

test('brings the access of a person who was merged back to the one who remains', async () => {
  const app = await addSyncedApp(service);
  const [kept, merged] = [fresh('kept'), fresh('merged')];
  const [user, from] = [await addPerson(kept), await addPerson(merged)];
  const asOf = await seenTwice(app, { person: [member(kept, ['a', 'b']), member(merged, ['b'])] });
  expect((await service.call('POST', `/api/users/${user}/merge/`, { from })).status).toBe(200);
  await app.sync({ person: [member(kept, ['a', 'b']), member(merged, [])] });
  for (const scope of [{ users: [user] }, { users: [from] }, { app: app.id }])
    expect((await restore({ ...scope, as_of: asOf })).body).toMatchObject({
      results: [{ user, included: true, resources: [{ id: 'b', included: true }] }],
      skipped: [],
    });
});

test('unsuspends accounts and restores what they lack, and removes nothing', async () => {
  const app = await addSyncedApp(service);
  const name = fresh('kept');
  await addPerson(name);
  const asOf = await seenTwice(app, { person: [member(name, ['a', 'b'])] });
  await app.sync({
    person: [{ ...member(name, ['b', 'c']), status: 'suspended' }],
    team: [{ id: 'a', name: 'a' }],
  });
  const { body } = await restore({ app: app.id, as_of: asOf, dry_run: false });
  expect(body.counts).toMatchObject({ unsuspend_account: 1, update_account: 1, groups: 1 });
  await work(app);
  expect(await inventoryOf(service, app.id)).toMatchObject({
    accounts: { [`person:${name}`]: 'ACTIVE' },
    memberships: { [`person:${name}`]: ['team:a', 'team:b', 'team:c'] },
  });
  expect((await restore({ app: app.id, as_of: asOf })).body).toMatchObject({
    counts: { update_account: 0 },
    results: [],
  });
});

test('lists possible access, and includes it only if asked to', async () => {
  const app = await addSyncedApp(service);
  const name = fresh('possible');
  const user = await addPerson(name);
  await app.sync({ person: [member(name, ['a']), member(fresh('x'), ['a'])] });
  const asOf = await now();
  await app.sync({ person: [member(name, []), member(fresh('x'), ['a'])] });
  const { body } = await restore({ users: [user], as_of: asOf });
  expect(body).toMatchObject({
    counts: { update_account: 0, groups: 0, left_out: 2 },
    results: [
      {
        action: 'update_account',
        included: false,
        resources: [{ id: 'a', certainty: 'possible', included: false }],
      },
    ],
  });
  const included = await restore({ users: [user], as_of: asOf, include_possible: true });
  expect(included.body.counts).toMatchObject({ update_account: 1, groups: 1, left_out: 0 });
});

test('takes the state last seen before a sync as the one just before it', async () => {
  const app = await addSyncedApp(service);
  const name = fresh('state');
  const user = await addPerson(name);
  await app.sync({ person: [member(name, [])] });
  const asOf = await now();
  await app.sync({ person: [{ ...member(name, []), status: 'suspended' }] });
  const { body } = await restore({ users: [user], as_of: asOf, include_possible: true });
  expect(body.counts).toMatchObject({ unsuspend_account: 1 });
});

test('gives nothing to deactivated people and to accounts that belonged to nobody', async () => {
  const app = await addSyncedApp(service);
  const name = fresh('leaver');
  const user = await addPerson(name);
  const asOf = await seenTwice(app, { person: [member(name, ['a']), member(fresh('orphan'), ['a'])] });
  await app.sync({ person: [member(fresh('x'), ['a'])] });
  await service.call('POST', `/api/users/${user}/deactivate/`);
  const { body } = await restore({ app: app.id, as_of: asOf });
  expect(body).toMatchObject({ counts: { create_account: 0, skipped: 2 }, results: [] });
  expect(body.skipped.map(({ reason }: { reason: string }) => reason).sort()).toEqual([
    'The account no longer exists and belonged to nobody, so it cannot be created again.',
    'The person is deactivated.',
  ]);
});

test('says that access before the first sync is unknown', async () => {
  const app = await addSyncedApp(service);
  const asOf = await now();
  await app.sync({ person: [member(fresh('x'), [])] });
  expect(await restore({ app: app.id, as_of: '2020-01-01T00:00:00Z' })).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('unknown'), coverage: [{ app: { id: app.id }, known: false }] },
  });
  expect((await restore({ app: app.id, as_of: asOf })).body).toMatchObject({ coverage: [{ known: false }] });
});

test('refuses a plan that has changed since, with the difference', async () => {
  const app = await addSyncedApp(service);
  const name = fresh('moved');
  const user = await addPerson(name);
  const asOf = await seenTwice(app, { person: [member(name, ['a', 'b'])] });
  await app.sync({
    person: [member(name, [])],
    team: [
      { id: 'a', name: 'a' },
      { id: 'b', name: 'b' },
    ],
  });
  const { plan } = (await restore({ users: [user], as_of: asOf })).body;
  await app.sync({ person: [member(name, ['a'])], team: [{ id: 'b', name: 'b' }] });
  expect(await restore({ users: [user], as_of: asOf, dry_run: false, plan })).toMatchObject({
    status: 409,
    body: {
      difference: {
        added: [{ action: 'update_account', add: [expect.any(String)] }],
        removed: [{ action: 'update_account', add: [expect.any(String), expect.any(String)] }],
      },
    },
  });
  expect((await service.call('GET', `/api/tasks/?app=${app.id}`)).body.count).toBe(0);
  const other = { app: app.id, as_of: asOf, dry_run: false, plan };
  expect((await restore(other)).status).toBe(409);
});

test('does not repeat what open tasks already do', async () => {
  const app = await addSyncedApp(service);
  const name = fresh('twice');
  const user = await addPerson(name);
  const asOf = await seenTwice(app, { person: [member(name, ['a']), member(fresh('x'), ['a'])] });
  await app.sync({ person: [member(fresh('x'), ['a'])] });
  expect((await restore({ users: [user], as_of: asOf, dry_run: false })).body.counts.create_account).toBe(1);
  expect((await restore({ users: [user], as_of: asOf, dry_run: false })).body).toMatchObject({
    results: [],
    tasks: [],
  });
});

test('requires one kind of scope, a time in the past, and an existing app', async () => {
  const asOf = await now();
  expect((await restore({ as_of: asOf })).status).toBe(400);
  expect((await restore({ users: [service.orgId], app: service.id, as_of: asOf })).status).toBe(400);
  expect((await restore({ app: service.id, as_of: '2999-01-01T00:00:00Z' })).status).toBe(400);
  expect((await restore({ app: service.orgId, as_of: asOf })).status).toBe(404);
});

test('returns 404 for people, accounts and apps that do not exist, also for one among others', async () => {
  const unknown = '0199a000-0000-7000-8000-000000000001';
  const user = await addPerson(fresh('known'));
  const as_of = await now();
  for (const [scope, detail] of [
    [{ users: [unknown] }, 'Person not found.'],
    [{ users: [user, unknown] }, 'Person not found.'],
    [{ accounts: [unknown] }, 'Account not found.'],
    [{ app: unknown }, 'App not found.'],
  ] as const)
    expect(await restore({ ...scope, as_of })).toMatchObject({ status: 404, body: { detail } });
  expect((await restore({ users: [user], as_of })).status).not.toBe(404);
});

test('a restore, the work of the connector and a sync bring back all access', async () => {
  const app = await addSyncedApp(service);
  const names = ['one', 'two', 'three', 'four'].map(fresh);
  for (const name of names) await addPerson(name);
  const records = names.map((name, n) => member(name, n % 2 ? ['a', 'b'] : ['a'], n > 1 ? ['gold'] : []));
  const asOf = await seenTwice(app, { person: records });
  const held = async () => {
    const { rows } = await sql<{ access: string }>`
      select a.email || ' ' || e.external_id as access from account a
      join membership m on m.org_id = a.org_id and m.account_id = a.id
      join entitlement e on e.org_id = m.org_id and e.id = m.entitlement_id
      where a.app_id = ${app.id} and a.status <> 'SUSPENDED' order by 1`.execute(service.database.db);
    return rows.map(({ access }) => access);
  };
  const before = await held();
  const all = { team: ['a', 'b', 'c'].map((id) => ({ id, name: id })), seat: [{ id: 'gold', name: 'gold' }] };
  const [one, two, three] = records;
  await app.sync({
    ...all,
    person: [{ ...one, status: 'suspended' }, member(two?.id ?? '', ['c']), { ...three, assignments: {} }],
  });
  await restore({ app: app.id, as_of: asOf, dry_run: false });
  await work(app);
  // The external system now has what the tasks did.
  const { rows } = await sql<{ id: string; email: string; team: { id: string }[]; seat: { id: string }[] }>`
    select a.external_id as id, a.email,
      (select coalesce(jsonb_agg(jsonb_build_object('id', e.external_id)), '[]') from membership m
        join entitlement e on e.org_id = m.org_id and e.id = m.entitlement_id
        join resource_type t on t.org_id = e.org_id and t.id = e.resource_type_id and t.slug = 'team'
        where m.org_id = ${service.orgId} and m.account_id = a.id) as team,
      (select coalesce(jsonb_agg(jsonb_build_object('id', e.external_id)), '[]') from membership m
        join entitlement e on e.org_id = m.org_id and e.id = m.entitlement_id
        join resource_type t on t.org_id = e.org_id and t.id = e.resource_type_id and t.slug = 'seat'
        where m.org_id = ${service.orgId} and m.account_id = a.id) as seat
    from account a where a.org_id = ${service.orgId} and a.app_id = ${app.id} and a.removed_at is null`.execute(
    service.database.db,
  );
  await app.sync({
    ...all,
    person: rows.map(({ id, email, team, seat }) => ({
      id,
      email,
      memberships: { team },
      assignments: { seat },
    })),
  });
  expect(await held()).toEqual(expect.arrayContaining(before));
});

test('takes the time with its microseconds, as responses give it', async () => {
  const app = await addSyncedApp(service);
  const name = fresh('exact');
  const user = await addPerson(name);
  await app.sync({ person: [member(name, ['a']), member(fresh('x'), ['a'])] });
  await sql`
    update inventory_change set at = (date_trunc('milliseconds', at at time zone 'UTC') + interval '999 microseconds') at time zone 'UTC'
    where app_id = ${app.id}`.execute(service.database.db);
  await sql`
    update account a set since = c.at from inventory_change c
    where c.org_id = a.org_id and c.id = a.change_id and a.app_id = ${app.id}`.execute(service.database.db);
  await sql`
    update membership m set granted_at = c.at from inventory_change c
    where c.org_id = m.org_id and c.id = m.change_id and c.app_id = ${app.id}`.execute(service.database.db);
  const { body: list } = await service.call('GET', `/api/accounts/?app=${app.id}&user=${user}`);
  const present = `/api/accounts/${list.results[0].external_uuid}/`;
  const { bounds } = (await service.call('GET', `${present}?as_of=${await now()}`)).body;
  await app.sync({ person: [member(name, []), member(fresh('x'), ['a'])] });

  const { body } = await restore({ users: [user], as_of: bounds.seen_from });

  expect(body).toMatchObject({ as_of: bounds.seen_from, coverage: [{ known: true }], counts: { groups: 1 } });
});

test.each(['2026-01-01T00:00:00,5Z', '2026-01-01 10:00 +02', '0001-01-01', '2026-01-01T24:00'])(
  'accepts the time %s like every other request does',
  async (as_of) => {
    expect((await restore({ app: service.id, as_of })).status).toBe(409);
  },
);

test('does not give groups of one type of account to another', async () => {
  const app = await addSyncedApp(service);
  const name = fresh('admin');
  const user = await addPerson(name);
  const bot = { ...member(name, ['root']), id: fresh('bot'), memberships: { team: [{ id: 'root' }] } };
  const asOf = await seenTwice(app, { person: [member(name, ['a'])], bot: [bot] });
  await app.sync({ person: [member(name, ['a'])], team: [{ id: 'root', name: 'root' }] });

  const { body } = await restore({ users: [user], as_of: asOf });

  expect(body).toMatchObject({
    counts: { create_account: 0, update_account: 0, groups: 0, skipped: 1 },
    skipped: [{ reason: expect.stringContaining('another type') }],
  });
});

test('refuses to give access to the person who restores it', async () => {
  const app = await addSyncedApp(service);
  const admin = await addPersonWithKey(service, 'admin');
  const [name] = admin.email.split('@') as [string];
  const asOf = await seenTwice(app, { person: [member(name, ['a'])] });
  await app.sync({ person: [member(fresh('other'), ['a'])] });
  const body = { users: [admin.id], as_of: asOf };
  const shown = await service.call('POST', '/api/restore/', body, { key: admin.key });
  expect(shown.body.counts).toMatchObject({ create_account: 1 });
  const apply = { ...body, plan: shown.body.plan, dry_run: false };

  const refused = await service.call('POST', '/api/restore/', apply, { key: admin.key });

  expect(refused).toMatchObject({ status: 403, body: { detail: expect.stringContaining('yourself') } });
  expect((await restore(apply)).status).toBe(200);
});

test('restores what gave access, and not the access that came through it', async () => {
  const app = await addSyncedApp(service);
  const name = fresh('derived');
  const user = await addPerson(name);
  const others = [member(fresh('x'), ['a', 'b', 'c'])];
  const through = (id: string, giver: string) => ({ id, name: id, via: { slug: 'team', id: giver } });
  const had = (teams: object[]) => ({ ...member(name, []), memberships: { team: teams } });
  const whole = had([{ id: 'a' }, through('b', 'a'), through('c', 'elsewhere')]);
  const asOf = await seenTwice(app, { person: [whole, ...others] });
  await app.sync({ person: [had([]), ...others] });

  const { body } = await restore({ users: [user], as_of: asOf });
  expect(body.results).toMatchObject([{ action: 'update_account', resources: [{ id: 'a' }] }]);
  expect(body.results[0].resources).toHaveLength(1);
  expect(body.skipped).toMatchObject([{ reason: expect.stringContaining('through another one') }]);
});

test('gives nothing back to people whose last day has passed', async () => {
  const app = await addSyncedApp(service);
  const [gone, here] = [fresh('ended'), fresh('ending')];
  const [goneId, hereId] = [await addPerson(gone), await addPerson(here)];
  const asOf = await seenTwice(app, { person: [member(gone, ['a']), member(here, ['a'])] });
  await app.sync({ person: [member(fresh('x'), ['a'])] });
  const today = Temporal.Now.plainDateISO('UTC');
  await service.call('PATCH', `/api/users/${goneId}/`, { end_date: today.subtract({ days: 1 }).toString() });
  await service.call('PATCH', `/api/users/${hereId}/`, { end_date: today.toString() });
  const { body } = await restore({ app: app.id, as_of: asOf });
  expect(body).toMatchObject({
    counts: { create_account: 1, skipped: 1 },
    skipped: [{ reason: 'The last day of the person has passed.' }],
  });
  expect(JSON.stringify(body.results)).toContain(hereId);
  expect(JSON.stringify(body.results)).not.toContain(goneId);
});
