/**
 * Writes docs/console/*.png: the main pages with the seeded company. Names of pictures as arguments select some of them.
 */
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { apiWithKey } from './api.ts';
import { buildConsole } from './build.ts';
import { launchChromium } from './chromium.ts';
import { type Seeded, seed } from './seed.ts';
import { type Role, STAFF } from './seed-company.ts';
import { lossPages, seedLosses } from './seed-losses.ts';
import { startGatehouse } from './server.ts';
import { openVisit, type VisitOptions } from './visit.ts';

const FOLDER = join(import.meta.dirname, '../../../docs/console');
const MOST_BYTES = 150_000;

interface Picture extends Partial<VisitOptions> {
  name: string;
  address: (seeded: Seeded) => string;
  who?: Role;
  /** What to open on the page. */
  open?: (page: Page) => Promise<void>;
}

const selected = process.argv.slice(2);
const isSelected = ({ name }: Picture) => selected.length === 0 || selected.includes(name);

const PICTURES: Picture[] = [
  { name: 'overview', address: () => '/' },
  { name: 'app-syncs', address: ({ apps }) => `/apps/${apps.code}?tab=syncs` },
  { name: 'app-licenses', address: ({ apps }) => `/apps/${apps.crm}?tab=licenses` },
  { name: 'first-sync', address: ({ apps }) => `/apps/${apps.payroll}` },
  { name: 'account', address: ({ accounts }) => `/accounts/${accounts.seller}` },
  { name: 'tasks', address: () => '/tasks?status=failed' },
  { name: 'approvals', address: () => '/approvals', who: 'manager', height: 640 },
  { name: 'review', address: ({ cycles }) => `/reviews/cycles/${cycles.open}`, who: 'manager', height: 640 },
  { name: 'policy', address: ({ policies }) => `/policies/${policies.joiners}` },
  { name: 'events', address: () => '/events?category=authorization', dark: true, height: 560 },
  { name: 'api-keys', address: () => '/settings/api-keys' },
  { name: 'narrow', address: ({ cycles }) => `/reviews/cycles/${cycles.open}`, who: 'manager', width: 390 },
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
const data = await mkdtemp(join(tmpdir(), 'gatehouse-screenshots-'));
const service = await startGatehouse({ dataDir: join(data, 'data') });
const browser = await launchChromium();
const base = `${service.url}/org/acme`;
try {
  const seeded = await seed(base, service.key);
  for (const picture of PICTURES.filter(isSelected)) await take(picture, seeded);
  for (const picture of (await lossPictures(base, service.key, seeded)).filter(isSelected))
    await take(picture, seeded);
} finally {
  await browser.close();
  await service.stop();
  await rm(data, { recursive: true, force: true });
}

async function take({ name, address, who = 'owner', open, ...options }: Picture, seeded: Seeded) {
  const size = { width: 1200, height: 750, ...options };
  const visit = await openVisit(browser, { url: service.url, base }, { as: STAFF[who], ...size });
  await visit.goto(address(seeded));
  await open?.(visit.page);
  await visit.settled();
  const path = join(FOLDER, `${name}.png`);
  await visit.page.screenshot({ path });
  await visit.close();
  const bytes = (await stat(path)).size;
  process.stdout.write(`${String(Math.round(bytes / 1000)).padStart(5)} KB  docs/console/${name}.png\n`);
  if (bytes > MOST_BYTES) throw new Error(`${path} is too large for the repository.`);
}
