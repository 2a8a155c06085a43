/** The pictures of docs/guides/console.md. */
import type { Page } from 'playwright-core';
import { type Api, apiSignedIn, apiWithKey } from './api.ts';
import { type Role, STAFF } from './seed-company.ts';
import { PASSWORD } from './seed-sign-in.ts';
import type { Year } from './seed-year.ts';
import { carryOut } from './story.ts';
import type { VisitOptions } from './visit.ts';

export interface Picture extends Partial<VisitOptions> {
  name: string;
  /** Its address, or what finds it out. */
  at: string | ((year: Year, api: Api) => string | Promise<string>);
  who?: Role;
  german?: boolean;
  /** The name of a region or a heading to scroll to. */
  from?: string;
  /** Opens a dialog or a plan on the page. */
  open?: (page: Page) => Promise<void>;
}

const cycle = ({ seeded: { cycles } }: Year) => `/reviews/cycles/${cycles.open}`;

/** The address of a group or license of an app. */
const resourceAt = async (api: Api, app: string, q: string) => {
  const { results } = await api.get(`/api/apps/${app}/resources/?q=${encodeURIComponent(q)}`);
  return `/access/${results[0].external_uuid}`;
};

const find = async (page: Page, text: string) => {
  await page.keyboard.press('Control+k');
  const dialog = page.getByRole('dialog', { name: 'Search' });
  await dialog.getByRole('combobox', { name: 'Search' }).fill(text);
  await dialog.getByRole('option').first().waitFor();
};

const APPS: Picture[] = [
  { name: 'overview', at: '/', height: 820 },
  { name: 'overview-german', at: '/', width: 1440, german: true, dark: true },
  { name: 'apps', at: '/apps', height: 640 },
  { name: 'app-syncs', at: ({ seeded: { apps } }) => `/apps/${apps.crm}?tab=syncs` },
  { name: 'app-licenses', at: ({ seeded: { apps } }) => `/apps/${apps.crm}?tab=licenses`, height: 980 },
  { name: 'first-sync', at: ({ seeded: { apps } }) => `/apps/${apps.payroll}` },
  { name: 'account', at: ({ seeded: { accounts } }) => `/accounts/${accounts.seller}` },
  {
    name: 'held-removal',
    at: async ({ seeded: { apps } }, api) => {
      const { results } = await api.get(`/api/apps/${apps.code}/syncs/?limit=1`);
      return `/apps/${apps.code}/syncs/${results[0].sync_id}`;
    },
    height: 900,
  },
  {
    name: 'group-reach',
    at: ({ months }, api) => resourceAt(api, months.tools.SAP ?? '', 'Payment'),
    height: 980,
  },
  { name: 'tasks', at: '/tasks?status=failed' },
];

const PEOPLE: Picture[] = [
  {
    name: 'person',
    width: 1440,
    height: 700,
    at: ({ seeded: { people } }) => `/people/${people[STAFF.member]}`,
  },
  {
    name: 'person-timeline',
    width: 1440,
    at: ({ seeded: { people } }) => `/people/${people[STAFF.member]}?tab=timeline`,
  },
  {
    name: 'person-graph',
    at: ({ seeded: { people } }) => `/people/${people['jonas.weber@acme.example']}?by=graph`,
    width: 1440,
    height: 700,
    dark: true,
  },
  { name: 'leavers', at: '/people?tab=leavers', height: 520 },
  { name: 'insights', at: '/people?tab=insights', height: 1250 },
  {
    name: 'table',
    at: '/accounts',
    width: 1440,
    height: 620,
    open: async (page) => {
      await page.getByRole('button', { name: 'Arrange table' }).click();
      await page.getByLabel('Name of the view').fill('Accounts to look at');
    },
  },
  { name: 'phone-people', at: '/people', width: 390, height: 844 },
];

