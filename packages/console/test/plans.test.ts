// @module-tag long
import { beforeAll, expect, test } from 'vitest';
import { until } from './api.ts';
import { type ConsoleTest, openConsole } from './harness.ts';
import { expectRows, heading } from './story.ts';

let gatehouse: ConsoleTest;
beforeAll(async () => {
  gatehouse = await openConsole();
  return gatehouse.close;
});

test('previews a policy with counts first, and then lists all of its tasks', async () => {
  const { api, seeded } = gatehouse;
  const { external_uuid: id } = await api.post('/api/policies/', {
    name: 'Suspend everyone in the CRM',
    trigger: 'daily',
    condition: "account.status == 'ACTIVE'",
    effects: [{ do: 'suspend', app: seeded.apps.crm }],
    enabled: false,
  });
  const { count } = await api.post(`/api/policies/${id}/preview/`);
  expect(count).toBeGreaterThan(50);
  const { page, goto } = await gatehouse.visit('owner');
  await goto(`/policies/${id}`);
  await page.getByRole('button', { name: 'Show preview' }).click();
  await page.getByText(`This policy would create ${count} tasks now`).waitFor();
  await page
    .getByRole('list', { name: 'Effect of the tasks' })
    .getByText(/accounts suspended$/)
    .waitFor();
  await page.getByText(new RegExp(`^${count} tasks, page 1 of`)).waitFor();
  const tasks = page.getByRole('table', { name: 'Previewed tasks' });
  await tasks.getByText('Suspend account').first().waitFor();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.waitForURL(/page=2/);
  await expectRows(page, Math.min(50, count - 50));
});

test('says that a policy would create no tasks', async () => {
  const { page, goto } = await gatehouse.visit('auditor');
  await goto(`/policies/${gatehouse.seeded.policies.dormant}?preview=true`);
  await page.getByText('No matching people or accounts need a task').waitFor();
  await expect.poll(() => page.getByRole('table', { name: 'Previewed tasks' }).count()).toBe(0);
});

test('shows what the revocations of a review take away before it closes', async () => {
  const { api, seeded } = gatehouse;
  const plan = await api.get(`/api/reviews/cycles/${seeded.cycles.open}/plan/?limit=1`);
  expect(plan.count).toBeGreaterThan(0);
  for (const who of ['owner', 'auditor'] as const) {
    const { page, goto } = await gatehouse.visit(who);
    await goto(`/reviews/cycles/${seeded.cycles.open}`);
    await page.getByRole('button', { name: `Revocations (${plan.count})` }).click();
    await page.waitForURL(/plan=true/);
    const effect = page.getByRole('list', { name: 'Effect of the revocations' });
    await effect.getByText(/removed$/).waitFor();
    const revocations = page.getByRole('table', { name: 'Revocations' });
    await revocations.getByText('No decision').first().waitFor();
    await page.getByText(new RegExp(`^${plan.count} revocations`)).waitFor();
    await page.getByRole('button', { name: /^All items/ }).click();
    await page.getByRole('table', { name: 'Items' }).waitFor();
  }
});

test('does not show reviewers the revocations of others', async () => {
  const { page, goto } = await gatehouse.visit('manager');
  await goto(`/reviews/cycles/${gatehouse.seeded.cycles.open}?plan=true`);
  await heading(page, 'Quarterly review of Engineering').waitFor();
  await page.getByRole('table', { name: 'Items' }).waitFor();
  await expect.poll(() => page.getByRole('button', { name: /^Revocations/ }).count()).toBe(0);
});

test('counts the tasks that the daily budget holds in the list of apps, and confirms or rejects them', async () => {
  const { api, seeded } = gatehouse;
  const { directory } = seeded.apps;
  await api.patch(`/api/apps/${directory}/`, { removal_guard: { percent: 1, at_least: 1 } });
  const { results } = await api.get(`/api/accounts/?app=${directory}&status=ACTIVE&limit=6`);
  const suspend = async (accounts: { external_uuid: string }[]) => {
    for (const { external_uuid: account } of accounts)
      await api.post('/api/tasks/', { app: directory, account, action: 'suspend_account' });
    const { count } = await until(
      () => api.get(`/api/apps/${directory}/held-tasks/?limit=1`),
      (held) => held.count > 0,
    );
    return count as number;
  };
  const { page, goto } = await gatehouse.visit('owner');
  const row = page.locator('tbody tr').filter({ hasText: 'Corporate Directory' });

  let held = await suspend(results.slice(0, 5));
  await goto('/apps');
  await row.getByText(`${held} tasks to confirm`).waitFor();
  await row.getByRole('link').first().click();
  await page.getByText(`${held} tasks would suspend ${held} accounts`).waitFor();
  await page.getByRole('button', { name: 'Reject tasks' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Reject tasks' }).click();
  await page.getByText('Tasks rejected').waitFor();
  await page.getByText(/tasks would suspend/).waitFor({ state: 'detached' });
  await page.locator('main header').getByText('to confirm').waitFor({ state: 'detached' });

  held = await suspend(results.slice(5));
  await goto(`/apps/${directory}`);
  await page.locator('main header').getByText(`${held} task to confirm`).waitFor();
  await page.getByRole('button', { name: 'Confirm tasks' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill(String(held));
  await dialog.getByRole('button', { name: 'Confirm tasks' }).click();
  await page.getByText('Tasks confirmed').waitFor();
  await expect.poll(async () => (await api.get(`/api/apps/${directory}/held-tasks/?limit=1`)).count).toBe(0);
});
