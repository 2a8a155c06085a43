// @module-tag long
import type { Locator } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { exported } from './exported.ts';
import { type ConsoleTest, openConsole } from './harness.ts';
import { decideTooFast, heading } from './story.ts';

let gatehouse: ConsoleTest;
beforeAll(async () => {
  gatehouse = await openConsole();
  return gatehouse.close;
});

const open = () => `/reviews/cycles/${gatehouse.seeded.cycles.open}`;
// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a body.
const itemsOf = async (query: string): Promise<any[]> =>
  (await gatehouse.api.get(`/api${open()}/items/?limit=200&${query}`)).results;

test('shows what deviates, and all that is known about an item in its details', async () => {
  const { page, goto } = await gatehouse.visit('manager');
  await goto(open());
  const left = page
    .locator('tbody tr')
    .filter({ has: page.getByRole('list', { name: 'Deviations' }).getByText('Left the company') })
    // Decided items have no recommendation.
    .filter({ hasText: 'Recommended: revoke' })
    .first();
  await left.waitFor();
  // The chip gives the reason.
  await expect.poll(() => left.getByText('Reason: Left the company').count()).toBe(0);
  await left.getByRole('button', { name: /^Details of/ }).click();
  const drawer = page.getByRole('dialog');
  await drawer.getByRole('heading', { name: 'Peers' }).waitFor();
  await drawer.getByRole('heading', { name: 'Earlier decisions' }).waitFor();
  await page.goBack();
  await drawer.waitFor({ state: 'detached' });
});

test('searches people and access, and groups the items by access', async () => {
  const { page, goto } = await gatehouse.visit('manager');
  await goto(open());
  const rows = page.locator('tbody tr').filter({ has: page.getByRole('checkbox') });
  await page.getByLabel('Search people and access').fill('Developer seat');
  await page.waitForURL(/q=Developer/);
  const seats = (await itemsOf('q=Developer%20seat')).filter(({ reviewers }) =>
    reviewers.some(({ email }: { email: string }) => email.startsWith('marta.silva')),
  );
  await expect.poll(() => rows.count()).toBe(seats.length);
  await page.getByRole('button', { name: 'By access' }).click();
  await page.waitForURL(/group=access/);
  await expect.poll(() => page.locator('tr[data-heading]').count()).toBe(1);
  await page.locator('tr[data-heading]').getByText('Developer seat').waitFor();
});

test('keeps all undecided items of a person', async () => {
  const [{ user }] = (await itemsOf('decision=none')).filter(
    ({ reviewers, user }) => user !== null && reviewers[0]?.email.startsWith('marta.silva'),
  );
  const undecided = async () => (await itemsOf(`decision=none&user=${user.external_uuid}`)).length;
  expect(await undecided()).toBeGreaterThan(0);
  const { page, goto } = await gatehouse.visit('manager');
  await goto(open());
  await page.getByRole('button', { name: `Keep all of ${user.name}` }).click();
  await expect.poll(undecided).toBe(0);
});

test('keeps only those items of a person that the filters show', async () => {
  const shown = await itemsOf('decision=none&kind=account');
  const { user } = shown.find(
    ({ reviewers, user }) => user !== null && reviewers[0]?.email.startsWith('marta.silva'),
  );
  const undecided = async (query: string) =>
    (await itemsOf(`decision=none&user=${user.external_uuid}${query}`)).length;
  const accounts = await undecided('&kind=account');
  const all = await undecided('');
  expect(all).toBeGreaterThan(accounts);
  const { page, goto } = await gatehouse.visit('manager');
  await goto(`${open()}?kind=account`);
  await page.getByRole('button', { name: `Keep all of ${user.name}` }).click();
  await expect.poll(() => undecided('&kind=account')).toBe(0);
  expect(await undecided('')).toBe(all - accounts);

  // Items that are not listed are not decided either.
  await goto(`${open()}?decision=keep`);
  await page
    .getByRole('button', { name: /^Show only/ })
    .first()
    .waitFor();
  await expect.poll(() => page.getByRole('button', { name: /^Keep all of/ }).count()).toBe(0);
});

