// @module-tag long
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openRunFolder } from '../../server/test/keeper.ts';
import { until } from './api.ts';
import { type ConsoleTest, openConsole } from './harness.ts';
import { setPassword } from './seed.ts';
import { STAFF } from './seed-company.ts';
import { createStopwatch } from './stopwatch.ts';
import { field, heading, pick, told } from './story.ts';
import {
  createsAccounts,
  missing,
  type System,
  startActiveDirectory,
  startRabbitMq,
  startWordPress,
} from './systems.ts';
import type { Visit } from './visit.ts';

/** The story takes ten minutes, so only `npm run demo:connect` runs it. */
const isWanted = process.env.GATEHOUSE_DEMO === 'connect';

const PATIENCE = { timeout: 120_000 };
const LONG = 600_000;

/** The person who joins and leaves. */
const TOMAS = { email: STAFF.member, username: 'tomas.prado' };

/** An app with a connector that the server runs. */
interface Connected {
  name: string;
  missing: string | undefined;
  start(): Promise<System>;
  /** The text to search for in the list of types, and the words of the type. */
  type: [search: string, words: RegExp];
  /** The tab of the accounts in the preview. */
  accounts: RegExp;
  /** The group that the person requests, and what the system then reports. */
  wanted: [group: string, access: string[]];
  /** The access that the system reports after the person has left. Null: no account. */
  left: string[] | null;
}

const CONNECTED: Connected[] = [
  {
    name: 'WordPress',
    missing: missing.wordpress,
    start: () => startWordPress(TOMAS),
    type: ['sql', /^SQL database/],
    accounts: /^Users? /,
    wanted: ['Editor', ['editor']],
    left: createsAccounts ? null : [],
  },
  {
    name: 'RabbitMQ',
    missing: missing.rabbitmq,
    start: startRabbitMq,
    type: ['rabbit', /^RabbitMQ/],
    accounts: /^Users /,
    wanted: ['orders', ['orders']],
    left: null,
  },
  {
    name: 'Active Directory',
    missing: missing.activeDirectory,
    start: startActiveDirectory,
    type: ['ldap', /^LDAP directory/],
    accounts: /^People /,
    wanted: ['red', ['red']],
    left: null,
  },
];
const PARKING = 'Car park list';
const BADGES = 'Door badges';
/** The sheet that the gatekeeper keeps: ID, email and area. */
const HEADER = ['ID', 'Email', 'Group'];
const parking = [
  ['p1', 'henrik.lund@acme.example', 'North'],
  ['p2', 'sofia.rossi@acme.example', 'South'],
];
/** The badges in use. */
const badges = new Set<string>();

const stopwatch = createStopwatch();
let gatehouse: ConsoleTest;
let people: Record<string, string>;
/** The IDs of the apps by name. */
const apps: Record<string, string> = {};
/** The running systems by name. */
const systems: Record<string, System> = {};

