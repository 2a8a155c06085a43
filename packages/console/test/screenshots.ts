/** Writes docs/console/*.png: the main pages with the seeded company. Arguments limit it to these names. */
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { openDatabase } from '../../server/src/platform/database/open.ts';
import { apiWithKey } from './api.ts';
import { buildConsole } from './build.ts';
import { launchChromium } from './chromium.ts';
import { type Seeded, seed } from './seed.ts';
import { type Role, STAFF } from './seed-company.ts';
import { type SeededHistory, seedHistory } from './seed-history.ts';
import { lossPages, seedLosses } from './seed-losses.ts';
import { startGatehouse } from './server.ts';
import { openVisit, type VisitOptions } from './visit.ts';

const FOLDER = join(import.meta.dirname, '../../../docs/console');
const MOST_BYTES = 150_000;

interface Picture extends Partial<VisitOptions> {
  name: string;
  address: (seeded: Seeded) => string;
  who?: Role;
  /** The name of a region to scroll to. */
  from?: string;
  /** Opens a dialog or a plan on the page. */
  open?: (page: Page) => Promise<void>;
}

const PICTURES: Picture[] = [
  { name: 'overview', address: () => '/' },
  { name: 'app-syncs', address: ({ apps }) => `/apps/${apps.crm}?tab=syncs` },
  { name: 'app-licenses', address: ({ apps }) => `/apps/${apps.crm}?tab=licenses` },
  { name: 'first-sync', address: ({ apps }) => `/apps/${apps.payroll}` },
  { name: 'account', address: ({ accounts }) => `/accounts/${accounts.seller}` },
  { name: 'held-removal', address: ({ apps }) => `/apps/${apps.code}?tab=syncs`, height: 800 },
  { name: 'tasks', address: () => '/tasks?status=failed' },
  { name: 'approvals', address: () => '/approvals', who: 'manager', height: 640 },
  { name: 'review', address: ({ cycles }) => `/reviews/cycles/${cycles.open}`, who: 'manager', height: 640 },
  {
    name: 'review-plan',
    address: ({ cycles }) => `/reviews/cycles/${cycles.open}?plan=true`,
    height: 640,
  },
  { name: 'policy', address: ({ policies }) => `/policies/${policies.joiners}` },
  { name: 'policy-plan', address: ({ policies }) => `/policies/${policies.joiners}?preview=true` },
  { name: 'events', address: () => '/events?category=authorization', dark: true, height: 560 },
  { name: 'api-keys', address: () => '/settings/api-keys' },
  { name: 'narrow', address: ({ cycles }) => `/reviews/cycles/${cycles.open}`, who: 'manager', width: 390 },
];

const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

/** After these, the app of seedHistory has a past. */
const pastPictures = ({ app, marta }: SeededHistory): Picture[] => [
  { name: 'timeline', address: () => `/accounts/${marta}`, from: 'Timeline' },
  { name: 'compare', address: () => `/history/compare?app=${app}&from=${ago(60)}&to=${ago(0)}` },
];
/** Pictures of an app with losses, which the other pictures do not show. */
async function lossPictures(base: string, key: string, seeded: Seeded): Promise<Picture[]> {
  const { sync } = lossPages(await seedLosses(apiWithKey(base, key), 'Travel Desk'), seeded);
  const open = async (page: Page) => {
    await page.getByRole('link', { name: 'Restore access…' }).click();
    await page.getByRole('button', { name: 'Show plan' }).click();
    await page.getByRole('table', { name: 'Cannot come back' }).waitFor();
  };
  const ask = async (page: Page) => {
    await page.getByRole('button', { name: 'Revert…' }).click();
    await page.getByRole('button', { name: 'Revert sync' }).waitFor();
  };
  return [
    { name: 'restore', address: () => sync, open },
    { name: 'revert', address: () => sync, open: ask },
  ];
}

await buildConsole();
const folder = await mkdtemp(join(tmpdir(), 'gatehouse-screenshots-'));
const dataDir = join(folder, 'data');
let service = await startGatehouse({ dataDir });
const { key } = service;
const browser = await launchChromium();
try {
  const base = `${service.url}/org/acme`;
  const seeded = await seed(base, key);
  for (const picture of PICTURES) await take(picture, base, seeded);
  for (const picture of await lossPictures(base, key, seeded)) await take(picture, base, seeded);
  const history = await seedHistory(apiWithKey(base, key), changeData);
  for (const picture of pastPictures(history)) await take(picture, base, seeded);
} finally {
  await browser.close();
  await service.stop();
  await rm(folder, { recursive: true, force: true });
}

async function take(
  { name, address, who = 'owner', from, open, ...options }: Picture,
  base: string,
  seeded: Seeded,
) {
  const wanted = process.argv.slice(2);
  if (wanted.length > 0 && !wanted.includes(name)) return;
  const size = { width: 1200, height: 750, ...options };
  const visit = await openVisit(browser, { url: service.url, base }, { as: STAFF[who], ...size });
  await visit.goto(address(seeded));
  await open?.(visit.page);
  if (from !== undefined)
    await visit.page
      .getByRole('region', { name: from })
      .evaluate((region) => region.scrollIntoView({ block: 'end' }));
  await visit.settled();
  const path = join(FOLDER, `${name}.png`);
  await visit.page.screenshot({ path });
  await visit.close();
  const bytes = (await stat(path)).size;
  process.stdout.write(`${String(Math.round(bytes / 1000)).padStart(5)} KB  docs/console/${name}.png\n`);
  if (bytes > MOST_BYTES) throw new Error(`${path} is too large for the repository.`);
}

/** Runs a statement on the database while the service is stopped. */
async function changeData(statement: string) {
  await service.stop();
  const database = await openDatabase({ url: undefined, dataDir });
  await database.exec(statement);
  await database.close();
  service = await startGatehouse({ dataDir, key, port: Number(new URL(service.url).port) });
}