const DECISIONS: Picture[] = [
  { name: 'approvals', at: '/approvals', who: 'manager', height: 640 },
  {
    name: 'catalog',
    at: '/requests/new',
    who: 'member',
    height: 900,
    open: async (page) => {
      const search = page.getByLabel('Search by name or description');
      await search.fill('Sales EMEA');
      await page.getByRole('button', { name: 'Choose Sales EMEA in Customer CRM' }).click();
      await search.fill('Agents');
      await page.getByRole('button', { name: 'Choose Agents in Zendesk' }).click();
      await search.fill('');
      await page.getByRole('radio', { name: '7 days' }).check();
      await page.getByLabel('Reason').fill('I take over the escalations of the Hamburg customers.');
      await page
        .getByText(/\(your manager\)/)
        .first()
        .waitFor();
    },
  },
  { name: 'request', at: ({ seeded: { tickets } }) => `/requests/${tickets.pending}` },
  { name: 'team', at: '/team', who: 'manager', height: 640 },
  {
    name: 'review',
    at: (year) => `${cycle(year)}?decision=none`,
    who: 'manager',
    height: 680,
    open: (page) => page.getByText('Left the company').nth(3).scrollIntoViewIfNeeded(),
  },
  {
    name: 'review-item',
    at: (year) => `${cycle(year)}?decision=none`,
    who: 'manager',
    width: 1100,
    height: 640,
    open: (page) =>
      page
        .locator('tbody tr')
        .filter({ has: page.getByRole('list', { name: 'Deviations' }) })
        .first()
        .getByRole('button', { name: /^Details of/ })
        .click(),
  },
  {
    name: 'review-pause',
    at: cycle,
    who: 'manager',
    open: async (page) => {
      await page.getByLabel('Select all rows on this page').check();
      await page.getByRole('button', { name: /^Keep \d+$/ }).click();
      await page
        .getByRole('dialog')
        .getByText(/^You decide more than 50 items in one step/)
        .waitFor();
    },
  },
  { name: 'review-reviewers', at: (year) => `${cycle(year)}?reviewers=true`, height: 700 },
  { name: 'review-plan', at: (year) => `${cycle(year)}?plan=true`, height: 640 },
  { name: 'narrow', at: cycle, who: 'manager', width: 390, height: 844 },
];

const RULES: Picture[] = [
  {
    name: 'policy-condition',
    at: ({ seeded: { policies } }) => `/policies/${policies.joiners}`,
    open: async (page) => {
      await page.getByText(/^Matches \d+ of/).waitFor();
    },
    from: 'Condition',
  },
  {
    name: 'policy-plan',
    at: ({ seeded: { policies } }) => `/policies/${policies.joiners}?preview=true`,
    open: (page) => page.getByText(/^Listing the tasks/).waitFor({ state: 'detached' }),
  },
  { name: 'find', at: '/', height: 600, dark: true, open: (page) => find(page, 'Marta') },
  {
    name: 'events',
    at: '/events?category=authorization',
    height: 760,
    dark: true,
    open: async (page) => {
      const box = await page.getByRole('img', { name: 'Events by time' }).locator('svg').boundingBox();
      if (box === null) throw new Error('The histogram is not visible.');
      await page.mouse.move(box.x + box.width * 0.55, box.y + 20);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width * 0.9, box.y + 20, { steps: 5 });
      await page.mouse.up();
      await page.waitForURL(/from=/);
    },
  },
  { name: 'api-keys', at: '/settings/api-keys' },
  { name: 'identity-provider', at: '/settings/identity-provider?product=okta', height: 1000 },
];

const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const LEAVER = 'Dilan Kaya';
const leaver = ({ months }: Year) => `/people/${months.leaver}`;

/** The story of a leaver, in the order of docs/start/console-story.md. Each step changes what the next one shows. */
export const STORY: Picture[] = [
  { name: 'story-leavers', at: '/people?tab=leavers', height: 480 },
  { name: 'story-person', at: leaver, width: 1440, height: 640 },
  { name: 'story-timeline', width: 1440, at: (year) => `${leaver(year)}?tab=timeline`, height: 640 },
  { name: 'story-then', width: 1440, at: (year) => `${leaver(year)}?as_of=${ago(30)}`, height: 640 },
  { name: 'story-find', at: '/', height: 480, open: (page) => find(page, LEAVER) },
  {
    name: 'story-delete',
    at: '/people?tab=leavers',
    height: 560,
    open: async (page) => {
      await page.getByRole('row').filter({ hasText: LEAVER }).getByRole('checkbox').check();
      await page.getByRole('button', { name: 'Delete accounts' }).click();
      await page.getByRole('textbox').last().fill('delete 1');
    },
  },
];

export const PICTURES: Picture[] = [...APPS, ...PEOPLE, ...DECISIONS, ...RULES];

/** Deletes the account as the story does, and returns the pictures that follow. */
export async function storyAfterTask(year: Year): Promise<Picture[]> {
  const base = `${year.service.url}/org/acme`;
  const api = apiWithKey(base, year.service.key);
  const owner = await apiSignedIn(base, STAFF.owner, PASSWORD);
  const app = year.months.tools.SAP ?? '';
  const { results } = await api.get(`/api/accounts/?app=${app}&user=${year.months.leaver}`);
  const account = results[0].external_uuid;
  const { external_uuid: task } = await owner.post('/api/tasks/', {
    app,
    action: 'delete_account',
    account,
    reason: 'Left the company',
  });
  await carryOut(api, app);
  return [
    { name: 'story-task', at: `/tasks/${task}`, height: 640 },
    { name: 'story-gone', at: leaver, width: 1440, height: 560 },
    { name: 'story-policy', at: ({ seeded: { policies } }) => `/policies/${policies.leavers}` },
    { name: 'story-events', at: `/events?subject=${account}`, height: 900 },
  ];
}
