// @module-tag long
import type { BrowserContext } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { type ConsoleTest, openCompanyConsole } from './harness.ts';
import { type Company, PASSWORD } from './seed.ts';
import { STAFF } from './seed-company.ts';
import { field, heading, told } from './story.ts';

let gatehouse: ConsoleTest<Company>;
beforeAll(async () => {
  gatehouse = await openCompanyConsole();
  return gatehouse.close;
});

/** Signs somebody else in, as a second tab of the same browser does. */
async function signInInSecondTab({ request }: BrowserContext, email: string) {
  const headers = { origin: gatehouse.url };
  await request.post(`${gatehouse.base}/auth/sign-out/`, { headers });
  const data = { email, password: PASSWORD };
  const answer = await request.post(`${gatehouse.base}/auth/sign-in/`, { headers, data });
  expect(answer.status()).toBe(200);
}

const nameOf = async (email: string) => {
  const { results } = await gatehouse.api.get(`/api/users/?email=${encodeURIComponent(email)}`);
  const [{ first_name, last_name }] = results;
  return `${first_name} ${last_name}`;
};

test('sends no decision of a page in the name of the person who signed in since', async () => {
  const { api, seeded } = gatehouse;
  const { page, context, goto, expectRefusals } = await gatehouse.visit('owner', { own: true });
  expectRefusals([409]);
  const member = await gatehouse.apiAs('member');
  const { external_uuid: ticket } = await member.post('/api/tickets/', {
    user: seeded.people[STAFF.member],
    type: 'NEW_ACCESS',
    app: seeded.apps.payroll,
    initial_comment: 'I check the salaries of my team.',
  });
  const [owner, admin] = [await nameOf(STAFF.owner), await nameOf(STAFF.admin)];
  await goto(`/requests/${ticket}`);
  await signInInSecondTab(context, STAFF.admin);

  await page.getByRole('button', { name: /^Approve/ }).click();
  const decision = page.getByRole('dialog', { name: /Approve/ });
  await decision.getByLabel('Comment').fill('Agreed, for the audit.');
  await decision.getByRole('button', { name: 'Approve' }).click();
  const dialog = page.getByRole('dialog', { name: `You are signed in as ${admin} now` });
  await dialog.getByText(`This page was opened by ${owner}.`).waitFor();
  await dialog.getByText('Nothing was sent.').waitFor();
  expect((await api.get(`/api/tickets/${ticket}/`)).ticket_status).toBe('PENDING');

  // Signing in as a third person sends it no more than before.
  await dialog.getByLabel('Email').fill(STAFF.auditor);
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
  const third = page.getByRole('dialog', {
    name: `You are signed in as ${await nameOf(STAFF.auditor)} now`,
  });
  await third.waitFor();
  expect((await api.get(`/api/tickets/${ticket}/`)).ticket_status).toBe('PENDING');

  await third.getByLabel('Email').fill(STAFF.owner);
  await third.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await third.getByRole('button', { name: 'Sign in', exact: true }).click();
  await told(page, 'Request approved');
  const { approvals } = await api.get(`/api/tickets/${ticket}/`);
  expect(JSON.stringify(approvals)).toContain('Agreed, for the audit.');
});

test('says who is signed in when someone returns to the page, and continues as them', async () => {
  const { page, context, goto, settled, expectRefusals } = await gatehouse.visit('owner', { own: true });
  expectRefusals([409]);
  const admin = await nameOf(STAFF.admin);
  await goto('/people?new=person');
  await field(page.getByRole('dialog', { name: 'Add person' }), 'First name').fill('Late');
  await signInInSecondTab(context, STAFF.admin);

  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  const dialog = page.getByRole('dialog', { name: `You are signed in as ${admin} now` });
  await dialog.getByText(`Your unsaved input is lost if you continue as ${admin}.`).waitFor();
  await dialog.getByRole('button', { name: `Continue as ${admin}` }).click();
  await dialog.waitFor({ state: 'detached' });
  await heading(page, 'People').waitFor();
  await settled();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Your account' }).click();
  await page.getByText(`${admin}, `).waitFor();
});

test('keeps a page for its person when they sign in in the second tab again', async () => {
  const { page, context, goto, expectRefusals } = await gatehouse.visit('owner', { own: true });
  expectRefusals([401, 409]);
  await goto('/people?new=person');
  const form = page.getByRole('dialog', { name: 'Add person' });
  await field(form, 'Email').fill('kept@acme.example');
  await field(form, 'First name').fill('Kept');
  await signInInSecondTab(context, STAFF.admin);
  await form.getByRole('button', { name: 'Add person' }).click();
  await page.getByRole('dialog', { name: `You are signed in as ${await nameOf(STAFF.admin)} now` }).waitFor();

  await context.request.post(`${gatehouse.base}/auth/sign-out/`, { headers: { origin: gatehouse.url } });
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
  await signInInSecondTab(context, STAFF.owner);
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await told(page, 'Kept added');
});
