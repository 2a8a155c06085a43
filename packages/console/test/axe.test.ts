import AxeBuilder from '@axe-core/playwright';
import { beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleTest, openConsole } from './harness.ts';
import type { Seeded } from './seed.ts';
import type { Role } from './seed-company.ts';

let gatehouse: ConsoleTest;
beforeAll(async () => {
  gatehouse = await openConsole();
  return gatehouse.close;
});

type Address = string | ((seeded: Seeded) => string);

const PUBLIC: [string, Address][] = [
  ['sign-in', '/sign-in'],
  ['welcome', '/welcome#token'],
  ['an address that there is not', '/nothing/here'],
];
const OWNER: [string, Address][] = [
  ['overview', '/'],
  ['apps', '/apps'],
  ['app', ({ apps }) => `/apps/${apps.crm}`],
  ['accounts of an app', ({ apps }) => `/apps/${apps.crm}?tab=accounts`],
  ['groups of an app', ({ apps }) => `/apps/${apps.crm}?tab=groups`],
  ['licenses of an app', ({ apps }) => `/apps/${apps.crm}?tab=licenses`],
  ['syncs of an app', ({ apps }) => `/apps/${apps.crm}?tab=syncs`],
  ['settings of an app', ({ apps }) => `/apps/${apps.crm}?tab=settings`],
  ['app that was never synced', ({ apps }) => `/apps/${apps.payroll}`],
  ['app that is disconnected', ({ apps }) => `/apps/${apps.wiki}`],
  ['app with a held sync', ({ apps }) => `/apps/${apps.code}?tab=syncs`],
  ['accounts', '/accounts'],
  ['account', ({ accounts }) => `/accounts/${accounts.seller}`],
  ['people', '/people'],
  ['person', ({ people }) => `/people/${people['marta.silva@acme.example']}`],
  ['tasks', '/tasks'],
  ['failed task', ({ tasks }) => `/tasks/${tasks.failed}`],
  ['requests', '/requests'],
  ['new request', '/requests/new'],
  ['request', ({ tickets }) => `/requests/${tickets.pending}`],
  ['approvals', '/approvals'],
  ['reviews', '/reviews'],
  ['review', ({ reviews }) => `/reviews/${reviews.open}`],
  ['open cycle', ({ cycles }) => `/reviews/cycles/${cycles.open}`],
  ['closed cycle', ({ cycles }) => `/reviews/cycles/${cycles.closed}`],
  ['policies', '/policies'],
  ['new policy', '/policies/new'],
  ['policy', ({ policies }) => `/policies/${policies.joiners}`],
  ['events', '/events'],
  ['API keys', '/settings/api-keys'],
  ['settings of sign-in', '/settings/sign-in'],
  ['organization', '/settings/organization'],
  ['profile', '/settings/profile'],
];
const MANAGER: [string, Address][] = [
  ['overview', '/'],
  ['approvals', '/approvals'],
  ['reviews', '/reviews'],
  ['cycle to review', ({ cycles }) => `/reviews/cycles/${cycles.open}`],
];

const WIDTHS = [1440, 390];
const SCHEMES = ['light', 'dark'] as const;

async function expectUsable(as: Role | null, address: Address) {
  const { page, goto, settled } = await gatehouse.visit(as);
  await goto(typeof address === 'string' ? address : address(gatehouse.seeded));
  const faults: string[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme });
      await settled();
      const shown = await page.evaluate(() => ({
        scheme: document.documentElement.dataset.mantineColorScheme,
        overflow: document.documentElement.scrollWidth - window.innerWidth,
      }));
      expect(shown.scheme).toBe(colorScheme);
      if (shown.overflow > 0) faults.push(`${width}: the page is ${shown.overflow} px too wide`);
      const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
      for (const { id, impact, help, nodes } of violations) {
        if (impact !== 'serious' && impact !== 'critical') continue;
        const where = nodes.map(({ target }) => target.join(' ')).slice(0, 5);
        faults.push(`${width} ${colorScheme}: ${id} (${impact}): ${help}: ${where.join(', ')}`);
      }
    }
  }
  expect(faults).toEqual([]);
}

describe('axe finds nothing serious, light or dark, wide or narrow, and nothing scrolls sideways', () => {
  test.each(PUBLIC)('before sign-in: %s', (_name, address) => expectUsable(null, address));
  test.each(OWNER)('for the owner: %s', (_name, address) => expectUsable('owner', address));
  test.each(MANAGER)('for a member: %s', (_name, address) => expectUsable('manager', address));
});