beforeAll(async () => {
  gatehouse = await openConsole({
    empty: true,
    environment: { GATEHOUSE_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8' },
  });
  const { api, base } = gatehouse;
  const rows = [
    'email,username,first_name,last_name,manager_email',
    `${STAFF.manager},marta.silva,Marta,Silva,${STAFF.owner}`,
    `${TOMAS.email},${TOMAS.username},Tomás,Prado,${STAFF.manager}`,
  ];
  await api.postCsv('/api/users/import/', rows.join('\n'));
  const { results } = await api.get('/api/users/?limit=200');
  people = Object.fromEntries(
    results.map(({ email, external_uuid }: Record<string, string>) => [email, external_uuid]),
  );
  for (const email of [STAFF.manager, TOMAS.email]) await setPassword(base, people[email] ?? '');
}, LONG);

afterAll(async () => {
  await gatehouse?.close();
  for (const system of Object.values(systems)) await system.stop();
  process.stdout.write(`\n${stopwatch.table()}\n`);
  for (const { name, missing: reason } of CONNECTED)
    if (reason !== undefined) process.stdout.write(`${name} was left out: ${reason}.\n`);
}, LONG);

/** Takes pictures of the page if GATEHOUSE_DEMO_PICTURES names a folder for them. */
async function picture({ page }: Visit, name: string): Promise<void> {
  const folder = process.env.GATEHOUSE_DEMO_PICTURES;
  if (!folder) return;
  await mkdir(folder, { recursive: true });
  for (const [width, colorScheme] of [
    [390, 'dark'],
    [1440, 'light'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    await page.waitForTimeout(300);
    const file = `${name.toLowerCase().replaceAll(' ', '-')}-${width}.png`;
    await page.screenshot({ path: join(folder, file), fullPage: true });
  }
}

const appIn = (page: Page) => /\/apps\/([\w-]+)/.exec(page.url())?.[1] ?? '';

/** Leads an app from the list of types to its first sync, as an administrator does. */
async function connect(visit: Visit, { name, type: [search, words], accounts }: Connected, system: System) {
  const { page, goto } = visit;
  const time = async (step: string, work: () => Promise<unknown>) => {
    await stopwatch.time(name, step, work);
    await picture(visit, `${name}-${step}`);
  };
  await goto('/apps');
  await stopwatch.time(name, 'pick a type', async () => {
    await page.getByRole('link', { name: 'Add app' }).first().click();
    await page.getByRole('textbox', { name: 'Search types' }).fill(search);
    await page.getByRole('button', { name: words }).click();
  });
  await time('settings', async () => {
    if (system.definition !== undefined) {
      await field(page, 'Definition').fill(system.definition);
      await page.getByRole('button', { name: 'Check definition' }).click();
      await page.getByText('The definition is valid.').waitFor(PATIENCE);
    }
    await field(page, 'App name').fill(name);
    for (const [label, value] of Object.entries(system.settings)) await field(page, label).fill(value);
    const secret = page.getByLabel(/password/i).first();
    await secret.fill(system.password);
  });
  await time('test', async () => {
    await page.getByRole('button', { name: 'Save and test' }).click();
    const steps = page.getByRole('table', { name: 'Steps of the test' });
    await steps.waitFor(PATIENCE);
    expect(await steps.getByText('Failed').count(), await steps.innerText()).toBe(0);
  });
  await time('preview', async () => {
    await page.getByRole('button', { name: 'Continue to preview' }).click();
    await page.getByRole('tab', { name: accounts }).click(PATIENCE);
  });
  await time('schedule', async () => {
    await page.getByRole('button', { name: 'Continue to schedule' }).click();
    await page.getByRole('switch', { name: 'Carry out tasks' }).check({ force: true });
    await page.getByText('Pending tasks are carried out as they arrive.').waitFor();
  });
  await time('first sync', async () => {
    await page.getByRole('button', { name: 'Start first sync' }).click();
    await page.getByText('The app is connected.').waitFor(PATIENCE);
  });
  await page.getByRole('table', { name: 'Pushed records by type' }).waitFor();
  await page.getByRole('link', { name: 'Show connection' }).click();
  await page.getByRole('table', { name: /^Runs of the connector/ }).waitFor(PATIENCE);
  await picture(visit, `${name}-connection`);
  expect(await page.content()).not.toContain(system.password);
  apps[name] = appIn(page);
}

for (const app of CONNECTED) {
  test.skipIf(!isWanted || app.missing)(
    `connects ${app.name}`,
    async () => {
      const system = await app.start();
      systems[app.name] = system;
      await connect(await gatehouse.visit('owner'), app, system);
    },
    LONG,
  );
}

/** Creates an app without a connector on this server. */
async function createApp({ page, goto }: Visit, type: RegExp, name: string): Promise<void> {
  await goto('/apps');
  await page.getByRole('link', { name: 'Add app' }).first().click();
  await page.getByRole('button', { name: type }).click();
  await field(page, 'App name').fill(name);
  await page.getByRole('button', { name: 'Create app' }).click();
  await page.waitForURL(/\/apps\/(?!new)/);
  apps[name] = appIn(page);
}

async function planUpload({ page, goto }: Visit): Promise<void> {
  const folder = await openRunFolder();
  onTestFinished(folder.remove);
  const file = join(folder.path, 'parking.csv');
  await writeFile(file, [HEADER, ...parking].map((row) => row.join(',')).join('\n'));
  await goto(`/apps/${apps[PARKING]}/upload`);
  await page.locator('input[type=file]').setInputFiles(file);
  await page.getByRole('button', { name: 'Check rows' }).click(PATIENCE);
  await page.getByRole('button', { name: 'Apply changes' }).waitFor(PATIENCE);
}

async function fulfilByHand({ page, goto }: Visit, name: string): Promise<void> {
  await goto(`/apps/${apps[name]}?tab=fulfilment`);
  await page.getByRole('switch', { name: 'People carry out the tasks of this app' }).check({ force: true });
  await pick(page, 'Fulfillers', STAFF.manager);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Save' }).click();
  await told(page, 'Fulfilment saved');
}

test.runIf(isWanted)(
  'connects a spreadsheet, whose changes people make by hand',
  async () => {
    const visit = await gatehouse.visit('owner');
    await stopwatch.time(PARKING, 'create the app', () => createApp(visit, /^Spreadsheet/, PARKING));
    await stopwatch.time(PARKING, 'upload and plan', async () => {
      await planUpload(visit);
      await visit.page.getByText('2 accounts created').waitFor(PATIENCE);
    });
    await picture(visit, `${PARKING}-plan`);
    await stopwatch.time(PARKING, 'apply', async () => {
      await visit.page.getByRole('button', { name: 'Apply changes' }).click();
      await visit.page.getByRole('link', { name: 'Show the sync' }).waitFor(PATIENCE);
    });
    await stopwatch.time(PARKING, 'fulfilment by people', () => fulfilByHand(visit, PARKING));
  },
  LONG,
);

test.runIf(isWanted)(
  'connects an app that people change by hand',
  async () => {
    const visit = await gatehouse.visit('owner');
    await stopwatch.time(BADGES, 'create the app', () => createApp(visit, /^By hand/, BADGES));
    await stopwatch.time(BADGES, 'fulfilment by people', () => fulfilByHand(visit, BADGES));
    await picture(visit, `${BADGES}-fulfilment`);
  },
  LONG,
);

const reasonFor = (name: string) => `I start in the team that uses ${name}.`;

async function request({ page, goto }: Visit, name: string, group: string | null): Promise<void> {
  await goto('/requests/new');
  await pick(page, 'App', name);
  await page.getByRole('button', { name: `Choose ${group ?? 'Account'} in ${name}` }).click(PATIENCE);
  await page.getByLabel('Reason').fill(reasonFor(name));
  await page.getByRole('button', { name: 'Request access' }).click();
  await heading(page, /^REQ-\d+/).waitFor(PATIENCE);
}

async function approve({ page, goto }: Visit, name: string): Promise<void> {
  await goto('/approvals');
  const pending = page.getByRole('list', { name: 'Pending requests' });
  await pending.getByRole('button', { name: new RegExp(name) }).click();
  const article = page.getByRole('article');
  await article.getByText(reasonFor(name)).waitFor();
  await article.getByRole('button', { name: /^Approve/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await told(page, 'Request approved');
}

/** The fulfiller finds the task of an app, makes the change and reports it. */
async function doByHand(visit: Visit, name: string, step: string, change: () => void): Promise<void> {
  const { page, goto } = visit;
  await until(
    () => gatehouse.api.get(`/api/fulfilment/tasks/?app=${apps[name]}`),
    ({ results }) => results[0]?.assignee != null,
  );
  await goto('/my-tasks');
  await picture(visit, `my-tasks-${step}`);
  await page
    .getByRole('link', { name: new RegExp(name) })
    .first()
    .click();
  await heading(page, new RegExp(name)).waitFor();
  change();
  await page.getByRole('button', { name: 'Mark as done' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Mark as done' }).click();
  await told(page, 'Task completed');
}

/** Waits until the system itself reports this access of the person. */
const accessIs = (name: string, system: System, access: string[] | null) =>
  stopwatch.time(name, access?.length ? 'approved until in the system' : 'left until gone', () =>
    until(
      () => system.accessOf(TOMAS.username),
      (found) => JSON.stringify(found) === JSON.stringify(access),
    ),
  );

test.runIf(isWanted)(
  'a person gets the access that they request, in the systems themselves',
  async () => {
    const running = CONNECTED.filter(({ name }) => apps[name] !== undefined);
    const wanted: [name: string, group: string | null][] = [
      ...running.map(({ name, wanted: [group] }): [string, string] => [name, group]),
      [PARKING, 'North'],
      [BADGES, null],
    ];
    const member = await gatehouse.visit('member');
    for (const [name, group] of wanted)
      await stopwatch.time(name, 'request', () => request(member, name, group));
    await picture(member, 'requested');

    const owner = await gatehouse.visit('owner');
    const arrivals: Promise<unknown>[] = [];
    for (const [name] of wanted) {
      await stopwatch.time(name, 'approve', () => approve(owner, name));
      const app = running.find((one) => one.name === name);
      const system = systems[name];
      if (app && system) arrivals.push(accessIs(name, system, app.wanted[1]));
    }
    const fulfiller = await gatehouse.visit('manager');
    await stopwatch.time(PARKING, 'by hand', () =>
      doByHand(fulfiller, PARKING, 'joins', () => parking.push([TOMAS.username, TOMAS.email, 'North'])),
    );
    await stopwatch.time(BADGES, 'by hand', () =>
      doByHand(fulfiller, BADGES, 'joins', () => badges.add(TOMAS.username)),
    );
    await Promise.all(arrivals);
    await until(
      () => gatehouse.api.get('/api/tasks/?status=completed'),
      ({ count }) => count === wanted.length,
    );
    await member.goto('/');
    const access = member.page.getByRole('region', { name: 'Your access' });
    for (const [name] of wanted) await access.getByText(name).waitFor();
    await picture(member, 'granted');
  },
  2 * LONG,
);

test.runIf(isWanted)(
  'all access is gone from the systems when the person leaves',
  async () => {
    await gatehouse.api.post('/api/policies/', {
      name: 'Leavers lose all access',
      trigger: 'user.deactivated',
      condition: 'true',
      effects: Object.entries(apps).map(([name, app]) => ({
        do: name === 'WordPress' && !createsAccounts ? 'revoke' : 'delete',
        app,
      })),
    });
    const owner = await gatehouse.visit('owner');
    const { page, goto } = owner;
    await goto(`/people/${people[TOMAS.email]}`);
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Deactivate' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('Last day.');
    await dialog.getByRole('button', { name: 'Deactivate person' }).click();
    await told(page, /deactivated/);
    const departures = CONNECTED.flatMap(({ name, left }) => {
      const system = systems[name];
      return system && apps[name] ? [accessIs(name, system, left)] : [];
    });
    const fulfiller = await gatehouse.visit('manager');
    await stopwatch.time(PARKING, 'by hand', () =>
      doByHand(fulfiller, PARKING, 'leaves', () => parking.pop()),
    );
    await stopwatch.time(BADGES, 'by hand', () =>
      doByHand(fulfiller, BADGES, 'leaves', () => badges.delete(TOMAS.username)),
    );
    await Promise.all(departures);

    const { results } = await gatehouse.api.get(`/api/accounts/?user=${people[TOMAS.email]}`);
    const held = results.filter(({ status }: { status: string }) => status !== 'INACTIVE');
    expect(held.map(({ app }: { app: { name: string } }) => app.name)).toEqual(
      createsAccounts || !apps.WordPress ? [] : ['WordPress'],
    );
    await goto(`/people/${people[TOMAS.email]}`);
    await picture(owner, 'left');

    // The next upload confirms what the fulfiller did to the sheet.
    await planUpload(owner);
    await page.getByText('Completing the sync now would change nothing.').waitFor();
    await picture(owner, `${PARKING}-after`);
  },
  2 * LONG,
);
