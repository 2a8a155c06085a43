// @module-tag long
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { faultsOf } from './axe.ts';
import { type ConsoleTest, openConsole } from './harness.ts';
import { STAFF } from './seed-company.ts';
import { type SeededReasons, seedReasons } from './seed-reasons.ts';

let gatehouse: ConsoleTest;
let reasons: SeededReasons;
beforeAll(async () => {
  gatehouse = await openConsole();
  reasons = await seedReasons(gatehouse);
  return gatehouse.close;
}, 120_000);

const why = (page: Page, of: string) => page.getByRole('button', { name: `Why ${of}` }).first();

test('says who decided on a group, until when, and what would end it', async () => {
  const visit = await gatehouse.visit('admin');
  const { page, goto } = visit;
  await goto(`/accounts/${reasons.crm}`);
  await why(page, 'Support agents').click();
  const box = page.getByRole('dialog', { name: 'Why Support agents' });
  await box.getByRole('link', { name: /^REQ-\d+: access to Customer CRM/ }).waitFor();
  await box.getByText(/Decided by .*Marta Silva/).waitFor();
  await box.getByText(/^It is removed on /).waitFor();
  expect(await faultsOf(visit)).toEqual([]);

  await goto(`/accounts/${reasons.code}`);
  await why(page, 'platform: Granted by the policy Team leads maintain code').click();
  await page.getByRole('dialog').getByText('It has no planned end.').waitFor();
});

test('opens and closes with the keyboard, also for members, who do not see the decision', async () => {
  const visit = await gatehouse.visit('manager', { width: 390 });
  const { page, goto } = visit;
  await goto(`/team/${reasons.felix}`);
  const button = why(page, 'Support agents');
  await button.focus();
  await page.keyboard.press('Enter');
  const box = page.getByRole('dialog', { name: 'Why Support agents' });
  await box.getByText('Granted by an approved request').waitFor();
  await expect.poll(() => box.getByRole('link').count()).toBe(0);
  expect(await faultsOf(visit)).toEqual([]);
  await page.keyboard.press('Escape');
  await box.waitFor({ state: 'detached' });
  await expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true);
});

test('groups the access of a person by its reason', async () => {
  const { page, goto } = await gatehouse.visit('auditor');
  await goto(`/people/${reasons.felix}`);
  const rows = page.getByRole('table', { name: 'Access by reason' }).getByRole('row');
  const words = async () => (await rows.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim());
  await expect.poll(async () => (await words()).findIndex((row) => row.startsWith('REQ-'))).toBe(1);
  const all = await words();
  const found = all.indexOf('Discovered by sync');
  const policy = all.findIndex((row) => row.startsWith('Granted by the policy Team leads maintain code'));
  expect(policy).toBeGreaterThan(1);
  expect(found).toBeGreaterThan(policy);
  expect(all[policy + 1]).toContain('platform');
  await page.getByRole('button', { name: 'By account' }).click();
  await page.getByRole('table', { name: 'Accounts' }).getByText('Customer CRM').waitFor();
});

test('says on a suspended account who suspended it and why', async () => {
  const { page, goto } = await gatehouse.visit('auditor');
  await goto(`/accounts/${reasons.directory}`);
  const table = page.getByRole('table', { name: 'Suspensions' });
  await table.getByText('Suspended by Henrik Lund').waitFor();
  await table.getByText('Signed in from two countries within an hour.').waitFor();
});

test('says before a request is sent, and on it, that one person would decide two steps', async () => {
  const { page, goto } = await gatehouse.visit('member');
  const words = 'Marta Silva decides an earlier step. Another person has to decide this one.';
  await goto('/requests/new?q=platform');
  await page.getByRole('button', { name: 'Choose platform in Code Hosting' }).click();
  await page.getByRole('list', { name: 'Chosen access' }).getByText(words).waitFor();

  const { results } = await gatehouse.api.get(
    `/api/tickets/?app=${gatehouse.seeded.apps.code}&user=${gatehouse.seeded.people[STAFF.member]}&ticket_status=PENDING`,
  );
  await goto(`/requests/${results[0].external_uuid}`);
  await page.getByText(words).waitFor();
});
