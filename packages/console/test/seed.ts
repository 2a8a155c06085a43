import { type Api, apiSignedIn, apiWithKey, until } from './api.ts';
import {
  ADMIN,
  codeHosting,
  crm,
  directory,
  MALLORY,
  MARKUP,
  PEOPLE,
  type Role,
  STAFF,
  type System,
  wiki,
} from './seed-company.ts';

export const PASSWORD = 'correct horse battery staple';

/** The IDs that tests and screenshots use. */
export interface Seeded {
  apps: Record<'directory' | 'crm' | 'code' | 'payroll' | 'wiki', string>;
  /** By email. */
  people: Record<string, string>;
  /** An account with entitlements in the CRM, and one whose name is markup. */
  accounts: Record<'seller' | 'markup', string>;
  tasks: Record<'pending' | 'failed' | 'retried' | 'scheduled' | 'completed', string>;
  tickets: Record<'pending' | 'approved' | 'denied' | 'canceled' | 'mine', string>;
  reviews: Record<'open' | 'closed' | 'planned', string>;
  cycles: Record<'open' | 'closed', string>;
  policies: Record<'leavers' | 'joiners' | 'dormant', string>;
  webhook: string;
}

interface Item {
  external_uuid: string;
  email: string;
}

/** Fills an organization with plausible data from a few months of use, through the public API. */
export async function seed(base: string, key: string): Promise<Seeded> {
  const api = apiWithKey(base, key);
  const people = await hire(api, await apiSignedIn(base, ADMIN, PASSWORD));
  const apps = await connect(api, people);
  const staff = await letStaffIn(base, people);
  const policies = await setPolicies(api, apps);
  const tasks = await workOnTasks(api, apps, people);
  const tickets = await askAndDecide(api, apps, people, staff);
  const { reviews, cycles } = await review(api, apps, people, staff);
  await changeTheWorld(api, apps, people);
  await makeKeys(api, apps);
  // Nothing listens there.
  const hook = {
    name: 'SIEM',
    url: 'http://127.0.0.1:9/events',
    filters: { catalog: 'all' },
    enabled: false,
  };
  const webhook = (await api.post('/api/webhooks/', hook)).id;
  const accounts = {
    seller: (await accountsOf(api, apps.crm, 'jonas.weber'))[0]?.external_uuid ?? '',
    markup: (await accountsOf(api, apps.code, 'bot-008'))[0]?.external_uuid ?? '',
  };
  return { apps, people, accounts, tasks, tickets, reviews, cycles, policies, webhook };
}

async function hire(api: Api, owner: Api): Promise<Record<string, string>> {
  const columns = [
    'email',
    'first_name',
    'last_name',
    'department',
    'title',
    'location',
    'manager_email',
  ] as const;
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const rows = [...PEOPLE, MALLORY].map((person) => columns.map((name) => quoted(person[name])).join(','));
  await api.postCsv('/api/users/import/', [columns.join(','), ...rows].join('\n'));
  await api.post('/api/users/', {
    email: 'ci@acme.example',
    first_name: 'Continuous',
    last_name: 'Integration',
    identity_type: 'service_account',
    attributes: { department: 'Engineering' },
  });
  const people = Object.fromEntries(
    (await everyOf(api, '/api/users/?')).map(({ email, external_uuid }) => [email, external_uuid]),
  );
  const id = (email: string) => people[email] ?? '';
  await api.patch(`/api/users/${id(ADMIN)}/`, { first_name: 'Ada', last_name: 'Bauer' });
  await owner.patch(`/api/users/${id(STAFF.admin)}/`, { role: 'admin' });
  await owner.patch(`/api/users/${id(STAFF.auditor)}/`, { role: 'auditor' });
  return people;
}

