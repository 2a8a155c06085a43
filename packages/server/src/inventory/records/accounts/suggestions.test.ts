import { afterEach, beforeEach, expect, test } from 'vitest';
import { sql } from '#kit/sql.ts';
import { addPersonWithKey, eventsOf } from '#test/people.ts';
import { openProvisioningTest, type ProvisioningTest } from '#test/provisioning.ts';

const OUTSIDE = 'personal.example';
const ACCOUNTS = [
  { id: 'domain', email: `ada.lovelace@${OUTSIDE}`, username: 'x1' },
  { id: 'username', email: '', username: 'GHOPPER' },
  { id: 'name', email: `al@${OUTSIDE}`, username: 'x2', display_name: 'Turing, Alan' },
  { id: 'accents', email: '', username: 'x3', display_name: 'Jose Garcia' },
  { id: 'handle', email: '', username: 'jgarcia' },
  { id: 'nobody', email: `zz@${OUTSIDE}`, username: 'zz' },
  { id: 'shared', email: `shared@${OUTSIDE}`, username: 'shared' },
  { id: 'bulk-1', email: '', username: 'bulk-1' },
  { id: 'bulk-2', email: '', username: 'bulk-2' },
  { id: 'owned', email: '', username: 'owned' },
];

let service: ProvisioningTest;
let call: ProvisioningTest['call'];
const people: Record<string, string> = {};
beforeEach(async () => {
  service = await openProvisioningTest(ACCOUNTS);
  call = service.call;
  for (const [name, more] of Object.entries({
    ada: { first_name: 'Ada', last_name: 'Lovelace', email: 'ada.lovelace@acme.example' },
    grace: { first_name: 'Grace', last_name: 'Hopper', email: 'grace@acme.example', username: 'ghopper' },
    alan: { first_name: 'Alan', last_name: 'Turing', email: 'alan@acme.example' },
    jose: { first_name: 'José', last_name: 'García', email: 'jose@acme.example' },
    bea: { first_name: 'Bea', last_name: 'Other', email: 'bea@acme.example' },
  }))
    people[name] = (await call('POST', '/api/users/', more)).body.external_uuid;
});
afterEach(() => service.close());

const queue = async (query = 'limit=200') => (await call('GET', `/api/accounts/unlinked/?${query}`)).body;
const queued = async (id: string) =>
  (await queue()).results.find((account: { external_id: string }) => account.external_id === id);
const accountId = async (id: string) => {
  const { rows } = await sql<{ id: string }>`
    select id from account where app_id = ${service.appId} and external_id = ${id}`.execute(
    service.database.db,
  );
  return rows[0]?.id as string;
};

const link = async (id: string, user: string | undefined) =>
  expect((await call('PATCH', `/api/accounts/${await accountId(id)}/`, { user })).status).toBe(200);

test('suggests people by email, username and name, with the reason', async () => {
  const first = async (id: string) => (await queued(id)).suggestions[0];

  expect(await first('domain')).toMatchObject({ user: { external_uuid: people.ada }, reason: 'local_part' });
  expect(await first('username')).toMatchObject({
    user: { external_uuid: people.grace },
    reason: 'username',
  });
  expect(await first('name')).toMatchObject({ user: { external_uuid: people.alan }, reason: 'name' });
  expect(await first('accents')).toMatchObject({ user: { external_uuid: people.jose }, reason: 'name' });
  expect(await first('handle')).toMatchObject({ user: { external_uuid: people.jose }, reason: 'name' });
  expect((await queued('nobody')).suggestions).toEqual([]);
});

test('suggests the person with the same email again after a link was removed by hand', async () => {
  await service.sync([...ACCOUNTS, { id: 'same', email: 'bea@acme.example', username: 'same' }]);
  const id = await accountId('same');
  expect(await queued('same')).toBeUndefined();

  await call('PATCH', `/api/accounts/${id}/`, { user: null });

  expect((await queued('same')).suggestions).toMatchObject([
    { user: { external_uuid: people.bea }, reason: 'email' },
  ]);
});

test('does not suggest a dismissed person again', async () => {
  const id = await accountId('handle');

  const dismissed = await call('POST', `/api/accounts/${id}/dismiss-suggestion/`, { user: people.jose });

  expect(dismissed.status).toBe(204);
  expect((await queued('handle')).suggestions).toEqual([]);
  expect((await queued('accents')).suggestions).toHaveLength(1);
  expect(await eventsOf(service, 'account_link.dismissed')).toMatchObject([
    { subject: { uuid: id }, payload: { person_id: people.jose } },
  ]);
});

