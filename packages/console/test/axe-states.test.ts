// @module-tag long
import type { Page } from 'playwright-core';
import { beforeAll } from 'vitest';
import { testPages } from './axe.ts';
import { type ConsoleTest, openConsole } from './harness.ts';
import { decideTooFast } from './story.ts';

let gatehouse: ConsoleTest;
let held = '';
beforeAll(async () => {
  gatehouse = await openConsole();
  const { results } = await gatehouse.api.get(`/api/apps/${gatehouse.seeded.apps.code}/syncs/`);
  held = results.find(({ status }: { status: string }) => status === 'held')?.sync_id ?? results[0].sync_id;
  return gatehouse.close;
});

const press = (name: string | RegExp) => (page: Page) =>
  page.getByRole('button', { name, exact: true }).first().click();
const openFind = async (page: Page) => {
  await page.getByRole('button', { name: /^Search/ }).waitFor();
  await page.keyboard.press('Control+k');
  const field = page.getByRole('dialog').getByRole('combobox', { name: 'Search' });
  await field.fill('Marta');
  await page
    .getByRole('dialog')
    .getByRole('option', { name: /^Marta Silva/ })
    .waitFor();
};
const openDialog = (name: string | RegExp) => async (page: Page) => {
  await press(name)(page);
  await page.getByRole('dialog').waitFor();
};
const chooseRange = async (page: Page) => {
  await page.getByRole('slider', { name: 'First interval' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.waitForURL(/to=/);
};
const addConditions = async (page: Page) => {
  await press('Add condition')(page);
  await press('Add condition')(page);
  await page.getByRole('group', { name: 'Condition 2', exact: true }).waitFor();
};
const fillBasket = async (page: Page) => {
  await press(/^Choose Sales EMEA in/)(page);
  await page.getByRole('button', { name: /^Remove Sales EMEA in/ }).waitFor();
};
const openAccountMenu = async (page: Page) => {
  await press('Your account')(page);
  await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
};
const inGerman = async (page: Page) => {
  await page.evaluate(() => localStorage.setItem('gatehouse-language', 'de'));
  await page.reload();
  await page.locator('html[lang=de]').waitFor();
  await page.locator('h1').waitFor();
  await page.evaluate(() => localStorage.removeItem('gatehouse-language'));
};

testPages('for the owner', () => gatehouse, 'owner', [
  ['results of the search', '/', openFind],
  ['keyboard shortcuts', '/', openDialog('Keyboard shortcuts')],
  ['arrangement of a table', '/accounts', openDialog('Arrange table')],
  ['account menu', '/', openAccountMenu],
  ['graph of a person', ({ people }) => `/people/${people['marta.silva@acme.example']}?by=graph`],
  // Before this company, so that there are several intervals.
  ['events with a range', '/events?from=2026-01-01T00:00Z', chooseRange],
  ['sync with changes', ({ apps }) => `/apps/${apps.code}/syncs/${held}`],
  ['changed accounts of a sync', ({ apps }) => `/apps/${apps.code}/syncs/${held}?of=account`],
  ['insights', '/people?tab=insights'],
  ['person who left', ({ people }) => `/people/${people['zoe.lindqvist@acme.example']}`],
  ['policy with conditions', '/policies/new?from=empty', addConditions],
  ['policy in CEL', '/policies/new?from=empty', press('Edit as text')],
  ['approved request', ({ tickets }) => `/requests/${tickets.approved}`],
  ['overview in German', '/', inGerman],
]);

testPages('for a member', () => gatehouse, 'member', [
  ['catalog with a basket', '/requests/new?q=Sales', fillBasket],
  ['own request', ({ tickets }) => `/requests/${tickets.mine}`],
]);

testPages('for a reviewer', () => gatehouse, 'manager', [
  ['my team', '/team'],
  ['request to approve', ({ tickets }) => `/approvals?ticket=${tickets.pending}`],
  ['details of an item', ({ cycles }) => `/reviews/cycles/${cycles.open}`, openDialog(/^Details of/)],
  [
    'items without deviations',
    ({ cycles }) => `/reviews/cycles/${cycles.open}`,
    openDialog(/^Keep the \d+ without deviations$/),
  ],
  ['how a review works', ({ cycles }) => `/reviews/cycles/${cycles.open}`, openDialog('How it works')],
  [
    'pause',
    ({ cycles }) => `/reviews/cycles/${cycles.open}`,
    async (page) => void (await decideTooFast(page)),
  ],
]);
