// @module-tag long
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { faultsOf } from './axe.ts';
import { type ConsoleTest, openCompanyConsole } from './harness.ts';
import type { Company } from './seed.ts';
import { lossPages, type SeededLosses, seedLosses } from './seed-losses.ts';
import { carryOut, expectRows, heading, tabTo } from './story.ts';

let gatehouse: ConsoleTest<Company>;
/** Tests may look at these losses, but change nothing. */
let losses: SeededLosses;
beforeAll(async () => {
  gatehouse = await openCompanyConsole();
  losses = await seedLosses(gatehouse.api, 'Travel Desk');
  return gatehouse.close;
}, 120_000);

const row = (page: Page, words: string) => page.locator('tbody tr').filter({ hasText: words });
const restoreLink = (page: Page) => page.getByRole('link', { name: 'Restore access…' });
const revertButton = (page: Page) => page.getByRole('button', { name: 'Revert…' });
const showPlan = (page: Page) => page.getByRole('button', { name: 'Show plan' }).click();
const plan = (page: Page) => page.getByRole('region', { name: 'Plan' });
const tasksOf = (app: string) => gatehouse.api.get(`/api/tasks/?app=${app}`);
const accountOf = async (app: string, email: string) =>
  (await gatehouse.api.get(`/api/accounts/?app=${app}&email=${email}`)).results[0];

