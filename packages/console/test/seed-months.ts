import { type Api, apiSignedIn, apiWithKey, until } from './api.ts';
import type { Past, Seeded } from './seed.ts';
import { addApp, everyOf, sync } from './seed-apps.ts';
import { type SeedClock, seedClock } from './seed-clock.ts';
import {
  ADMIN,
  codeHosting,
  crm,
  directory as directoryRecords,
  MARKUP,
  PEOPLE,
  STAFF,
  type System,
} from './seed-company.ts';
import { confirmLeavers } from './seed-holds.ts';
import {
  ASKED,
  type Asked,
  FORMER,
  type Former,
  JOINED,
  LEAVER,
  MOVED,
  NEWCOMERS,
  TOOLS,
  toolAccounts,
} from './seed-past.ts';
import { PASSWORD, setPassword } from './seed-sign-in.ts';
import { carryOut } from './story.ts';

/** The IDs of what the months add. */
export interface SeededMonths {
  /** By name. */
  tools: Record<string, string>;
  directory: string;
  /** Somebody who left, and still has accounts. */
  leaver: string;
}

const FIRST_DAY = 362;
/** The seed hires everybody and connects the apps again on this day, and carries on from there. */
const PRESENT = 21;

/** Twelve months before the seed, in which people joined, moved and left. `clock` knows when. */
export function monthsBefore(base: string, key: string): Past & { clock: SeedClock; added: SeededMonths } {
  const clock = seedClock();
  const added: SeededMonths = { tools: {}, directory: '', leaver: '' };
  const api = plain(apiWithKey(base, key), clock, added);
  return {
    clock,
    added,
    api,
    reach: clock.reach,
    begin: () => live(api, base, clock, added),
    carryOn: () => carryOn(api, clock, added),
  };
}

async function live(api: Api, base: string, clock: SeedClock, added: SeededMonths): Promise<Seeded['apps']> {
  clock.reach(FIRST_DAY);
  const owner = await apiSignedIn(base, ADMIN, PASSWORD);
  await bring(api, FIRST_DAY);
  const apps = {
    directory: await addApp(api, 'Corporate Directory'),
    crm: await addApp(api, 'Customer CRM'),
    code: await addApp(api, 'Code Hosting'),
    payroll: await addApp(api, 'Payroll'),
    wiki: await addApp(api, 'Old Wiki'),
  };
  added.directory = apps.directory;
  const people = await idsOf(api);
  for (const [name, { owner: who }] of Object.entries(TOOLS)) {
    added.tools[name] = await addApp(api, name);
    await api.patch(`/api/apps/${added.tools[name]}/`, {
      owner: people[who],
      approval_steps: [{ approvers: 'manager', require: 'any' }],
    });
  }
  await setPassword(base, people[STAFF.manager] ?? '');
  const manager = await apiSignedIn(base, STAFF.manager, PASSWORD);
  let last = FIRST_DAY;
  for (const day of DAYS) {
    clock.reach(day);
    await change(api, last, day);
    await push(api, { ...apps, ...added.tools }, day, day % 3 === 0);
    if (REVIEWED.includes(day)) await review(api, owner, [apps.directory, apps.code], people);
    for (const one of ASKED.filter(({ on }) => on < last && on >= day))
      await request(api, manager, added.tools, people, one);
    last = day;
  }
  added.leaver = (await idsOf(api))[LEAVER.email] ?? '';
  return apps;
}

/** About every eighth day of the months. */
const DAYS = Array.from({ length: 43 }, (_, at) => FIRST_DAY - 2 - at * 8 - (at % 5)).filter(
  (day) => day > PRESENT,
);

const REVIEWED = [11, 22, 33].map((at) => DAYS[at]);

async function carryOn(api: Api, clock: SeedClock, { tools, directory }: SeededMonths): Promise<void> {
  let last = PRESENT;
  for (let day = PRESENT - 1; day > 5; day -= 1) {
    clock.reach(day);
    await change(api, last, day);
    await carryOut(api, directory);
    await push(api, { ...tools, directory }, day, true);
    last = day;
  }
}

