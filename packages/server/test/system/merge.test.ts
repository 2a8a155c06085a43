import { afterAll, beforeAll, expect, test } from 'vitest';
import { linkForgotten } from '#inventory/records/accounts/links.ts';
import { sql } from '#kit/sql.ts';
import { addPersonWithKey, eventsOf } from '../people.ts';
import { openPolicyTest, type PolicyTest } from '../policies.ts';
import { signInAsOwner } from '../sign-in.ts';

const synced = (id: string, more = {}) => ({ id, email: `${id}@acme.example`, username: id, ...more });
const NAMES = ['moves', 'left', 'later', 'raced', 'policy', 'held', 'dry', 'twice', 'chain'];

let service: PolicyTest;
let call: PolicyTest['call'];
const pushed: object[] = NAMES.map((name) => synced(name));
beforeAll(async () => {
  service = await openPolicyTest(pushed);
  call = service.call;
});
afterAll(() => service.close());

const email = (name: string) => `${name}@acme.example`;
const person = (name: string, more: object = {}) => service.person(email(name), more);
const merge = (into: string, from: string, more: object = {}, query = '') =>
  call('POST', `/api/users/${into}/merge/${query}`, { from }, more);
const get = async (id: string) => (await call('GET', `/api/users/${id}/`)).body;
const accountOf = (name: string) => service.accountByEmail(email(name));

test('moves accounts, reports, apps and missing fields, and deactivates the other person', async () => {
  const from = await person('moves', { first_name: 'Ada', attributes: { title: 'Clerk', floor: '3' } });
  const into = await person('moves.other', { last_name: 'King', attributes: { floor: '4' } });
  const report = await person('moves.report', { manager: from });
  await call('PATCH', `/api/apps/${service.appId}/`, {
    owner: from,
    approval_steps: [{ approvers: [from, into], require: 'all' }],
    fallback_approvers: [from],
  });

  const { status, body } = await merge(into, from);

  expect(status).toBe(200);
  expect(body).toMatchObject({
    dry_run: false,
    from: { external_uuid: from, status: 'deactivated', merged_into: into },
    into: { first_name: 'Ada', last_name: 'King', attributes: { title: 'Clerk', floor: '4' } },
    moved: { accounts: 1, apps: 1, reports: 1 },
  });
  expect(await accountOf('moves')).toMatchObject({ user: into });
  expect(await get(report)).toMatchObject({ manager: into });
  expect((await call('GET', `/api/apps/${service.appId}/`)).body).toMatchObject({
    owner: into,
    approval_steps: [{ approvers: [into], require: 'all' }],
    fallback_approvers: [into],
  });
  const links = await eventsOf(service, 'account_link.changed');
  expect(links.at(-1)?.payload).toMatchObject({ from, to: into, email: email('moves') });
  const merged = (await eventsOf(service, 'person.merged')).at(-1);
  expect(merged).toMatchObject({ subject: { uuid: into }, payload: { from, moved: { accounts: 1 } } });
  await call('PATCH', `/api/apps/${service.appId}/`, {
    owner: null,
    approval_steps: [{ approvers: 'app_owner' }],
  });
});

test('returns the same result when repeated, and records nothing again', async () => {
  const [from, into] = [await person('twice'), await person('twice.other')];
  const first = await merge(into, from);
  const before = (await eventsOf(service, 'person.')).length;

  const second = await merge(into, from);

  expect(second).toMatchObject({
    status: 200,
    body: { moved: first.body.moved, changes: first.body.changes },
  });
  expect(await eventsOf(service, 'person.')).toHaveLength(before);
});

test('changes nothing in a dry run', async () => {
  const [from, into] = [await person('dry'), await person('dry.other')];
  // The service itself finds accounts without a person, at any time.
  const events = async () =>
    (await eventsOf(service, '')).filter(({ event_type }) => !event_type.startsWith('finding.'));
  const before = (await events()).length;

  const { body } = await merge(into, from, {}, '?dry_run=true');

  expect(body).toMatchObject({ dry_run: true, moved: { accounts: 1 }, from: { merged_into: into } });
  expect(await get(from)).toMatchObject({ status: 'active' });
  expect(await get(from)).not.toHaveProperty('merged_into');
  expect(await accountOf('dry')).toMatchObject({ user: from });
  expect(await events()).toHaveLength(before);
});

