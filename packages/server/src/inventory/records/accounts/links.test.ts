import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { transaction } from '#kit/database.ts';
import { sql } from '#kit/sql.ts';
import { addOrganization, addPersonWithKey, eventsOf } from '#test/people.ts';
import { openProvisioningTest, type ProvisioningTest } from '#test/provisioning.ts';
import { linkForgotten } from './links.ts';

let service: ProvisioningTest;
let call: ProvisioningTest['call'];
beforeAll(async () => {
  service = await openProvisioningTest();
  call = service.call;
});
afterAll(() => service.close());

let number = 0;
const newEmail = () => `link-${++number}@acme.example`;

/** All pushed accounts. Each test adds its own, so that no sync removes those of another test. */
const pushed = new Map<string, object>();
async function sync(...accounts: { id: string; email: string; status?: string; owner?: string }[]) {
  for (const account of accounts) pushed.set(account.id, { username: account.id, ...account });
  await service.sync([...pushed.values()]);
}

const addUser = async (email: string) =>
  (await call('POST', '/api/users/', { email })).body.external_uuid as string;
const accountOf = async (id: string) => {
  const { rows } = await sql<{ id: string }>`
    select id from account where org_id = ${service.orgId} and external_id = ${id}`.execute(
    service.database.db,
  );
  return (await call('GET', `/api/accounts/${rows[0]?.id}/`)).body;
};
const link = (account: { external_uuid: string }, user: unknown) =>
  call('PATCH', `/api/accounts/${account.external_uuid}/`, { user });

describe('automatic links', () => {
  test('link a new account to the person with its email', async () => {
    const email = newEmail();
    const user = await addUser(email);

    await sync({ id: 'comes', email: email.toUpperCase() });

    expect(await accountOf('comes')).toMatchObject({ user });
  });

  test('link emails in any spelling, whether the person or the account comes first', async () => {
    const composed = await addUser('\u00f6zg\u00fcr@link.example');

    await sync(
      { id: 'composed', email: 'O\u0308ZGU\u0308R@LINK.example' },
      { id: 'folded', email: 'STRA\u1e9eE@link.example' },
    );
    const folded = await addUser('strasse@link.example');

    expect(await accountOf('composed')).toMatchObject({ user: composed });
    expect(await accountOf('folded')).toMatchObject({ user: folded });
  });

  test('do not link emails with an invisible character or an odd domain', async () => {
    const user = await addUser('grace@odd.example');
    const odd = [
      ...['\u00ad', '\u034f', '\u3164', '\ufe0f', '\u{e0001}'].map((hidden) => `gra${hidden}ce@odd.example`),
      ...['\uff0e', '\uff61', '\ufe52', '\u2024', '\u3002'].map((dot) => `grace@odd${dot}example`),
      'grace@odd.example.',
      'grace@od\u00add.example',
    ];

    await sync(...odd.map((email, i) => ({ id: `odd-${i}`, email })), {
      id: 'owned',
      email: newEmail(),
      owner: 'grace@odd\uff0eexample',
    });
    await call('PATCH', `/api/users/${user}/`, { first_name: 'Grace' });

    expect((await call('GET', `/api/accounts/?user=${user}`)).body.results).toEqual([]);
    expect(await accountOf('owned')).toMatchObject({ owner: null });
  });

  test('take an owner that is not a valid email for nobody', async () => {
    await addUser('ops@owner.example');
    const owners = ['<ops@owner.example>', 'ops@owner.example.', 'mailto:ops@owner.example'];
    await sync(...owners.map((owner, i) => ({ id: `of-nobody-${i}`, email: newEmail(), owner })));
    for (const [i, owner_email] of owners.entries())
      expect(await accountOf(`of-nobody-${i}`)).toMatchObject({ owner_email, owner: null });
  });

  test('link an account to a new user, and to a user who gets its email', async () => {
    const [first, second] = [newEmail(), newEmail()];
    await sync({ id: 'waits-1', email: first }, { id: 'waits-2', email: second });
    expect(await accountOf('waits-1')).toMatchObject({ user: null });

    const user = await addUser(first.toUpperCase());
    const renamed = await addUser(newEmail());
    await call('PATCH', `/api/users/${renamed}/`, { email: second });

    expect(await accountOf('waits-1')).toMatchObject({ user });
    expect(await accountOf('waits-2')).toMatchObject({ user: renamed });
  });

  test('link an account to an imported user', async () => {
    const email = newEmail();
    await sync({ id: 'in-file', email });

    await call('POST', '/api/users/import/', `email\n${email}`, { headers: { 'content-type': 'text/csv' } });

    const { results } = (await call('GET', `/api/users/?email=${email}`)).body;
    expect(await accountOf('in-file')).toMatchObject({ user: results[0].external_uuid });
  });

  test('move to the user of a new email and stay if nobody has the new email', async () => {
    const [one, two] = [newEmail(), newEmail()];
    const [first, second] = [await addUser(one), await addUser(two)];

    await sync({ id: 'moves', email: one });
    expect(await accountOf('moves')).toMatchObject({ user: first });
    await sync({ id: 'moves', email: newEmail() });
    expect(await accountOf('moves')).toMatchObject({ user: first });
    await sync({ id: 'moves', email: two });
    expect(await accountOf('moves')).toMatchObject({ user: second });

    const { external_uuid } = await accountOf('moves');
    const moves = (await eventsOf(service, 'account_link.')).filter(
      ({ subject }) => subject.uuid === external_uuid,
    );
    expect(moves).toMatchObject([
      { source: { type: 'sync' }, payload: { from: first, to: second, user_id: second, email: two } },
    ]);
  });

  test('move with an event in an abandoned sync, and for an account that its status ends', async () => {
    const [one, two] = [newEmail(), newEmail()];
    const [first, second] = [await addUser(one), await addUser(two)];
    await sync({ id: 'abandoned', email: one }, { id: 'ended', email: one });
    const { sync_id } = (await service.bridge('POST', '/sync/')).body;
    await service.bridge('PUT', `/sync/${sync_id}/person/`, {
      records: [
        { id: 'abandoned', email: two },
        { id: 'ended', email: two, status: 'inactive' },
      ],
    });
    await service.bridge('POST', `/sync/${sync_id}/abandon/`);
    await sync({ id: 'abandoned', email: two }, { id: 'ended', email: two });

    const moves = (await eventsOf(service, 'account_link.')).filter(({ payload }) => payload.to === second);
    expect(moves.map(({ payload }) => [payload.external_id, payload.from]).toSorted()).toEqual([
      ['abandoned', first],
      ['ended', first],
    ]);
  });

  test('need an email', async () => {
    await service.sync([...pushed.values(), { id: 'no-email', username: 'no-email' }]);

    expect(await accountOf('no-email')).toMatchObject({ user: null, email: '' });
  });

  test('are made up for by the job if account and user were written at the same time', async () => {
    const { db } = service.database;
    const email = newEmail();
    await sync({ id: 'at-once', email });
    await sql`
      insert into platform_user (org_id, email, username) values (${service.orgId}, ${email}, ${email})`.execute(
      db,
    );
    expect(await accountOf('at-once')).toMatchObject({ user: null });

    await linkForgotten(db);

    expect(await accountOf('at-once')).toMatchObject({ user: expect.any(String) });
  });

  test('are complete after concurrent syncs and creations', async () => {
    const emails = Array.from({ length: 40 }, newEmail);

    await Promise.all([
      sync(...emails.map((email) => ({ id: email, email }))),
      ...emails.map((email) => addUser(email)),
    ]);
    await linkForgotten(service.database.db);

    const { body } = await call('GET', `/api/accounts/?linked=true&limit=200&app=${service.appId}`);
    const linked = new Set(body.results.map(({ email }: { email: string }) => email));
    expect(emails.filter((email) => !linked.has(email))).toEqual([]);
  });

  test('are not written again by an unchanged sync', async () => {
    const versions = () =>
      sql<{ xmin: string }>`select xmin::text from account where app_id = ${service.appId} order by id`
        .execute(service.database.db)
        .then(({ rows }) => rows.map(({ xmin }) => xmin));
    const email = newEmail();
    await addUser(email);
    await sync({ id: 'unchanged', email });
    const before = await versions();

    await sync();

    expect(await versions()).toEqual(before);
  });
});

