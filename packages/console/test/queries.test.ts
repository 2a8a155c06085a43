// @module-tag long
import { beforeAll, expect, test } from 'vitest';
import { type ConsoleTest, openConsole } from './harness.ts';
import { STAFF } from './seed-company.ts';
import { field, heading } from './story.ts';

let gatehouse: ConsoleTest;
beforeAll(async () => {
  gatehouse = await openConsole();
  return gatehouse.close;
});

test('builds a query, saves it with a schedule, and copies it as an API call', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  await goto('/queries');
  await page.getByText('No saved queries yet').waitFor();
  await page.getByRole('link', { name: 'New query' }).click();
  await heading(page, 'New query').waitFor();
  const found = page.getByRole('status').filter({ hasText: /account/ });
  const all = await gatehouse.api.get('/api/queries/run/?limit=1');
  await expect.poll(() => found.textContent()).toBe(`${all.count} accounts`);

  await page.getByRole('button', { name: 'Add condition' }).click();
  const row = page.getByRole('group', { name: 'Condition 1' });
  await row.getByRole('combobox', { name: 'Field' }).fill('Status of the acc');
  await page.getByRole('option', { name: 'Status of the account' }).click();
  // A condition without a value does not count yet.
  await expect.poll(() => found.textContent()).toBe(`${all.count} accounts`);
  await row.getByRole('combobox', { name: 'Value' }).click();
  await page.getByRole('option', { name: 'Suspended' }).click();
  await page.keyboard.press('Escape');
  const query = {
    subject: 'accounts',
    conditions: [{ field: 'account.status', operator: 'is', value: 'SUSPENDED' }],
  };
  const some = await gatehouse.api.get(
    `/api/queries/run/?query=${encodeURIComponent(JSON.stringify(query))}`,
  );
  await expect.poll(() => found.textContent()).toContain(String(some.count));

  await page.getByRole('button', { name: 'Copy as API call' }).click();
  const dialog = page.getByRole('dialog');
  await expect.poll(() => dialog.locator('pre').textContent()).toContain('"value":["SUSPENDED"]');
  await expect.poll(() => dialog.locator('pre').textContent()).toContain('$GATEHOUSE_API_KEY');
  const address = `${gatehouse.base}/api/queries/run/`;
  await expect.poll(() => dialog.locator('pre').textContent()).toContain(address);
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await field(dialog, 'Name').fill('Suspended accounts');
  await dialog.getByRole('switch', { name: 'Shared' }).check();
  await field(dialog, 'Schedule').click();
  await page.getByRole('option', { name: 'Every week' }).click();
  await field(dialog, 'Recipients').fill(STAFF.manager);
  await page.getByText('No matching person').waitFor();
  await field(dialog, 'Recipients').fill(STAFF.owner);
  await page.getByRole('option', { name: STAFF.owner }).click();
  await field(dialog, 'Name').click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await heading(page, 'Suspended accounts').waitFor();
  await page.getByText('Next run:').waitFor();

  await page.getByRole('button', { name: 'Remove Condition 1' }).click();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect.poll(() => new URL(page.url()).searchParams.get('query')).toBeNull();
  await goto('/queries');
  await page.getByRole('row', { name: /Suspended accounts.*Every week/ }).waitFor();
});

test('opens an example, sorts it, and shows people without conditions of accounts', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  await goto('/queries');
  await page.getByRole('link', { name: 'Unused accounts of leavers in apps with high risk' }).click();
  await page.getByRole('group', { name: 'Condition 4' }).waitFor();
  await page.getByRole('button', { name: 'People' }).click();
  await page.getByRole('group', { name: 'Condition 1' }).waitFor();
  await expect.poll(() => page.getByRole('group', { name: /^Condition/ }).count()).toBe(1);

  await page.getByRole('button', { name: 'Remove Condition 1' }).click();
  await page
    .getByRole('columnheader', { name: /Last name/ })
    .getByRole('button')
    .click();
  await expect.poll(() => new URL(page.url()).searchParams.get('query')).toContain('user.last_name');
  await page.locator('tbody tr').first().getByRole('link').first().click();
  await page.waitForURL(/\/people\/[0-9a-f-]{36}/);
});
