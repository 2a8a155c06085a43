// @module-tag long
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { type ConsoleTest, openConsole } from './harness.ts';
import { startReview, UNUSED } from './seed-review.ts';
import { field, heading } from './story.ts';

let gatehouse: ConsoleTest;
beforeAll(async () => {
  gatehouse = await openConsole();
  return gatehouse.close;
});

const step = (page: Page) => page.getByRole('button', { name: 'Keep the 55 without deviations' });

test('the header of an open review takes 120 pixels, also with filters, and 11 items are on the page', async () => {
  const { address } = await startReview(gatehouse);
  const { page, goto } = await gatehouse.visit('manager', { width: 1440, height: 900 });
  await goto(address);
  await step(page).waitFor();
  const height = () =>
    page.evaluate(() => {
      const top = document.querySelector('main header')?.getBoundingClientRect().top ?? 0;
      return (document.querySelector('main table')?.getBoundingClientRect().top ?? 900) - top;
    });
  await expect.poll(height).toBeLessThanOrEqual(120);
  const visible = () =>
    page
      .locator('tbody tr')
      .filter({ has: page.getByRole('checkbox') })
      .evaluateAll((rows) => rows.filter((row) => row.getBoundingClientRect().bottom <= innerHeight).length);
  await expect.poll(visible).toBeGreaterThanOrEqual(11);

  await goto(`${address}?decision=none&kind=account`);
  await page.getByRole('button', { name: 'Clear filters' }).waitFor();
  await expect.poll(height).toBeLessThanOrEqual(120);
});

test('keeps nothing if an item deviates by now, and says so', async () => {
  const { address, progress, push, cycle } = await startReview(gatehouse);
  const { page, goto, expectRefusals } = await gatehouse.visit('manager');
  await goto(address);
  await step(page).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: 'Another reason' }).check();
  const keep = dialog.getByRole('button', { name: 'Keep 55 items' });
  await expect.poll(() => keep.isDisabled()).toBe(true);
  await dialog.getByLabel('Your reason').fill('Checked with the team');
  await push((n) => n < UNUSED + 1);
  expectRefusals([409], /\/decisions\//);
  await keep.click();
  await dialog.getByText(/^Some of these items deviate now: 2\./).waitFor();
  expect(await progress()).toMatchObject({ undecided: 70 });
  await dialog.getByRole('button', { name: 'Go back' }).click();
  await page.reload();
  await page.getByRole('button', { name: 'Keep the 53 without deviations' }).click();
  await dialog.getByRole('radio', { name: 'Another reason' }).check();
  await dialog.getByLabel('Your reason').fill('Checked with the team');
  await dialog.getByRole('button', { name: 'Keep 53 items' }).click();
  await expect.poll(progress).toMatchObject({ kept: 53 });
  const { results } = await gatehouse.api.get(`/api/reviews/cycles/${cycle}/items/?decision=keep&limit=200`);
  expect([...new Set(results.map(({ comment }: { comment: string }) => comment))]).toEqual([
    'Checked with the team',
  ]);
  await page.getByRole('alert').getByRole('button', { name: 'Undo' }).click();
  await expect.poll(progress).toMatchObject({ undecided: 70 });
});

test('decides one item after the other in the details, also by keys', async () => {
  const { address, progress } = await startReview(gatehouse);
  const { page, goto } = await gatehouse.visit('manager');
  await goto(address);
  await page
    .getByRole('button', { name: /^Details of/ })
    .first()
    .click();
  const drawer = page.getByRole('dialog');
  const shown = async () => (await drawer.getByRole('heading', { level: 2 }).first().textContent()) ?? '';
  const first = await shown();
  await drawer.getByRole('button', { name: 'Keep', exact: true }).click();
  await expect.poll(shown).not.toBe(first);
  await expect.poll(progress).toMatchObject({ kept: 1 });
  const second = await shown();
  await page.keyboard.press('n');
  await expect.poll(shown).not.toBe(second);
  await expect.poll(progress).toMatchObject({ kept: 1, revoked: 1 });
  await page.keyboard.press('k');
  await expect.poll(shown).toBe(second);
  await drawer.getByRole('button', { name: 'Revoked' }).waitFor();
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
});

test('a new review begins with a template, and shows what it would have', async () => {
  const { page, goto } = await gatehouse.visit('admin');
  await goto('/reviews');
  await page.getByRole('link', { name: 'Create campaign' }).first().click();
  await heading(page, 'New campaign').waitFor();
  const everyone = page.getByRole('link', { name: /^All access, every quarter/ });
  await everyone.getByText(/^[\d,]+ items, \d+ people, \d+ with deviations$/).waitFor();
  await page.getByRole('link', { name: /^Groups with high risk/ }).click();
  await heading(page, 'New campaign').waitFor();
  await expect.poll(() => field(page, 'Name').inputValue()).toBe('Groups with high risk');
  const counts = page.getByRole('list', { name: 'Size of the review' });
  const items = async () => Number.parseInt(await counts.getByRole('listitem').first().innerText(), 10);
  await page.getByRole('table', { name: 'First items' }).getByText('High risk').first().waitFor();
  const before = await items();
  await field(page, 'Not used for (days)').fill('36000');
  await page.getByText('Nothing to review now').waitFor();
  await field(page, 'Not used for (days)').fill('');
  await expect.poll(items).toBe(before);
  await page.getByRole('button', { name: 'Create campaign' }).click();
  await heading(page, 'Groups with high risk').waitFor();
  const [created] = (await gatehouse.api.get('/api/reviews/?limit=1')).results;
  expect(created).toMatchObject({
    scope: { include: ['memberships'], risks: ['high'] },
    reviewer: 'group_owner',
    frequency: 'quarterly',
    starts_at: expect.any(String),
  });
});
