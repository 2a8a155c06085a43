import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Api } from './api.ts';

export const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });

/** Returns a field by its label, without the asterisk of required fields. */
export const field = (within: Page | Locator, name: string) =>
  within.getByRole('textbox', { name, exact: true }).or(within.getByRole('combobox', { name, exact: true }));

/** Types into a search field, and selects the first matching option. */
export async function pick(page: Page, label: string, words: string): Promise<void> {
  await field(page, label).fill(words);
  await page.getByRole('option').filter({ hasText: words }).first().click();
}

/** Opens a select, and selects the first matching option. */
export async function pickFrom(page: Page, label: string, words: string | RegExp): Promise<void> {
  await field(page, label).click();
  await page.getByRole('option').filter({ hasText: words }).first().click();
}

/** Waits for a notification. */
export const told = (page: Page, words: string | RegExp) => page.getByText(words).first().waitFor();

/** Types once the field has the focus. A dialog that is just opening would lose the first letters. */
export async function typeInto(target: Locator, words: string): Promise<void> {
  await expect.poll(() => target.evaluate((element) => element === document.activeElement)).toBe(true);
  await target.page().keyboard.type(words);
}

const MOST_TABS = 120;

/** Presses Tab until the target has the focus. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.first().waitFor();
  for (let step = 0; step < MOST_TABS; step++) {
    if (await target.first().evaluate((element) => element.contains(document.activeElement))) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${target}.`);
}

/** Decides items of an open review by keyboard until the console asks for a reason. Returns the dialog. */
export async function decideTooFast(page: Page): Promise<Locator> {
  const asks = page.getByRole('dialog', { name: 'Are you reading each item?' });
  await page.locator('tbody tr').getByRole('checkbox').first().waitFor();
  await page.keyboard.press('j');
  // An item may have the decision already, which does not count. The last item takes any number of decisions.
  for (let n = 0; n < 200 && (await asks.count()) === 0; n += 1)
    await page.keyboard.press(n % 2 === 0 ? 'y' : 'n');
  await asks.waitFor();
  return asks;
}

/** Carries out the pending tasks of an app as a connector does. Returns their number. */
export async function carryOut(api: Api, app: string): Promise<number> {
  const { tasks } = await api.get(`/api/v1/bridge/apps/${app}/tasks/?status=pending`);
  for (const { id } of tasks) {
    await api.patch(`/api/v1/bridge/apps/${app}/tasks/${id}/status/`, { status: 'completed', result: {} });
  }
  return tasks.length;
}

/** Waits until the page's table has this many rows. */
export const expectRows = (page: Page, count: number) =>
  expect.poll(() => page.locator('tbody tr').count()).toBe(count);
