// @module-tag long
import type { Browser } from 'playwright-core';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { openSamlProvider } from '../../server/test/saml.ts';
import { codeOf } from '../../server/test/sign-in.ts';
import { signedInEarlier } from './earlier.ts';
import { type ConsoleTest, openCompanyConsole } from './harness.ts';
import { type Company, PASSWORD } from './seed.ts';
import { STAFF } from './seed-company.ts';
import { openVisit, type Visit } from './visit.ts';

let gatehouse: ConsoleTest<Company>;
beforeAll(async () => {
  gatehouse = await openCompanyConsole();
  return gatehouse.close;
});

const button = ({ page }: Visit, name: string | RegExp) => page.getByRole('button', { name, exact: true });

async function showPassword(visit: Visit, email: string) {
  await visit.goto('/sign-in');
  await visit.page.getByLabel('Email').fill(email);
  await visit.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await button(visit, 'Sign in').click();
}

test('sets up a second factor, signs in with a code and a backup code, and removes it', async () => {
  const visit = await gatehouse.visit('manager', { own: true });
  visit.expectRefusals([401, 403]);
  const { page } = visit;
  await visit.goto('/settings/profile');

  await button(visit, 'Set up second factor').click();
  await page.getByLabel('Your password').fill('wrong');
  await button(visit, 'Continue').click();
  await page.getByRole('alert').getByText('The current password is incorrect.').waitFor();
  await page.getByLabel('Your password').fill(PASSWORD);
  await button(visit, 'Continue').click();
  await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor();
  const secret = await page.getByLabel('secret', { exact: true }).textContent();
  const uri = `otpauth://totp/x?secret=${secret}`;
  await page.getByLabel('Code from the app').fill(codeOf(uri));
  await button(visit, 'Turn on').click();
  const codes = (await page.getByLabel('backup codes', { exact: true }).innerText()).split('\n');
  expect(codes).toHaveLength(10);
  await button(visit, 'I saved the codes').click();
  await page.getByText('On: sign-in requires a code from your authenticator app').waitFor();

  const again = await gatehouse.visit(null);
  again.expectRefusals([401]);
  await showPassword(again, STAFF.manager);
  await again.page.getByLabel('Code from your authenticator app').fill(codeOf(uri, 1));
  await button(again, 'Continue').click();
  await again.page.getByRole('heading', { level: 1, name: 'Work' }).waitFor();

  const lost = await gatehouse.visit(null);
  lost.expectRefusals([401]);
  await showPassword(lost, STAFF.manager);
  await button(lost, 'Use a backup code instead').click();
  await lost.page.getByLabel('Backup code').fill(codes[0] ?? '');
  await button(lost, 'Continue').click();
  await lost.page.getByRole('heading', { level: 1, name: 'Work' }).waitFor();

  await button(visit, 'Remove second factor').click();
  await page.getByLabel('Your password').fill(PASSWORD);
  await button(visit, 'Remove').click();
  await page.getByText('Off: sign-in requires only your password').waitFor();
});

/** A window at a host name with a device for passkeys. Browsers create passkeys for host names only, not for addresses. */
async function visitWithDevice(email: string): Promise<Visit> {
  const { context: somebody } = await gatehouse.visit(null);
  const named = (address: string) => address.replace('127.0.0.1', 'localhost');
  const at = { url: named(gatehouse.url), base: named(gatehouse.base), home: named(gatehouse.home) };
  const visit = await openVisit(somebody.browser() as Browser, at, { as: email });
  onTestFinished(visit.close);
  const devices = await visit.context.newCDPSession(visit.page);
  await devices.send('WebAuthn.enable');
  await devices.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return visit;
}

async function addPasskey(visit: Visit) {
  await visit.goto('/settings/profile');
  await button(visit, 'Add passkey').click();
  await visit.page.getByLabel('Name').fill('My laptop');
  await button(visit, 'Continue').click();
  await visit.page.getByRole('table', { name: 'Passkeys' }).getByText('My laptop').waitFor();
}

test('adds a passkey, signs in with it and removes it', async () => {
  const visit = await visitWithDevice(STAFF.member);
  visit.expectRefusals([401]);
  const { page } = visit;
  await addPasskey(visit);

  await visit.context.clearCookies();
  await visit.goto('/sign-in?return=/settings/profile');
  await button(visit, 'Sign in with a passkey').click();
  await page.getByRole('table', { name: 'Sessions' }).getByText('Passkey').waitFor();

  await button(visit, 'Remove My laptop').click();
  await button(visit, 'Remove passkey').click();
  await page.getByText('No passkeys yet').waitFor();
  expect(visit.problems).toEqual([]);
});

