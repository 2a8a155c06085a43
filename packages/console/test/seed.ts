import { type Api, apiSignedIn, apiWithKey, until } from './api.ts';
import { accountsOf, addApp, everyOf, push, sync } from './seed-apps.ts';
import { ADMIN, codeHosting, crm, directory, MALLORY, PEOPLE, STAFF, wiki } from './seed-company.ts';
import { askAndDecide, review } from './seed-decisions.ts';
import { confirmLeavers } from './seed-holds.ts';
import { letStaffIn, PASSWORD, signInDeciders } from './seed-sign-in.ts';
import { workOnTasks } from './seed-tasks.ts';
import type { Seeded } from './seeded.ts';

export { PASSWORD, setPassword, signInLink } from './seed-sign-in.ts';
export type { Seeded } from './seeded.ts';

/** Hooks that run before and between the steps of the seed. */
export interface Past {
  api: Api;
  /** The step that follows happened this many days ago. */
  reach(daysAgo: number): void;
  /** Adds the apps, and what happened since. */
  begin(): Promise<Seeded['apps']>;
  /** Adds what happened after the policies. */
  carryOn(): Promise<void>;
}

/** The people of the company, and its apps with their first syncs. */
export type Company = Pick<Seeded, 'apps' | 'people'>;

/** Fills an organization with people who can sign in and with apps, through the public API. */
export async function seedCompany(base: string, key: string, past?: Past): Promise<Company> {
  const api = past?.api ?? apiWithKey(base, key);
  const apps = (await past?.begin()) ?? (await addApps(api));
  past?.reach(21);
  const owner = await apiSignedIn(base, ADMIN, PASSWORD);
  const people = await hire(api, owner);
  await connect(api, apps, people);
  await letStaffIn(base, owner, people);
  return { apps, people };
}

/** Fills an organization with plausible data, through the public API. With a past, it spans months. */
export async function seed(base: string, key: string, past?: Past): Promise<Seeded> {
  const api = past?.api ?? apiWithKey(base, key);
  const { apps, people } = await seedCompany(base, key, past);
  const staff = await signInDeciders(base);
  const policies = await setPolicies(api, apps);
  await past?.carryOn();
  past?.reach(5);
  const tasks = await workOnTasks(api, apps, people);
  past?.reach(4);
  const tickets = await askAndDecide(apps, people, staff);
  past?.reach(3);
  const { reviews, cycles } = await review(api, apps, people, staff);
  past?.reach(0);
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

const addApps = async (api: Api): Promise<Seeded['apps']> => ({
  directory: await addApp(api, 'Corporate Directory'),
  crm: await addApp(api, 'Customer CRM'),
  code: await addApp(api, 'Code Hosting'),
  payroll: await addApp(api, 'Payroll'),
  wiki: await addApp(api, wiki().name),
});

async function connect(api: Api, apps: Seeded['apps'], people: Record<string, string>) {
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

/** Adds later syncs: some accounts disappear, one removal is rejected, one is held, one sync is in progress. */
async function changeTheWorld(
  api: Api,
  { directory: dir, crm: sales, code }: Seeded['apps'],
  people: Record<string, string>,
) {
  // One after the other: a policy combines the people who leave at the same moment, and shows how many tasks it created last.
  for (const [before, email] of ['zoe.lindqvist@acme.example', 'yara.costello@acme.example'].entries()) {
    await api.post(`/api/users/${people[email]}/deactivate/`);
    await confirmLeavers(api);
    await until(
      () => api.get(`/api/tasks/?app=${dir}`),
      ({ results }) =>
        results.filter(({ task_type }: { task_type: string }) => task_type === 'POLICY').length > before,
    );
  }
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