async function connect(api: Api, people: Record<string, string>): Promise<Seeded['apps']> {
  const apps = {
    directory: await addApp(api, 'Corporate Directory'),
    crm: await addApp(api, 'Customer CRM'),
    code: await addApp(api, 'Code Hosting'),
    payroll: await addApp(api, 'Payroll'),
    wiki: await addApp(api, wiki().name),
  };
  await sync(api, apps.directory, directory());
  await sync(api, apps.crm, crm());
  await sync(api, apps.code, codeHosting());
  await sync(api, apps.wiki, wiki());
  await api.post(`/api/apps/${apps.wiki}/disconnect/`);
  await api.patch(`/api/apps/${apps.crm}/`, {
    owner: people['jonas.weber@acme.example'],
    approval_steps: [{ approvers: 'manager', require: 'any' }],
  });
  await api.patch(`/api/apps/${apps.code}/`, {
    owner: people[STAFF.manager],
    approval_steps: [
      { approvers: 'manager', require: 'any' },
      { approvers: 'app_owner', require: 'any' },
    ],
  });
  await api.patch(`/api/apps/${apps.directory}/`, { owner: people[STAFF.admin] });
  return apps;
}

async function addApp(api: Api, name: string): Promise<string> {
  const { id } = await api.post('/api/v1/bridge/apps/', { name });
  for (const [slug, title, type] of [
    ['group', 'Groups', 'group'],
    ['license', 'Licenses', 'license'],
    ['account', 'Accounts', 'account'],
  ]) {
    await api.post(`/api/v1/bridge/apps/${id}/resource-types/`, { slug, name: title, type });
  }
  return id;
}

const PAGE = 100;

async function push(api: Api, app: string, { groups, licenses, accounts }: System): Promise<string> {
  const { sync_id } = await api.post(`/api/v1/bridge/apps/${app}/sync/`);
  for (const [slug, records] of Object.entries({ group: groups, license: licenses, account: accounts })) {
    for (let at = 0; at < records.length; at += PAGE) {
      await api.put(`/api/v1/bridge/apps/${app}/sync/${sync_id}/${slug}/`, {
        records: records.slice(at, at + PAGE),
      });
    }
  }
  return sync_id;
}

/** Runs a sync session until it ends or is held. Returns its ID. */
export async function sync(api: Api, app: string, system: System): Promise<string> {
  const id = await push(api, app, system);
  const address = `/api/v1/bridge/apps/${app}/sync/${id}/`;
  await api.post(`${address}complete/`);
  await until(
    () => api.get(address),
    ({ status, held }) => status !== 'completing' || held !== undefined,
  );
  return id;
}

/** Sets the passwords of the people who sign in, with one-time links. */
async function letStaffIn(base: string, people: Record<string, string>) {
  const staff = {} as Record<Role, Api>;
  for (const [role, email] of Object.entries(STAFF) as [Role, string][]) {
    if (role !== 'owner') await setPassword(base, people[email] ?? '');
    staff[role] = await apiSignedIn(base, email, PASSWORD);
  }
  return staff;
}

/** Creates a one-time link for a person, as the owner does in the console. */
export async function signInLink(base: string, person: string): Promise<string> {
  const owner = await apiSignedIn(base, ADMIN, PASSWORD);
  return String((await owner.post(`/api/users/${person}/sign-in-link/`)).url);
}

export async function setPassword(base: string, person: string): Promise<void> {
  const url = await signInLink(base, person);
  const welcome = await fetch(`${base}/auth/welcome/`, {
    method: 'POST',
    headers: { origin: new URL(base).origin, 'content-type': 'application/json' },
    body: JSON.stringify({ token: url.split('#')[1], new_password: PASSWORD }),
  });
  if (!welcome.ok)
    throw new Error(`The one-time link was rejected: ${welcome.status} ${await welcome.text()}`);
}

async function setPolicies(api: Api, { directory, crm, code }: Seeded['apps']): Promise<Seeded['policies']> {
  const add = async (policy: object) => (await api.post('/api/policies/', policy)).external_uuid as string;
  return {
    leavers: await add({
      name: 'Leavers lose every account',
      trigger: 'user.deactivated',
      condition: 'true',
      effects: [
        { do: 'suspend', app: directory },
        { do: 'delete', app: code },
      ],
    }),
    joiners: await add({
      name: 'Support starts with CRM access',
      trigger: 'user.created',
      condition: "user.attributes.department == 'Support'",
      effects: [
        { do: 'grant', app: crm, memberships: { group: ['support'] }, assignments: { license: ['viewer'] } },
      ],
    }),
    dormant: await add({
      name: 'Suspend externals whose contract has ended',
      trigger: 'daily',
      condition: "user.domain_type == 'external' && user.end_date != null && user.end_date < today",
      effects: [{ do: 'suspend', app: 'all' }],
      delay: 'P7D',
      enabled: false,
    }),
  };
}

