// @module-tag long
import { text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { movedBack } from './earlier.ts';
import { exported, exportedPng } from './exported.ts';
import { type ConsoleTest, openCompanyConsole } from './harness.ts';
import type { Company } from './seed.ts';
import { type SeededHistory, seedHistory } from './seed-history.ts';
import { expectRows, heading, tabTo } from './story.ts';

const MARTA = 'marta.silva@acme.example';
const NADIA = 'nadia.rahman@acme.example';

let gatehouse: ConsoleTest<Company>;
let history: SeededHistory;
beforeAll(async () => {
  gatehouse = await openCompanyConsole();
  history = await seedHistory(gatehouse.api, (days) => gatehouse.changeData(movedBack(gatehouse.slug, days)));
  return gatehouse.close;
}, 120_000);

/** A time this many days ago, as addresses hold it. */
const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

const row = (page: Page, words: string) => page.locator('tbody tr').filter({ hasText: words });

async function downloaded(page: Page): Promise<string> {
  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export CSV' }).click();
  return text(await (await downloading).createReadStream());
}

test('selects a time, keeps it in the address, and returns to now', async () => {
  const { page, goto, settled } = await gatehouse.visit('owner');
  await goto(`/apps/${history.app}?tab=accounts`);
  await row(page, NADIA).getByText('Inactive').waitFor();
  await page.getByRole('button', { name: 'As of now' }).click();
  await page.getByRole('button', { name: 'A week ago' }).click();
  await page.getByLabel('Show access as of').fill(ago(60).slice(0, 16));
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await page.waitForURL(/as_of=/);
  await settled();
  const banner = page.getByRole('status').filter({ hasText: 'You are looking at' });
  await banner.getByText(/Expense Tool: last sync before .+, next sync/).waitFor();
  await row(page, NADIA).getByText('Active', { exact: true }).waitFor();

  await page.reload();
  await row(page, NADIA).getByText('Active', { exact: true }).waitFor();
  await banner.getByRole('button', { name: 'Return to now' }).click();
  await page.getByRole('button', { name: 'As of now' }).waitFor();
  await row(page, NADIA).getByText('Inactive').waitFor();
  expect(page.url()).not.toContain('as_of');
});

test('moves the day with keys, and compares two days with Shift', async () => {
  const { page, goto, settled } = await gatehouse.visit('owner');
  await goto(`/people/${gatehouse.seeded.people[MARTA]}`);
  const day = page.getByRole('slider', { name: 'Day' });
  await expect.poll(() => day.getAttribute('aria-valuetext')).toMatch(/^Today, /);
  await tabTo(page, day);
  await page.keyboard.press('ArrowLeft');
  await page.waitForURL(/as_of=/);
  await page.getByText(/^You are looking at .+ 11:59/).waitFor();
  await expect.poll(() => day.getAttribute('aria-valuetext')).not.toMatch(/^Today, /);
  await page.keyboard.press('End');
  await page.getByRole('button', { name: 'As of now' }).waitFor();
  expect(page.url()).not.toContain('as_of');

  await page.keyboard.press('Shift+PageDown');
  await page.waitForURL(/versus=/);
  await settled();
  const panel = page.getByRole('region', { name: 'Came and went' });
  await panel.getByRole('listitem').filter({ hasText: 'Budget' }).getByText('Added').waitFor();
  await page.keyboard.press('End');
  await page.waitForURL((url) => !url.search.includes('versus'));
  await panel.waitFor({ state: 'detached' });
});

test('moves the day with the pointer, and marks what happened', async () => {
  for (const width of [1440, 390]) {
    const { page, goto } = await gatehouse.visit('owner', { width });
    await goto(`/apps/${history.app}?tab=accounts`);
    const day = page.getByRole('slider', { name: 'Day' });
    const words = () => day.getAttribute('aria-valuetext');
    await tabTo(page, day);
    await page.keyboard.press('Home');
    await page.waitForURL(/as_of=/);
    const first = await words();
    const track = await page.locator('[role=slider]').locator('..').boundingBox();
    if (track === null) throw new Error('There is no band.');
    await page.mouse.move(track.x + 5, track.y + 10);
    await page.mouse.down();
    await page.mouse.move(track.x + track.width / 2, track.y + 10, { steps: 4 });
    await page.mouse.up();
    await expect.poll(words).not.toBe(first);
    await page.getByText(/^You are looking at/).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    await page.context().close();
  }
});

test('leads from earlier tabs of a person to those of today', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  for (const [former, tab] of [
    ['graph', 'Access'],
    ['requests', 'Requests and tasks'],
    ['tasks', 'Requests and tasks'],
    ['changes', 'Activity'],
    ['history', 'Activity'],
    ['done', 'Activity'],
  ] as const) {
    await goto(`/people/${gatehouse.seeded.people[MARTA]}?tab=${former}`);
    await page.getByRole('tab', { name: tab, selected: true }).waitFor();
    expect(page.url()).not.toContain(`tab=${former}`);
  }
  await page.getByRole('list', { name: 'Activity' }).getByRole('listitem').first().waitFor();
  await page.getByRole('button', { name: 'Profile', exact: true }).click();
  await page.waitForURL(/kind=profile/);
  await page.getByRole('table', { name: /^Changes of the profile/ }).waitFor();
});

