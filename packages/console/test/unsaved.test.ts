// @module-tag long
import { beforeAll, expect, test } from 'vitest';
import { type ConsoleTest, openConsole } from './harness.ts';
import { PASSWORD } from './seed.ts';
import { STAFF } from './seed-company.ts';
import { field, heading, told } from './story.ts';

let gatehouse: ConsoleTest;
beforeAll(async () => {
  gatehouse = await openConsole();
  return gatehouse.close;
});

const discard = { name: 'Discard unsaved changes?' };

test('keeps typed text when the session ends, and sends it after a new sign-in', async () => {
  const { page, context, goto, expectRefusals } = await gatehouse.visit('owner');
  expectRefusals([401]);
  await goto('/people?new=person');
  const form = page.getByRole('dialog', { name: 'Add person' });
  await field(form, 'Email').fill('late@acme.example');
  await field(form, 'First name').fill('Late');
  await context.clearCookies();
  await form.getByRole('button', { name: 'Add person' }).click();

  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  await dialog.getByLabel('Email').fill(STAFF.owner);
  await dialog.getByLabel('Password', { exact: true }).fill('not the password');
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await dialog.getByRole('alert').waitFor();
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Sign in' }).click();

  await heading(page, 'Late').waitFor();
  await told(page, 'Late added');
});

test('asks before unsaved edits of a page are lost', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  await goto(`/apps/${gatehouse.seeded.apps.crm}?tab=settings`);
  const name = field(page, 'Name');
  await name.fill('Customer CRM 2');
  await page.getByRole('link', { name: 'People', exact: true }).click();
  await page.getByRole('dialog', discard).getByRole('button', { name: 'Keep editing' }).click();
  await expect.poll(() => name.inputValue()).toBe('Customer CRM 2');

  await page.getByRole('tab', { name: 'Accounts' }).click();
  await page.getByRole('dialog', discard).getByRole('button', { name: 'Discard changes' }).click();
  await page.getByRole('searchbox').waitFor();
  await page.getByRole('link', { name: 'People', exact: true }).click();
  await heading(page, 'People').waitFor();
});

test('asks nothing after the edits are saved', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  await goto(`/apps/${gatehouse.seeded.apps.payroll}?tab=settings`);
  await field(page, 'Name').fill('Payroll 2');
  await page.getByRole('region', { name: 'Name and owner' }).getByRole('button', { name: 'Save' }).click();
  await told(page, 'Name and owner saved');
  await page.getByRole('link', { name: 'People', exact: true }).click();
  await heading(page, 'People').waitFor();
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
});

test('warns before a window with unsaved edits is closed', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  const warns = () =>
    page.evaluate(() => !window.dispatchEvent(new Event('beforeunload', { cancelable: true })));
  await goto('/settings/organization');
  expect(await warns()).toBe(false);
  await field(page, 'Name').pressSequentially('!');
  await expect.poll(warns).toBe(true);
});

test('closes a dialog with Back, and asks first if it has unsaved input', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  await goto('/people');
  await page.getByRole('button', { name: 'Add person' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add person' });
  await dialog.waitFor();
  await page.goBack();
  await dialog.waitFor({ state: 'detached' });
  expect(page.url()).toBe(`${gatehouse.home}/people`);

  await page.getByRole('button', { name: 'Add person' }).click();
  await field(dialog, 'First name').fill('Half');
  await page.goBack();
  await page.getByRole('dialog', discard).getByRole('button', { name: 'Keep editing' }).click();
  await expect.poll(() => field(dialog, 'First name').inputValue()).toBe('Half');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog', discard).getByRole('button', { name: 'Discard changes' }).click();
  await dialog.waitFor({ state: 'detached' });
  await heading(page, 'People').waitFor();
});

test('closes a confirmation with Back, and leaves no trace of it in the history', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  await goto('/apps');
  await page.getByRole('link', { name: 'Code Hosting' }).click();
  await heading(page, 'Code Hosting').waitFor();
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Approve removal' }).click();
  await dialog.waitFor();
  await page.goBack();
  await dialog.waitFor({ state: 'detached' });
  await heading(page, 'Code Hosting').waitFor();

  await page.getByRole('button', { name: 'Approve removal' }).click();
  await dialog.getByRole('button', { name: 'Go back' }).click();
  await dialog.waitFor({ state: 'detached' });
  // Closing the dialog goes back in the history a moment later.
  await page.waitForFunction(() => !history.state?.dialog);
  await page.goBack();
  await heading(page, 'Apps').waitFor();
});
