/** Writes docs/console/*.png: the main pages with the seeded company. */
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildConsole } from './build.ts';
import { launchChromium } from './chromium.ts';
import { type Seeded, seed } from './seed.ts';
import { type Role, STAFF } from './seed-company.ts';
import { startGatehouse } from './server.ts';
import { openVisit, type VisitOptions } from './visit.ts';

const FOLDER = join(import.meta.dirname, '../../../docs/console');
const MOST_BYTES = 150_000;

interface Picture extends Partial<VisitOptions> {
  name: string;
  address: (seeded: Seeded) => string;
  who?: Role;
}

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

await buildConsole();
const data = await mkdtemp(join(tmpdir(), 'gatehouse-screenshots-'));
const service = await startGatehouse({ dataDir: join(data, 'data') });
const browser = await launchChromium();
try {
  const base = `${service.url}/org/acme`;
  const seeded = await seed(base, service.key);
  for (const { name, address, who = 'owner', ...options } of PICTURES) {
    const size = { width: 1200, height: 750, ...options };
    const visit = await openVisit(browser, { url: service.url, base }, { as: STAFF[who], ...size });
    await visit.goto(address(seeded));
    const path = join(FOLDER, `${name}.png`);
    await visit.page.screenshot({ path });
    await visit.close();
    const bytes = (await stat(path)).size;
    process.stdout.write(`${String(Math.round(bytes / 1000)).padStart(5)} KB  docs/console/${name}.png\n`);
    if (bytes > MOST_BYTES) throw new Error(`${path} is too large for the repository.`);
  }
} finally {
  await browser.close();
  await service.stop();
  await rm(data, { recursive: true, force: true });
}