test('rejects a time in the future', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  await goto(`/apps/${history.app}?tab=accounts`);
  await page.getByRole('button', { name: 'As of now' }).click();
  await page.getByLabel('Show access as of').fill(ago(-2).slice(0, 16));
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await page.getByText('Enter a time in the past.').waitFor();
  expect(page.url()).not.toContain('as_of');
});

test('marks access that is only possible with a word, and shows its bounds', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  await goto(`/apps/${history.app}?tab=accounts&as_of=${ago(60)}`);
  await row(page, MARTA)
    .getByText(/^Seen before and after/)
    .waitFor();
  const possible = row(page, NADIA).getByRole('button', { name: 'Possible' });
  await possible.focus();
  await page
    .getByRole('tooltip')
    .getByText(/Ended: Between .+ and .+\./)
    .waitFor();
});

test('says that nothing is known before the first sync', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  await goto(`/apps/${history.app}?tab=accounts&as_of=${ago(120)}`);
  await page.getByText(/^Gatehouse knows nothing about Expense Tool before /).waitFor();
  await expect
    .poll(() =>
      page
        .locator('tbody')
        .getByText(/^Seen before and after/)
        .count(),
    )
    .toBe(0);
  await goto(`/apps/${gatehouse.seeded.apps.payroll}?tab=accounts&as_of=${ago(10)}`);
  await page
    .getByText('Gatehouse knows nothing about Payroll: none of its syncs has completed.', { exact: true })
    .waitFor();
  await expect.poll(() => page.getByText('No accounts').count()).toBe(0);
});

test('hides actions while it shows the past', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  const marta = gatehouse.seeded.people[MARTA];
  for (const [address, action] of [
    [`/people/${marta}`, 'Edit'],
    [`/accounts/${history.marta}`, 'Change access'],
  ] as const) {
    await goto(address);
    await page.getByRole('button', { name: action }).first().waitFor();
    await goto(`${address}?as_of=${ago(60)}`);
    await page.getByRole('button', { name: 'Return to now' }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: action }).count()).toBe(0);
  }
  await goto('/accounts');
  await page.getByRole('checkbox', { name: 'Select all rows on this page' }).waitFor();
  await goto(`/accounts?app=${history.app}&as_of=${ago(20)}`);
  await row(page, MARTA).first().waitFor();
  await expect.poll(() => page.getByRole('checkbox').count()).toBe(0);
});

test('shows an account, a person and a group as they were, and links that stay in the past', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  const time = ago(60);
  await goto(`/people/${gatehouse.seeded.people[MARTA]}?as_of=${time}`);
  await page.getByRole('table').getByRole('link', { name: 'Expense Tool' }).click();
  await heading(page, 'marta.silva').waitFor();
  expect(decodeURIComponent(page.url())).toContain(`as_of=${time}`);
  const table = page.getByRole('table', { name: 'Groups and licenses' });
  await row(page, 'Approvers')
    .getByText(/^Seen before and after/)
    .waitFor();
  await row(page, 'Auditors').getByText('Possible').waitFor();
  await expect.poll(() => table.getByText('Budget').count()).toBe(0);

  await goto(`/apps/${history.app}?tab=groups&as_of=${time}`);
  await page.getByRole('table').getByRole('link', { name: 'Budget' }).click();
  await row(page, NADIA).getByText('Possible').waitFor();
  await expectRows(page, 1);
});

test("shows a person's access as a timeline, and what began and ended a period", async () => {
  const { page, goto } = await gatehouse.visit('owner');
  await goto(`/people/${gatehouse.seeded.people[MARTA]}?tab=timeline`);
  const app = page.getByRole('region', { name: 'Expense Tool' });
  const bar = app.getByRole('button', { name: /^Budget, group/ });
  await bar.waitFor();
  await expect.poll(() => bar.getAttribute('aria-label')).toMatch(/Ended: Not ended/);
  await expect
    .poll(() => app.getByRole('button', { name: /^Auditors, group/ }).getAttribute('aria-label'))
    .toMatch(/Began: Between .+ and /);

  await tabTo(page, bar);
  await page.keyboard.press('Enter');
  const drawer = page.getByRole('dialog', { name: 'Budget' });
  const beginning = drawer.getByRole('region', { name: 'Beginning' });
  await beginning.getByRole('link', { name: 'Open task' }).waitFor();
  await drawer.getByRole('region', { name: 'End' }).getByText('Not ended').first().waitFor();
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });

  await page.getByRole('button', { name: 'Show table' }).click();
  await page.waitForURL(/table=true/);
  await row(page, 'Auditors')
    .getByText(/^Between /)
    .waitFor();
  await page.getByRole('button', { name: 'Auditors' }).click();
  await page.getByRole('dialog', { name: 'Auditors' }).getByRole('link', { name: 'Sync' }).waitFor();
});