test('creates no task for the accounts that moved, whatever the leaver policies say', async () => {
  const ids: string[] = [];
  for (const trigger of ['user.deactivated', 'daily', 'user.updated'])
    ids.push(
      await service.policy({
        trigger,
        condition: 'user.status == "deactivated" && user.email.startsWith("policy")',
        effects: [{ do: 'delete', app: 'all' }],
      }),
    );
  const [from, into] = [await person('policy'), await person('policy.other')];
  await service.settled();

  expect((await merge(into, from)).status).toBe(200);
  await service.settled();
  await service.nextDay();
  await service.settled();
  // The account comes again under the former email.
  pushed.push({ ...synced('policy.new'), email: email('policy') });
  await service.sync(pushed);
  await service.nextDay();
  await service.settled();

  for (const id of ids) expect(await service.tasksOf(id)).toEqual([]);
  expect((await call('GET', `/api/accounts/?user=${into}`)).body.count).toBe(2);
  for (const id of ids) await call('DELETE', `/api/policies/${id}/`);
});

test('cancels the tasks that would remove moved accounts because the merged person had left', async () => {
  const policy = await service.policy({
    trigger: 'user.deactivated',
    condition: 'user.email.startsWith("later")',
    delay: 'P1D',
    effects: [{ do: 'delete', app: 'all' }],
  });
  const [from, into] = [await person('later'), await person('later.other')];
  await call('POST', `/api/users/${from}/deactivate/`);
  await service.settled();
  expect(await service.tasksOf(policy)).toMatchObject([{ action: 'delete_account', status: 'scheduled' }]);

  const { body } = await merge(into, from);

  expect(body.moved).toMatchObject({ canceled_tasks: 1 });
  expect(await service.tasksOf(policy)).toMatchObject([{ status: 'cancelled' }]);
  await call('DELETE', `/api/policies/${policy}/`);
});

test('keeps the tasks of accounts that move between two leavers, until the remaining one returns', async () => {
  const policy = await service.policy({
    trigger: 'user.deactivated',
    condition: 'user.email.startsWith("left")',
    delay: 'P1D',
    effects: [{ do: 'delete', app: 'all' }],
  });
  const [from, into] = [await person('left'), await person('left.other')];
  for (const id of [from, into]) await call('POST', `/api/users/${id}/deactivate/`);
  await service.settled();

  expect((await merge(into, from)).body.moved).toMatchObject({ tasks: 1, canceled_tasks: 0 });
  await call('POST', `/api/users/${into}/reactivate/`);
  await service.settled();

  expect(await service.tasksOf(policy)).toMatchObject([{ status: 'cancelled' }]);
  await call('DELETE', `/api/policies/${policy}/`);
});

test('revokes the API keys of the merged person instead of moving them', async () => {
  const from = await addPersonWithKey(service, 'member');
  const into = await person('keys.other');

  expect((await merge(into, from.id)).body.moved).toMatchObject({ revoked_keys: 1 });

  expect((await call('GET', '/api/v1/bridge/apps/', undefined, { key: from.key })).status).toBe(401);
  expect((await call('GET', `/api/api-keys/?user=${into}`)).body.count).toBe(0);
  expect((await eventsOf(service, 'api_key.revoked')).at(-1)).toMatchObject({ subject: { uuid: from.id } });
});

test('moves pending requests, and cancels one that the two records approved for each other', async () => {
  const [from, into] = [await addPersonWithKey(service, 'member'), await addPersonWithKey(service, 'member')];
  const approver = await addPersonWithKey(service, 'member');
  const body = { app: service.appId, type: 'NEW_ACCESS' };
  const route = (approvers: string[]) =>
    call('PATCH', `/api/apps/${service.appId}/`, { approval_steps: [{ approvers, require: 'all' }] });
  await route([approver.id]);
  const plain = (await call('POST', '/api/tickets/', { ...body, user: from.id }, { key: from.key })).body;
  await route([into.id, approver.id]);
  const tainted = (await call('POST', '/api/tickets/', { ...body, user: from.id }, { key: from.key })).body;
  await call('POST', `/api/tickets/${tainted.external_uuid}/approve/`, {}, { key: into.key });

  expect((await merge(into.id, from.id)).body.moved).toMatchObject({ requests: 1, canceled_requests: 1 });

  const ticket = async (id: string) => (await call('GET', `/api/tickets/${id}/`)).body;
  expect(await ticket(plain.external_uuid)).toMatchObject({
    ticket_status: 'PENDING',
    user: { external_uuid: into.id },
    requester: { external_uuid: into.id },
  });
  expect(await ticket(tainted.external_uuid)).toMatchObject({ ticket_status: 'CANCELED' });
  await call('PATCH', `/api/apps/${service.appId}/`, { approval_steps: [{ approvers: 'app_owner' }] });
});

