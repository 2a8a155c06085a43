// @module-tag long
import { beforeAll, expect, test } from 'vitest';
import { type ConsoleTest, openConsole } from './harness.ts';
import { told } from './story.ts';

const MARTA = 'marta.silva@acme.example';

let gatehouse: ConsoleTest;
beforeAll(async () => {
  gatehouse = await openConsole();
  return gatehouse.close;
});

test('disables a policy without asking, and takes that back', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  const { results } = await gatehouse.api.get('/api/policies/?enabled=true&limit=50');
  const policy = results.find((one: { pending_confirmation: unknown }) => one.pending_confirmation === null);
  const enabled = async () =>
    (await gatehouse.api.get(`/api/policies/${policy.external_uuid}/`)).enabled as boolean;
  await goto(`/policies/${policy.external_uuid}`);
  await page.getByRole('button', { name: 'Disable' }).click();
  await told(page, 'Policy disabled');
  await page.getByRole('button', { name: 'Enable' }).waitFor();
  expect(await enabled()).toBe(false);
  await page.getByRole('button', { name: 'Undo' }).click();
  await told(page, 'Undone');
  await page.getByRole('button', { name: 'Disable' }).waitFor();
  expect(await enabled()).toBe(true);
});

test('unlinks an account without asking, and links it to the same person again', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  const marta = gatehouse.seeded.people[MARTA];
  const { results } = await gatehouse.api.get(`/api/accounts/?user=${marta}&limit=1`);
  const id = results[0].external_uuid;
  const owner = async () => (await gatehouse.api.get(`/api/accounts/${id}/`)).user as string | null;
  await goto(`/accounts/${id}`);
  await page.getByRole('button', { name: 'Unlink person' }).click();
  await told(page, 'Account unlinked');
  await page.getByRole('button', { name: 'Link person' }).waitFor();
  expect(await owner()).toBeNull();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Unlink person' }).waitFor();
  expect(await owner()).toBe(marta);
});

test('takes back the owner of an account', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  const { results } = await gatehouse.api.get(
    `/api/accounts/?user=${gatehouse.seeded.people[MARTA]}&limit=1`,
  );
  const id = results[0].external_uuid;
  const kind = async () => ((await gatehouse.api.get(`/api/accounts/${id}/`)).kind ?? 'person') as string;
  const before = await kind();
  await goto(`/accounts/${id}`);
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Kind' }).click();
  await page.getByRole('option', { name: 'Service' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await told(page, 'Account saved');
  expect(await kind()).toBe('service');
  await page.getByRole('button', { name: 'Undo' }).click();
  await told(page, 'Undone');
  expect(await kind()).toBe(before);
});