test('a key decides no item that is scrolled out of view', async () => {
  const { page, goto } = await gatehouse.visit('manager', { height: 600 });
  await goto(`${open()}?decision=none`);
  const rows = page.locator('tbody tr').filter({ has: page.getByRole('checkbox') });
  const undecided = async () => (await itemsOf('decision=none')).length;
  const before = await undecided();
  await rows.nth(0).focus();
  await page.evaluate(() => scrollTo({ top: document.body.scrollHeight }));
  const isInView = () =>
    rows.nth(0).evaluate((row) => {
      const { top, bottom } = row.getBoundingClientRect();
      return top > 0 && bottom < innerHeight;
    });
  await expect.poll(isInView).toBe(false);
  await page.keyboard.press('y');
  await expect.poll(isInView).toBe(true);
  await rows.nth(0).getByRole('button', { name: 'Keep', exact: true }).waitFor();
  expect(await undecided()).toBe(before);

  await page.keyboard.press('y');
  await rows.nth(0).getByRole('button', { name: 'Kept' }).waitFor();
  await expect.poll(undecided).toBe(before - 1);
});

test('asks for a reason before a decision on more than 50 items', async () => {
  const { page, goto } = await gatehouse.visit('manager');
  await goto(open());
  await page.getByLabel('Select all rows on this page').check();
  await page.getByRole('button', { name: /^Keep \d+$/ }).click();
  const ask = page.getByRole('dialog');
  await ask.getByText(/^You decide more than 50 items in one step/).waitFor();
  const keep = ask.getByRole('button', { name: /^Keep \d+ items$/ });
  await expect.poll(() => keep.isDisabled()).toBe(true);
  await ask.getByLabel('Reason').fill('The whole team stays.');
  await expect.poll(() => keep.isEnabled()).toBe(true);
});

test('pauses somebody who decides faster than they can read, and records the reason', async () => {
  const { page, goto } = await gatehouse.visit('manager');
  await goto(open());
  const ask = await decideTooFast(page);
  await ask.getByLabel('Reason').fill('I looked at them yesterday.');
  await ask.getByRole('button', { name: 'Continue' }).click();
  await ask.waitFor({ state: 'detached' });
  const reasons = async () => (await itemsOf('')).map(({ comment }) => comment);
  // It is sent after all earlier decisions.
  await expect.poll(reasons, { timeout: 30_000 }).toContain('I looked at them yesterday.');
});

test('decides at the bottom of a phone', async () => {
  const { page, goto } = await gatehouse.visit('manager', { width: 390 });
  await goto(`${open()}?decision=none`);
  const bar = page.getByRole('region', { name: /^Decide / });
  const name = await bar.getAttribute('aria-label');
  const { height } = (await bar.boundingBox()) ?? { height: 0 };
  expect(height).toBeGreaterThan(60);
  await bar.getByRole('button', { name: 'Keep' }).click();
  await expect.poll(() => bar.getAttribute('aria-label')).not.toBe(name);
  const message = page.getByRole('alert').filter({ hasText: 'Undo' });
  const covered = async () => {
    const [above, below] = [await message.boundingBox(), await bar.boundingBox()];
    return above === null || below === null || above.y + above.height > below.y;
  };
  await expect.poll(covered).toBe(false);
  await page.getByRole('button', { name: 'Filters, some set' }).click();
  await page.getByRole('button', { name: 'By access' }).waitFor();
});

// The narrower the phone, the more lines the progress above the items has.
test.each([390, 320])(
  'the bar of a phone that is %i pixels wide decides about an item that is on the screen',
  async (width) => {
    const { page, goto } = await gatehouse.visit('manager', { width, height: 760 });
    const items = (await itemsOf('')).length;
    expect(items).toBeGreaterThan(20);
    await goto(open());
    const bar = page.getByRole('region', { name: /^Decide / });
    const named = async () => (await bar.getAttribute('aria-label'))?.slice('Decide '.length) ?? '';
    const isShown = async () => {
      const item = page.getByRole('button', { name: `Details of ${await named()}`, exact: true });
      const [at, below] = [await item.boundingBox(), await bar.boundingBox()];
      const progress = await page.locator('[data-top-bar]').boundingBox();
      if (at === null || below === null || progress === null) return false;
      return at.y >= progress.y + progress.height && at.y + at.height <= below.y;
    };
    await expect.poll(isShown).toBe(true);
    for (let n = 0; n < 4; n += 1) {
      const before = await named();
      await bar.getByRole('button', { name: 'Keep' }).click();
      await expect.poll(named).not.toBe(before);
      await expect.poll(isShown).toBe(true);
    }
    await page.evaluate(() => scrollTo({ top: document.body.scrollHeight }));
    const keep = bar.getByRole('button', { name: 'Keep' });
    await expect.poll(async () => (await isShown()) || (await keep.count()) === 0).toBe(true);
    const show = bar.getByRole('button', { name: 'Show this item' });
    if ((await show.count()) > 0) await show.click();
    await keep.waitFor();
    await expect.poll(isShown).toBe(true);
  },
);

