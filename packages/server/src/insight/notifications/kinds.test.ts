import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { within } from '#kit/database.ts';
import { sql } from '#kit/sql.ts';
import { type NewEvent, recordAlone } from '#log/events/record.ts';
import { KIND_NAMES } from '#log/notices/kinds.ts';
import { ORIGIN } from '#test/app.ts';
import { addPersonWithRole } from '#test/people.ts';
import { openReviewsTest, type ReviewsTest } from '#test/reviews.ts';
import { openSamlProvider } from '#test/saml.ts';
import { type Browser, openBrowser, PASSWORD, signInAs, signInAsOwner } from '#test/sign-in.ts';
import { setTimes } from '#test/time.ts';
import { checkClock } from '../findings/evaluate.ts';

/** Each kind, from the change that leads to it to the inboxes of exactly the people who should get it. */
let service: ReviewsTest;
let owner: Browser;
const emails: Record<string, string> = {};
beforeAll(async () => {
  service = await openReviewsTest([{ id: 'u1', email: 'reviewed@acme.example', status: 'active' }], {
    own: true,
  });
  owner = await signInAsOwner(service);
  for (const [name, role] of [
    ['admin', 'admin'],
    ['auditor', 'auditor'],
    ['member', 'member'],
  ] as const) {
    const { external_uuid, email } = await addPersonWithRole(service, `the-${name}@acme.example`, role);
    emails[name] = email;
    ids[name] = external_uuid;
  }
});
afterEach(nothingWasSentTwice);
afterAll(() => service.close());
const ids: Record<string, string> = {};

/** The loops of the service do the work. */
const until = <T>(read: () => T) => expect.poll(read, { timeout: 20_000 });
const FIRST = 'admin@acme.example';

/** Returns the recipients of a kind, each as often as they got it. */
async function recipients(kind: string, title = ''): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    select u.email from notification n
    join platform_user u on u.org_id = n.org_id and u.id = n.user_id
    where n.kind = ${kind} and n.title like ${`%${title}%`} order by u.email`.execute(service.database.db);
  return rows.map(({ email }) => email);
}
const record = (event: NewEvent) => recordAlone(within(service.database.db, service.orgId), [event]);
const aboutApp = () => ({
  actor: { type: 'system' as const, uuid: null },
  subject: { type: 'app' as const, uuid: service.appId },
});
const app = (app_name = 'Payroll') => ({ app_id: service.appId, app_name });
const scan = () => sql`update notification_cursor set scanned_at = '-infinity'`.execute(service.database.db);
const scanned = () =>
  until(async () => {
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from notification_cursor where scanned_at = '-infinity'`.execute(
      service.database.db,
    );
    return rows[0]?.n;
  }).toBe(0);
const SYNC = '0199a000-0000-7000-8000-000000000001';
const setOwner = (user: string | null) =>
  service.call('PATCH', `/api/apps/${service.appId}/`, { owner: user });

test('a failed task: the owner of the app, and the administrators if the owner may not read it', async () => {
  const fail = async () => {
    const user = await service.addUser(`fails-${Math.random()}@acme.example`);
    const { body } = await service.call('POST', '/api/tasks/', {
      app: service.appId,
      user,
      action: 'create_account',
    });
    const error = { code: 'INTERNAL_ERROR', message: 'No seat left' };
    const reported = await service.bridge('PATCH', `/tasks/${body.external_uuid}/status/`, {
      status: 'failed',
      error,
    });
    expect(reported.status).toBe(200);
  };
  await setOwner(ids.auditor ?? '');
  await fail();
  await until(() => recipients('task_failed')).toEqual([emails.auditor]);
  await setOwner(ids.member ?? '');
  await fail();
  const all = [FIRST, emails.admin, emails.auditor, emails.member];
  await until(() => recipients('task_failed')).toEqual(all);
  const { rows } = await sql`
    select body, path from notification where kind = 'task_failed' and user_id = ${ids.member}`.execute(
    service.database.db,
  );
  expect(rows).toEqual([
    { body: 'create account failed. The administrators have been told.', path: `/apps/${service.appId}` },
  ]);
});

test('held removals and budgets: the owner of the app and the administrators', async () => {
  await setOwner(ids.auditor ?? '');
  const source = { type: 'system' as const, uuid: null };
  const held = { accounts: 9, memberships: 0 };
  const payload = { ...app('Held'), sync_id: SYNC, reason: 'Too much', held };
  await record({ type: 'app.sync.paused', ...aboutApp(), source, payload });
  await record({
    type: 'removal_budget.exceeded',
    ...aboutApp(),
    source,
    payload: { ...app(), tasks: 4 },
  });
  const all = [FIRST, emails.admin, emails.auditor];
  await until(() => recipients('removal_held', 'Held')).toEqual(all);
  await until(() => recipients('budget_held')).toEqual(all);
});