test('asks for a confirmation before a change if the last sign-in is old', async () => {
  const visit = await visitWithDevice(STAFF.member);
  visit.expectRefusals([403]);
  const { page } = visit;
  await addPasskey(visit);
  await page.goto('about:blank');
  await gatehouse.changeData(signedInEarlier(gatehouse.slug));
  await visit.goto('/settings/profile');

  await button(visit, 'Add passkey').click();
  await page.getByLabel('Name').fill('My phone');
  await button(visit, 'Continue').click();
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await dialog.getByLabel('Your password').fill('wrong');
  await dialog.getByRole('button', { name: 'Confirm', exact: true }).click();
  await dialog.getByText('The current password is incorrect.').waitFor();
  await dialog.getByRole('button', { name: 'Confirm with a passkey' }).click();
  await dialog.waitFor({ state: 'detached' });
  // The device refuses a second passkey for the same person.
  await page.getByRole('alert').waitFor();
  await page.keyboard.press('Escape');

  await button(visit, 'Remove My laptop').click();
  await button(visit, 'Remove passkey').click();
  await page.getByText('No passkeys yet').waitFor();
  expect(visit.problems).toEqual([]);
});

test("removes another person's passkey", async () => {
  await addPasskey(await visitWithDevice(STAFF.member));
  const owner = await gatehouse.visit('owner', { own: true });
  await owner.goto(`/people/${gatehouse.seeded.people[STAFF.member]}`);

  await owner.page.getByRole('table', { name: 'Passkeys' }).getByText('My laptop').waitFor();
  await button(owner, 'Remove My laptop').click();
  await button(owner, 'Remove passkey').click();
  await owner.page.getByRole('table', { name: 'Passkeys' }).waitFor({ state: 'detached' });
});

test('explains why there are no passkeys at an IP address', async () => {
  const reason =
    /^Passkeys require a host name, and 127\.0\.0\.1 is an IP address\. Open http:\/\/localhost:\d+ instead\.$/;
  const visitor = await gatehouse.visit(null);
  await visitor.goto('/sign-in');
  await visitor.page.getByText(reason).waitFor();
  await expect.poll(() => button(visitor, 'Sign in with a passkey').count()).toBe(0);

  const visit = await gatehouse.visit('owner', { own: true });
  await visit.goto('/settings/profile');
  await visit.page.getByText(reason).waitFor();
  await expect.poll(() => button(visit, 'Add passkey').count()).toBe(0);
});

test('ends another session', async () => {
  const [visit, other] = [
    await gatehouse.visit('auditor', { own: true }),
    await gatehouse.visit('auditor', { own: true }),
  ];
  other.expectRefusals([401]);
  await visit.goto('/settings/profile');
  const sessions = visit.page.getByRole('table', { name: 'Sessions' });
  const before = await sessions.getByRole('row').count();

  await sessions
    .getByRole('button', { name: /^End session/ })
    .first()
    .click();

  await expect.poll(() => sessions.getByRole('row').count()).toBe(before - 1);
});

test('adds a provider, shows its setup, offers it at sign-in and removes it', async () => {
  const visit = await gatehouse.visit('owner', { own: true });
  visit.expectRefusals([400]);
  const { page } = visit;
  await visit.goto('/settings/identity-provider');

  await button(visit, 'Another provider').click();
  await button(visit, 'SAML').click();
  const setup = page.getByRole('region', { name: 'Set up sign-in' });
  await setup.getByRole('textbox', { name: 'Name', exact: true }).fill('Corporate account');
  await setup.getByRole('textbox', { name: /^ID/ }).fill('corp');
  await setup.getByLabel('Provider metadata').fill('<nothing/>');
  await button(visit, 'Add provider').click();
  await page
    .getByRole('alert')
    .getByText(/must contain a sign-in service/)
    .waitFor();
  await setup.getByLabel('Provider metadata').fill(openSamlProvider().metadata);
  await setup.getByLabel('Approve for owners').check();
  await button(visit, 'Add provider').click();
  await page.getByRole('tab', { name: 'Provider setup' }).waitFor();
  const dialog = page.getByRole('dialog', { name: 'Corporate account' });
  await dialog.getByText(`${gatehouse.base}/auth/sso/saml2/sp/acs/corp`).waitFor();

  const visitor = await gatehouse.visit(null);
  await visitor.goto('/sign-in');
  await button(visitor, 'Sign in with Corporate account').waitFor();

  await page.getByRole('tab', { name: 'Settings' }).click();
  await expect.poll(() => dialog.getByLabel('Approve for owners').isChecked()).toBe(true);
  await button(visit, 'Remove provider').click();
  await page.getByLabel('Type corp to confirm').fill('corp');
  await button(visit, 'Remove').click();
  await page.getByText('No providers yet').waitFor();
});

