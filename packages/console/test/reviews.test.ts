// @module-tag long
import { beforeAll, expect, test } from 'vitest';
import { type ConsoleTest, openConsole } from './harness.ts';
import { field, heading, tabTo, typeInto } from './story.ts';

let gatehouse: ConsoleTest;
beforeAll(async () => {
  gatehouse = await openConsole();
  return gatehouse.close;
});

const progressOf = async () =>
  (await gatehouse.api.get(`/api/reviews/cycles/${gatehouse.seeded.cycles.open}/`)).progress as Record<
    'decided' | 'kept' | 'revoked',
    number
  >;

test('keeps several items at once, revokes one with a comment and changes that decision', async () => {
  const { cycles } = gatehouse.seeded;
  const { page, goto } = await gatehouse.visit('manager');
  const before = await progressOf();
  await goto('/');
  await page.getByRole('link', { name: 'Quarterly review of Engineering' }).click();
  await heading(page, 'Quarterly review of Engineering').waitFor();
  await goto(`/reviews/cycles/${cycles.open}?decision=none`);
  const rows = page.locator('tbody tr').filter({ has: page.getByRole('checkbox') });

  for (const at of [0, 1, 2]) await rows.nth(at).getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Keep 3' }).click();
  const alert = page.getByRole('alert').filter({ hasText: '3 items kept' });
  await alert.waitFor();
  await expect.poll(progressOf).toMatchObject({ kept: before.kept + 3, revoked: before.revoked });
  await alert.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(progressOf).toMatchObject({ decided: before.decided, kept: before.kept });

  await goto(`/reviews/cycles/${cycles.open}?decision=none`);
  for (const at of [0, 1, 2]) await rows.nth(at).getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Comment…' }).click();
  const ask = page.getByRole('dialog', { name: 'Decide 3 items' });
  await ask.getByLabel('Comment').fill('All of them ship this quarter.');
  await ask.getByRole('button', { name: 'Keep 3 items' }).click();
  const job = page.getByRole('dialog', { name: 'Keep 3 items', exact: true });
  await job.getByText('3 of 3 done').waitFor();
  await job.getByText('Close').click();
  await expect.poll(progressOf).toMatchObject({ kept: before.kept + 3, revoked: before.revoked });

  await goto(`/reviews/cycles/${cycles.open}?decision=none`);
  await rows
    .nth(0)
    .getByRole('button', { name: /^Decide with a comment/ })
    .click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Comment').fill('Not on this team any more.');
  await dialog.getByRole('button', { name: 'Revoke' }).click();
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(progressOf).toMatchObject({ kept: before.kept + 3, revoked: before.revoked + 1 });

  await goto(`/reviews/cycles/${cycles.open}?decision=revoke`);
  const revoked = rows.filter({ hasText: 'Not on this team any more.' });
  await revoked.getByRole('button', { name: 'Keep' }).click();
  await expect.poll(progressOf).toMatchObject({ kept: before.kept + 4, revoked: before.revoked });
});

test('takes back a decision, to the earlier one or to none', async () => {
  const { page, goto } = await gatehouse.visit('manager');
  const before = await progressOf();
  await goto(`/reviews/cycles/${gatehouse.seeded.cycles.open}?decision=none`);
  const first = page
    .locator('tbody tr')
    .filter({ has: page.getByRole('checkbox') })
    .first();
  const undo = () => page.getByRole('alert').getByRole('button', { name: 'Undo' }).click();
  await first.getByRole('button', { name: 'Revoke', exact: true }).click();
  await page
    .getByRole('alert')
    .filter({ hasText: /^Revoked: / })
    .waitFor();
  await expect.poll(progressOf).toMatchObject({ revoked: before.revoked + 1 });
  await undo();
  await expect.poll(progressOf).toEqual(before);

  await goto(`/reviews/cycles/${gatehouse.seeded.cycles.open}?decision=keep`);
  await first.getByRole('button', { name: 'Revoke', exact: true }).click();
  await expect.poll(progressOf).toMatchObject({ kept: before.kept - 1, revoked: before.revoked + 1 });
  await undo();
  await expect.poll(progressOf).toEqual(before);
});