test('syncs that two connectors discard in turns: the owner of the app and the administrators', async () => {
  await setOwner(ids.auditor ?? '');
  const client = (name: string) => ({ type: 'api_key' as const, id: SYNC, name });
  await record({
    type: 'app.sync.superseded',
    ...aboutApp(),
    source: { type: 'sync', uuid: SYNC },
    payload: {
      ...app(),
      sync_id: SYNC,
      superseded_by: SYNC,
      client: client('Bridge A'),
      superseded_by_client: { ...client('Managed connector'), type: 'connector' },
      count: 3,
      since: '2026-01-02T03:04:05.678Z',
    },
  });
  await until(() => recipients('sync_superseded')).toEqual([FIRST, emails.admin, emails.auditor]);
  const { rows } = await sql`
    select title, body, path from notification where kind = 'sync_superseded' and user_id = ${ids.auditor}`.execute(
    service.database.db,
  );
  expect(rows).toEqual([
    {
      title: "Connectors discard each other's syncs in Payroll",
      body:
        '3 syncs in a row did not complete, because another connector started one. ' +
        'The API key "Bridge A" started the last one, and the managed connector replaced it. ' +
        'If two connectors send this app, stop one of them, or give each an app of its own.',
      path: `/apps/${service.appId}?tab=syncs`,
    },
  ]);
});

test('a sync without any account: says so', async () => {
  await setOwner(ids.auditor ?? '');
  const held = { accounts: 99, memberships: 0, reason: 'no_accounts' as const };
  const payload = { ...app(), sync_id: SYNC, reason: 'None', held };
  await record({ type: 'app.sync.paused', ...aboutApp(), source: { type: 'system', uuid: null }, payload });
  const bodies = async () =>
    (
      await sql<{ body: string }>`
        select body from notification where kind = 'removal_held' and user_id = ${ids.auditor}`.execute(
        service.database.db,
      )
    ).rows.map(({ body }) => body);
  await until(bodies).toContainEqual(
    expect.stringMatching(/^A sync pushed no account, .* approve or reject the removal[.]$/),
  );
});

test('a failed sync: the owner of the app, unless another sync took its place or somebody decided it', async () => {
  await setOwner(ids.auditor ?? '');
  const source = { type: 'system' as const, uuid: null };
  const failures = [
    { reason: 'superseded' },
    { reason: 'discarded' },
    { reason: 'cleanup_failed', rejected_by: SYNC },
    { reason: 'cleanup_failed' },
  ];
  for (const failure of failures)
    await record({
      type: 'app.sync.failed',
      ...aboutApp(),
      source,
      payload: { ...app(), sync_id: SYNC, message: 'It failed.', ...failure },
    });
  await until(() => recipients('sync_failed')).toEqual([emails.auditor]);
});

test('an overdue sync: the owner of the app, once', async () => {
  await setOwner(ids.auditor ?? '');
  for (let n = 0; n < 4; n++)
    await service.sync([{ id: 'u1', email: 'reviewed@acme.example', status: 'active' }]);
  await setTimes(service, 'sync_session', { finished_at: '2 hours ago' });
  await service.bridge('POST', '/check/', { status: 'succeeded' });
  await sql`update app set configuration_status = 'CONNECTED'`.execute(service.database.db);
  await checkClock(within(service.database.db, service.orgId), true);
  await until(() => recipients('sync_overdue')).toEqual([emails.auditor]);
  const { results } = (await service.call('GET', '/api/findings/?kind=overdue_sync')).body;
  const at = `/api/findings/${results[0].external_uuid}/`;
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
  await service.call('POST', `${at}accept/`, { until: tomorrow, reason: 'The app is closed today.' });
  expect((await service.call('POST', `${at}reopen/`)).status).toBe(200);
  await scan();
  await scanned();
  expect(await recipients('sync_overdue')).toEqual([emails.auditor]);
});

const aboutPolicy = () => ({
  actor: { type: 'system' as const, uuid: null },
  subject: { type: 'system' as const, uuid: SYNC },
  source: { type: 'system' as const, uuid: SYNC },
});

test('a held policy: the administrators', async () => {
  const because = {
    ...{ kind: 'group_renamed' as const, group_id: SYNC, is_named: false },
    ...{ from: 'Finance', to: 'Finance EMEA' },
  };
  await record({
    type: 'policy.held',
    ...aboutPolicy(),
    payload: { policy_id: SYNC, name: 'Outside Finance', count: 6, because },
  });
  await until(() => recipients('policy_held')).toEqual([FIRST, emails.admin]);
});

