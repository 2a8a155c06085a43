import { beforeAll, expect, test } from 'vitest';
import { type ConsoleTest, openConsole } from './harness.ts';
import { field } from './story.ts';

let gatehouse: ConsoleTest;
beforeAll(async () => {
  gatehouse = await openConsole();
  return gatehouse.close;
});

test('shows an API error at its field and moves the focus there', async () => {
  const { page, goto, expectRefusals } = await gatehouse.visit('owner');
  expectRefusals([400], /bridge\/apps/);
  await goto('/apps?new=app');
  const dialog = page.getByRole('dialog', { name: 'Create app' });
  const name = field(dialog, 'App name');
  await name.fill('   ');
  await dialog.getByRole('button', { name: 'Create app' }).click();

  await dialog.getByText('at least 1 character').waitFor();
  expect(await name.getAttribute('aria-invalid')).toBe('true');
  expect(await name.evaluate((input) => input === document.activeElement)).toBe(true);
  expect(await dialog.getByRole('alert').count()).toBe(0);
});

test('saves an approval route with specific people', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  const { crm } = gatehouse.seeded.apps;
  await goto(`/apps/${crm}?tab=settings`);
  const route = page.getByRole('region', { name: 'Approval route' });
  const before = await route.getByRole('group', { name: /^Step/ }).count();
  await route.getByRole('button', { name: 'Add step' }).click();
  const step = route.getByRole('group', { name: `Step ${before + 1}` });
  await field(step, 'Approvers').click();
  await page.getByRole('option', { name: 'Specific people' }).click();
  await field(step, 'People').fill('okafor');
  await page.getByRole('option', { name: /Okafor/ }).click();
  await page.keyboard.press('Escape');
  await route.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Approval route saved').waitFor();

  const { approval_steps: steps } = await gatehouse.api.get(`/api/apps/${crm}/`);
  expect(steps).toHaveLength(before + 1);
  expect(steps.at(-1)).toMatchObject({ require: 'any', approvers: [expect.any(String)] });
});

test("edits a person's attributes", async () => {
  const { page, goto } = await gatehouse.visit('owner');
  const marta = gatehouse.seeded.people['marta.silva@acme.example'];
  await goto(`/people/${marta}?ask=edit`);
  const dialog = page.getByRole('dialog', { name: 'Edit Marta Silva' });
  await dialog.getByRole('button', { name: 'Add attribute' }).click();
  await dialog
    .getByLabel(/^Name of attribute/)
    .last()
    .fill('badge');
  await dialog.getByLabel('badge').fill('B-17');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Marta Silva saved').waitFor();

  const person = await gatehouse.api.get(`/api/users/${marta}/`);
  expect(person.attributes).toMatchObject({ badge: 'B-17' });
});
