// @module-tag long
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { type MailReceiver, openMailReceiver } from '../../server/test/mail.ts';
import { type ConsoleTest, openCompanyConsole, openServer } from './harness.ts';
import type { Company } from './seed.ts';
import { heading, told } from './story.ts';

/** With email, an administrator can only send the link (D70). Without, they copy it. */
const INES = 'ines.duarte@acme.example';
const HUGO = 'hugo.garnier@acme.example';
const NEW_PASSWORD = 'a new and long password';

let receiver: MailReceiver;
let withEmail: ConsoleTest;
let without: ConsoleTest<Company>;
beforeAll(async () => {
  receiver = await openMailReceiver();
  const environment = {
    GATEHOUSE_SMTP_URL: receiver.settings.url,
    GATEHOUSE_MAIL_FROM: receiver.settings.from,
  };
  [withEmail, without] = await Promise.all([openServer(environment), openCompanyConsole()]);
  return async () => {
    await Promise.all([withEmail.close(), without.close()]);
    await receiver.close();
  };
}, 120_000);

async function openDialog(page: Page, action: 'Email the link' | 'Create link') {
  await page.getByRole('button', { name: 'Create sign-in link' }).click();
  const dialog = page.getByRole('dialog', { name: /^Sign-in link for/ });
  await dialog.getByRole('button', { name: action }).waitFor();
  return dialog;
}

test('an administrator emails a link, and its person sets a password with it', async () => {
  const { page, goto } = await withEmail.visit('admin');
  await goto(`/people/${withEmail.seeded.people[INES]}`);
  const dialog = await openDialog(page, 'Email the link');
  await expect.poll(() => dialog.getByRole('button', { name: 'Create link' }).count()).toBe(0);
  await dialog.getByRole('button', { name: 'Email the link' }).click();
  await told(page, `Gatehouse will email the link to ${INES} shortly`);
  await dialog.waitFor({ state: 'detached' });

  await expect.poll(() => receiver.to(INES).length, { timeout: 20_000 }).toBe(1);
  const [sent] = receiver.to(INES);
  expect(sent?.to).toEqual([INES]);
  expect(sent?.mail.subject).toBe('Your sign-in link');
  const link = /https?:\/\/\S+\/welcome#\S+/.exec(sent?.mail.text ?? '')?.[0] ?? '';
  expect(link).toContain(`${withEmail.url}/`);
  // The administrator never sees the link.
  expect(await page.content()).not.toContain(link.split('#')[1]);

  const visit = await withEmail.visit(null);
  visit.expectRefusals([401]);
  await visit.page.goto(link);
  await visit.page.getByLabel('New password').fill(NEW_PASSWORD);
  await visit.page.getByLabel('Confirm password').fill(NEW_PASSWORD);
  await visit.page.getByRole('button', { name: 'Set password' }).click();
  await heading(visit.page, 'Work').waitFor();
});

test('shows why a link cannot be emailed', async () => {
  const visit = await withEmail.visit('admin');
  visit.expectRefusals([400], /sign-in-link/);
  const { page, goto } = visit;
  const hugo = withEmail.seeded.people[HUGO];
  await goto(`/people/${hugo}`);
  const dialog = await openDialog(page, 'Email the link');
  await withEmail.api.post(`/api/users/${hugo}/deactivate/`);

  await dialog.getByRole('button', { name: 'Email the link' }).click();

  await dialog.getByRole('alert').getByText('This person is deactivated and cannot sign in.').waitFor();
  expect(receiver.to(HUGO)).toEqual([]);
});

test('without email, the dialog only creates a link to copy', async () => {
  const { page, goto, settled } = await without.visit('admin');
  await goto(`/people/${without.seeded.people[INES]}`);
  const dialog = await openDialog(page, 'Create link');
  await settled();
  await expect.poll(() => dialog.getByRole('button', { name: 'Email the link' }).count()).toBe(0);

  await dialog.getByRole('button', { name: 'Create link' }).click();

  await dialog.getByRole('button', { name: 'Copy sign-in link' }).waitFor();
  await expect.poll(() => dialog.textContent()).toContain(`${without.home}/`);
  await dialog.getByText('This link is shown only once.').waitFor();
});
