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