test('two policies that undo each other: their authors, once', async () => {
  const made: string[] = [];
  for (const name of ['Grants', 'Revokes']) {
    const { body } = await owner.call('POST', '/api/policies/', {
      ...{ name, trigger: 'daily', condition: 'false', enabled: false },
      effects: [{ do: 'suspend', app: 'all' }],
    });
    made.push(body.external_uuid);
  }
  const [older, younger] = made as [string, string];
  const hold = (policy_id: string, name: string, external_uuid: string, other: string) =>
    record({
      type: 'policy.held',
      ...aboutPolicy(),
      payload: { policy_id, name, count: 1, because: null, contradicts: [{ external_uuid, name: other }] },
    });
  await hold(younger, 'Revokes', older, 'Grants');
  await hold(older, 'Grants', younger, 'Revokes');
  await until(() => recipients('policy_held', 'undo each other')).toEqual([FIRST]);
});

test('a policy that left people out: the person who enabled it, or the administrators if they cannot read it', async () => {
  const leaveOut = (name: string, enabled_by: string | null) =>
    record({
      type: 'policy.undecided',
      ...aboutPolicy(),
      payload: {
        policy_id: SYNC,
        name,
        enabled_by,
        count: 2,
        reasons: [{ code: 'missing', field: 'user.a', count: 2, message: 'user.a has no value.' }],
      },
    });
  await leaveOut('First', ids.admin as string);
  await until(() => recipients('policy_undecided', 'First')).toEqual([emails.admin]);
  await leaveOut('Second', ids.member as string);
  await until(() => recipients('policy_undecided', 'Second')).toEqual([FIRST, emails.admin]);
});

test('a disabled webhook: the administrators', async () => {
  await record({
    type: 'webhook.disabled',
    actor: { type: 'system', uuid: null },
    subject: { type: 'system', uuid: SYNC },
    source: { type: 'system', uuid: null },
    payload: { webhook_id: SYNC, name: 'SIEM', host: 'siem.example', reason: 'It answered 500.' },
  });
  await until(() => recipients('webhook_disabled')).toEqual([FIRST, emails.admin]);
});

test('a failing webhook: the administrators', async () => {
  await record({
    type: 'webhook.failing',
    actor: { type: 'system', uuid: null },
    subject: { type: 'system', uuid: SYNC },
    source: { type: 'system', uuid: null },
    payload: { webhook_id: SYNC, name: 'SIEM', host: 'siem.example', reason: 'It answered 400.' },
  });
  await until(() => recipients('webhook_failing')).toEqual([FIRST, emails.admin]);
});

test('an API key: its person, when it is created and 7 days before it expires', async () => {
  const expires_at = new Date(Date.now() + 30 * 86_400_000).toISOString();
  const { body } = await owner.call('POST', '/api/api-keys/', { name: 'Nightly job', expires_at });
  await until(() => recipients('key_created', 'Nightly job')).toEqual([FIRST]);
  await setTimes(
    service,
    'api_key',
    { created_at: '60 days ago', expires_at: '6 days ahead' },
    { id: body.id },
  );
  await scan();
  await until(() => recipients('key_expires', 'Nightly job')).toEqual([FIRST]);
});

test('the certificates of a SAML provider: the administrators, 30 days before the last one expires, once', async () => {
  const after = (days: number) =>
    openSamlProvider('https://idp.example/a', new Date(Date.now() + days * 86_400_000));
  const add = (id: string, certificate: string) =>
    owner.call('POST', '/api/sign-in-providers/', {
      id,
      saml: { entity_id: `https://idp.example/${id}`, sso_url: 'https://idp.example/sign-in', certificate },
    });
  expect((await add('rotating', after(20).certificate + after(400).certificate)).status).toBe(201);
  expect((await add('ending', after(10).certificate + after(20).certificate)).status).toBe(201);
  expect((await add('ended', after(-1).certificate)).status).toBe(201);

  await scan();

  await until(() => recipients('certificate_expires', 'ending expires soon')).toEqual([FIRST, emails.admin]);
  await until(() => recipients('certificate_expires', 'ended has expired')).toEqual([FIRST, emails.admin]);
  await scan();
  await service.call('POST', '/api/users/', { email: 'later-still@acme.example' });
  await scanned();
  expect(await recipients('certificate_expires')).toHaveLength(4);
});