test('a person who was merged into another one has one voice with them', async () => {
  const [from, into] = [await addPersonWithKey(service, 'member'), await addPersonWithKey(service, 'member')];
  const [asking, other] = [
    await addPersonWithKey(service, 'member'),
    await addPersonWithKey(service, 'member'),
  ];
  await call('PATCH', `/api/apps/${service.appId}/`, {
    approval_steps: [{ approvers: [from.id] }, { approvers: [into.id, other.id] }],
  });
  const body = { app: service.appId, type: 'NEW_ACCESS', user: asking.id };
  const { external_uuid } = (await call('POST', '/api/tickets/', body, { key: asking.key })).body;
  const approve = (by: { key: string }) =>
    call('POST', `/api/tickets/${external_uuid}/approve/`, {}, { key: by.key });
  expect(await approve(from)).toMatchObject({ status: 200, body: { current_step: 2 } });
  expect((await merge(into.id, from.id)).status).toBe(200);

  expect((await call('GET', `/api/tickets/${external_uuid}/`)).body.waiting_for).toMatchObject([
    { external_uuid: other.id },
  ]);
  expect(await approve(into)).toMatchObject({ status: 403 });
  expect(await approve(other)).toMatchObject({ body: { ticket_status: 'APPROVED' } });
  await call('PATCH', `/api/apps/${service.appId}/`, { approval_steps: [{ approvers: 'app_owner' }] });
});

test('moves review items, and never to a reviewer of their own access', async () => {
  const [from, into] = [await addPersonWithKey(service, 'member'), await addPersonWithKey(service, 'member')];
  const account = (await accountOf('held')).external_uuid;
  await call('PATCH', `/api/accounts/${account}/`, { user: from.id });
  const campaign = { name: 'Moves', reviewer: [into.id], fallback_reviewers: [service.adminId] };
  const scope = { apps: [service.appId], users: `user.id == "${from.id}"`, include: ['accounts'] };
  const { external_uuid } = (await call('POST', '/api/reviews/', { ...campaign, scope })).body;
  const cycle = (await call('POST', `/api/reviews/${external_uuid}/start/`)).body;
  const items = async () =>
    (await call('GET', `/api/reviews/cycles/${cycle.external_uuid}/items/`)).body.results;
  await expect.poll(async () => (await items()).length, { timeout: 20_000 }).toBe(1);

  expect((await merge(into.id, from.id)).body.moved).toMatchObject({ review_items: 1 });

  expect(await items()).toMatchObject([
    { user: { external_uuid: into.id }, reviewers: [{ external_uuid: service.adminId }] },
  ]);
});

test('lets nobody change a decision on the access of a record that was merged into theirs', async () => {
  const [from, into] = [await addPersonWithKey(service, 'member'), await addPersonWithKey(service, 'admin')];
  const other = await person('undecided');
  for (const [name, user] of [
    ['held', from.id],
    ['dry', other],
  ] as const)
    await call('PATCH', `/api/accounts/${(await accountOf(name)).external_uuid}/`, { user });
  const users = `user.id in ["${from.id}", "${other}"]`;
  const campaign = { name: 'Decided', reviewer: [service.adminId], fallback_reviewers: [into.id] };
  const scope = { apps: [service.appId], users, include: ['accounts'] };
  const { external_uuid } = (await call('POST', '/api/reviews/', { ...campaign, scope })).body;
  const cycle = (await call('POST', `/api/reviews/${external_uuid}/start/`)).body;
  const path = `/api/reviews/cycles/${cycle.external_uuid}`;
  const items = async () => (await call('GET', `${path}/items/`)).body.results;
  await expect.poll(async () => (await items()).length, { timeout: 20_000 }).toBe(2);
  const item = (await items()).find(
    ({ user }: { user: { external_uuid: string } }) => user.external_uuid === from.id,
  );
  const decide = async (decision: string | null, by: object = {}) =>
    (await call('POST', `${path}/decisions/`, { items: [item.id], decision }, by)).status;
  expect(await decide('keep')).toBe(200);

  expect((await merge(into.id, from.id)).status).toBe(200);

  for (const decision of [null, 'revoke', 'keep']) expect(await decide(decision, into)).toBe(403);
  expect(await decide(null)).toBe(200);
});

test('lets one of two opposite merges win', async () => {
  const [one, other] = [await person('race.one'), await person('race.other')];

  const answers = await Promise.all([merge(one, other), merge(other, one)]);

  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  const people = [await get(one), await get(other)];
  expect(people.filter(({ merged_into }) => merged_into !== undefined)).toHaveLength(1);
});

test('moves or refuses a request that is created during the merge', async () => {
  for (let round = 0; round < 5; round++) {
    const [from, into] = [await person(`ask.${round}`), await person(`ask.${round}.other`)];
    const body = { app: service.appId, type: 'NEW_ACCESS', user: from };
    const [asked, merged] = await Promise.all([call('POST', '/api/tickets/', body), merge(into, from)]);
    expect(merged.status).toBe(200);
    const open = (await call('GET', '/api/tickets/?ticket_status=PENDING&limit=200')).body.results;
    expect(
      open.filter(({ user }: { user: { external_uuid: string } }) => user.external_uuid === from),
    ).toEqual([]);
    if (asked.status === 201) expect(merged.body.moved).toMatchObject({ requests: 1 });
    else expect(asked.status).toBe(409);
  }
});

