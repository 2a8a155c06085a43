import { beforeAll, expect, test } from 'vitest';
import { type ConsoleTest, openServer } from './harness.ts';
import { carryOut, heading, told } from './story.ts';

// With first-run.test.ts and sign-in.test.ts, one journey for each kind of person. All other tests in a browser are `long`.
let gatehouse: ConsoleTest;
beforeAll(async () => {
  gatehouse = await openServer();
  return gatehouse.close;
});

test('grants access that a member requests and an approver approves, and records it', async () => {
  const { api, seeded } = gatehouse;
  const member = await gatehouse.visit('member');
  await member.goto('/');
  await member.page.getByRole('link', { name: 'Request access' }).click();
  await heading(member.page, 'New request').waitFor();
  await member.page.getByLabel('Search by name or description').fill('Payroll');
  await member.page.getByRole('button', { name: 'Choose Account in Payroll' }).click();
  await member.page
    .getByRole('region', { name: 'Your request' })
    .getByRole('list', { name: 'Chosen access' })
    .getByText('Approval steps')
    .waitFor();
  await member.page.getByLabel('Reason').fill('I check the salaries of my team.');
  await member.page.getByRole('button', { name: 'Request access' }).click();
  await heading(member.page, /^REQ-\d+: access to Payroll/).waitFor();
  await member.page.getByText('Pending').first().waitFor();
  await expect.poll(() => member.page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
  const address = member.page.url();

  const owner = await gatehouse.visit('owner');
  await owner.goto('/approvals');
  const waiting = owner.page.getByRole('list', { name: 'Pending requests' });
  await waiting.getByRole('button', { name: /Payroll/ }).click();
  await owner.page.getByRole('article').getByText('I check the salaries of my team.').waitFor();
  await owner.page
    .getByRole('article')
    .getByRole('button', { name: /^Approve/ })
    .click();
  const dialog = owner.page.getByRole('dialog');
  await dialog.getByLabel('Comment').fill('Agreed.');
  await dialog.getByRole('button', { name: 'Approve' }).click();
  await told(owner.page, 'Request approved');

  expect(await carryOut(api, seeded.apps.payroll)).toBe(1);
  await member.page.goto(address);
  await member.page.getByText('Approved').first().waitFor();
  await member.page.getByText('Agreed.').waitFor();
  await member.goto('/');
  await member.page.getByRole('region', { name: 'Your access' }).getByText('Payroll').waitFor();

  await owner.goto('/events?type=ticket.approved');
  await owner.page
    .getByRole('table', { name: 'Events' })
    .getByText(/REQ-\d+.*Payroll/)
    .first()
    .waitFor();
});

test('keeps several items in one step, revokes one with a comment and changes that decision', async () => {
  const { cycles } = gatehouse.seeded;
  const { page, goto } = await gatehouse.visit('manager');
  const before = await progressOf();
  await goto('/');
  await page.getByRole('link', { name: 'Quarterly review of Engineering' }).click();
  await heading(page, 'Quarterly review of Engineering').waitFor();
  await goto(`/reviews/cycles/${cycles.open}?decision=none`);
  const rows = page.locator('tbody tr').filter({ has: page.getByRole('checkbox') });

  for (const at of [0, 1, 2]) await rows.nth(at).getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Keep 3' }).click();
  const alert = page.getByRole('alert').filter({ hasText: '3 items kept' });
  await alert.waitFor();
  await expect.poll(progressOf).toMatchObject({ kept: before.kept + 3, revoked: before.revoked });
  await alert.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(progressOf).toMatchObject({ decided: before.decided, kept: before.kept });

  await goto(`/reviews/cycles/${cycles.open}?decision=none`);
  for (const at of [0, 1, 2]) await rows.nth(at).getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Comment…' }).click();
  const ask = page.getByRole('dialog', { name: 'Decide 3 items' });
  await ask.getByLabel('Comment').fill('All of them ship this quarter.');
  await ask.getByRole('button', { name: 'Keep 3 items' }).click();
  const job = page.getByRole('dialog', { name: 'Keep 3 items', exact: true });
  await job.getByText('3 of 3 done').waitFor();
  await job.getByText('Close').click();
  await expect.poll(progressOf).toMatchObject({ kept: before.kept + 3, revoked: before.revoked });

  await goto(`/reviews/cycles/${cycles.open}?decision=none`);
  await rows
    .nth(0)
    .getByRole('button', { name: /^Decide with a comment/ })
    .click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Comment').fill('Not on this team any more.');
  await dialog.getByRole('button', { name: 'Revoke' }).click();
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(progressOf).toMatchObject({ kept: before.kept + 3, revoked: before.revoked + 1 });

  await goto(`/reviews/cycles/${cycles.open}?decision=revoke`);
  const revoked = rows.filter({ hasText: 'Not on this team any more.' });
  await revoked.getByRole('button', { name: 'Keep' }).click();
  await expect.poll(progressOf).toMatchObject({ kept: before.kept + 4, revoked: before.revoked });
});

test('shows leavers with access, as the overview counts them, and creates tasks for their accounts', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  await goto('/');
  const figure = page.getByRole('listitem').filter({ hasText: 'Leavers with access' });
  const shown = await figure.getByRole('link').first().textContent();
  await figure.getByRole('link').first().click();
  await page.getByText(`${shown} people`, { exact: true }).waitFor();

  await page.getByRole('row').filter({ hasText: 'Zoe Lindqvist' }).getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Delete accounts' }).click();
  await page.getByRole('textbox').last().fill('delete 1');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete accounts' }).click();
  const zoe = (await gatehouse.api.get('/api/users/?q=zoe.lindqvist')).results[0].external_uuid;
  const tasks = async () =>
    (await gatehouse.api.get(`/api/tasks/?user=${zoe}&action=delete_account`)).results.length;
  await expect.poll(tasks, { timeout: 20_000 }).toBeGreaterThan(0);
});

const progressOf = async () =>
  (await gatehouse.api.get(`/api/reviews/cycles/${gatehouse.seeded.cycles.open}/`)).progress as Record<
    'decided' | 'kept' | 'revoked',
    number
  >;
