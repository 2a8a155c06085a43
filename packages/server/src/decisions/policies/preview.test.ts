import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '#kit/sql.ts';
import { openPolicyTest, type PolicyTest } from '#test/policies.ts';
import { setTimes } from '#test/time.ts';
import { deletePreviews } from './queries/previews.ts';

const email = (name: string) => `${name}@acme.example`;
const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const USED = { last_sign_in_at: ago(100), attributes: { shell: '/bin/sh', uid: 1001, admin: true } };
const ACCOUNTS = [
  { id: 'ann', email: email('ann'), username: 'ann.red', memberships: { team: [{ id: 'red' }] }, ...USED },
  { id: 'bob', email: email('bob'), memberships: { team: [{ id: 'blue' }, { id: 'red' }] } },
  {
    id: 'cho',
    email: email('cho'),
    last_sign_in_at: ago(10),
    owner: 'boss@acme.example',
    mfa_enabled: false,
  },
  { id: 'orphan', email: email('orphan'), memberships: { team: [{ id: 'red' }] } },
];

let service: PolicyTest;
beforeAll(async () => {
  service = await openPolicyTest(ACCOUNTS);
  await service.person(email('ann'), { attributes: { department: 'Sales', 'job title': 'Lead' } });
  await service.person(email('bob'), { attributes: { department: 'Support' }, first_name: 'Bob' });
  await service.person(email('cho'), { end_date: '2020-01-31' });
  await service.person(email('dee'));
});
afterAll(() => service.close());

const policy = (condition: string, effects: object[] = [{ do: 'suspend', app: 'all' }]) =>
  service.policy({ trigger: 'daily', enabled: false, condition, effects });
const preview = async (id: string) => (await service.call('POST', `/api/policies/${id}/preview/`)).body;
const who = ({ tasks }: { tasks: { user: { email: string } | null; account: { email: string } | null }[] }) =>
  tasks.map(({ user, account }) => (account ?? user)?.email.split('@')[0]).sort();

test.each<[condition: string, accounts: string[]]>([
  ['true', ['ann', 'bob', 'cho', 'orphan']],
  ['false', []],
  ['user == null', ['orphan']],
  ['user != null', ['ann', 'bob', 'cho']],
  ['user.attributes.department == "Sales"', ['ann']],
  ['user.attributes["job title"] == "Lead"', ['ann']],
  ['has(user.attributes.department)', ['ann', 'bob']],
  ['user.first_name == "Bob" && app.name == "Payroll"', ['bob']],
  ['app.name == "Payroll"', ['ann', 'bob', 'cho', 'orphan']],
  ['app.name == "Other"', []],
  ['user.end_date < today', ['cho']],
  ['account.username == "ann.red"', ['ann']],
  ['account.external_id == "cho" && account.status == "ACTIVE"', ['cho']],
  ['account.last_seen_at != null && user == null', ['orphan']],
  ['"red" in account.memberships.team', ['ann', 'bob', 'orphan']],
  ['account.memberships.team[0] == "blue"', ['bob']],
  ['size(account.memberships.team) == 0', ['cho']],
  ['size(account.assignments.seat) == 0 && user.email == account.email', ['ann', 'bob', 'cho']],
  ['account["display_name"] == "" || account == null', ['ann', 'bob', 'cho', 'orphan']],
  ['account.days_since_sign_in != null && account.days_since_sign_in >= 90', ['ann']],
  ['account.days_since_sign_in == 10', ['cho']],
  ['account.last_sign_in_at == null', ['bob', 'orphan']],
  ['timestamp(account.last_sign_in_at) < timestamp(today + "T00:00:00Z") - duration("1200h")', ['ann']],
  ['account.attributes.admin == true && account.attributes.uid == 1001', ['ann']],
  ['has(account.attributes.shell)', ['ann']],
  ['account.owner_email == "boss@acme.example"', ['cho']],
  ['account.mfa_enabled == false', ['cho']],
  ['account.mfa_enabled == null', ['ann', 'bob', 'orphan']],
  ['account.mfa_enabled', []],
  ['size(user) > 3 && user["email"].startsWith("cho")', ['cho']],
])('%s matches the same accounts, whatever else it leaves unread', async (condition, accounts) => {
  expect(who(await preview(await policy(condition)))).toEqual(accounts);
});

test('counts what the tasks would do', async () => {
  const effects = [
    { do: 'revoke', app: service.appId },
    { do: 'suspend', app: service.appId },
  ];
  expect(await preview(await policy('user.email != ""', effects))).toMatchObject({
    count: 5,
    counts: {
      tasks: 5,
      accounts: { created: 0, suspended: 3, unsuspended: 0, removed: 0 },
      memberships: { added: 0, removed: 3 },
    },
  });
  const grant = [{ do: 'grant', app: service.appId, memberships: { team: ['red'] } }];
  expect(
    (await preview(await policy('user.email.startsWith("dee") || user.email.startsWith("cho")', grant)))
      .counts,
  ).toMatchObject({
    accounts: { created: 1 },
    memberships: { added: 2, removed: 0 },
  });
});

test('lists all tasks page by page, until the list expires', async () => {
  const id = await policy('true');
  const { status, body } = await service.call('POST', `/api/policies/${id}/plans/`);
  expect({ status, body }).toMatchObject({ status: 202, body: { status: 'running' } });
  const path = `/api/policies/${id}/plans/${body.plan_id}/`;
  const page = async (query = '') => service.call('GET', path + query);
  await expect.poll(async () => (await page()).body.status, { timeout: 20_000 }).toBe('completed');

  const first = (await page('?limit=3')).body;
  expect(first).toMatchObject({ count: 4, counts: { accounts: { suspended: 4 } }, next: expect.any(String) });
  const rest = (await page('?limit=3&offset=3')).body;
  expect([...who({ tasks: first.results }), ...who({ tasks: rest.results })].sort()).toEqual([
    'ann',
    'bob',
    'cho',
    'orphan',
  ]);
  expect(first.results).toEqual((await preview(id)).tasks.slice(0, 3).map(withoutTime));
  const other = await policy('false');
  expect((await service.call('GET', `/api/policies/${other}/plans/${body.plan_id}/`)).status).toBe(404);

  await setTimes(service, 'policy_preview', { created_at: '25 hours earlier' });
  await deletePreviews(service.database.db, 24);
  expect((await page()).status).toBe(404);
});

const withoutTime = (task: object) => ({ ...task, execute_after: expect.any(String) });

test('says that a policy would exceed the daily budget of an app, with what the app has already lost', async () => {
  const id = await policy('account.external_id in ["bob", "cho"]');
  const needs = async () => (await preview(id)).needs_confirmation;
  const guard = (removal_guard: object) =>
    service.call('PATCH', `/api/apps/${service.appId}/`, { removal_guard });
  await guard({ percent: 50, at_least: 3 });
  expect(await needs()).toBe(false);
  const { db } = service.database;
  await sql`
    insert into access_loss (org_id, app_id, source_id, accounts, memberships, gone)
    values (${service.orgId}, ${service.appId}, uuidv7(), 1, 0, true)`.execute(db);
  expect(await needs()).toBe(true);
  await sql`delete from access_loss`.execute(db);
});