test('an item that was just decided stays under the filter, and the focus goes to the next undecided one', async () => {
  const { page, goto, settled } = await gatehouse.visit('manager');
  await goto(`${open()}?decision=none`);
  const rows = page.locator('tbody tr').filter({ has: page.getByRole('checkbox') });
  const names = () =>
    rows
      .getByRole('button', { name: /^Details of/ })
      .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? ''));
  const focused = () => page.evaluate(() => Number((document.activeElement as HTMLElement).dataset.at ?? -1));
  const before = await names();
  const undecided = async () => (await itemsOf('decision=none')).length;
  const open0 = await undecided();
  await rows.nth(1).getByRole('button', { name: 'Keep', exact: true }).click();
  const undo = page.getByRole('alert').getByRole('button', { name: 'Undo' });
  const label = undo.locator('.mantine-Button-label');
  expect(await label.evaluate((one) => one.scrollWidth <= one.clientWidth)).toBe(true);
  await expect.poll(undecided).toBe(open0 - 1);
  await settled();
  expect(await names()).toEqual(before);
  await rows.nth(1).getByRole('button', { name: 'Kept' }).waitFor();
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Kept');

  await rows.nth(0).focus();
  await page.keyboard.press('y');
  await expect.poll(focused).toBe(2);
  await expect.poll(undecided).toBe(open0 - 2);
  await settled();
  expect(await names()).toEqual(before);
  expect(await focused()).toBe(2);

  await goto(`${open()}?decision=none`);
  expect((await names()).sort()).toEqual(before.slice(2).sort());
});

test('after the details close, the focus is on the item that they showed last', async () => {
  const { page, goto } = await gatehouse.visit('manager');
  await goto(`${open()}?decision=none&kind=account`);
  const rows = page.locator('tbody tr').filter({ has: page.getByRole('checkbox') });
  const nameOf = (row: Locator) =>
    row.getByRole('button', { name: /^Details of/ }).getAttribute('aria-label');
  const focused = page.locator('tbody tr:focus');
  const first = await nameOf(rows.nth(0));
  await rows.nth(0).focus();
  await page.keyboard.press('i');
  const drawer = page.getByRole('dialog');
  // Nobody decides before the advice is there.
  await drawer.getByRole('heading', { name: 'Peers' }).waitFor();
  const title = () => drawer.getByRole('heading', { level: 2 }).first().textContent();
  await page.keyboard.press('y');
  await expect.poll(async () => `Details of ${await title()}`).not.toBe(first);
  const last = `Details of ${await title()}`;
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  await expect.poll(() => nameOf(focused)).toBe(last);

  await page.keyboard.press('n');
  const lastRow = rows.filter({ has: page.getByRole('button', { name: last, exact: true }) });
  await lastRow.getByRole('button', { name: 'Revoked' }).waitFor();
  await rows.nth(0).getByRole('button', { name: 'Kept' }).waitFor();
});