test('leads a chain of merges and later accounts to the last person', async () => {
  const [first, second, third] = [await person('chain'), await person('chain.2'), await person('chain.3')];
  await merge(second, first);
  await merge(third, second);

  expect(await get(first)).toMatchObject({ merged_into: third });
  pushed.push({ ...synced('chain.new'), email: email('chain') });
  await service.sync(pushed);
  expect((await call('GET', `/api/accounts/?user=${third}`)).body.count).toBe(2);
});

test('moves an account that was linked while its person was merged', async () => {
  const [from, into] = [await person('missed.1'), await person('missed.2')];
  await merge(into, from);
  const account = (await accountOf('raced')).external_uuid;
  await sql`update account set user_id = ${from} where id = ${account}`.execute(service.database.db);

  await linkForgotten(service.database.db);

  expect(await accountOf('raced')).toMatchObject({ user: into });
});

test('rejects merges that would lose a person or their rights', async () => {
  const [from, into, gone] = [await person('no.1'), await person('no.2'), await person('no.3')];
  const admin = await addPersonWithKey(service, 'admin');
  await call('POST', `/api/users/${gone}/deactivate/`);

  expect(await merge(into, into)).toMatchObject({ status: 400 });
  expect(await merge(gone, from)).toMatchObject({ status: 409 });
  expect(await merge(into, service.adminId)).toMatchObject({ status: 403 });
  expect(await merge(into, service.adminId, { key: admin.key })).toMatchObject({ status: 403 });
  expect(await merge(service.adminId, into, { key: admin.key })).toMatchObject({ status: 403 });
  expect(await merge(into, '0198f3c4-0000-7000-8000-000000000000')).toMatchObject({ status: 404 });
});

test('does not change, reactivate, link to or list a merged person, nor delete the one who remains', async () => {
  const [from, into] = [await person('fixed.1'), await person('fixed.2')];
  await merge(into, from);
  const account = (await accountOf('moves')).external_uuid;

  expect((await call('POST', `/api/users/${from}/reactivate/`)).status).toBe(409);
  expect((await call('PATCH', `/api/users/${from}/`, { first_name: 'X' })).status).toBe(409);
  expect((await call('PATCH', `/api/accounts/${account}/`, { user: from })).status).toBe(409);
  expect((await call('DELETE', `/api/users/${into}/`)).status).toBe(409);
  expect((await call('GET', '/api/users/?q=fixed.1')).body.count).toBe(0);
  expect((await call('GET', '/api/users/?q=fixed.1&merged=true')).body.count).toBe(1);
});

test('moves absences and deputies, without overlaps and without people who stand in for themselves', async () => {
  const [from, into] = [await person('away'), await person('away.other')];
  const [deputy, third] = [await person('away.deputy'), await person('away.third')];
  const absence = (user: string, deputyId: string, month: string) =>
    call('POST', `/api/users/${user}/absences/`, {
      deputy: deputyId,
      starts_at: `2099-${month}-01T00:00:00Z`,
      ends_at: `2099-${month}-20T00:00:00Z`,
    });
  for (const created of [
    await absence(into, deputy, '01'),
    await absence(from, deputy, '01'),
    await absence(from, deputy, '02'),
    await absence(from, into, '03'),
    await absence(into, from, '04'),
    await absence(third, from, '05'),
  ])
    expect(created.status).toBe(201);

  expect((await merge(into, from)).body.moved).toMatchObject({ absences: 2 });

  const { results } = (await call('GET', `/api/users/${into}/absences/`)).body;
  expect(results.map((one: { starts_at: string }) => one.starts_at.slice(0, 7)).sort()).toEqual([
    '2099-01',
    '2099-02',
  ]);
  const thirds = (await call('GET', `/api/users/${third}/absences/`)).body.results;
  expect(thirds).toMatchObject([{ deputy: { external_uuid: into } }]);
});

test('merges nobody away whom an identity provider manages, and keeps the fields that it owns', async () => {
  const { call: asOwner } = await signInAsOwner(service);
  const key = await asOwner('POST', '/api/api-keys/', { name: 'Directory', scopes: ['scim'] });
  const managed = await call(
    'POST',
    '/scim/v2/Users',
    { userName: 'managed', name: { givenName: '' }, emails: [{ value: email('managed'), type: 'work' }] },
    { key: key.body.key },
  );
  const other = await person('managed.other', { last_name: 'King', start_date: '2020-01-01' });

  expect(await merge(other, managed.body.id)).toMatchObject({ status: 409 });
  expect(await merge(managed.body.id, other)).toMatchObject({
    status: 200,
    body: { into: { last_name: '', start_date: '2020-01-01' } },
  });
});
