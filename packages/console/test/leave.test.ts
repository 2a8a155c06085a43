import { beforeAll, expect, test } from 'vitest';
import { type ConsoleTest, openConsole } from './harness.ts';
import { told } from './story.ts';

let gatehouse: ConsoleTest;
beforeAll(async () => {
  gatehouse = await openConsole();
  return gatehouse.close;
});

test('an administrator sets a leave without an end, and the page of the person says so', async () => {
  const { results } = await gatehouse.api.get('/api/users/?role=member&status=active');
  const id = results[3].external_uuid;
  const owner = await gatehouse.visit('owner');
  await owner.goto(`/people/${id}`);
  await owner.page.getByRole('button', { name: 'Set absence' }).click();
  const dialog = owner.page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Kind' }).click();
  await owner.page.getByRole('option', { name: 'Leave' }).click();
  await dialog.getByText('A leave does not end the employment').waitFor();
  await dialog.getByLabel('Reason').fill('Parental leave');
  await dialog.getByRole('button', { name: 'Save absence' }).click();
  await told(owner.page, 'Absence saved');
  await owner.page.getByText('On leave', { exact: true }).waitFor();
  await owner.page.getByRole('table', { name: 'Absences' }).getByText('Leave: Parental leave').waitFor();
});

test('a template makes a policy for the days before the first one', async () => {
  const owner = await gatehouse.visit('owner');
  await owner.goto('/policies/new');
  await owner.page.getByRole('combobox', { name: 'Start from' }).click();
  await owner.page.getByRole('option', { name: 'Leavers, deleted after 30 days' }).click();
  await owner.page.getByText('30 days after that, delete the account in all apps').waitFor();
  await owner.page.getByLabel('Days after').fill('-7');
  await owner.page.getByText('7 days before that').waitFor();
  await owner.page.getByRole('button', { name: 'Save and preview' }).click();
  await told(owner.page, 'Policy saved but not enabled');
  const { results } = await gatehouse.api.get('/api/policies/?trigger=user.ends');
  expect(results).toMatchObject([{ offset_days: -7, enabled: false }]);
});