test('shows administrators how far each reviewer is, and reminds them', async () => {
  const { page, goto, expectRefusals } = await gatehouse.visit('admin');
  await goto(open());
  await page.getByRole('button', { name: 'Reviewers', exact: true }).click();
  await page.getByRole('figure', { name: 'Progress per reviewer' }).waitFor();
  const drawing = await exported(page, 'Picture as SVG');
  const { results } = await gatehouse.api.get(
    `/api/reviews/cycles/${gatehouse.seeded.cycles.open}/reviewers/`,
  );
  expect(results.length).toBeGreaterThan(1);
  for (const { reviewer } of results) expect(drawing).toContain(reviewer?.name ?? 'Administrators');
  const row = page
    .getByRole('table', { name: 'Reviewers' })
    .getByRole('row')
    .filter({ hasText: 'Marta Silva' });
  await row.getByRole('cell', { name: 'Never' }).waitFor();
  await row.getByRole('button', { name: 'Remind Marta Silva' }).click();
  await page.getByText('Marta Silva was reminded').waitFor();
  await expect.poll(() => row.locator('time').getAttribute('datetime')).toMatch(/^\d{4}-/);
  expectRefusals([409], /\/remind\//);
  await row.getByRole('button', { name: 'Remind Marta Silva' }).click();
  await page.getByText(/was reminded less than an hour ago/).waitFor();
  await row.getByRole('button', { name: 'Reassign the open items of Marta Silva' }).click();
  await page
    .getByRole('dialog', { name: /^Reassign \d+ items\?$/ })
    .getByRole('button', { name: 'Go back' })
    .click();
  await row.getByRole('button', { name: 'Show items of Marta Silva' }).click();
  await page.getByRole('button', { name: 'One reviewer only' }).waitFor();
});

test('sums the progress of all reviewers, also if the table has several pages', async () => {
  const { api, seeded } = gatehouse;
  const { external_uuid } = await api.post('/api/reviews/', {
    name: 'Many reviewers',
    scope: { apps: [seeded.apps.crm], include: ['accounts'] },
    reviewer: Object.values(seeded.people).slice(0, 55),
  });
  const { external_uuid: cycle } = await api.post(`/api/reviews/${external_uuid}/start/`);
  await expect.poll(async () => (await api.get(`/api/reviews/cycles/${cycle}/`)).status).toBe('in_progress');
  const { count, results } = await api.get(`/api/reviews/cycles/${cycle}/reviewers/?limit=200`);
  expect(count).toBeGreaterThan(50);
  const open = results.reduce((sum: number, row: { open: number }) => sum + row.open, 0);

  const { page, goto } = await gatehouse.visit('admin');
  await goto(`/reviews/cycles/${cycle}`);
  await page.getByRole('button', { name: 'Reviewers', exact: true }).click();
  const picture = page.getByRole('figure', { name: 'Progress per reviewer' });
  await picture.getByText(`Open: ${open.toLocaleString('en')}.`).waitFor();
  await picture.getByText(`and ${count - 12} more reviewers`).waitFor();
});

test('turns to the next undecided items after some were decided, and skips none', async () => {
  const { api, seeded } = gatehouse;
  const { external_uuid } = await api.post('/api/reviews/', {
    name: 'Two pages',
    reviewer: [seeded.people['marta.silva@acme.example']],
  });
  const { external_uuid: cycle } = await api.post(`/api/reviews/${external_uuid}/start/`);
  await expect.poll(async () => (await api.get(`/api/reviews/cycles/${cycle}/`)).status).toBe('in_progress');
  const list = `/api/reviews/cycles/${cycle}/items/?decision=none&limit=200`;
  const { count } = await (await gatehouse.apiAs('manager')).get(`${list}&mine=true`);
  expect(count).toBeGreaterThan(102);

  const { page, goto, settled } = await gatehouse.visit('manager');
  await goto(`/reviews/cycles/${cycle}?decision=none`);
  const rows = page.locator('tbody tr').filter({ has: page.getByRole('checkbox') });
  const names = () =>
    rows
      .getByRole('button', { name: /^Details of/ })
      .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? ''));
  const shown = await names();
  const keep = page.getByRole('button', { name: 'Keep', exact: true });
  const row = rows.filter({ has: keep }).first();
  const kept = await row.getByRole('button', { name: /^Details of/ }).getAttribute('aria-label');
  await row.getByRole('button', { name: 'Keep', exact: true }).click();
  await rows.getByRole('button', { name: 'Kept' }).first().waitFor();
  await settled();
  await page.getByRole('button', { name: 'Next' }).click();
  await expect.poll(() => rows.getByRole('button', { name: 'Kept' }).count()).toBe(0);
  await settled();
  const after = await names();
  expect(after).toHaveLength(shown.length);
  expect(shown.filter((name) => !after.includes(name))).toEqual([kept]);
  expect(page.url()).not.toContain('page=2');
});

