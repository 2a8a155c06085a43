// @module-tag long
import type { Page, Route } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleTest, openSharedConsole } from './harness.ts';
import type { Seeded } from './seed.ts';
import type { Visit } from './visit.ts';

let gatehouse: ConsoleTest;
beforeAll(async () => {
  gatehouse = await openSharedConsole();
  return gatehouse.close;
});

/** Pages that read several things, by what they show. */
const PAGES: Record<string, (seeded: Seeded) => string> = {
  overview: () => '/',
  app: ({ apps }) => `/apps/${apps.crm}`,
  'settings of an app': ({ apps }) => `/apps/${apps.crm}?tab=settings`,
  'fulfillment of an app': ({ apps }) => `/apps/${apps.crm}?tab=fulfillment`,
  'syncs of an app': ({ apps }) => `/apps/${apps.code}?tab=syncs`,
  account: ({ accounts }) => `/accounts/${accounts.seller}`,
  person: ({ people }) => `/people/${people['marta.silva@acme.example']}`,
  leavers: () => '/people?tab=leavers',
  task: ({ tasks }) => `/tasks/${tasks.failed}`,
  request: ({ tickets }) => `/requests/${tickets.pending}`,
  approvals: () => '/approvals',
  reviews: () => '/reviews',
  campaign: ({ reviews }) => `/reviews/${reviews.open}`,
  'items of a review': ({ cycles }) => `/reviews/cycles/${cycles.open}?all=true`,
  policy: ({ policies }) => `/policies/${policies.joiners}`,
  organization: () => '/settings/organization',
  profile: () => '/settings/profile',
  'identity provider': () => '/settings/identity-provider',
};

/** Reads of every page: who is signed in, and how much is unread. */
const COMMON = /\/api\/(me|notifications)\/$/;

/** Returns what the page states: the lines of its text, without headings that name it once it is loaded. */
const statements = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const main = document.querySelector('main')?.cloneNode(true) as HTMLElement;
    for (const part of main.querySelectorAll('h1, th, time, button, [role=tab], option, [aria-hidden=true]'))
      part.remove();
    for (const skeleton of main.querySelectorAll('.mantine-Skeleton-root')) skeleton.replaceWith('…');
    document.body.append(main);
    const lines = main.innerText.split(/[\n\t]+/).map((line) => line.trim());
    main.remove();
    return [...new Set(lines)];
  });

/** Words that say that something loads, and signs without a meaning. */
const NO_STATEMENT = /…|^(Loading.*|[\p{P}\p{S}\s]*)$/u;

/** Opens the page while one of its reads gets no response. Returns what it states then that is not true once all is loaded. */
async function statedTooEarly(
  { page, settled }: Visit,
  address: string,
  held: string,
  truth: ReadonlySet<string>,
) {
  const waiting: Route[] = [];
  const isHeld = (url: URL) => keyOf(url) === held;
  await page.route(isHeld, (route) => void waiting.push(route));
  const quiet = countedRequests(page, isHeld);
  await page.goto(gatehouse.home + address);
  await expect.poll(() => waiting.length, { timeout: 20_000 }).toBeGreaterThan(0);
  await quiet();
  const early = (await statements(page)).filter((line) => !NO_STATEMENT.test(line) && !truth.has(line));
  await page.unroute(isHeld);
  for (const route of waiting) await route.continue().catch(() => {});
  await settled();
  return early.map((line) => `${held}: ${line}`);
}

const keyOf = ({ pathname, search }: URL) => pathname.replace(new URL(gatehouse.base).pathname, '') + search;

/** Returns a function that waits until no request but held ones is under way. */
function countedRequests(page: Page, isHeld: (url: URL) => boolean) {
  let open = 0;
  const began = (request: { url(): string }) => void (isHeld(new URL(request.url())) || open++);
  const ended = (request: { url(): string }) => void (isHeld(new URL(request.url())) || open--);
  page.on('request', began);
  page.on('requestfinished', ended);
  page.on('requestfailed', ended);
  return async () => {
    // A response can lead to another request.
    for (let round = 0; round < 3; round++) {
      await expect.poll(() => open, { timeout: 20_000 }).toBeLessThanOrEqual(0);
      await page.evaluate(() => new Promise(requestAnimationFrame));
    }
    page.off('request', began);
    page.off('requestfinished', ended);
    page.off('requestfailed', ended);
  };
}

