import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '#kit/sql.ts';
import { eventsOf } from '#test/people.ts';
import { addSyncedApp, openSyncTest, type SyncedApp, type SyncTest } from '#test/sync.ts';
import { setTimes } from '#test/time.ts';

/** The fields of records that give no access (D54): last sign-in, owner, attributes and risk. */
let service: SyncTest;
let call: SyncTest['call'];
beforeAll(async () => {
  service = await openSyncTest();
  call = service.call;
});
afterAll(() => service.close());

const bot = (id: string, more: object = {}) => ({ id, username: id, ...more });

/** The accounts of an app by external id. */
async function accountsOf({ id }: SyncedApp, query = '') {
  const { body, status } = await call('GET', `/api/accounts/?app=${id}&limit=200${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  // biome-ignore lint/suspicious/noExplicitAny: tests state what they expect of a body.
  return Object.fromEntries(body.results.map((one: any) => [one.external_id, one])) as Record<string, any>;
}

const idsOf = async (app: SyncedApp, query: string) => Object.keys(await accountsOf(app, query)).sort();

const addPerson = async (email: string): Promise<string> => {
  const { body, status } = await call('POST', '/api/users/', { email });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.external_uuid;
};

const ownerEvents = async (accountId: string) =>
  (await eventsOf(service, 'account_owner.changed')).filter(
    ({ payload }) => payload.account_id === accountId,
  );

test('a last sign-in before 1970 means that there was none', async () => {
  const app = await addSyncedApp(service);
  const times = ['0001-01-01T00:00:00Z', '1969-12-31T23:59:59Z', '1601-01-01', '1970-01-01T00:00:00Z'];
  await app.sync({ bot: times.map((at, i) => bot(`t${i}`, { last_sign_in_at: at })) });
  const accounts = await accountsOf(app);
  expect(times.map((_, i) => accounts[`t${i}`].last_sign_in_at)).toEqual([
    null,
    null,
    null,
    '1970-01-01T00:00:00.000Z',
  ]);
});

test('stores the details of accounts and clears those that are no longer pushed', async () => {
  const app = await addSyncedApp(service);
  const attributes = { title: 'Batch', level: 3, admin: true, empty: '', none: null };
  await app.sync({ bot: [bot('a', { last_sign_in_at: '2026-05-01T10:00:00+02:00', attributes }), bot('b')] });

  const first = await accountsOf(app);
  expect(first.a).toMatchObject({
    last_sign_in_at: '2026-05-01T08:00:00.000Z',
    attributes: { title: 'Batch', level: 3, admin: true },
    owner_email: null,
  });
  expect(first.a.attributes).not.toHaveProperty('empty');
  expect(first.b).toMatchObject({ last_sign_in_at: null, attributes: {}, owner_email: null });
  expect((await call('GET', `/api/accounts/${first.a.external_uuid}/`)).body).toMatchObject({
    attributes: { title: 'Batch' },
  });

  await app.sync({
    bot: [bot('a', { attributes: { title: 'Night' } }), bot('b', { last_sign_in_at: '2026-06-01' })],
  });
  const second = await accountsOf(app);
  expect(second.a).toMatchObject({ last_sign_in_at: null, attributes: { title: 'Night' } });
  expect(second.b).toMatchObject({ last_sign_in_at: '2026-06-01T00:00:00.000Z' });

  await app.sync({ bot: [bot('a'), bot('b')] });
  const third = await accountsOf(app);
  expect(third.a).toMatchObject({ last_sign_in_at: null, attributes: {} });
  expect(third.b).toMatchObject({ last_sign_in_at: null, attributes: {} });
});

test('a new sign-in changes neither digests nor the history nor the counts, and leaves no event', async () => {
  const app = await addSyncedApp(service);
  const push = (day: string) => app.sync({ bot: [bot('a', { last_sign_in_at: day }), bot('b')] });
  await push('2026-05-01');
  const { a } = await accountsOf(app);
  const state = async () => {
    const { rows } = await sql<{ digest: string; since: Date; periods: number }>`
      select d.digest, a.since, d.xmin::text as written,
        (select count(*) from account_period p where p.org_id = a.org_id and p.account_id = a.id) as periods
      from account a join account_digest d on d.org_id = a.org_id and d.account_id = a.id
      where a.org_id = ${service.orgId} and a.id = ${a.external_uuid}`.execute(service.database.db);
    return rows;
  };
  const before = await state();
  const events = (await eventsOf(service, 'account')).length;

  const session = await push('2026-05-02');

  expect(await state()).toEqual(before);
  expect((await app.view(session)).counts).toEqual({ created: 0, updated: 0, unchanged: 2, removed: 0 });
  expect((await eventsOf(service, 'account')).length).toBe(events);
  expect((await accountsOf(app)).a.last_sign_in_at).toBe('2026-05-02T00:00:00.000Z');
});

test('an abandoned session stores details, and the last push of a record wins', async () => {
  const app = await addSyncedApp(service);
  await app.sync({ bot: [bot('a', { attributes: { n: 1 } }), bot('b', { attributes: { n: 1 } })] });
  const session = await app.start();
  await app.push(session, 'bot', [bot('a', { attributes: { n: 2 } })]);
  await app.push(session, 'bot', [bot('a', { attributes: { n: 3 } })]);
  expect((await app.abandon(session)).status).toBe(204);

  const { a, b } = await accountsOf(app);
  expect([a.attributes, b.attributes]).toEqual([{ n: 3 }, { n: 1 }]);
});

test('pages of an earlier release leave details as they are', async () => {
  const app = await addSyncedApp(service);
  await app.sync({ bot: [bot('a', { attributes: { n: 1 } })] });
  const session = await app.start();
  await app.push(session, 'bot', [bot('a')]);
  await sql`
    update sync_page set details = null, detail_digests = null
    where org_id = ${service.orgId} and session_id = ${session}`.execute(service.database.db);
  await app.complete(session);

  expect((await accountsOf(app)).a.attributes).toEqual({ n: 1 });
});

test('the owner that an app names becomes the owner of an account that belongs to nobody', async () => {
  const app = await addSyncedApp(service);
  const olga = await addPerson('olga@owners.example');
  const owner = 'OLGA@owners.example';
  await app.sync({ bot: [bot('a', { owner }), bot('b'), { id: 'c', email: 'olga@owners.example', owner }] });

  const first = await accountsOf(app);
  expect(first.a).toMatchObject({ kind: 'service', owner: { external_uuid: olga }, owner_email: owner });
  expect(first.b).toMatchObject({ kind: 'person', owner: null, owner_email: null });
  expect(first.c).toMatchObject({ kind: 'person', owner: null, owner_email: owner, user: olga });
  expect(await idsOf(app, `&owner=${olga}`)).toEqual(['a']);
  expect(await idsOf(app, '&kind=service')).toEqual(['a']);
  // The first sync is the baseline (D27).
  expect(await ownerEvents(first.a.external_uuid)).toEqual([]);

  await app.sync({ bot: [bot('a', { owner: 'nobody@owners.example' }), bot('b', { owner }), bot('c')] });
  const second = await accountsOf(app);
  expect(second.a).toMatchObject({ kind: 'service', owner: null, owner_email: 'nobody@owners.example' });
  expect(second.b).toMatchObject({ kind: 'service', owner: { external_uuid: olga } });
  expect(await idsOf(app, '&without_owner=true')).toEqual(['a']);
  expect(await ownerEvents(first.b.external_uuid)).toMatchObject([
    {
      source: { type: 'sync' },
      payload: {
        changes: [
          { field: 'kind', from: 'person', to: 'service' },
          { field: 'owner', from: null, to: olga },
        ],
      },
    },
  ]);
  expect((await ownerEvents(first.a.external_uuid)).map(({ payload }) => payload.changes)).toEqual([
    [{ field: 'owner', from: olga, to: null }],
  ]);

  const nobody = await addPerson('nobody@owners.example');
  expect((await accountsOf(app)).a.owner).toMatchObject({ external_uuid: nobody });

  await app.sync({ bot: [bot('a'), bot('b', { owner }), bot('c')] });
  expect((await accountsOf(app)).a).toMatchObject({ kind: 'person', owner: null, owner_email: null });
});

test('the choice of an administrator stays', async () => {
  const app = await addSyncedApp(service);
  const [named, chosen] = [await addPerson('named@hand.example'), await addPerson('chosen@hand.example')];
  const records = ['a', 'b', 'c'].map((id) => bot(id, { owner: 'named@hand.example' }));
  await app.sync({ bot: records });
  const { a, b, c } = await accountsOf(app);
  const set = async (account: { external_uuid: string }, body: object) =>
    expect((await call('PATCH', `/api/accounts/${account.external_uuid}/`, body)).status).toBe(200);
  await set(a, { kind: 'shared', owner: chosen });
  await set(b, { kind: 'person' });
  expect(c.owner).toMatchObject({ external_uuid: named });

  await app.sync({ bot: [...records.slice(0, 2), bot('c')] });
  await app.sync({ bot: records });

  const after = await accountsOf(app);
  expect(after.a).toMatchObject({ kind: 'shared', owner: { external_uuid: chosen } });
  expect(after.b).toMatchObject({ kind: 'person', owner: null, owner_email: 'named@hand.example' });
  expect(after.c).toMatchObject({ kind: 'service', owner: { external_uuid: named } });
});

test('stores risk and owner of groups, and a reference leaves them as they are', async () => {
  const app = await addSyncedApp(service);
  const rita = await addPerson('rita@groups.example');
  const red = { id: 'red', name: 'Red', risk: 'high', owner: 'rita@groups.example' };
  await app.sync({
    team: [red, { id: 'blue', name: 'Blue', risk: 'low' }],
    seat: [{ id: 'pro', name: 'Pro' }],
  });
  const list = async (query = '') => {
    const { body, status } = await call('GET', `/api/apps/${app.id}/resources/${query}`);
    expect(status, JSON.stringify(body)).toBe(200);
    return body.results;
  };
  expect(await list()).toMatchObject([
    { id: 'blue', risk: 'low', owner_email: null, owner: null },
    { id: 'pro', risk: null, owner_email: null, owner: null },
    { id: 'red', risk: 'high', owner_email: 'rita@groups.example', owner: { external_uuid: rita } },
  ]);
  expect(await list('?risk=high')).toMatchObject([{ id: 'red' }]);
  expect(await list(`?owner=${rita}`)).toMatchObject([{ id: 'red' }]);

  const session = await app.sync({
    bot: [bot('a', { memberships: { team: [{ id: 'red' }, { id: 'blue' }] } })],
  });
  expect(await list('?risk=high')).toMatchObject([{ id: 'red' }]);
  expect((await app.view(session)).counts).toMatchObject({ updated: 0 });

  await app.sync({ team: [{ ...red, risk: 'medium', owner: null }] });
  expect(await list()).toMatchObject([{ id: 'red', risk: 'medium', owner_email: null, owner: null }]);
});

test('finds accounts by their last sign-in', async () => {
  const app = await addSyncedApp(service);
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  await app.sync({
    bot: [
      bot('old', { last_sign_in_at: ago(100) }),
      bot('fresh', { last_sign_in_at: ago(10) }),
      bot('never'),
      bot('late'),
      bot('gone', { last_sign_in_at: ago(400), status: 'inactive' }),
    ],
  });
  const silent = await addSyncedApp(service);
  await silent.sync({ bot: [bot('x')] });
  await setTimes(service, 'account', { created_at: '200 days ago' }, { external_id: ['never', 'x'] });

  expect(await idsOf(app, '&not_used_for_days=90')).toEqual(['never', 'old']);
  expect(await idsOf(app, '&not_used_for_days=5')).toEqual(['fresh', 'never', 'old']);
  expect(await idsOf(app, '&never_used=true')).toEqual(['late', 'never']);
  expect(await idsOf(app, `&last_sign_in_before=${ago(90)}`)).toEqual(['gone', 'old']);
  expect(await idsOf(silent, '&not_used_for_days=90')).toEqual([]);
  expect(await idsOf(silent, '&never_used=true')).toEqual([]);
  const { status, body } = await call('GET', '/api/accounts/?not_used_for_days=90&as_of=2026-01-01');
  expect([status, body.detail]).toEqual([
    400,
    expect.stringContaining('not_used_for_days cannot be combined'),
  ]);
});

test('an owner that an app names takes no account from its person, nor from the unlinked accounts', async () => {
  const app = await addSyncedApp(service);
  await addPerson('eve@taken.example');
  const manager = await addPerson('boss@taken.example');
  const owner = 'eve@taken.example';
  const hired = { id: 'hired', email: 'hired@taken.example', owner };
  await app.sync({ bot: [hired, bot('lost', { owner })] });
  const unlinked = async () => {
    const { body } = await call('GET', `/api/accounts/unlinked/?app=${app.id}`);
    return [body.count, ...body.results.map((one: { external_id: string }) => one.external_id).sort()];
  };
  expect(await unlinked()).toEqual([2, 'hired', 'lost']);
  expect((await accountsOf(app)).hired).toMatchObject({ kind: 'service', owner_confirmed: false });

  const { body: person } = await call('POST', '/api/users/', { email: 'hired@taken.example', manager });
  const linked = (await accountsOf(app)).hired;
  expect(linked).toMatchObject({ kind: 'person', owner: null, user: person.external_uuid });
  expect(await idsOf(app, '&kind=service')).toEqual(['lost']);
  const campaign = await call('POST', '/api/reviews/', {
    name: 'Owners',
    scope: { apps: [app.id], include: ['accounts'] },
    reviewer: 'account_owner',
  });
  const cycle = await call('POST', `/api/reviews/${campaign.body.external_uuid}/start/`);
  expect(cycle.status, JSON.stringify(cycle.body)).toBe(201);
  const { body: items } = await call('GET', `/api/reviews/cycles/${cycle.body.external_uuid}/items/`);
  const reviewers = Object.fromEntries(
    // biome-ignore lint/suspicious/noExplicitAny: tests state what they expect of a body.
    items.results.map((item: any) => [item.account.external_uuid, item.reviewers[0].email]),
  );
  expect(reviewers[linked.external_uuid]).toBe('boss@taken.example');

  const { lost } = await accountsOf(app);
  const confirm = { kind: 'service', owner: lost.owner.external_uuid };
  const confirmed = await call('PATCH', `/api/accounts/${lost.external_uuid}/`, confirm);
  expect(confirmed.body).toMatchObject({ kind: 'service', owner_confirmed: true });
  expect(await unlinked()).toEqual([0]);
  expect((await ownerEvents(lost.external_uuid)).map(({ payload }) => payload.changes)).toEqual([
    [{ field: 'owner_confirmed', from: false, to: true }],
  ]);
});

test('the choice that an account belongs to a person outlasts records without an owner', async () => {
  const app = await addSyncedApp(service);
  const owner = 'olaf@outlasts.example';
  await app.sync({ bot: [bot('a', { owner })] });
  const { a } = await accountsOf(app);
  await call('PATCH', `/api/accounts/${a.external_uuid}/`, { kind: 'person' });
  await app.sync({ bot: [bot('a')] });
  await app.sync({ bot: [bot('a', { owner })] });
  expect((await accountsOf(app)).a).toMatchObject({ kind: 'person', owner: null, owner_email: owner });
});

test('pages of an earlier release leave the risks and owners of groups as they are', async () => {
  const app = await addSyncedApp(service);
  const red = { id: 'red', name: 'Red', risk: 'high', owner: 'rosa@release.example' };
  await app.sync({ team: [red] });
  const session = await app.start();
  await app.push(session, 'team', [
    { id: 'red', name: 'Red' },
    { id: 'new', name: 'New' },
  ]);
  await sql`
    update sync_page set details = null, detail_digests = null
    where org_id = ${service.orgId} and session_id = ${session}`.execute(service.database.db);
  const ended = await app.complete(session);
  expect(ended.counts).toMatchObject({ created: 1, updated: 0, unchanged: 1 });
  const { body } = await call('GET', `/api/apps/${app.id}/resources/`);
  expect(body.results).toMatchObject([
    { id: 'new', risk: null, owner_email: null },
    { id: 'red', risk: 'high', owner_email: 'rosa@release.example' },
  ]);
});
