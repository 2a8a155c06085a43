// @module-tag long
import { beforeAll, expect, test } from 'vitest';
import { type ConsoleTest, openSharedConsole } from './harness.ts';

let gatehouse: ConsoleTest;
beforeAll(async () => {
  gatehouse = await openSharedConsole();
  return gatehouse.close;
});

async function openFind(person: Parameters<ConsoleTest['visit']>[0]) {
  const visit = await gatehouse.visit(person);
  await visit.goto('/');
  await visit.page.keyboard.press('Control+k');
  const dialog = visit.page.getByRole('dialog', { name: 'Search' });
  const field = dialog.getByRole('combobox', { name: 'Search' });
  await field.waitFor();
  return { ...visit, dialog, field };
}

test('groups results by kind, and announces the kind and the chosen result', async () => {
  const { page, dialog, field } = await openFind('owner');
  await field.fill('Marta');
  const people = dialog.getByRole('group', { name: 'People' });
  await people.getByRole('option', { name: /^Marta Silva .*Person$/ }).waitFor();
  await dialog
    .getByRole('status')
    .getByText(/^\d+ results?$/)
    .waitFor();
  const chosen = dialog.locator('[aria-selected=true]');
  const isActive = async () =>
    (await field.getAttribute('aria-activedescendant')) === (await chosen.getAttribute('id'));
  await expect.poll(isActive).toBe(true);
  const first = await chosen.textContent();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => chosen.textContent()).toBe(first);
});

test('leads to the dialog that deactivates a person, and does nothing itself', async () => {
  const { page, dialog, field } = await openFind('owner');
  await field.fill('deact');
  await dialog.getByRole('option', { name: /^Deactivate…/ }).waitFor();
  await page.keyboard.press('Enter');
  await expect.poll(() => field.inputValue()).toBe('Deactivate ');
  await page.keyboard.type('Marta');
  await dialog.getByRole('option', { name: /^Deactivate Marta Silva/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/people\/.*ask=deactivate/);
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Deactivate/ })
    .waitFor();
});

test('lists what was opened last when nothing is typed', async () => {
  const { page, field } = await openFind('owner');
  await field.fill('Policies');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Policies' }).waitFor();
  await page.keyboard.press('Control+k');
  const recent = page.getByRole('dialog').getByRole('group', { name: 'Recent' });
  await recent.getByRole('option', { name: /^Policies/ }).waitFor();
});

test('asks before it signs out', async () => {
  const { page, dialog, field } = await openFind('owner');
  await field.fill('Sign out');
  await dialog.getByRole('option', { name: /^Sign out/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Sign out?' }).getByRole('button', { name: 'Go back' }).click();
  await page.getByRole('heading', { level: 1, name: 'Work' }).waitFor();
});

test('finds no people for a member', async () => {
  const { dialog, field } = await openFind('member');
  await field.fill('Marta');
  await dialog.getByText('No results').waitFor();
});

test('finds every kind of record for an owner', async () => {
  const { field, dialog } = await openFind('owner');
  const nameOf = async (path: string) => (await gatehouse.api.get(path)).results[0].name as string;
  const kinds: [string, string][] = [
    ['Accounts', 'marta.silva@acme.example'],
    ['Apps', await nameOf('/api/apps/?limit=1')],
    ['Policies', await nameOf('/api/policies/?limit=1')],
    ['Access reviews', await nameOf('/api/reviews/?limit=1')],
  ];
  for (const [kind, words] of kinds) {
    await field.fill(words);
    await dialog.getByRole('group', { name: kind }).getByRole('option').first().waitFor();
  }
  await field.fill('1');
  await dialog.getByRole('group', { name: 'Requests' }).getByRole('option').first().waitFor();
});

test('opens the access of a day with one key, before the search has ended', async () => {
  const { page, field } = await openFind('owner');
  // The company begins today, and today means now.
  await field.fill(`silva marta ${new Date().toISOString().slice(0, 10)}`);
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/people\/[^/]+\?as_of=/);
  await page.getByRole('heading', { level: 1, name: 'Marta Silva' }).waitFor();
  await page.getByRole('button', { name: /^As of (?!now)/ }).waitFor();
});

test('offers each group, license and app with the name and the day', async () => {
  const { page, dialog, field } = await openFind('auditor');
  const [group] = (await gatehouse.api.get('/api/resources/?type=group&sort=-members')).results;
  await field.fill(`who had ${group.name} on 15 Jan 2026`);
  const rows = dialog.getByRole('group', { name: 'On Jan 15, 2026' }).getByRole('option');
  await rows
    .filter({ hasText: `People with access to ${group.name} on Jan 15, 2026` })
    .first()
    .waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/access\/[^/]+\?as_of=/);
  await page.keyboard.press('Control+k');
  await field.fill(`${group.app.name} 15.1.2026`);
  await rows.filter({ hasText: `People with access to ${group.app.name} on Jan 15, 2026` }).click();
  await page.waitForURL(/\/apps\/[^/]+\?.*as_of=/);
});

test('takes a day in the future as part of the name, and offers members no earlier access', async () => {
  const { dialog, field } = await openFind('owner');
  await field.fill('marta 2100-01-01');
  await dialog.getByText('No results').waitFor();
  const member = await openFind('member');
  const name = (await gatehouse.api.get('/api/apps/?limit=1')).results[0].name;
  await member.field.fill(`${name} 2026-01-15`);
  await member.dialog.getByText('No results').waitFor();
});

test('finds tabs of apps, settings by their group, and people by their role', async () => {
  const { page, dialog, field } = await openFind('owner');
  const app = (await gatehouse.api.get('/api/apps/?limit=1')).results[0];
  await field.fill(`sync history of ${app.name}`);
  await dialog.getByRole('option', { name: new RegExp(`^Syncs of ${app.name}`) }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/apps/${app.external_uuid}?tab=syncs`);
  await page.keyboard.press('Control+k');
  await field.fill('settings sign-in');
  await dialog.getByRole('option', { name: /^Identity provider/ }).waitFor();
  await field.fill('admins');
  await dialog.getByRole('option', { name: /^People with the role admin/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/people\?role=admin/);
});

test('says in the row that somebody is deactivated', async () => {
  const { dialog, field } = await openFind('owner');
  const { first_name, last_name } = (await gatehouse.api.get('/api/users/?status=deactivated')).results[0];
  await field.fill(`${last_name} ${first_name}`);
  await dialog
    .getByRole('option', { name: /Deactivated|Leaver/ })
    .first()
    .waitFor();
});