describe('states nothing while a read is under way that is not true afterwards', () => {
  test.each(Object.keys(PAGES))('%s', async (name) => {
    const address = PAGES[name]?.(gatehouse.seeded) ?? '/';
    const visit = await gatehouse.visit('owner');
    const reads = new Set<string>();
    const note = (request: { method(): string; url(): string }) => {
      const url = new URL(request.url());
      if (
        request.method() === 'GET' &&
        url.href.startsWith(`${gatehouse.base}/`) &&
        !COMMON.test(url.pathname)
      )
        reads.add(keyOf(url));
    };
    visit.page.on('request', note);
    await visit.goto(address);
    visit.page.off('request', note);
    const truth = new Set(await statements(visit.page));
    const early: string[] = [];
    for (const held of reads) early.push(...(await statedTooEarly(visit, address, held, truth)));
    expect(early).toEqual([]);
  });
});

describe('decides nothing before the context is loaded', () => {
  const CONTEXT = /\/context\//;

  test('a review', async () => {
    const { page, settled } = await gatehouse.visit('owner');
    const waiting: Route[] = [];
    const decisions: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') decisions.push(request.url());
    });
    await page.route(CONTEXT, (route) => void waiting.push(route));
    await page.goto(
      `${gatehouse.home}/reviews/cycles/${gatehouse.seeded.cycles.open}?all=true&decision=none`,
    );
    const keep = page.getByRole('button', { name: 'Keep', exact: true }).first();
    await keep.waitFor();
    await expect.poll(() => keep.isDisabled()).toBe(true);
    await page.getByRole('row').nth(2).focus();
    for (const key of ['j', 'y', 'n', 'c']) await page.keyboard.press(key);
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    expect(decisions).toEqual([]);

    await page.unroute(CONTEXT);
    for (const route of waiting) await route.continue().catch(() => {});
    await settled();
    await expect.poll(() => keep.isEnabled()).toBe(true);
  });

  test('a review whose context cannot be read says so, and reads it again', async () => {
    const { page, settled, expectRefusals } = await gatehouse.visit('owner');
    expectRefusals([500], CONTEXT);
    await page.route(CONTEXT, (route) => route.fulfill({ status: 500, json: { detail: 'Out of order.' } }));
    await page.goto(
      `${gatehouse.home}/reviews/cycles/${gatehouse.seeded.cycles.open}?all=true&decision=none`,
    );
    const alert = page.getByRole('alert').filter({ hasText: 'Out of order.' });
    await alert.waitFor();
    await page.unroute(CONTEXT);
    await alert.getByRole('button', { name: 'Retry' }).click();
    await settled();
    await expect
      .poll(() => page.getByRole('button', { name: 'Keep', exact: true }).first().isEnabled())
      .toBe(true);
  });

  test('a request', async () => {
    const { page, settled } = await gatehouse.visit('manager');
    const waiting: Route[] = [];
    await page.route(CONTEXT, (route) => void waiting.push(route));
    await page.goto(`${gatehouse.home}/approvals`);
    const approve = page.getByRole('button', { name: 'Approve' }).last();
    await approve.waitFor();
    await expect.poll(() => approve.isDisabled()).toBe(true);
    for (const key of ['a', 'd']) await page.keyboard.press(key);
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);

    await page.unroute(CONTEXT);
    for (const route of waiting) await route.continue().catch(() => {});
    await settled();
    await page.keyboard.press('a');
    await page.getByRole('dialog', { name: /^Approve / }).waitFor();
  });
});

test('a page with several forms has a button to save only for those that were changed', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  await goto('/settings/organization');
  const buttons = page.getByRole('button', { name: /^Save/ });
  await expect.poll(() => buttons.count()).toBe(0);
  const name = page.getByRole('textbox', { name: 'Name', exact: true });
  const before = await name.inputValue();
  await name.fill(`${before}!`);
  await expect.poll(() => buttons.allTextContents()).toEqual(['Save name']);
  await name.fill(before);
  await expect.poll(() => buttons.count()).toBe(0);

  await goto(`/apps/${gatehouse.seeded.apps.crm}?tab=settings`);
  await expect.poll(() => page.getByRole('button', { name: 'Save', exact: true }).count()).toBe(0);
});