test('exports the timeline of a person as CSV and as a drawing, also on a phone', async () => {
  for (const width of [1440, 390]) {
    const { page, goto } = await gatehouse.visit('owner', { width });
    await goto(`/people/${gatehouse.seeded.people[MARTA]}?tab=timeline`);
    expect(await exported(page, 'Table as CSV')).toContain('Auditors');
    const drawing = await exported(page, 'Picture as SVG');
    expect(drawing).toMatch(/^<svg/);
    expect(drawing).toContain('Auditors');
    const [, wide, high] = /^<svg[^>]* width="(\d+)" height="(\d+)"/.exec(drawing) ?? [];
    const png = await exportedPng(page);
    expect([png.width, png.height]).toEqual([2 * Number(wide), 2 * Number(high)]);
    // Title and caption alone cover less.
    expect(png.drawn).toBeGreaterThan(0.05);
    await page.getByRole('figure').getByText('Not ended:').waitFor();
    await page.context().close();
  }
});

test("exports the graph of a person's access as a drawing, also where it is a list", async () => {
  for (const width of [1440, 390]) {
    const { page, goto } = await gatehouse.visit('owner', { width });
    await goto(`/people/${gatehouse.seeded.people[MARTA]}?by=graph`);
    await page.getByRole('link', { name: 'Expense Tool' }).first().waitFor();
    expect(await exported(page, 'Picture as SVG')).toContain('Expense Tool');
    await page.context().close();
  }
});

test('compares two times: counts, a list, a filter and CSV', async () => {
  const { page, goto, settled } = await gatehouse.visit('owner');
  await goto(`/apps/${history.app}?tab=accounts&as_of=${ago(60)}`);
  await page.getByRole('link', { name: 'Compare' }).click();
  await heading(page, 'Compare access').waitFor();
  // By default, the second time is the last full minute, which can be before the last change of the seed.
  await goto(`/history/compare?app=${history.app}&from=${ago(60)}&to=${ago(0)}`);
  await settled();
  const counts = page.getByRole('group', { name: 'Changes by kind' });
  await expect
    .poll(() => counts.getByRole('button').allTextContents())
    .toEqual(['2Added', '3Removed', '1Changed']);
  const groups = page.getByRole('table', { name: 'Changes by app and type' });
  await expect
    .poll(() => groups.locator('tbody tr').allTextContents())
    .toEqual(['Expense ToolAccounts011', 'Expense ToolGroups220']);
  await row(page, NADIA).first().getByText('Removed').waitFor();
  await row(page, 'Auditors').getByText('Possibly present').waitFor();
  expect(await downloaded(page)).toContain(NADIA);

  await counts.getByRole('button', { name: 'Changed' }).click();
  await page.waitForURL(/change=changed/);
  const changes = page.getByRole('table', { name: 'Changes', exact: true }).locator('tbody tr');
  await expect.poll(() => changes.count()).toBe(1);
  await expect
    .poll(() => counts.getByRole('button').allTextContents())
    .toEqual(['2Added', '3Removed', '1Changed']);
  await row(page, 'jonas.weber').getByText('Suspended').waitFor();
});

test('exports the accounts of an earlier time as CSV', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  await goto(`/apps/${history.app}?tab=accounts&as_of=${ago(60)}`);
  const file = await downloaded(page);
  expect(file).toContain(NADIA);
  expect(file).toContain('possible');
});

test('shows the timeline on a phone without scrolling sideways', async () => {
  const { page, goto } = await gatehouse.visit('owner', { width: 390 });
  await goto(`/people/${gatehouse.seeded.people[MARTA]}?tab=timeline`);
  const bar = page.getByRole('button', { name: /^Auditors, group/ });
  await bar.click();
  await page.getByRole('dialog', { name: 'Auditors' }).waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});

test('shows a member only their own access over time', async () => {
  const { page, goto, settled } = await gatehouse.visit('manager');
  await goto(`/people/${gatehouse.seeded.people[MARTA]}?tab=timeline`);
  await page.getByRole('button', { name: /^Auditors, group/ }).waitFor();
  await goto('/history/compare');
  await settled();
  await page.getByText('Your role does not allow this').waitFor();
});
