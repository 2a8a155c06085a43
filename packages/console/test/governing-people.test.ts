// @module-tag long
import type { Locator } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { type ConsoleTest, openConsole } from './harness.ts';
import { field, heading } from './story.ts';

let gatehouse: ConsoleTest;
beforeAll(async () => {
  gatehouse = await openConsole();
  return gatehouse.close;
});

test('builds a condition from rows, shows whom it matches, and keeps it as CEL', async () => {
  const { page, goto } = await gatehouse.visit('admin');
  await goto('/policies/new?from=empty');
  const main = page.getByRole('main');
  await main.getByRole('button', { name: 'Add condition' }).click();
  const row = page.getByRole('group', { name: 'Condition 1' });
  await row.getByRole('combobox', { name: 'Field' }).click();
  await page.getByRole('option', { name: 'Department' }).click();
  await row.getByRole('combobox', { name: 'Value' }).fill('Support');
  await page.getByText(/^Matches \d+ of \d+ people$/).waitFor();
  await expect
    .poll(() => page.getByRole('list', { name: 'First people who match' }).getByRole('link').count())
    .toBe(10);

  await main.getByRole('button', { name: 'Edit as text' }).click();
  const cel = main.getByRole('textbox', { name: 'Condition' });
  await expect.poll(() => cel.inputValue()).toBe("user.attributes.department == 'Support'");
  await cel.fill("user.email.matches('^a') && user.status == 'active'");
  await page.getByText(/The builder cannot show this condition/).waitFor();
  await expect
    .poll(() => main.getByRole('button', { name: 'Edit with the builder' }).isDisabled())
    .toBe(true);
  await cel.fill("user.status == 'active' && (user.role == 'owner' || user.role == 'admin')");
  await main.getByRole('button', { name: 'Edit with the builder' }).click();
  await page.getByRole('group', { name: 'Group 2', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Remove Condition 1', exact: true }).click();
  await page.getByRole('button', { name: 'Edit as text' }).click();
  await expect.poll(() => cel.inputValue()).toBe("user.role == 'owner' || user.role == 'admin'");
});

test('makes a policy from a template in five clicks, and shows what it would do', async () => {
  const { page, goto } = await gatehouse.visit('admin');
  await goto('/policies');
  let clicks = 0;
  const click = async (target: Locator) => {
    clicks += 1;
    await target.click();
  };
  await click(page.getByRole('main').getByRole('link', { name: 'Create policy' }));
  await click(page.getByRole('link', { name: 'Use template: Access of a team' }));
  const save = page.getByRole('button', { name: 'Save and preview' });
  await page.getByText('Complete the condition, or match everyone.').waitFor();
  await expect.poll(() => save.isDisabled()).toBe(true);
  const row = page.getByRole('group', { name: 'Condition 1' });
  await expect.poll(() => row.getByRole('combobox', { name: 'Field' }).inputValue()).toBe('Department');
  await row.getByRole('combobox', { name: 'Value' }).fill('Sales');
  await click(page.getByRole('option', { name: 'Sales', exact: true }));
  await page.getByText(/^Matches \d+ of \d+ people$/).waitFor();
  await field(page, 'App').fill('Customer CRM');
  await click(page.getByRole('option').filter({ hasText: 'Customer CRM' }).first());
  await click(save);

  await heading(page, 'Access of a team').waitFor();
  await page.getByText(/This policy would create/).waitFor();
  expect(clicks).toBe(5);
  const { results } = await gatehouse.api.get('/api/policies/?limit=200');
  expect(results).toContainEqual(
    expect.objectContaining({
      ...{ name: 'Access of a team', trigger: 'daily', enabled: false },
      condition: "user.attributes.department == 'Sales'",
    }),
  );
});

test('builds the scope of a review from rows, and refuses an incomplete one at its row', async () => {
  const { page, goto, expectRefusals } = await gatehouse.visit('admin');
  expectRefusals([400], /api\/reviews\/$/);
  await goto('/reviews/new?template=empty');
  const main = page.getByRole('main');
  await field(main, 'Name').fill('Sales');
  await main.getByText('Everyone matches.').waitFor();
  await main.getByRole('button', { name: 'Add condition' }).click();
  const row = main.getByRole('group', { name: 'Condition 1' });
  await main.getByRole('button', { name: 'Create campaign' }).click();
  await row.getByText('Choose a field.').waitFor();
  await row.getByRole('combobox', { name: 'Field' }).click();
  await expect.poll(() => page.getByRole('option', { name: 'Account in the app' }).count()).toBe(0);
  await page.getByRole('option', { name: 'Department' }).click();
  await row.getByRole('combobox', { name: 'Value' }).fill('Sales');
  await main.getByText(/^Matches \d+ of \d+ people$/).waitFor();
  await main.getByRole('button', { name: 'Create campaign' }).click();
  await heading(page, 'Sales').waitFor();
  const { results } = await gatehouse.api.get('/api/reviews/');
  expect(results[0].scope.users).toBe("user.attributes.department == 'Sales'");
});

test('warns of a leaver on their page and on their accounts', async () => {
  const { results } = await gatehouse.api.get('/api/accounts/?status=ACTIVE&linked=true&limit=200');
  const account = (results as { external_uuid: string; user: string; person: { email: string } }[]).find(
    ({ person }) => person.email.startsWith('elena.petrova'),
  );
  if (account === undefined) throw new Error('No account.');
  await gatehouse.api.post(`/api/users/${account.user}/deactivate/`, { reason: 'left' });
  const { page, goto } = await gatehouse.visit('admin');
  await goto(`/people/${account.user}`);
  await page.getByText(/^Elena Petrova left on .+ and still has \d active accounts?$/).waitFor();
  await page.getByRole('link', { name: 'Suspend or delete these accounts' }).click();
  await heading(page, 'Accounts').waitFor();
  await expect.poll(() => page.getByRole('combobox', { name: 'Person' }).inputValue()).toBe('Has left');
  await goto(`/accounts/${account.external_uuid}`);
  await page.getByText(/^Elena Petrova left on .+, and this account is still active$/).waitFor();
});

test('draws the access of a person as a graph with links, and as a table', async () => {
  const { page, goto } = await gatehouse.visit('auditor');
  const { results } = await gatehouse.api.get('/api/users/?q=aisha.okafor');
  const [{ external_uuid: id }] = results as [{ external_uuid: string }];
  await goto(`/people/${id}?by=graph`);
  const graph = page.getByRole('figure', { name: 'Access of Aisha Okafor' });
  await graph.getByRole('link', { name: 'Corporate Directory', exact: true }).focus();
  await graph.getByRole('button', { name: 'Show table' }).click();
  await graph.getByRole('columnheader', { name: 'Group or license' }).waitFor();
  await graph.getByRole('button', { name: 'Show picture' }).click();
  await graph.getByRole('link', { name: 'Corporate Directory', exact: true }).press('Enter');
  await heading(page, 'Corporate Directory').waitFor();
});

test('shows administrators who has access by department, and who joined in a month', async () => {
  const { page, goto } = await gatehouse.visit('auditor');
  await goto('/people?tab=insights');
  await page.getByRole('figure', { name: 'People with access, by app and department' }).waitFor();
  await page.getByText(/\d+ people joined, /).waitFor();
  await expect.poll(() => page.getByRole('combobox', { name: 'Month' }).inputValue()).not.toBe('');
});