describe('manual links', () => {
  test('stay when emails change', async () => {
    const [one, two] = [newEmail(), newEmail()];
    await sync({ id: 'by-hand', email: one });
    const chosen = await addUser(newEmail());

    const { status, body } = await link(await accountOf('by-hand'), chosen);
    await addUser(one);
    await addUser(two);
    await sync({ id: 'by-hand', email: two, status: 'suspended' });
    await linkForgotten(service.database.db);

    expect(status).toBe(200);
    expect(body).toMatchObject({ user: chosen, external_id: 'by-hand' });
    expect(await accountOf('by-hand')).toMatchObject({ user: chosen, email: two });
  });

  test('stay removed', async () => {
    const email = newEmail();
    const user = await addUser(email);
    await sync({ id: 'nobody', email });
    expect(await accountOf('nobody')).toMatchObject({ user });

    await link(await accountOf('nobody'), null);
    await sync({ id: 'nobody', email, status: 'suspended' });
    await linkForgotten(service.database.db);

    expect(await accountOf('nobody')).toMatchObject({ user: null });
  });

  test('are removed with their user', async () => {
    await sync({ id: 'left', email: newEmail() });
    const user = await addUser(newEmail());
    await link(await accountOf('left'), user);

    await call('DELETE', `/api/users/${user}/`);

    expect(await accountOf('left')).toMatchObject({ user: null });
    const counted = await call('GET', `/api/accounts/?linked=false&limit=200&app=${service.appId}`);
    expect(counted.body.count).toBe(counted.body.results.length);
  });

  test('are rejected in the order of D6', async () => {
    await sync({ id: 'refused', email: newEmail() });
    const account = await accountOf('refused');
    const other = await addOrganization(service);
    const stranger = (await other('POST', '/api/users/', { email: 'x@other.example' })).body.external_uuid;
    const auditor = await addPersonWithKey(service, 'auditor');
    const listed = await addPersonWithKey(service, 'admin', { apps: [] });
    const path = `/api/accounts/${account.external_uuid}/`;

    expect(await link(account, randomUUID())).toMatchObject({ status: 404 });
    expect(await link(account, stranger)).toMatchObject({ status: 404 });
    expect(await link({ external_uuid: randomUUID() }, 'not a uuid')).toMatchObject({ status: 404 });
    expect(await call('PATCH', '/api/accounts/x/', {})).toMatchObject({ status: 404 });
    expect(await link(account, 'not a uuid')).toMatchObject({ status: 400 });
    expect(await call('PATCH', path, {})).toMatchObject({ status: 400 });
    expect(await call('PATCH', path, { user: null }, { key: auditor.key })).toMatchObject({ status: 403 });
    expect(await call('PATCH', path, {}, { key: listed.key })).toMatchObject({ status: 403 });
    expect(await other('PATCH', path, { user: null })).toMatchObject({ status: 404 });
    expect(await accountOf('refused')).toMatchObject({ user: null });
  });
});

