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
  await page.getByRole('link', { name: 'Create campaign' }).first().click();
  await page.getByRole('link', { name: /^Without a template/ }).click();
  const dialog = page.getByRole('dialog');
  await field(page, 'Name').fill('Owners of the CRM');
  await page.getByRole('button', { name: 'Create campaign' }).click();
  await heading(page, 'Owners of the CRM').waitFor();
  await page.getByRole('button', { name: 'Start review' }).click();
  await dialog.getByRole('button', { name: 'Start review' }).click();
  await expect
    .poll(async () => (await gatehouse.api.get('/api/reviews/cycles/?limit=200')).results)
    .toContainEqual(
      expect.objectContaining({ campaign: expect.objectContaining({ name: 'Owners of the CRM' }) }),
    );
});

test('takes and shows the start of a campaign in local time', async () => {
  const { page, goto } = await gatehouse.visit('admin', { own: true, timeZone: 'Asia/Tokyo' });
  const day = new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10);
  await goto('/reviews/new?template=empty');
  const dialog = page.getByRole('dialog');
  await field(page, 'Name').fill('Tokyo');
  await field(page, 'Start').fill(`${day}T09:30`);
  await page.getByRole('button', { name: 'Create campaign' }).click();
  await heading(page, 'Tokyo').waitFor();
  const [campaign] = (await gatehouse.api.get('/api/reviews/?limit=200')).results.filter(
    ({ name }: { name: string }) => name === 'Tokyo',
  );
  expect(Date.parse(campaign.starts_at)).toBe(Date.parse(`${day}T00:30:00Z`));
  await page.getByRole('button', { name: 'Edit campaign' }).click();
  await expect.poll(() => field(dialog, 'Start').inputValue()).toBe(`${day}T09:30`);
});

test('opens the open cycle of a campaign, which cannot start another one', async () => {
  const { page, goto } = await gatehouse.visit('admin');
  await goto(`/reviews/${gatehouse.seeded.reviews.open}`);
  await expect.poll(() => page.getByRole('button', { name: 'Start review' }).count()).toBe(0);
  await page.getByRole('link', { name: 'Open review' }).click();
  await page.waitForURL(new RegExp(gatehouse.seeded.cycles.open));
});

test('shows the due date in local time, and the time until then as its title', async () => {
  const { page, goto } = await gatehouse.visit('admin');
  await goto(`/reviews/cycles/${gatehouse.seeded.cycles.open}`);
  const due = page.getByText(/^Due /).locator('time');
  await expect.poll(() => due.innerText()).toMatch(/^[A-Z][a-z]{2} \d+, \d{4}, /);
  await expect.poll(() => due.getAttribute('title')).toMatch(/^in \d+ days$/);
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