const COLUMNS = [
  'email',
  'first_name',
  'last_name',
  'department',
  'title',
  'location',
  'manager_email',
] as const;

/** The people of the company on a day of the past. */
const staffOn = (day: number): Former[] =>
  [
    ...PEOPLE.map((person, at) => ({ ...person, from: JOINED[at] ?? FIRST_DAY, until: -1, at })),
    ...[...FORMER, ...NEWCOMERS].map((person) => ({ ...person, at: -1 })),
  ]
    .filter(({ from, until: end }) => from >= day && end < day)
    .map(({ at, ...person }) => ({ ...person, department: departmentOn(person, at, day) }));

function departmentOn({ department, moves }: Former, at: number, day: number): string {
  const moved = MOVED[at] ?? moves;
  return moved !== undefined && moved.on < day ? moved.before : department;
}

async function bring(api: Api, day: number) {
  const rows = staffOn(day).map((person) => COLUMNS.map((name) => `"${person[name]}"`).join(','));
  await api.postCsv('/api/users/import/', [COLUMNS.join(','), ...rows].join('\n'));
}

const idsOf = async (api: Api): Promise<Record<string, string>> =>
  Object.fromEntries((await everyOf(api, '/api/users/?')).map((one) => [one.email, one.external_uuid]));

/** Adds who joined between two days, moves who moved, and deactivates who left. */
async function change(api: Api, last: number, day: number) {
  const key = ({ email, department }: Former) => `${email} ${department}`;
  const [before, after] = [staffOn(last), staffOn(day)];
  const known = new Set(before.map(key));
  if (after.some((person) => !known.has(key(person)))) await bring(api, day);
  const emails = new Set(after.map(({ email }) => email));
  const left = before.filter(({ email }) => !emails.has(email));
  if (left.length === 0) return;
  const ids = await idsOf(api);
  for (const { email } of left) await api.post(`/api/users/${ids[email]}/deactivate/`);
  await confirmLeavers(api);
}

/** Syncs the apps as they were on a day. */
async function push(api: Api, apps: Record<string, string>, day: number, all: boolean) {
  const staff = staffOn(day);
  const emails = new Set(staff.map(({ email }) => email));
  const present = (accounts: System['accounts'], most: number) => {
    const isStranger = ({ email }: { email: string }) => email.endsWith('@partners.example');
    return [
      ...accounts.filter(({ email }) => emails.has(email)),
      ...accounts.filter(isStranger).slice(0, most),
    ];
  };
  const grown = (from: number, to: number) => Math.round(to - ((to - from) * day) / FIRST_DAY);
  const systems: Record<string, System> = { directory: directoryRecords(), crm: crm(), code: codeHosting() };
  const most: Record<string, number> = { directory: 12, crm: grown(34, 82), code: grown(46, 88) };
  for (const [name, app] of Object.entries(apps)) {
    const system = systems[name];
    if (system !== undefined && (day > PRESENT || name === 'directory') && (all || name === 'crm'))
      await sync(api, app, { ...system, accounts: present(system.accounts, most[name] ?? 0) });
    else if (TOOLS[name] !== undefined && all) {
      if ((day * 7 + name.length) % 11 === 0) {
        const { sync_id } = await api.post(`/api/v1/bridge/apps/${app}/sync/`);
        await api.post(`/api/v1/bridge/apps/${app}/sync/${sync_id}/abandon/`);
      } else await sync(api, app, { name, ...TOOLS[name], accounts: toolAccounts(name, staff, day) });
    }
  }
}