const TASK_FAILURES = [
  ['ACCOUNT_NOT_FOUND', 'No user with id 005107 in the CRM.'],
  ['LICENSE_EXHAUSTED', 'All 10 seats of "Analytics add-on" are in use.'],
  ['PERMISSION_DENIED', 'The integration user may not change profiles with "Manage Users".'],
  ['RATE_LIMITED', 'REQUEST_LIMIT_EXCEEDED: TotalRequests Limit exceeded.'],
  ['TIMEOUT', 'No answer from crm.internal:443 within 30 seconds.'],
  ['INTERNAL_ERROR', `Unexpected token in answer: ${MARKUP}`],
] as const;

async function workOnTasks(
  api: Api,
  { crm, code, directory }: Seeded['apps'],
  people: Record<string, string>,
): Promise<Seeded['tasks']> {
  const sellers = await accountsOf(api, crm);
  const accountAt = (at: number) => sellers[at]?.external_uuid;
  const create = async (task: object) => (await api.post('/api/tasks/', task)).external_uuid as string;
  const report = (app: string, task: string, body: object) =>
    api.patch(`/api/v1/bridge/apps/${app}/tasks/${task}/status/`, body);
  const dispatch = (app: string) => api.get(`/api/v1/bridge/apps/${app}/tasks/?status=pending`);

  const failing: string[] = [];
  for (const [at, [code_]] of TASK_FAILURES.entries()) {
    failing.push(
      await create({
        app: crm,
        action: at % 2 === 0 ? 'suspend_account' : 'update_account',
        account: accountAt(at),
        ...(at % 2 === 0 ? {} : { changes: { group: { added: ['exports'], removed: [] } } }),
        reason: `Cleanup after the audit (${code_.toLowerCase().replaceAll('_', ' ')})`,
      }),
    );
  }
  await dispatch(crm);
  for (const [at, [code_, message]] of TASK_FAILURES.entries()) {
    await report(crm, failing[at] ?? '', { status: 'failed', error: { code: code_, message } });
  }

  let completed = '';
  for (let at = 20; at < 32; at++) {
    completed = await create({
      app: crm,
      action: 'reset_password',
      account: accountAt(at),
      reason: 'Phishing drill',
    });
    await dispatch(crm);
    await report(crm, completed, { status: 'completed', result: {} });
  }
  const hosting = await accountsOf(api, code);
  for (const at of [3, 4, 5, 6]) {
    const id = await create({ app: code, action: 'suspend_account', account: hosting[at]?.external_uuid });
    await dispatch(code);
    await report(code, id, { status: 'completed', result: {} });
  }

  let pending = '';
  for (let at = 40; at < 58; at++) {
    pending = await create({
      app: crm,
      action: at % 3 === 0 ? 'delete_account' : 'update_account',
      account: accountAt(at),
      ...(at % 3 === 0 ? {} : { changes: { group: { added: ['support'], removed: [] } } }),
      reason: 'Agency contract ends this quarter',
    });
  }
  const nextWeek = new Date(Date.now() + 7 * 86_400_000).toISOString();
  let scheduled = '';
  for (const at of [60, 61, 62]) {
    scheduled = await create({
      app: crm,
      action: 'delete_account',
      account: accountAt(at),
      execute_after: nextWeek,
      reason: 'Contract ends next week',
    });
  }
  const unwanted = await create({
    app: crm,
    action: 'suspend_account',
    account: accountAt(63),
    reason: 'By mistake',
  });
  await api.post(`/api/tasks/${unwanted}/cancel/`, { reason: 'Wrong account' });
  const overtaken = accountAt(64);
  await create({ app: crm, action: 'suspend_account', account: overtaken, execute_after: nextWeek });
  await create({ app: crm, action: 'delete_account', account: overtaken, reason: 'Security incident' });
  await create({
    app: directory,
    action: 'create_account',
    user: people['ci@acme.example'],
    memberships: { group: ['vpn'] },
    reason: 'Deployments need the directory',
  });
  return { pending, failed: failing[2] ?? '', retried: failing[3] ?? '', scheduled, completed };
}

