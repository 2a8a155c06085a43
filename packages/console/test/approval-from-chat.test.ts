// @module-tag long
import type { Locator } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { faultsOf } from './axe.ts';
import { type ConsoleTest, openConsole } from './harness.ts';
import { PASSWORD } from './seed.ts';
import { STAFF } from './seed-company.ts';

let gatehouse: ConsoleTest;
beforeAll(async () => {
  gatehouse = await openConsole();
  return gatehouse.close;
});

/** Whether something begins within the first screen. */
const isOnFirstScreen = async (part: Locator, height: number) => {
  const box = await part.boundingBox();
  return box !== null && box.y >= 0 && box.y + Math.min(box.height, 40) <= height;
};

test.each([
  [1440, 900],
  [390, 844],
])(
  'leads from a post through sign-in to the request with everything in view (%i × %i)',
  async (width, height) => {
    const { tickets } = gatehouse.seeded;
    const visit = await gatehouse.visit(null);
    visit.expectRefusals([401]);
    const { page } = visit;
    await page.setViewportSize({ width, height });
    await visit.goto(`/requests/${tickets.pending}`);
    await page.getByLabel('Email').fill(STAFF.manager);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();

    await page.getByRole('heading', { level: 1, name: /REQ-\d+/ }).waitFor();
    await expect
      .poll(() => new URL(page.url()).pathname)
      .toMatch(new RegExp(`/requests/${tickets.pending}$`));
    const details = page.getByRole('region', { name: 'Details' });
    const access = page.getByRole('list', { name: 'Requested and existing access' });
    for (const part of [
      page.getByRole('button', { name: 'Approve', exact: true }),
      page.getByRole('button', { name: 'Deny', exact: true }),
      details.getByText('Reason'),
      details.getByText('Beneficiary'),
      details.getByText('End', { exact: true }),
      access.getByRole('listitem').first(),
    ])
      await expect.poll(() => isOnFirstScreen(part, height)).toBe(true);
    expect(await faultsOf(visit)).toEqual([]);
    expect((await gatehouse.api.get(`/api/tickets/${tickets.pending}/`)).ticket_status).toBe('PENDING');
  },
);