test('decides by keyboard', async () => {
  const { page, goto } = await gatehouse.visit('manager');
  const before = await progressOf();
  await goto(`/reviews/cycles/${gatehouse.seeded.cycles.open}?decision=none`);

  await page.keyboard.press('j');
  await page.keyboard.press('y');
  await expect.poll(progressOf).toMatchObject({ kept: before.kept + 1 });
  await page.keyboard.press('n');
  await expect.poll(progressOf).toMatchObject({ kept: before.kept + 1, revoked: before.revoked + 1 });
  await page.keyboard.press('c');
  await typeInto(page.getByRole('dialog').getByLabel('Comment'), 'Needed for the migration.');
  await tabTo(page, page.getByRole('dialog').getByRole('button', { name: 'Keep' }));
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await expect.poll(progressOf).toMatchObject({ kept: before.kept + 2, revoked: before.revoked + 1 });
});

test('schedules a revocation after the cooling-off period, and names the reviewer in the evidence', async () => {
  const { seeded } = gatehouse;
  const { page, context, goto } = await gatehouse.visit('owner');
  await goto(`/reviews/cycles/${seeded.cycles.open}?all=true&decision=revoke`);
  await page.getByRole('link', { name: 'Task', exact: true }).first().click();
  await heading(page, /./).waitFor();
  await page.getByText('Scheduled').first().waitFor();
  await page.getByText('Quarterly review of Engineering').first().waitFor();

  await goto(`/reviews/cycles/${seeded.cycles.closed}`);
  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download evidence (CSV)' }).click();
  expect((await downloading).suggestedFilename()).toMatch(/\.csv$/);
  const csv = await context.request.get(
    `${gatehouse.base}/api/reviews/cycles/${seeded.cycles.closed}/evidence/?format=csv`,
  );
  expect(await csv.text()).toContain('henrik.lund@acme.example');
});

test('creates and starts a campaign', async () => {
  const { page, goto } = await gatehouse.visit('admin');
  await goto('/reviews');
  await page.getByRole('button', { name: 'Create campaign' }).click();
  const dialog = page.getByRole('dialog');
  await field(dialog, 'Name').fill('Owners of the CRM');
  await dialog.getByRole('button', { name: 'Create campaign' }).click();
  await heading(page, 'Owners of the CRM').waitFor();
  await page.getByRole('button', { name: 'Start review' }).click();
  await dialog.getByRole('button', { name: 'Start review' }).click();
  await expect
    .poll(async () => (await gatehouse.api.get('/api/reviews/cycles/?limit=200')).results)
    .toContainEqual(
      expect.objectContaining({ campaign: expect.objectContaining({ name: 'Owners of the CRM' }) }),
    );
});

test('opens the open cycle of a campaign, which cannot start another one', async () => {
  const { page, goto } = await gatehouse.visit('admin');
  await goto(`/reviews/${gatehouse.seeded.reviews.open}`);
  expect(await page.getByRole('button', { name: 'Start review' }).count()).toBe(0);
  await page.getByRole('link', { name: 'Open review' }).click();
  await page.waitForURL(new RegExp(gatehouse.seeded.cycles.open));
});

test('shows the due date in local time, and the time until then as its title', async () => {
  const { page, goto } = await gatehouse.visit('admin');
  await goto(`/reviews/cycles/${gatehouse.seeded.cycles.open}`);
  const due = page.getByText(/^Due /).locator('time');
  expect(await due.innerText()).toMatch(/^[A-Z][a-z]{2} \d+, \d{4}, /);
  expect(await due.getAttribute('title')).toMatch(/^in \d+ days$/);
});

test('keeps all buttons in place when an item is decided', async () => {
  const { page, goto, settled } = await gatehouse.visit('manager');
  await goto(`/reviews/cycles/${gatehouse.seeded.cycles.open}`);
  const groups = page.getByRole('group', { name: /^Decision on/ });
  const places = () =>
    groups
      .locator('button')
      .evaluateAll((all) => all.slice(0, 9).map((one) => one.getBoundingClientRect().toJSON()));
  const fixed = await places();
  await groups
    .filter({ has: page.getByRole('button', { name: 'Keep', exact: true }) })
    .first()
    .getByRole('button', { name: 'Revoke' })
    .click();
  await settled();
  expect(await places()).toEqual(fixed);
});