test('shows recommendations also once decided items make a page longer than 100', async () => {
  const { api, seeded } = gatehouse;
  const { external_uuid } = await api.post('/api/reviews/', {
    name: 'A long page',
    reviewer: [seeded.people['marta.silva@acme.example']],
  });
  const { external_uuid: cycle } = await api.post(`/api/reviews/${external_uuid}/start/`);
  await expect.poll(async () => (await api.get(`/api/reviews/cycles/${cycle}/`)).status).toBe('in_progress');
  const manager = await gatehouse.apiAs('manager');
  const recommendedOn = async (number: number): Promise<unknown[]> => {
    const items = `/api/reviews/cycles/${cycle}/items/`;
    const { results } = await manager.get(
      `${items}?decision=none&mine=true&limit=100&offset=${100 * (number - 1)}`,
    );
    const ids = results.map(({ id }: { id: string }) => id).join(',');
    const { results: contexts } = await manager.get(`${items}context/?items=${ids}`);
    return contexts.filter((one: { recommendation: unknown }) => one.recommendation !== null);
  };
  const number = (await recommendedOn(1)).length > 0 ? 1 : 2;
  const { page, goto, settled } = await gatehouse.visit('manager');
  await goto(`/reviews/cycles/${cycle}?decision=none&page=${number}`);
  const rows = page.locator('tbody tr').filter({ has: page.getByRole('checkbox') });
  await rows.first().getByRole('button', { name: 'Keep', exact: true }).click();
  await rows.first().getByRole('button', { name: 'Kept' }).waitFor();
  await settled();
  await expect.poll(() => rows.count()).toBe(101);

  const recommended = await recommendedOn(number);
  expect(recommended).not.toEqual([]);
  await expect.poll(() => rows.getByText(/^Recommended: /).count()).toBe(recommended.length);
});

test('counts the items of a campaign before it starts', async () => {
  const { page, goto } = await gatehouse.visit('admin');
  const { external_uuid } = await gatehouse.api.post('/api/reviews/', { name: 'Everything' });
  await goto(`/reviews/${external_uuid}?dialog=start`);
  await heading(page, 'Everything').waitFor();
  await page
    .getByRole('dialog')
    .getByText(/^Items to review now: [\d,]+, of [\d,]+ accounts$/)
    .waitFor();
});

test('warns before a review starts whose reviewers cannot sign in, and names them', async () => {
  const { api, seeded } = gatehouse;
  const { page, goto } = await gatehouse.visit('admin');
  const reviewer = [seeded.people['aisha.okafor@acme.example'], seeded.people['marta.silva@acme.example']];
  const { external_uuid } = await api.post('/api/reviews/', { name: 'Nobody looks', reviewer });
  await goto(`/reviews/${external_uuid}?dialog=start`);
  const warning = page.getByRole('dialog').getByRole('alert');
  await warning.getByText('1 reviewer cannot sign in').waitFor();
  await expect
    .poll(() => warning.getByRole('link').allInnerTexts())
    .toEqual([expect.stringContaining('Aisha Okafor')]);
});

test.each([390, 320])(
  'shows long names in full before a review starts, on a phone %i wide',
  async (width) => {
    const { page, goto } = await gatehouse.visit('owner', { own: true, width, height: 844 });
    await page.route(/reviews\/[^/]+\/preview\//, async (route) => {
      const response = await route.fetch();
      const own = {
        account: `${'service'.repeat(6)}@acme.example`,
        app: LONG,
        external_uuid: ID,
        groups: [],
      };
      const json = { ...(await response.json()), own_accounts: { count: 1, results: [own] } };
      await route.fulfill({ response, json });
    });
    await goto(`/reviews/${gatehouse.seeded.reviews.planned}?dialog=start`);
    const alert = page.getByRole('dialog').getByRole('alert').filter({ hasText: LONG });
    await expectWhole(alert);
  },
);

test.each([390, 320])('shows in full what a revocation removes, on a phone %i wide', async (width) => {
  const { page, goto } = await gatehouse.visit('owner', { own: true });
  await page.route(/cycles\/[^/]+\/items\/(?:\?|$)/, async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    const giver = { external_uuid: ID, id: 'remote', name: LONG, slug: 'group', type: 'group' };
    for (const item of json.results) item.context = { ...item.context, via: giver, source: giver };
    await route.fulfill({ response, json });
  });
  await goto(open());
  await page
    .getByRole('button', { name: /^Decide with a comment/ })
    .first()
    .click();
  await page.setViewportSize({ width, height: 844 });
  const revoke = page.getByRole('dialog').getByRole('button', { name: `Revoke ${LONG}` });
  await expectWhole(revoke.locator('.mantine-Button-label'));
});

const ID = '00000000-0000-4000-8000-000000000001';
const LONG = 'Remote access permissions of accounting, Northern and Central Europe (deputies)';
const expectWhole = (element: Locator) =>
  expect.poll(() => element.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
