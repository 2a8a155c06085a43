// @module-tag long
import { beforeAll, expect, test } from 'vitest';
import { apiWithKey } from './api.ts';
import { type ConsoleTest, openCompanyConsole } from './harness.ts';
import type { Company } from './seed.ts';

/** A group of people, as an identity provider pushes it. */
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const REVERSED = 'Read\u202eetirw';
const MIXED = 'P\u0430yroll';

let gatehouse: ConsoleTest<Company>;
let app = '';
beforeAll(async () => {
  gatehouse = await openCompanyConsole();
  const { api } = gatehouse;
  const { id } = await api.post('/api/v1/bridge/apps/', { name: `Ledger ${REVERSED}` });
  app = id;
  const owner = await gatehouse.apiAs('owner');
  const { key } = await owner.post('/api/api-keys/', { name: 'Identity provider', scopes: ['scim'] });
  const provider = apiWithKey(gatehouse.base, key);
  for (const displayName of [REVERSED, 'Payroll', 'Pay\u200broll', MIXED])
    await provider.post('/scim/v2/Groups', { schemas: [GROUP], displayName });
  return gatehouse.close;
});

test('marks what is hidden in names, and names that look alike, in a list', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  await goto('/groups');
  const names = page.locator('tbody bdi[translate="no"]');
  await names.filter({ hasText: 'etirw' }).waitFor();

  const texts = await names.allTextContents();
  expect(texts.join()).not.toMatch(/[\u202e\u200b]/);
  expect(texts).toContain('ReadU+202Eetirw');
  const explained = (words: string) => page.locator('tbody').getByRole('img', { name: words });
  await explained('Hidden character U+202E, which changes the order of the text').waitFor();
  await explained('Hidden character U+200B').waitFor();
  await explained('One word has letters of different alphabets: Latin and Cyrillic').waitFor();
  await explained('This name looks like another one').first().waitFor();
});

test('marks it in titles, in the tab, in sentences and in labels', async () => {
  const { page, goto, settled } = await gatehouse.visit('owner');
  for (const [tab, look] of [
    ['', 1440],
    ['?tab=settings', 390],
  ] as const) {
    await page.setViewportSize({ width: look, height: 900 });
    await goto(`/apps/${app}${tab}`);
    await page
      .getByRole('heading', { level: 1 })
      .getByRole('img', { name: /^Hidden character/ })
      .waitFor();
    await settled();

    expect(await page.title()).toBe('Ledger Read[U+202E]etirw · Gatehouse');
    const raw = await page.evaluate(() => {
      const attributes = [...document.querySelectorAll('*')].flatMap((element) =>
        ['title', 'aria-label', 'placeholder', 'alt'].map((name) => element.getAttribute(name) ?? ''),
      );
      return [document.body.innerText, ...attributes].filter((text) => text.includes('\u202e'));
    });
    expect(raw).toEqual([]);
  }
});

test('marks names that look alike in Find', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  await goto('/groups');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search' }).fill('roll');
  const found = page.getByRole('listbox', { name: 'Results' });
  await found.getByRole('img', { name: 'This name looks like another one' }).first().waitFor();
});

test('marks names that look alike in the choice of an app and of a person', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  const { api } = gatehouse;
  for (const name of ['Tally', 'T\u0430lly']) await api.post('/api/v1/bridge/apps/', { name });
  for (const [at, last_name] of ['Perc', 'P\u0435rc'].entries())
    await api.post('/api/users/', { email: `perc-${at}@acme.example`, first_name: 'Ana', last_name });
  await goto('/history/compare');
  const form = page.getByRole('form', { name: 'Compare' });
  for (const [label, typed] of [
    ['App', 'lly'],
    ['Person', 'perc-'],
  ] as const) {
    await form.getByRole('combobox', { name: label }).fill(typed);
    const marks = page.getByRole('option').getByRole('img', { name: 'This name looks like another one' });
    await marks.nth(1).waitFor();
    await page.keyboard.press('Escape');
  }
});

test('a suggested value with hidden characters stays as it is', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  await goto('/policies/new?from=empty');
  await page.getByRole('main').getByRole('button', { name: 'Add condition' }).click();
  const row = page.getByRole('group', { name: 'Condition 1' });
  await row.getByRole('combobox', { name: 'Field' }).click();
  await page.getByRole('option', { name: 'department' }).click();
  await row.getByRole('combobox', { name: 'Operator' }).click();
  await page.getByRole('option', { name: 'is one of' }).click();
  await row.getByRole('combobox', { name: 'Value' }).fill('Pay\u200broll');
  await page.keyboard.press('Enter');
  await row.getByRole('img', { name: 'Hidden character U+200B' }).first().waitFor();

  await row.getByRole('combobox', { name: 'Field' }).click();
  await page.getByRole('option', { name: 'Groups' }).click();
  await row.getByRole('combobox', { name: 'Value' }).click();
  await page.getByRole('option', { name: /^Pay Hidden character U\+200B/ }).click();

  await page.getByRole('main').getByRole('button', { name: 'Edit as text' }).click();
  const cel = page.getByRole('textbox', { name: 'Condition' });
  await expect.poll(() => cel.inputValue()).toContain('Pay\u200broll');
});
