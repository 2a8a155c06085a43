// @module-tag long
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { openRunFolder } from '../../server/test/keeper.ts';
import { type ConsoleTest, openCompanyConsole } from './harness.ts';
import type { Company } from './seed.ts';
import { field } from './story.ts';

let gatehouse: ConsoleTest<Company>;
beforeAll(async () => {
  gatehouse = await openCompanyConsole();
  return gatehouse.close;
});

test('shows an API error at its field and moves the focus there', async () => {
  const { page, goto, expectRefusals } = await gatehouse.visit('owner');
  expectRefusals([400], /bridge\/apps/);
  await goto('/apps/new?type=outside');
  const name = field(page, 'App name');
  await name.fill('   ');
  await page.getByRole('button', { name: 'Create app' }).click();

  await page.getByText('at least 1 character').waitFor();
  await expect.poll(() => name.getAttribute('aria-invalid')).toBe('true');
  await expect.poll(() => name.evaluate((input) => input === document.activeElement)).toBe(true);
  await expect.poll(() => page.getByRole('main').getByRole('alert').count()).toBe(0);
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
  await dialog.getByLabel('Location').fill('Porto');
  await dialog.getByRole('button', { name: 'Add attribute' }).click();
  await dialog
    .getByLabel(/^Name of attribute/)
    .last()
    .fill('badge');
  await dialog.getByLabel('badge').fill('B-17');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Marta Silva saved').waitFor();

  const person = await gatehouse.api.get(`/api/users/${marta}/`);
  expect(person.attributes).toMatchObject({ badge: 'B-17', location: 'Porto' });
});

test('imports the same file again after it was corrected, and explains its errors in plain words', async () => {
  const folder = await openRunFolder();
  onTestFinished(folder.remove);
  const file = join(folder.path, 'people.csv');
  const { page, goto } = await gatehouse.visit('owner');
  await goto('/people/upload');
  const input = page.locator('input[type=file]');

  await writeFile(file, 'email,first_name\nnot-an-email,Nia');
  await input.setInputFiles(file);
  await page.getByRole('button', { name: 'Check rows' }).click();
  await page.getByText('Input should be a valid email address.').waitFor();

  await writeFile(
    file,
    'email,first_name,manager_email\nnia@acme.example,Nia,marta.silva@acme.example\nines.duarte@acme.example,,nia@acme.example',
  );
  await page.getByRole('button', { name: 'Choose another file' }).click();
  await input.setInputFiles(file);
  await page.getByRole('button', { name: 'Check rows' }).click();
  await page.getByText(/manager from \S+@acme.example to nia@acme.example/).waitFor();
  await page.getByRole('button', { name: 'Apply changes' }).click();
  await page.getByText('people.csv was applied with 2 rows.').waitFor();
  expect((await gatehouse.api.get('/api/users/?email=nia@acme.example')).count).toBe(1);
});

test('offers a sample file of people that can be imported', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  await goto('/people/upload');
  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'CSV' }).click();
  const sample = await text(await (await downloading).createReadStream());
  const { created } = await gatehouse.api.postCsv('/api/users/import/?dry_run=true', sample);
  expect(created).toBe(2);
});
