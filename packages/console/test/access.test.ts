// @module-tag long
import { beforeAll, expect, test } from 'vitest';
import { type ConsoleTest, openConsole } from './harness.ts';
import { expectRows, heading } from './story.ts';

let gatehouse: ConsoleTest;
let group = '';
beforeAll(async () => {
  gatehouse = await openConsole();
  const { api, seeded } = gatehouse;
  const { results } = await api.get(`/api/resources/?app=${seeded.apps.crm}&id=support`);
  group = results[0].external_uuid;
  return gatehouse.close;
});

test('lists groups and licenses of all apps, and leads to the page of each', async () => {
  const { page, goto, settled } = await gatehouse.visit('owner');
  await goto('/access');
  const row = (text: string) => page.locator('tbody tr').filter({ hasText: text });
  await row('Developer seat').getByText('Code Hosting').waitFor();
  await page.getByRole('searchbox', { name: 'Search by name' }).fill('support ag');
  await page.waitForURL(/q=support/);
  await settled();
  await expectRows(page, 1);
  await row('Support agents').getByRole('link').click();

  await heading(page, 'Support agents').waitFor();
  expect(page.url()).toContain(`/access/${group}`);
  await page.getByText('Group in Customer CRM').waitFor();
  await page.getByText('Cases and entitlements').waitFor();
  await page.getByRole('tab', { name: 'Timeline' }).click();
  await page.getByRole('figure', { name: 'Access over time' }).waitFor();
});

test('leads to a group or license from an account, from the search and from its former address', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  const { apps, accounts } = gatehouse.seeded;
  await goto(`/accounts/${accounts.seller}`);
  await page
    .getByRole('table', { name: 'Groups and licenses' })
    .getByRole('link', { name: /^Sales/ })
    .first()
    .click();
  await page.waitForURL(/\/access\/[0-9a-f-]{36}/);

  await page.keyboard.press('Control+k');
  const dialog = page.getByRole('dialog', { name: 'Search' });
  await dialog.getByRole('combobox', { name: 'Search' }).fill('Support agents');
  await dialog.getByRole('group', { name: 'Groups and licenses' }).getByRole('option').first().click();
  await heading(page, 'Support agents').waitFor();

  await goto(`/apps/${apps.crm}?tab=groups&resource=${group}`);
  await page.waitForURL((url) => url.pathname.endsWith(`/access/${group}`));
  await goto(`/access?app=${apps.crm}&slug=group&id=support`);
  await page.waitForURL((url) => url.pathname.endsWith(`/access/${group}`));
});

test('removes several accounts by keyboard, after showing which', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  await goto(`/access/${group}`);
  await page.locator('tbody tr').first().waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  const remove = page.getByRole('button', { name: 'Remove', exact: true });
  await remove.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Remove 2 accounts from Support agents?' });
  await dialog.getByText('2 accounts lose it, and what comes through it.').waitFor();
  await expect.poll(() => dialog.getByRole('listitem').count()).toBe(2);
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('They changed teams.');
  await page.keyboard.press('Control+Enter');
  await page
    .getByRole('dialog', { name: 'Remove 2 accounts from Support agents' })
    .getByText('2 tasks created')
    .waitFor();

  const app = gatehouse.seeded.apps.crm;
  const { results } = await gatehouse.api.get(`/api/tasks/?app=${app}&action=update_account&limit=200`);
  const created = results.filter(({ reason }: { reason: string | null }) => reason === 'They changed teams.');
  expect(created).toHaveLength(2);
  for (const { changes } of created) expect(changes.group.removed).toMatchObject([{ id: 'support' }]);
});

test('shows what existed at an earlier time', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  const now = new Date().toISOString();
  await goto(`/access?as_of=${now}&q=support+agents`);
  await page.getByText(/^You are looking at/).waitFor();
  await page.getByRole('table').getByRole('link', { name: 'Support agents' }).click();
  await page.waitForURL(/\/access\/.*as_of=/);
  await page.getByRole('table', { name: 'Accounts with Support agents' }).waitFor();
});

test('members have no page of all access', async () => {
  const { page, goto } = await gatehouse.visit('member');
  await goto('/');
  const pages = page.getByRole('navigation', { name: 'Pages' });
  await pages.getByRole('link', { name: 'Requests' }).waitFor();
  await expect.poll(() => pages.getByRole('link', { name: 'Access', exact: true }).count()).toBe(0);
});