test('restores the access of a person as of the time that their page shows', async () => {
  const own = await seedLosses(gatehouse.api, 'Room Booking');
  const { page, goto } = await gatehouse.visit('admin');
  await goto(lossPages(own, gatehouse.seeded).nadia);
  await restoreLink(page).click();
  await heading(page, 'Restore access').waitFor();
  expect(decodeURIComponent(page.url())).toContain(`as_of=${own.before}`);
  await expect.poll(() => page.getByLabel('Restore access as of').inputValue()).toBe(own.before.slice(0, 16));

  await showPlan(page);
  const booking = row(page, 'Room Booking');
  await booking.getByText('Create account').waitFor();
  await booking.getByText('Bookings').waitFor();
  await booking.getByText('Seen before and after').waitFor();
  await plan(page).getByText('do not wait for confirmation').waitFor();
  expect((await tasksOf(own.app)).count).toBe(0);

  await page.getByRole('button', { name: /^Create \d+ tasks?$/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('The export was cut off.');
  await dialog.getByRole('button', { name: /^Create/ }).click();
  await page.getByText(/^\d+ tasks? created$/).waitFor();
  const { results } = await tasksOf(own.app);
  expect(results).toMatchObject([
    { action: 'create_account', reason: expect.stringContaining('The export was cut off.') },
  ]);
});

test('restores what a sync took, lists what cannot come back, and leads to the tasks', async () => {
  const own = await seedLosses(gatehouse.api, 'Fleet');
  const { page, goto, settled } = await gatehouse.visit('owner');
  await goto(lossPages(own, gatehouse.seeded).sync);
  await restoreLink(page).click();
  await page.getByText('Access just before the sync started').waitFor();
  const possible = page.getByRole('switch', { name: 'Include access that is only possible' });
  await expect.poll(() => possible.isChecked()).toBe(true);
  await showPlan(page);
  await plan(page)
    .getByText(
      '1 account is created, 1 account is unsuspended, 1 account is given access, with 2 group memberships',
    )
    .waitFor();
  await row(page, 'marta.silva').getByText('Auditors').waitFor();
  await page
    .getByRole('table', { name: 'Cannot come back' })
    .getByText('The account no longer exists and belonged to nobody, so it cannot be created again.')
    .waitFor();

  await possible.uncheck({ force: true });
  await expect.poll(() => plan(page).count()).toBe(0);
  await showPlan(page);
  await plan(page).getByText('Nothing to restore as of').waitFor();
  await row(page, 'marta.silva').getByText('Possible, left out').waitFor();
  await expect.poll(() => page.getByRole('button', { name: /^Create/ }).count()).toBe(0);

  await possible.check({ force: true });
  await showPlan(page);
  await page.getByRole('button', { name: 'Create 3 tasks' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Create 3 tasks' }).click();
  await page.getByText('3 tasks created').waitFor();
  await page.getByRole('link', { name: 'Show the tasks' }).click();
  await page.getByRole('button', { name: 'One restore only' }).waitFor();
  await settled();
  await expectRows(page, 3);
  expect(await carryOut(gatehouse.api, own.app)).toBe(3);
  expect(await accountOf(own.app, 'jonas.weber@acme.example')).toMatchObject({ status: 'ACTIVE' });
});

test("restores an account, and shows the server's refusals as they are", async () => {
  const own = await seedLosses(gatehouse.api, 'Badges');
  const visit = await gatehouse.visit('owner');
  const { page, goto } = visit;
  visit.expectRefusals([409], /\/api\/restore\//);
  const { external_uuid: intern } = await accountOf(own.app, 'intern@acme-partners.example');
  const { external_uuid: jonas } = await accountOf(own.app, 'jonas.weber@acme.example');
  await goto(`/accounts/${intern}`);
  await restoreLink(page).click();
  await showPlan(page);
  await page
    .getByRole('alert')
    .getByText('The access at that time is unknown: no sync had completed by then,')
    .waitFor();
  await page.getByLabel('Restore access as of').fill('2999-01-01T00:00');
  await showPlan(page);
  await page.getByText('Enter a time in the past.').waitFor();

  await goto(`/accounts/${jonas}?as_of=${own.before}`);
  await restoreLink(page).click();
  await showPlan(page);
  await page.getByRole('button', { name: 'Create 1 task' }).click();
  const body = { accounts: [jonas], as_of: own.before, dry_run: false };
  const { tasks } = await gatehouse.api.post('/api/restore/', body);
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Create 1 task' }).click();
  await dialog
    .getByText('Access has changed since the plan was shown. Repeat the dry run and check the new plan.')
    .waitFor();
  expect((await tasksOf(own.app)).results).toMatchObject([{ external_uuid: tasks[0] }]);
  await dialog.getByRole('button', { name: 'Go back' }).click();
  await showPlan(page);
  await page.getByText('open tasks bring them back').waitFor();
});

test('lists what decisions took away, and includes it if it is chosen', async () => {
  const own = await seedLosses(gatehouse.api, 'Parking');
  const { external_uuid: account } = await accountOf(own.app, 'marta.silva@acme.example');
  await gatehouse.api.post('/api/tasks/', {
    ...{ app: own.app, account, action: 'update_account', reason: 'Unused roles' },
    changes: { group: { added: [], removed: ['approvers'] } },
  });
  await carryOut(gatehouse.api, own.app);
  const { page, goto } = await gatehouse.visit('owner');
  await goto(`/accounts/${account}?as_of=${own.before}`);
  await restoreLink(page).click();
  await showPlan(page);
  const decided = page.getByRole('table', { name: 'Taken away by decisions' });
  await decided.getByText('Unused roles').waitFor();
  await expect.poll(() => decided.getByText('Approvers').count()).toBe(1);
  await decided.getByRole('checkbox', { name: 'Include Approvers' }).check();
  await plan(page).getByText('1 account is given access').waitFor();
  await page.getByRole('button', { name: 'Create 1 task' }).waitFor();
});

test('reverts a sync after showing what goes back, what stays and what the next sync does', async () => {
  const own = await seedLosses(gatehouse.api, 'Lockers');
  const marta = (await accountOf(own.app, 'marta.silva@acme.example')).external_uuid;
  const changes = { group: { added: ['bookings'], removed: [] } };
  await gatehouse.api.post('/api/tasks/', {
    app: own.app,
    account: marta,
    action: 'update_account',
    changes,
    reason: 'Covers',
  });
  await carryOut(gatehouse.api, own.app);
  const { page, goto } = await gatehouse.visit('owner');
  await goto(lossPages(own, gatehouse.seeded).sync);
  await revertButton(page).click();
  const dialog = page.getByRole('dialog', { name: 'Revert this sync?' });
  await dialog.getByText('1 account removed').waitFor();
  await dialog.getByText('3 accounts back in the state before the sync').waitFor();
  await dialog
    .getByRole('list', { name: 'Conflicts' })
    .getByRole('link', { name: /marta\.silva/ })
    .waitFor();
  await dialog.getByText('its next sync remains the truth').waitFor();
  const nadia = () => accountOf(own.app, 'nadia.rahman@acme.example');
  expect(await nadia()).toMatchObject({ status: 'INACTIVE' });

  await dialog.getByLabel('Reason').fill('The export was cut off.');
  await dialog.getByRole('button', { name: 'Revert sync' }).click();
  const result = page.getByRole('dialog', { name: 'Sync reverted' });
  await result.getByText('3 accounts back in the state before the sync').waitFor();
  await result.getByRole('button', { name: 'Close' }).last().click();
  await page.getByText('This sync was reverted').waitFor();
  await expect.poll(() => revertButton(page).count()).toBe(0);
  expect(await nadia()).toMatchObject({ status: 'ACTIVE' });
  await page.getByRole('link', { name: 'All syncs' }).click();
  await page.locator('tbody tr').first().getByText('Reverted').waitFor();
});

test('shows why a sync cannot be reverted', async () => {
  const own = await seedLosses(gatehouse.api, 'Parking');
  const visit = await gatehouse.visit('owner');
  visit.expectRefusals([409], /\/revert\//);
  const { page, goto } = visit;
  await goto(lossPages(own, gatehouse.seeded).sync);
  await revertButton(page).waitFor();
  await gatehouse.api.post(`/api/apps/${own.app}/syncs/${own.sync}/revert/`, {});
  await revertButton(page).click();
  await page
    .getByRole('dialog')
    .getByRole('alert')
    .getByText('The sync session has already been reverted.')
    .waitFor();
});

test('offers neither to an auditor', async () => {
  const { page, goto, settled } = await gatehouse.visit('auditor');
  const { sync, nadia } = lossPages(losses, gatehouse.seeded);
  const marta = (await accountOf(losses.app, 'marta.silva@acme.example')).external_uuid;
  for (const address of [sync, nadia, `/accounts/${marta}`, `/accounts/${marta}?as_of=${losses.before}`]) {
    await goto(address);
    await expect.poll(() => restoreLink(page).count(), { message: address }).toBe(0);
    await expect.poll(() => revertButton(page).count(), { message: address }).toBe(0);
  }
  await goto(`/restore?account=${marta}`);
  await settled();
  await page.getByText('Your role does not allow this').waitFor();
});

/** Skips the navigation, as people do who use a keyboard. */
async function skipNavigation(page: Page) {
  await tabTo(page, page.getByRole('link', { name: 'Skip to content' }));
  await page.keyboard.press('Enter');
}

test('asks by keyboard whether to revert a sync', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  await goto(lossPages(losses, gatehouse.seeded).sync);
  await skipNavigation(page);
  await tabTo(page, revertButton(page));
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Revert this sync?' });
  await tabTo(page, dialog.getByRole('button', { name: 'Revert sync' }));
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => revertButton(page).evaluate((one) => one === document.activeElement)).toBe(true);
});

test('plans a restore by keyboard', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  await goto(lossPages(losses, gatehouse.seeded).sync);
  await skipNavigation(page);
  await tabTo(page, restoreLink(page));
  await page.keyboard.press('Enter');
  await heading(page, 'Restore access').waitFor();
  await skipNavigation(page);
  await tabTo(page, page.getByRole('switch', { name: 'Include access that is only possible' }));
  await tabTo(page, page.getByRole('button', { name: 'Show plan' }));
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('button', { name: 'Create 3 tasks' }));
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Create 3 tasks?' }).waitFor();
  await page.keyboard.press('Escape');
  expect((await tasksOf(losses.app)).count).toBe(0);
});

describe('axe finds no serious problem, light or dark, wide or narrow', () => {
  test('on the page of a sync and in the dialog that reverts it', async () => {
    const visit = await gatehouse.visit('owner');
    const { page, goto } = visit;
    await goto(lossPages(losses, gatehouse.seeded).sync);
    expect(await faultsOf(visit)).toEqual([]);
    await revertButton(page).click();
    await page.getByRole('button', { name: 'Revert sync' }).waitFor();
    expect(await faultsOf(visit)).toEqual([]);
  });

  test('in the plan of a restore and in the dialog that creates its tasks', async () => {
    const visit = await gatehouse.visit('owner');
    const { page, goto } = visit;
    await goto(lossPages(losses, gatehouse.seeded).sync);
    await restoreLink(page).click();
    await showPlan(page);
    await page.getByRole('button', { name: 'Create 3 tasks' }).waitFor();
    expect(await faultsOf(visit)).toEqual([]);
    await page.getByRole('button', { name: 'Create 3 tasks' }).click();
    await page.getByRole('dialog').waitFor();
    expect(await faultsOf(visit)).toEqual([]);
  });
});