async function askAndDecide(
  api: Api,
  { crm, code }: Seeded['apps'],
  people: Record<string, string>,
  { member, manager }: Record<Role, Api>,
): Promise<Seeded['tickets']> {
  const ask = async (who: Api, email: string, ticket: object) =>
    (
      await who.post('/api/tickets/', {
        user: people[email],
        ...(who === api ? { requester: people[email] } : {}),
        type: 'NEW_ACCESS',
        ...ticket,
      })
    ).external_uuid as string;
  const engineers = PEOPLE.filter(
    ({ department, email }) =>
      department === 'Engineering' && email !== STAFF.manager && email !== STAFF.member,
  ).map(({ email }) => email);
  const inAMonth = new Date(Date.now() + 30 * 86_400_000).toISOString();

  const mine = await ask(member, STAFF.member, {
    app: crm,
    memberships: { group: ['support'] },
    initial_comment: 'I take over the escalations of the Hamburg customers from Monday.',
  });
  const comments = [
    'On call for the billing import, needs to see the failing records.',
    'Two weeks of shadowing with Sales Engineering.',
    'Migration of the customer history to the warehouse.',
    `Please ${MARKUP}`,
  ];
  let pending = '';
  for (const [at, initial_comment] of comments.entries()) {
    pending = await ask(api, engineers[at] ?? '', {
      app: crm,
      memberships: { group: [at % 2 === 0 ? 'support' : 'sales-emea'] },
      assignments: { license: ['viewer'] },
      ...(at % 2 === 0 ? { end_time: inAMonth } : {}),
      initial_comment,
    });
  }
  const approved = await ask(api, engineers[5] ?? '', {
    app: crm,
    memberships: { group: ['support'] },
    end_time: inAMonth,
    initial_comment: 'Support rotation of this month.',
  });
  await manager.post(`/api/tickets/${approved}/approve/`, { comment: 'Agreed with Support.' });
  const denied = await ask(api, engineers[6] ?? '', {
    app: crm,
    memberships: { group: ['exports'] },
    initial_comment: 'I would like to download everything.',
  });
  await manager.post(`/api/tickets/${denied}/deny/`, {
    comment: 'Use the warehouse instead; exports are for Sales.',
  });
  const canceled = await ask(member, STAFF.member, {
    app: code,
    type: 'MODIFY_ACCESS',
    memberships: { group: ['owners'] },
    initial_comment: 'To rename a repository.',
  });
  await member.post(`/api/tickets/${canceled}/cancel/`, { comment: 'Somebody else did it.' });
  await ask(member, STAFF.member, {
    app: code,
    type: 'MODIFY_ACCESS',
    memberships: { group: ['web'] },
    initial_comment: 'The checkout rewrite moves to my team.',
  });
  return { pending, approved, denied, canceled, mine };
}

