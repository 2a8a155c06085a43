// @module-tag long
import { beforeAll, expect, test } from 'vitest';
import { type ConsoleTest, openSharedConsole } from './harness.ts';

let gatehouse: ConsoleTest;
beforeAll(async () => {
  gatehouse = await openSharedConsole();
  return gatehouse.close;
});

test('filters the log by dragging over the histogram', async () => {
  const { page, goto } = await gatehouse.visit('auditor');
  await goto('/events');
  const drawing = page.getByRole('img', { name: 'Events by time' }).locator('svg');
  const box = await drawing.boundingBox();
  if (box === null) throw new Error('The histogram is not visible.');
  await page.mouse.move(box.x + box.width / 2, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width - 2, box.y + 20, { steps: 5 });
  await page.mouse.up();
  await page.waitForURL(/from=.*&to=|to=.*&from=/);
  await page.getByRole('button', { name: 'Show all times' }).click();
  await page.waitForURL((url) => !url.search.includes('from='));
});

test('filters the log with the keyboard, and has a table behind the picture', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  await goto('/events');
  const first = page.getByRole('slider', { name: 'First interval' });
  await first.focus();
  await page.keyboard.press('ArrowRight');
  await page.waitForURL(/from=/);
  await page
    .getByRole('region', { name: 'Events by time' })
    .getByRole('button', { name: 'Show table' })
    .click();
  await page.getByRole('table', { name: 'Events by time' }).waitFor();
});

test('lets a person hide a column and save the view', async () => {
  const { page, goto, settled } = await gatehouse.visit('admin');
  await goto('/tasks?status=failed');
  await page.getByRole('button', { name: 'Arrange table' }).click();
  const panel = page.getByRole('dialog', { name: 'Arrange table' });
  await panel.getByRole('checkbox', { name: 'Source' }).uncheck();
  await page.getByRole('columnheader', { name: 'Source' }).waitFor({ state: 'detached' });
  const header = page.getByRole('columnheader', { name: 'Details' });
  const before = (await header.boundingBox())?.width ?? 0;
  await panel.getByRole('button', { name: 'Make Details wider' }).click();
  await expect.poll(async () => (await header.boundingBox())?.width ?? 0).toBeGreaterThan(before);
  await panel.getByLabel('Name of the view').fill('Failed');
  await panel.getByRole('button', { name: 'Save' }).click();
  await panel.getByRole('button', { name: 'Reset columns' }).click();
  await page.getByRole('columnheader', { name: 'Source' }).waitFor();

  await goto('/tasks');
  await settled();
  await page.getByRole('button', { name: 'Arrange table' }).click();
  await panel.getByRole('button', { name: 'Failed', exact: true }).click();
  await page.waitForURL(/status=failed/);
  await page.getByRole('columnheader', { name: 'Source' }).waitFor({ state: 'detached' });
});