test('suggests a person again whose dismissal was undone', async () => {
  const id = await accountId('handle');
  const restore = () => call('POST', `/api/accounts/${id}/restore-suggestion/`, { user: people.jose });
  await call('POST', `/api/accounts/${id}/dismiss-suggestion/`, { user: people.jose });
  expect((await queued('handle')).suggestions).toEqual([]);

  expect((await restore()).status).toBe(204);
  expect((await restore()).status).toBe(204);

  expect((await queued('handle')).suggestions).toMatchObject([{ user: { external_uuid: people.jose } }]);
  expect(await eventsOf(service, 'account_link.restored')).toMatchObject([
    { subject: { uuid: id }, payload: { person_id: people.jose } },
  ]);
});

test('restores nothing for an account or a person that does not exist', async () => {
  const id = await accountId('handle');
  const unknown = '0198f3c4-0000-7000-8000-000000000000';

  const ofNobody = await call('POST', `/api/accounts/${id}/restore-suggestion/`, { user: unknown });
  const ofNoAccount = await call('POST', `/api/accounts/${unknown}/restore-suggestion/`, {
    user: people.jose,
  });

  expect([ofNobody.status, ofNoAccount.status]).toEqual([404, 404]);
});

test('leaves out accounts with an owner, and counts the others', async () => {
  const before = await queue('limit=1');
  const id = await accountId('shared');

  await call('PATCH', `/api/accounts/${id}/`, { kind: 'shared', owner: people.grace });

  expect(await queued('shared')).toBeUndefined();
  expect((await queue('limit=1')).count).toBe(before.count - 1);
  expect((await queue(`app=${service.appId}`)).count).toBe(before.count - 1);
  const all = await queue();
  expect(all.count).toBe(all.results.length);
});

test('leaves out accounts of archived apps', async () => {
  const archived = (await call('POST', '/api/v1/bridge/apps/', { name: 'Archived' })).body.id;
  const { id: typeId } = (
    await call('POST', `/api/v1/bridge/apps/${archived}/resource-types/`, {
      slug: 'user',
      name: 'User',
      type: 'account',
    })
  ).body;
  const { count } = await queue();
  const { db } = service.database;
  await sql`
    with added as (
      insert into account (org_id, app_id, resource_type_id, external_id, status)
      values (${service.orgId}, ${archived}, ${typeId}, 'of-archived', 'ACTIVE') returning org_id, app_id)
    insert into account_count (org_id, app_id, status, linked, n)
    select org_id, app_id, 'ACTIVE', false, 1 from added`.execute(db);
  expect((await queue()).count).toBe(count + 1);

  await call('DELETE', `/api/apps/${archived}/`);

  expect(await queued('of-archived')).toBeUndefined();
  expect((await queue()).count).toBe(count);
});

test('links many accounts and reports each one that it cannot link', async () => {
  const [first, second, taken] = [
    await accountId('bulk-1'),
    await accountId('bulk-2'),
    await accountId('name'),
  ];
  await call('PATCH', `/api/accounts/${taken}/`, { user: people.alan });
  const unknown = '0198f3c4-0000-7000-8000-000000000000';
  const links = [
    { account: first, user: people.ada },
    { account: second, user: unknown },
    { account: taken, user: people.ada },
    { account: unknown, user: people.ada },
    { account: first, user: people.ada },
  ];

  const { status, body } = await call('POST', '/api/accounts/link/', { links });

  expect(status).toBe(200);
  expect(body).toMatchObject({
    linked: 2,
    results: [
      { linked: true, detail: null },
      { linked: false, detail: 'Person not found.' },
      { linked: false, detail: 'The account was linked to another person in the meantime.' },
      { linked: false, detail: 'Account not found.' },
      { linked: true },
    ],
  });
  const changed = (await eventsOf(service, 'account_link.changed')).filter(
    ({ subject }) => subject.uuid === first,
  );
  expect(changed).toHaveLength(1);
});

test('accepts up to 500 links', async () => {
  const link = { account: people.ada, user: people.ada };
  expect((await call('POST', '/api/accounts/link/', { links: Array(501).fill(link) })).status).toBe(400);
  expect((await call('POST', '/api/accounts/link/', { links: [] })).status).toBe(400);
});

