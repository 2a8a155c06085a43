// @module-tag long
import { beforeAll, expect, test } from 'vitest';
import { type ConsoleTest, openConsole } from './harness.ts';
import { heading, pick, pickFrom, told } from './story.ts';

let gatehouse: ConsoleTest;
beforeAll(async () => {
  gatehouse = await openConsole();
  return gatehouse.close;
});

const addPerson = async (more: object) =>
  (await gatehouse.api.post('/api/users/', more)).external_uuid as string;
const personOf = (id: string) => gatehouse.api.get(`/api/users/${id}/`);

test('shows what a merge would move before it merges two people', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  const name = { first_name: 'Dora', last_name: 'Double' };
  const into = await addPerson({ ...name, email: 'dora.double@acme.example' });
  const from = await addPerson({ ...name, email: 'dora@other.example', attributes: { office: 'Porto' } });
  await addPerson({ email: 'dora.report@acme.example', manager: from });

  await goto('/people?tab=duplicates');
  const row = page.getByRole('row').filter({ hasText: 'dora@other.example' });
  await row.getByRole('button', { name: 'Compare' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('1 report gets another manager').waitFor();
  expect(await personOf(from)).toMatchObject({ status: 'active' });
  await dialog.getByRole('button', { name: 'Merge people' }).click();

  await told(page, 'dora@other.example merged into dora.double@acme.example');
  await dialog.waitFor({ state: 'detached' });
  await row.waitFor({ state: 'detached' });
  expect(await personOf(from)).toMatchObject({ status: 'deactivated', merged_into: into });
  expect(await personOf(into)).toMatchObject({ attributes: { office: 'Porto' } });
  await goto(`/people/${from}`);
  await page.getByText('Merged into').waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'More' }).count()).toBe(0);
});

test('dismisses a pair of different people, and undoes it', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  const name = { first_name: 'Hugo', last_name: 'Homonym' };
  await addPerson({ ...name, email: 'hugo.one@acme.example' });
  await addPerson({ ...name, email: 'hugo.two@acme.example' });
  const row = page.getByRole('row').filter({ hasText: 'hugo.two@acme.example' });
  const isListed = async () => {
    const { results } = await gatehouse.api.get('/api/users/duplicates/?limit=200');
    return (results as { people: { first_name: string }[] }[]).some(
      ({ people }) => people[0]?.first_name === 'Hugo',
    );
  };

  await goto('/people?tab=duplicates');
  await row.getByRole('button', { name: /^Dismiss Hugo Homonym and/ }).click();
  await told(page, 'Hugo Homonym and Hugo Homonym marked as different people');
  await row.waitFor({ state: 'detached' });
  expect(await isListed()).toBe(false);

  await page.getByRole('button', { name: 'Dismissed', exact: true }).click();
  await page.getByRole('table', { name: 'Dismissed duplicates' }).waitFor();
  await row.getByRole('button', { name: /^Undo/ }).click();
  await told(page, 'Dismissal undone');
  await row.waitFor({ state: 'detached' });
  expect(await isListed()).toBe(true);

  await page.getByRole('button', { name: 'Possible duplicates' }).click();
  await row.getByRole('button', { name: 'Compare' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Different people' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await row.waitFor({ state: 'detached' });
  expect(await isListed()).toBe(false);
});

test('filters people by the source of their record', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  await goto('/people');
  await pickFrom(page, 'Source', 'Identity provider');
  await page.getByText('No people match these filters').waitFor();
  await pickFrom(page, 'Source', 'Gatehouse');
  await page.getByRole('link', { name: 'Ada Bauer' }).waitFor();
});

test('links selected accounts to suggested people, and takes back a dismissed suggestion', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  const { crm } = gatehouse.seeded.apps;
  const { results } = await gatehouse.api.get(`/api/accounts/unlinked/?app=${crm}&limit=3`);
  const names: string[] = results.map(({ username }: { username: string }) => username);
  const [first = '', second = '', third = ''] = names;
  const users: Record<string, string> = {};
  for (const name of names)
    users[name] = await addPerson({ email: `${name}@acme.example`, first_name: 'Agent' });

  await goto(`/people?tab=unlinked&app=${crm}`);
  const row = (name: string) => page.getByRole('row').filter({ hasText: `${name}@` });
  await row(first).getByRole('checkbox').check();
  await row(second).getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Link to suggested people' }).click();
  const linkedTo = async (name: string) =>
    (await gatehouse.api.get(`/api/accounts/?user=${users[name]}`)).count as number;
  await expect.poll(() => linkedTo(first)).toBe(1);
  await expect.poll(() => linkedTo(second)).toBe(1);
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();

  await row(third)
    .getByRole('button', { name: /does not belong to/ })
    .click();
  await row(third).getByText('No match').waitFor();
  expect(await linkedTo(third)).toBe(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await row(third)
    .getByRole('button', { name: /does not belong to/ })
    .waitFor();
});

test('sets the owner of a service account, and shows it on the page of the owner', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  await goto('/accounts?q=svc-003');
  await page.getByRole('link', { name: 'Service account svc-003' }).click();
  await heading(page, 'Service account svc-003').waitFor();
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  await pickFrom(page, 'Kind', 'Service account');
  await pick(page, 'Owner', 'Nadia');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await told(page, 'Account saved');

  await page.getByRole('link', { name: 'Nadia Rahman' }).click();
  await heading(page, 'Nadia Rahman').waitFor();
  await page.getByRole('link', { name: '1 service or shared account' }).click();
  await page.getByRole('link', { name: 'Service account svc-003' }).waitFor();
});

test('sorts people on a phone, where the header of the table is not shown', async () => {
  const { page, goto } = await gatehouse.visit('owner', { width: 390 });
  await goto('/people');
  await page.getByRole('combobox', { name: 'Sort by' }).click();
  await page.getByRole('option', { name: 'Email, descending' }).click();
  await page.waitForURL(/sort=-email/);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});
