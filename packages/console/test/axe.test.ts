import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleTest, openConsole } from './harness.ts';
import type { Seeded } from './seed.ts';
import type { Visit } from './visit.ts';

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
/** Another scheme changes colours and nothing else: the other rules have been applied by then. */
const RULES = { light: {}, dark: { runOnly: ['color-contrast'] } };

async function expectUsable(visit: Visit, address: Address) {
  const { page, goto, settled, problems } = visit;
  problems.length = 0;
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ colorScheme: 'light' });
  await goto(typeof address === 'string' ? address : address(gatehouse.seeded));
  const faults: string[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await settled();
      const { scheme, overflow } = await page.evaluate(() => ({
        scheme: document.documentElement.dataset.mantineColorScheme,
        overflow: document.documentElement.scrollWidth - window.innerWidth,
      }));
      expect(scheme).toBe(colorScheme);
      if (overflow > 0) faults.push(`${width}: the page is ${overflow} px too wide`);
      faults.push(
        ...(await seriousViolations(page, RULES[colorScheme])).map(
          (words) => `${width} ${colorScheme}: ${words}`,
        ),
      );
    }
  }
  expect([...faults, ...problems]).toEqual([]);
}

async function seriousViolations(page: Page, rules: object): Promise<string[]> {
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'], ...rules });
  const { violations } = await axe.analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, impact, help, nodes }) => {
      const where = nodes.slice(0, 5).map(({ target }) => target.join(' '));
      return `${id} (${impact}): ${help}: ${where.join(', ')}`;
    });
}

describe.each([
  ['before sign-in', null, PUBLIC],
  ['for the owner', 'owner', OWNER],
  ['for a member', 'manager', MANAGER],
] as const)(
  '%s, axe finds nothing serious, light or dark, wide or narrow, and nothing scrolls sideways',
  (_who, as, pages) => {
    let visit: Visit;
    beforeAll(async () => {
      visit = await gatehouse.visitForAll(as);
      return visit.close;
    });
    test.each(pages)('%s', (_name, address) => expectUsable(visit, address));
  },
);