test('shows the redirect URI of a new provider before it asks for the client', async () => {
  const visit = await gatehouse.visit('owner', { own: true });
  const { page } = visit;
  await visit.goto('/settings/identity-provider');

  await button(visit, 'Another provider').click();
  const setup = page.getByRole('region', { name: 'Set up sign-in' });
  await setup.getByRole('textbox', { name: /^ID/ }).fill('keycloak');

  await setup.getByText(`${gatehouse.base}/auth/sso/callback/keycloak`).waitFor();
  await expect.poll(() => setup.getByLabel('Client ID').inputValue()).toBe('');
  await expect
    .poll(() => setup.getByLabel('Trust email addresses without verification').isChecked())
    .toBe(false);
  await expect.poll(() => setup.getByLabel('Approve for owners').isChecked()).toBe(false);
});

test('lets administrators see providers but not change them', async () => {
  const visit = await gatehouse.visit('admin', { own: true });
  await visit.goto('/settings/identity-provider');

  await visit.page.getByText('Only owners can add, change and remove providers').waitFor();
  await button(visit, 'Okta').click();
  await visit.page.getByText('Ask an owner: only owners can add sign-in providers.').waitFor();
  await expect.poll(() => button(visit, 'Add provider').count()).toBe(0);
});

test('explains a failed sign-in through a provider, and never shows text from the address', async () => {
  const visit = await gatehouse.visit(null);
  await visit.goto('/sign-in?error=unknown_person');
  await visit.page.getByRole('alert').getByText('can sign in here').waitFor();

  await visit.goto('/sign-in?error=Call%200900-123456');
  const alert = await visit.page.getByRole('alert').textContent();
  expect(alert).toContain('failed');
  expect(alert).not.toContain('0900');
});

test('requires a second factor for a role before anything else', async () => {
  const auditor = await gatehouse.visit('auditor', { own: true });
  auditor.expectRefusals([403]);
  const other = await gatehouse.visit('auditor', { own: true });
  other.expectRefusals([403]);
  const { page } = auditor;
  await auditor.goto('/people');
  const owner = await gatehouse.visit('owner', { own: true });
  await owner.goto('/settings/organization');
  await owner.page.getByRole('group', { name: 'Required for', exact: true }).getByLabel('Auditors').check();
  await button(owner, 'Save second factor settings').click();
  await owner.page.getByText('Second factor settings saved').waitFor();

  await page.getByRole('link', { name: 'Apps', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Set up a second factor' }).waitFor();
  await expect.poll(() => page.getByRole('link', { name: 'People' }).count()).toBe(0);
  await page.reload();
  await button(auditor, 'Set up second factor').click();
  await page.getByLabel('Your password').fill(PASSWORD);
  await button(auditor, 'Continue').click();
  const secret = await page.getByLabel('secret', { exact: true }).textContent();
  await page.getByLabel('Code from the app').fill(codeOf(`otpauth://totp/x?secret=${secret}`));
  await button(auditor, 'Turn on').click();
  await page.getByLabel('backup codes', { exact: true }).waitFor();
  await button(auditor, 'I saved the codes').click();
  await button(auditor, 'Continue').click();
  await page.getByRole('heading', { level: 1, name: 'Apps' }).waitFor();

  // A session that has not used the codes gets an answer on the page that asks for them.
  await other.goto('/people');
  await other.page.getByRole('heading', { level: 1, name: 'Set up a second factor' }).waitFor();
  await button(other, 'Remove second factor').click();
  await other.page.getByLabel('Your password').fill(PASSWORD);
  await button(other, 'Remove').click();
  await other.page.getByRole('alert').getByText('requires a second factor').waitFor();
});