test('a sign-in from a new browser, a changed password and a removed factor: the person', async () => {
  const person = await addPersonWithRole(service, 'secured@acme.example', 'member');
  await signInAs(service, person);
  const credentials = { email: person.email, password: PASSWORD };
  const signIn = async (agent: string) => {
    const browser = openBrowser(service);
    const headers = { origin: ORIGIN, 'user-agent': agent };
    expect((await browser.call('POST', '/auth/sign-in/', credentials, { headers })).status).toBe(200);
  };
  await until(() => recipients('password_changed')).toEqual([person.email]);
  await signIn('Firefox/150.0');
  await until(() => recipients('new_device')).toEqual([person.email]);
  await signIn('Firefox/151.0');
  await owner.call('DELETE', `/api/users/${person.external_uuid}/second-factor/`);
  await record({
    type: 'factor.removed',
    actor: { type: 'user', uuid: service.adminId },
    subject: { type: 'platform_user', uuid: person.external_uuid },
    source: { type: 'user_action', uuid: null },
    payload: { user_id: person.external_uuid, email: person.email, kind: 'totp', by_administrator: true },
  });
  await until(() => recipients('factor_removed')).toEqual([person.email]);
  expect(await recipients('new_device')).toEqual([person.email]);
});

test('a review: each reviewer once per cycle, and again when it is due', async () => {
  const reviewer = ids.admin ?? '';
  const cycle = await service.start({ name: 'Yearly', reviewer: [reviewer], due_days: 20 });
  await until(() => recipients('review_assigned', 'Yearly')).toEqual([emails.admin]);
  const moveDue = async (left: string) => {
    await sql`
      update review_cycle set opened_at = clock_now() - interval '20 days',
        due_at = clock_now() + ${left}::interval where id = ${cycle.external_uuid}`.execute(
      service.database.db,
    );
    await scan();
  };
  await moveDue('9 days');
  await until(() => recipients('review_reminder', 'Yearly')).toEqual([emails.admin]);
  await moveDue('6 days');
  await until(() => recipients('review_due', 'Yearly')).toEqual([emails.admin]);
  await moveDue('20 hours');
  await until(() => recipients('review_due', 'Yearly')).toEqual([emails.admin, emails.admin]);
  expect(await recipients('review_assigned', 'Yearly')).toEqual([emails.admin]);
});

test('what an identity provider sends in vain: the administrators, once for each client and attribute', async () => {
  const { external_uuid: user_id, email } = await addPersonWithRole(service, 'scim@acme.example', 'member');
  const about = {
    actor: { type: 'user' as const, uuid: service.adminId },
    subject: { type: 'platform_user' as const, uuid: user_id },
    source: { type: 'api' as const, uuid: SYNC },
  };
  const ignore = (attribute: string) =>
    record({
      ...{ type: 'scim.attribute_ignored', ...about },
      payload: { user_id, email, api_key_id: SYNC, attribute, reason: 'Manager not found.' },
    });
  for (const attribute of ['manager', 'manager', 'title']) await ignore(attribute);
  await record({
    type: 'person.external_id_changed',
    ...about,
    payload: { user_id, email, from: 'c-77', to: 'e-1' },
  });
  await until(() => recipients('returned_as_another', email)).toEqual([FIRST, emails.admin]);
  expect(await recipients('attribute_ignored', 'manager')).toEqual([FIRST, emails.admin]);
  expect(await recipients('attribute_ignored', 'title')).toEqual([FIRST, emails.admin]);
});

/** Nothing is sent twice for the same reason, whatever the kind. */
async function nothingWasSentTwice() {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from (
      select from notification group by org_id, user_id, dedupe_key having count(*) > 1) doubled`.execute(
    service.database.db,
  );
  expect(rows[0]?.n).toBe(0);
}

test('a person reads and marks their own inbox only', async () => {
  await setOwner(ids.auditor ?? '');
  const payload = {
    ...app('Read'),
    sync_id: SYNC,
    reason: 'Too much',
    held: { accounts: 9, memberships: 0 },
  };
  await record({ type: 'app.sync.paused', ...aboutApp(), source: { type: 'system', uuid: null }, payload });
  await until(() => recipients('removal_held', 'Read')).toEqual([FIRST, emails.admin, emails.auditor]);
  const { body } = await owner.call('GET', '/api/notifications/?unread=true');
  expect(body.count).toBe(body.unread);
  expect(body.results[0]).toMatchObject({ read_at: null, path: expect.stringMatching(/^\//) });
  const kinds = body.results.map(({ kind }: { kind: string }) => kind);
  for (const kind of kinds) expect(KIND_NAMES).toContain(kind);
  const { rows } = await sql<{ id: string }>`
    select id from notification where user_id = ${ids.auditor}`.execute(service.database.db);
  const others = rows.map(({ id }) => id);
  const marked = await owner.call('POST', '/api/notifications/read/', {
    ids: [body.results[0].id, ...others],
  });
  expect(marked.body.unread).toBe(body.unread - 1);
  const left = await sql<{ n: number }>`
    select count(*) as n from notification where user_id = ${ids.auditor} and read_at is not null`.execute(
    service.database.db,
  );
  expect(left.rows[0]?.n).toBe(0);
});
