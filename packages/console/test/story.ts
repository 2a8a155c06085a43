import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Api } from './api.ts';

/** What stories do in the same way again and again. */

export const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });

/** A field by its label, without the asterisk of a required one. */
export const field = (within: Page | Locator, name: string) =>
  within.getByRole('textbox', { name, exact: true }).or(within.getByRole('combobox', { name, exact: true }));

/** Types into a field that offers what it finds, and takes the first that has the words. */
export async function pick(page: Page, label: string, words: string): Promise<void> {
  await field(page, label).fill(words);
  await page.getByRole('option').filter({ hasText: words }).first().click();
}

/** The same for a field with a few fixed choices. */
export async function pickFrom(page: Page, label: string, words: string | RegExp): Promise<void> {
  await field(page, label).click();
  await page.getByRole('option').filter({ hasText: words }).first().click();
}

/** Waits for a short-lived message. */
export const told = (page: Page, words: string | RegExp) => page.getByText(words).first().waitFor();

const FAR = 120;

/** Goes on with Tab until the focus is there, as somebody without a mouse. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.first().waitFor();
  for (let step = 0; step < FAR; step++) {
    if (await target.first().evaluate((element) => element.contains(document.activeElement))) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not lead to ${target}.`);
}

/** A connector at its work: it carries out what is pending in an app. Answers how many tasks that were. */
export async function carryOut(api: Api, app: string): Promise<number> {
  const { tasks } = await api.get(`/api/v1/bridge/apps/${app}/tasks/?status=pending`);
  for (const { id } of tasks) {
    await api.patch(`/api/v1/bridge/apps/${app}/tasks/${id}/status/`, { status: 'completed', result: {} });
  }
  return tasks.length;
}

/** The rows of the page's table, once there are so many. */
export const expectRows = (page: Page, count: number) =>
  expect.poll(() => page.locator('tbody tr').count()).toBe(count);
