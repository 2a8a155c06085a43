// @module-tag long
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { openRunFolder } from '../../server/test/keeper.ts';
import { faultsOf } from './axe.ts';
import { openEmptyConsole } from './harness.ts';
import { heading } from './story.ts';

/** An organization with nothing in it, as its owner sees it. */
async function open(width = 1440) {
  const gatehouse = await openEmptyConsole();
  onTestFinished(gatehouse.close);
  const folder = await openRunFolder();
  onTestFinished(folder.remove);
  const visit = await gatehouse.visit('owner', { width });
  const press = (role: 'button' | 'link' | 'checkbox', name: string | RegExp) =>
    visit.page.getByRole(role, { name }).first().click();
  const choose = async (name: string, text: string) => {
    const file = join(folder.path, name);
    await writeFile(file, text);
    const chooser = visit.page.waitForEvent('filechooser');
    await press('button', 'Choose file');
    await (await chooser).setFiles(file);
  };
  return { ...gatehouse, ...visit, visit, press, choose };
}

const NAMES = Array.from({ length: 17 }, (_, n) => `p${n}`);

test('the first app takes a file, and its leavers lose access', async () => {
  const { visit, page, goto, press, choose, api } = await open();
  const accounts = NAMES.map((name) => `${name},${name}@x.example,Sales`);

  await goto('/');
  await heading(page, 'Welcome to Gatehouse').waitFor();
  expect(await faultsOf(visit)).toEqual([]);
  await choose('payroll_accounts-2026-11.csv', `Login,Mail,Team\n${accounts.join('\n')}\nrobot,,Robots`);
  await page.getByText('Login is the ID: each row has a value of its own.').waitFor();
  await press('button', 'Check rows');
  await page.getByText('18 accounts created').waitFor();
  await press('button', 'Apply changes');

  const will = '17 of 18 accounts will belong to somebody when you import people with the same emails.';
  await page.getByText(will).waitFor();
  await page.getByText('1 account has no email').waitFor();
  expect(await faultsOf(visit)).toEqual([]);
  await expect
    .poll(async () => (await api.get('/api/apps/')).results)
    .toMatchObject([{ name: 'Payroll accounts' }]);

  await press('link', 'Import people');
  const people = NAMES.map((name, n) => `${name}@x.example,${n < 2 ? 'terminated' : 'active'}`);
  await choose('people.csv', ['email,status', ...people].join('\n'));
  await press('button', 'Check rows');
  await press('button', 'Apply changes');
  await page.getByText('17 of 18 active accounts belong to somebody.').waitFor();
  await page.getByText('2 people have left and still have access.').waitFor();
  expect(await faultsOf(visit)).toEqual([]);
  await press('link', 'Remove their access');
  await heading(page, 'People').waitFor();
  await expect.poll(() => page.getByRole('row').filter({ hasText: '@x.example' }).count()).toBe(2);
});

test('a file without a username, an email or an ID in each row says what to fill in', async () => {
  const { page, goto, choose, press } = await open();

  await goto('/');
  await choose('canteen.csv', 'Mail,Team\nada@x.example,A\n,A');
  await page.getByText('Mail is the ID because no column has a value of its own in each row.').waitFor();
  await press('button', 'Check rows');
  await page.getByRole('region', { name: 'Problems' }).getByRole('row').nth(1).waitFor();
});

test('a file that cannot be read is refused on the first page, and the next one takes its place', async () => {
  const { visit, page, goto, choose, api } = await open();
  visit.expectRefusals([400]);

  await goto('/');
  await choose('empty.csv', '');
  await page.getByRole('alert').waitFor();
  await choose('crm.csv', 'id,email\n1,ada@x.example');
  await page.getByRole('button', { name: 'Check rows' }).waitFor();
  await expect.poll(async () => (await api.get('/api/apps/')).results).toMatchObject([{ name: 'Crm' }]);
});

test.each([1440, 390])(
  'names are pasted, corrected in their cells and applied, %i pixels wide',
  async (width) => {
    const { visit, page, goto, press, context, api, url } = await open(width);
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: url });
    const cell = (name: string) => page.getByRole('textbox', { name, exact: true });

    await goto('/');
    await press('link', 'Enter accounts by hand');
    await page.getByLabel('App name').fill('Door keys');
    await press('button', 'Create app');
    await heading(page, 'Enter accounts by hand').waitFor();
    await paste(
      page,
      cell('Name, row 1'),
      'Name\tEmail\tGroups\nAda Berg\tada@x.example\tOffice; Lab\nAlan\twrong\nHedy',
    );
    await expect.poll(() => cell('Name, row 3').inputValue()).toBe('Hedy');
    expect(await faultsOf(visit)).toEqual([]);
    await press('button', 'Check rows');
    await page.getByText('Correct 1 cell, then check the rows again.').waitFor();
    await expect.poll(() => cell('Email, row 2').getAttribute('aria-invalid')).toBe('true');
    expect(await faultsOf(visit)).toEqual([]);
    await cell('Email, row 1').press('Enter');
    await expect
      .poll(() => cell('Email, row 2').evaluate((input) => input === document.activeElement))
      .toBe(true);
    await cell('Email, row 2').fill('alan@x.example');
    await expect.poll(() => page.getByText('Correct 1 cell').count()).toBe(0);
    await press('button', 'Check rows');
    await page.getByText('3 accounts created').waitFor();
    await press('button', 'Apply changes');
    await page.getByText('2 of 3 accounts will belong to somebody').waitFor();
    await expect
      .poll(async () =>
        (await api.get('/api/accounts/')).results
          .map((one: { external_id: string }) => one.external_id)
          .sort(),
      )
      .toEqual(['Hedy', 'ada@x.example', 'alan@x.example']);
  },
);

async function paste(page: Page, into: ReturnType<Page['getByRole']>, text: string) {
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
  await into.focus();
  await page.keyboard.press('ControlOrMeta+V');
}

test('a sample company is created and removed with one button each', async () => {
  const { visit, page, goto, press, api } = await open();

  await goto('/');
  await press('button', 'Try a sample company');
  await page.getByText('This is a sample company.').waitFor();
  await heading(page, 'Work').waitFor();
  await expect.poll(async () => (await api.get('/api/accounts/')).count, { timeout: 30_000 }).toBe(22);
  expect(await faultsOf(visit)).toEqual([]);
  await goto('/people');
  await press('button', 'Remove it');
  await page.getByText('Its apps, people, policy and review are removed').waitFor();
  await page.getByRole('button', { name: 'Remove sample company', exact: true }).click();
  await heading(page, 'Welcome to Gatehouse').waitFor();
  await expect.poll(() => page.getByText('This is a sample company.').count()).toBe(0);
  await expect.poll(async () => (await api.get('/api/users/?q=sample-company')).count).toBe(0);
});

test('the ways without a connector come first when an app is added', async () => {
  const { page, goto } = await open();

  await goto('/apps/new');
  const first = page.getByRole('region').first();
  await first.getByRole('button', { name: /^Spreadsheet/ }).waitFor();
  await expect.poll(() => first.getByRole('button').allInnerTexts()).toHaveLength(2);
  await expect.poll(() => first.getByRole('heading').innerText()).toBe('Without a connector');
});
