import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ConsoleTest } from './harness.ts';
import type { Seeded } from './seed.ts';
import type { Role } from './seed-company.ts';
import type { Visit } from './visit.ts';

type RunOptions = Parameters<AxeBuilder['options']>[0];
type Result = Awaited<ReturnType<AxeBuilder['analyze']>>['violations'][number];
interface AxeWindow {
  axe: { run(options: RunOptions): Promise<{ violations: Result[] }> };
}

type Address = string | ((seeded: Seeded) => string);
/** Pages by name and address, and how to open a dialog that has no address. */
export type Pages = [string, Address, ((page: Page) => Promise<void>)?][];

/** A page keeps its color scheme when it becomes narrow, since changing it takes half as long as checking its contrast. */
const LAYOUTS = [
  { width: 1440, schemes: ['light', 'dark'] },
  { width: 390, schemes: ['dark', 'light'] },
] as const;
/** Axe leaves out the rule on labels unless asked. The color scheme changes colors only, so dark needs no other rule. */
const RULES = {
  light: { rules: { 'label-content-name-mismatch': { enabled: true } } },
  dark: { runOnly: ['color-contrast'] },
};

async function expectUsable(
  visit: Visit,
  home: string,
  address: string,
  open?: (page: Page) => Promise<void>,
) {
  const { page, problems } = visit;
  problems.length = 0;
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto(home + address);
  await open?.(page);
  expect([...(await faultsOf(visit)), ...problems]).toEqual([]);
}

/** Returns what axe finds on the page as it is, light and dark, wide and narrow, and whether it scrolls sideways. */
export async function faultsOf({ page, settled }: Visit): Promise<string[]> {
  const faults: string[] = [];
  for (const { width, schemes } of LAYOUTS) {
    await page.setViewportSize({ width, height: 900 });
    await settled();
    faults.push(...(await faultsOfLayout(page)).map((words) => `${width}: ${words}`));
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme });
      await page.waitForFunction(
        (scheme) => document.documentElement.dataset.mantineColorScheme === scheme,
        colorScheme,
      );
      faults.push(
        ...(await seriousViolations(page, RULES[colorScheme])).map(
          (words) => `${width} ${colorScheme}: ${words}`,
        ),
      );
    }
  }
  return faults;
}

/** Returns what axe does not report: a page that scrolls sideways, and links inside links, which browsers cannot parse. */
function faultsOfLayout(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const overflow = document.documentElement.scrollWidth - window.innerWidth;
    const nested = document.querySelectorAll('a a, a button, button a').length;
    return [
      ...(overflow > 0 ? [`the page is ${overflow} px too wide`] : []),
      ...(nested > 0 ? [`${nested} links or buttons are inside links`] : []),
    ];
  });
}

async function seriousViolations(page: Page, rules: object): Promise<string[]> {
  const violations = await runAxe(page, { resultTypes: ['violations'], ...rules });
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, impact, help, nodes }) => {
      const where = nodes.slice(0, 5).map(({ target }) => target.join(' '));
      return `${id} (${impact}): ${help}: ${where.join(', ')}`;
    });
}

/** AxeBuilder loads all of axe into the page for each analysis. Once per page is enough. */
async function runAxe(page: Page, options: RunOptions): Promise<Result[]> {
  const isLoaded = await page.evaluate(() => 'axe' in window);
  if (!isLoaded)
    return (await new AxeBuilder({ page }).setLegacyMode().options(options).analyze()).violations;
  return page.evaluate(
    async (given) => (await (window as unknown as AxeWindow).axe.run(given)).violations,
    options,
  );
}

/** Tests that axe finds nothing serious on these pages, light or dark, wide or narrow, and that none scrolls sideways. */
export function testPages(who: string, gatehouse: () => ConsoleTest, as: Role | null, pages: Pages) {
  describe(`${who}, axe finds no serious problem, light or dark, wide or narrow`, () => {
    let visit: Visit;
    beforeAll(async () => {
      visit = await gatehouse().visitForAll(as);
      return visit.close;
    });
    test.each(pages)('%s', (_name, address, open) =>
      expectUsable(
        visit,
        gatehouse().home,
        typeof address === 'string' ? address : address(gatehouse().seeded),
        open,
      ),
    );
  });
}