async function review(
  api: Api,
  { crm, code, directory }: Seeded['apps'],
  people: Record<string, string>,
  { admin, manager }: Record<Role, Api>,
): Promise<Pick<Seeded, 'reviews' | 'cycles'>> {
  const add = async (campaign: object) => (await api.post('/api/reviews/', campaign)).external_uuid as string;
  const start = async (campaign: string) => {
    const { external_uuid } = await api.post(`/api/reviews/${campaign}/start/`);
    await until(
      () => api.get(`/api/reviews/cycles/${external_uuid}/`),
      ({ status }) => status === 'in_progress',
    );
    return external_uuid as string;
  };
  const itemsOf = async (cycle: string) =>
    (await api.get(`/api/reviews/cycles/${cycle}/items/?limit=200`)).results as { id: string }[];
  const decide = (who: Api, cycle: string, items: { id: string }[], decision: string, comment: string) =>
    who.post(`/api/reviews/cycles/${cycle}/decisions/`, {
      items: items.map(({ id }) => id),
      decision,
      comment,
    });

  const closed = await add({
    name: 'Owners of Code Hosting',
    scope: { apps: [code], include: ['memberships'], users: "user.attributes.department == 'Engineering'" },
    reviewer: [people[STAFF.admin]],
    cooling_off_hours: 0,
  });
  const done = await start(closed);
  const all = await itemsOf(done);
  await decide(admin, done, all.slice(0, 2), 'revoke', 'Left the team in spring.');
  await decide(admin, done, all.slice(2), 'keep', 'Works on it every week.');

  const open = await add({
    name: 'Quarterly review of Engineering',
    scope: { apps: [directory, code], users: "user.attributes.department == 'Engineering'" },
    reviewer: 'manager',
    frequency: 'quarterly',
    starts_at: new Date(Date.now() + 90 * 86_400_000).toISOString(),
    due_days: 21,
    on_no_response: 'revoke',
  });
  const cycle = await start(open);
  const mine = (await manager.get(`/api/reviews/cycles/${cycle}/items/?mine=true&limit=200`)).results as {
    id: string;
  }[];
  await decide(manager, cycle, mine.slice(0, 9), 'keep', 'Needed for the current project.');
  await decide(manager, cycle, mine.slice(9, 11), 'revoke', 'Moved to another team.');

  const planned = await add({
    name: 'Yearly review of CRM licenses',
    scope: { apps: [crm], include: ['assignments'] },
    reviewer: 'app_owner',
    frequency: 'annually',
    starts_at: new Date(Date.now() + 14 * 86_400_000).toISOString(),
  });
  return { reviews: { open, closed, planned }, cycles: { open: cycle, closed: done } };
}

/** Adds later syncs: some accounts disappear, one removal is rejected, one is held, one sync is in progress. */
async function changeTheWorld(
  api: Api,
  { directory: dir, crm: sales, code }: Seeded['apps'],
  people: Record<string, string>,
) {
  for (const email of ['zoe.lindqvist@acme.example', 'yara.costello@acme.example']) {
    await api.post(`/api/users/${people[email]}/deactivate/`);
  }
  await until(
    () => api.get(`/api/tasks/?app=${dir}`),
    ({ results }) =>
      results.filter(({ task_type }: { task_type: string }) => task_type === 'POLICY').length >= 2,
  );
  const later = directory();
  await sync(api, dir, { ...later, accounts: later.accounts.slice(0, -3) });

  await api.patch(`/api/apps/${sales}/`, { removal_guard: { percent: 20, at_least: 10 } });
  const half = crm();
  const rejected = await sync(api, sales, { ...half, accounts: half.accounts.slice(0, 40) });
  await api.post(`/api/apps/${sales}/syncs/${rejected}/reject/`);

  await api.patch(`/api/apps/${code}/`, { removal_guard: { percent: 20, at_least: 10 } });
  const few = codeHosting();
  await sync(api, code, { ...few, accounts: few.accounts.filter((_, at) => at % 5 < 3) });
  await push(api, dir, { ...later, accounts: later.accounts.slice(0, 40) });
}

async function makeKeys(api: Api, { directory, crm }: Seeded['apps']) {
  const inAYear = new Date(Date.now() + 365 * 86_400_000).toISOString();
  await api.post('/api/api-keys/', {
    name: 'LDAP connector',
    scopes: ['bridge'],
    apps: [directory],
    expires_at: inAYear,
  });
  await api.post('/api/api-keys/', { name: 'CRM connector', scopes: ['bridge'], apps: [crm] });
  await api.post('/api/api-keys/', { name: 'SIEM feed', scopes: ['events'], expires_at: inAYear });
  const { id } = await api.post('/api/api-keys/', { name: 'Old script', scopes: ['read'] });
  await api.delete(`/api/api-keys/${id}/`);
}

const accountsOf = async (api: Api, app: string, email = ''): Promise<Item[]> =>
  everyOf(api, `/api/accounts/?app=${app}&email=${encodeURIComponent(email)}&`);

async function everyOf(api: Api, path: string): Promise<Item[]> {
  const found: Item[] = [];
  for (;;) {
    const { count, results } = await api.get(`${path}limit=200&offset=${found.length}`);
    found.push(...results);
    if (found.length >= count) return found;
  }
}