test('rejects a key for listed apps, since suggestions show people of all apps', async () => {
  const other = (await call('POST', '/api/v1/bridge/apps/', { name: 'Elsewhere' })).body.id;
  const { key } = await addPersonWithKey(service, 'admin', { apps: [other] });

  expect((await call('GET', '/api/accounts/unlinked/', undefined, { key })).status).toBe(403);
  const links = [{ account: await accountId('bulk-2'), user: people.ada }];
  expect((await call('POST', '/api/accounts/link/', { links }, { key })).status).toBe(403);
});

test('sets and shows the kind and the owner of an account', async () => {
  const shared = `/api/accounts/${await accountId('shared')}/`;
  await call('PATCH', shared, { kind: 'shared', owner: people.grace });
  const id = await accountId('owned');
  const patch = (body: object) => call('PATCH', `/api/accounts/${id}/`, body);

  expect((await patch({ owner: people.grace })).status).toBe(400);
  expect((await patch({})).status).toBe(400);
  expect((await patch({ kind: 'service', owner: '0198f3c4-0000-7000-8000-000000000000' })).status).toBe(404);
  expect((await patch({ kind: 'service', owner: people.grace })).body).toMatchObject({
    kind: 'service',
    owner: { external_uuid: people.grace, status: 'active' },
    user: null,
  });
  await service.sync([...ACCOUNTS, { id: 'same', email: 'bea@acme.example', username: 'same' }]);
  const list = async (query: string) => (await call('GET', `/api/accounts/?${query}`)).body;
  expect(await list('kind=service')).toMatchObject({ count: 1, results: [{ external_uuid: id }] });
  expect((await list(`owner=${people.grace}`)).count).toBe(2);
  expect((await eventsOf(service, 'account_owner.changed')).at(-1)).toMatchObject({
    subject: { uuid: id },
    payload: {
      changes: [
        { field: 'kind', from: 'person', to: 'service' },
        { field: 'owner', to: people.grace },
      ],
    },
  });

  expect((await patch({ kind: 'person' })).body).toMatchObject({ kind: 'person', owner: null });
});

test('lists service accounts whose owner has left', async () => {
  const id = await accountId('owned');
  const owner = (await call('POST', '/api/users/', { email: 'owner@acme.example' })).body.external_uuid;
  await call('PATCH', `/api/accounts/${id}/`, { kind: 'service', owner });
  const list = async () => (await call('GET', '/api/accounts/?without_owner=true')).body;
  expect((await list()).count).toBe(0);

  await call('POST', `/api/users/${owner}/deactivate/`);

  expect(await list()).toMatchObject({
    count: 1,
    results: [{ external_uuid: id, owner: { status: 'deactivated' } }],
  });
  const other = await accountId('shared');
  expect((await call('PATCH', `/api/accounts/${other}/`, { owner })).status).toBe(409);
  expect((await call('DELETE', `/api/users/${owner}/`)).status).toBe(204);
  expect(await list()).toMatchObject({ count: 1, results: [{ owner: null }] });
});

test('lists people who have left and still have accounts', async () => {
  const leavers = async () => (await call('GET', '/api/users/leavers/')).body;
  expect((await leavers()).count).toBe(0);
  await link('domain', people.ada);
  await link('name', people.alan);

  await call('POST', `/api/users/${people.alan}/deactivate/`);
  await call('PATCH', `/api/users/${people.ada}/`, { end_date: '2020-01-31' });
  await call('POST', `/api/users/${people.jose}/deactivate/`);

  const { count, results } = await leavers();
  expect(count).toBe(2);
  expect(results).toMatchObject([
    { external_uuid: people.ada, status: 'active', end_date: '2020-01-31', inactive_since: null },
    {
      external_uuid: people.alan,
      status: 'deactivated',
      accounts: [{ status: 'ACTIVE', app: { external_uuid: service.appId } }],
    },
  ]);
  expect(Date.parse(results[1].inactive_since)).toBeGreaterThan(Date.now() - 600_000);

  const one = async (user: string | undefined) =>
    (await call('GET', `/api/users/leavers/?user=${user}`)).body;
  expect(await one(people.alan)).toMatchObject({ count: 1, results: [{ external_uuid: people.alan }] });
  expect(await one(people.jose)).toMatchObject({ count: 0, results: [] });

  const accounts = (await call('GET', '/api/accounts/?of_leavers=true')).body;
  expect(accounts.count).toBe(accounts.results.length);
  expect(new Set(accounts.results.map(({ user }: { user: string }) => user))).toEqual(
    new Set([people.ada, people.alan]),
  );
});