async function review(api: Api, owner: Api, apps: string[], people: Record<string, string>) {
  const { external_uuid: id } = await api.post('/api/reviews/', {
    name: `Quarterly review of Engineering`,
    scope: { apps, users: "user.attributes.department == 'Engineering'" },
    reviewer: [people[ADMIN]],
    cooling_off_hours: 0,
    due_days: 21,
  });
  const { external_uuid: cycle } = await api.post(`/api/reviews/${id}/start/`);
  await until(
    () => api.get(`/api/reviews/cycles/${cycle}/`),
    ({ status }) => status === 'in_progress',
  );
  const { results } = await api.get(`/api/reviews/cycles/${cycle}/items/?limit=200`);
  const items = (results as { id: string }[]).map(({ id: item }) => item);
  await owner.post(`/api/reviews/cycles/${cycle}/decisions/`, {
    items,
    decision: 'keep',
    comment: 'Checked with the team leads.',
  });
  await until(
    () => api.get(`/api/reviews/cycles/${cycle}/`),
    ({ status }) => status !== 'in_progress',
  );
}

async function request(
  api: Api,
  manager: Api,
  tools: Record<string, string>,
  people: Record<string, string>,
  { email, tool, group, comment }: Asked,
) {
  const user = people[email];
  const app = tools[tool] ?? '';
  const { external_uuid } = await api.post('/api/tickets/', {
    user,
    requester: user,
    type: tool === 'Jira' ? 'MODIFY_ACCESS' : 'NEW_ACCESS',
    app,
    memberships: { group: [group] },
    initial_comment: comment,
  });
  await manager.post(`/api/tickets/${external_uuid}/approve/`, { comment: 'Agreed.' });
  await carryOut(api, app);
}

const PLAIN: [string, string][] = [
  [`Please ${MARKUP}`, 'Needs the invoices of the customers that I migrate.'],
  [` ${MARKUP}`, ''],
  [MARKUP, 'Mallory'],
  ['O’Neil & Sons ""quoted""', 'O’Neil'],
  ['O’Neil & Sons "quoted"', 'O’Neil'],
];
const plainText = (text: string) => PLAIN.reduce((all, [from, to]) => all.replaceAll(from, to), text);

/** Without the markup in the seed's names, and with what the apps know of sign-ins and of newcomers. */
function plain(api: Api, clock: SeedClock, added: SeededMonths): Api {
  const tidy = (body: unknown) =>
    body === undefined
      ? undefined
      : JSON.parse(JSON.stringify(body), (_, value) =>
          typeof value === 'string' ? plainText(value) : value,
        );
  return {
    ...api,
    post: (path, body) => api.post(path, tidy(body)),
    patch: (path, body) => api.patch(path, tidy(body)),
    postCsv: (path, csv) => api.postCsv(path, plainText(csv)),
    put: (path, body) => {
      const sent = tidy(body);
      if (path.endsWith('/account/')) {
        if (path.includes(`/apps/${added.directory}/`)) sent.records.push(...others(clock.day()));
        for (const record of sent.records) record.last_sign_in_at ??= lastSignIn(record.id);
      }
      return api.put(path, sent);
    },
  };
}

/** The directory's accounts of people whom the seed does not have. */
const others = (day: number) =>
  staffOn(day)
    .filter(({ email }) => OTHERS.some((one) => one.email === email))
    .map(({ email, first_name, last_name, department }) => ({
      id: `uid-${email}`,
      email,
      username: email.split('@')[0] ?? email,
      first_name,
      last_name,
      display_name: `${first_name} ${last_name}`,
      status: 'active',
      memberships: { group: [{ id: department.toLowerCase() }] },
      assignments: {},
    }));
const OTHERS = [...FORMER, ...NEWCOMERS];

/** Most people signed in lately; some did not for months, or never. */
function lastSignIn(id: string): string | undefined {
  const number = [...id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 9973, 7);
  if (number % 13 === 0) return undefined;
  const days = number % 7 === 0 ? 95 + (number % 160) : number % 19;
  return new Date(Date.now() - days * 86_400_000 - (number % 600) * 60_000).toISOString();
}