test('filters accounts by user and by orphaned accounts', async () => {
  const user = await addUser(newEmail());
  const { email } = (await call('GET', `/api/users/${user}/`)).body;
  const orphan = newEmail();
  await sync({ id: 'found-1', email }, { id: 'found-2', email }, { id: 'found-3', email: orphan });
  const find = async (query: string) => {
    const { body } = await call('GET', `/api/accounts/?limit=200&${query}`);
    expect(body.count).toBe(body.results.length);
    return body.results.map(({ external_id }: { external_id: string }) => external_id).sort();
  };

  expect(await find(`user=${user}`)).toEqual(['found-1', 'found-2']);
  expect(await find(`user=${user}&linked=false`)).toEqual([]);
  expect(await find(`linked=false&email=${orphan}`)).toEqual(['found-3']);
  expect(await find(`linked=true&email=${email}`)).toEqual(['found-1', 'found-2']);
  const [linked, orphans, all] = [await find('linked=true'), await find('linked=false'), await find('')];
  expect([...linked, ...orphans].sort()).toEqual(all.sort());
  expect(await find(`user=${randomUUID()}`)).toEqual([]);
  expect(await call('GET', '/api/accounts/?user=ada')).toMatchObject({ status: 400 });
  expect(await call('GET', '/api/accounts/?linked=maybe')).toMatchObject({ status: 400 });
});

test('a member sees their own accounts only', async () => {
  const { id, email, key } = await addPersonWithKey(service, 'member');
  const other = newEmail();
  await sync({ id: 'mine', email }, { id: 'not-mine', email: other });
  const as = (path: string) => call('GET', path, undefined, { key });

  expect((await as('/api/accounts/')).body).toMatchObject({ count: 1, results: [{ external_id: 'mine' }] });
  expect((await as(`/api/accounts/?user=${id.toUpperCase()}`)).body).toMatchObject({ count: 1 });
  expect((await as(`/api/accounts/?email=${other}`)).body).toMatchObject({ count: 0 });
  expect(await as(`/api/accounts/?user=${service.adminId}`)).toMatchObject({ status: 403 });
  const notMine = (await accountOf('not-mine')).external_uuid;
  expect(await as(`/api/accounts/${(await accountOf('mine')).external_uuid}/`)).toMatchObject({
    status: 200,
  });
  expect(await as(`/api/accounts/${notMine}/`)).toMatchObject({ status: 403 });
});

test('does not link people of another organization', async () => {
  const other = await addOrganization(service);
  const email = newEmail();
  await other('POST', '/api/users/', { email });

  await sync({ id: 'namesake', email });
  await other('POST', '/api/users/', { email: email.replace('link', 'again') });
  await linkForgotten(service.database.db);

  expect(await accountOf('namesake')).toMatchObject({ user: null });
});

// PGlite has one connection, so that no other transaction can hold a lock.
const hasOneConnection = inject('prepared').engine === 'pglite';

test.skipIf(hasOneConnection)('skips locked accounts instead of waiting', async () => {
  const { db } = service.database;
  const email = newEmail();
  await sync({ id: 'held', email });
  const account = (await accountOf('held')).external_uuid;
  await transaction(db, async (holder) => {
    await sql`select from account where org_id = ${service.orgId} and id = ${account} for update`.execute(
      holder,
    );
    await addUser(email);
  });
  expect(await accountOf('held')).toMatchObject({ user: null });

  await linkForgotten(db);

  expect(await accountOf('held')).toMatchObject({ user: expect.any(String) });
});

test('a change without a new email links nothing', async () => {
  const email = newEmail();
  await sync({ id: 'quiet', email });
  const user = await addUser(newEmail());
  await sql`update platform_user set email = ${email} where id = ${user}`.execute(service.database.db);

  await call('PATCH', `/api/users/${user}/`, { first_name: 'Same' });

  expect(await accountOf('quiet')).toMatchObject({ user: null });
});
