// @module-tag long
import { beforeAll, expect, test } from 'vitest';
import { type ConsoleTest, openConsole } from './harness.ts';
import { STAFF } from './seed-company.ts';
import { carryOut, field, heading, pick, tabTo, told } from './story.ts';

let gatehouse: ConsoleTest;
beforeAll(async () => {
  gatehouse = await openConsole();
  return gatehouse.close;
});

test('grants access that a member requests and an approver approves, and records it', async () => {
  const { api, seeded } = gatehouse;
  const member = await gatehouse.visit('member');
  await member.goto('/');
  await member.page.getByRole('link', { name: 'Request access' }).click();
  await heading(member.page, 'New request').waitFor();
  await pick(member.page, 'App', 'Payroll');
  await member.page.getByLabel('Reason').fill('I check the salaries of my team.');
  await member.page.getByRole('button', { name: 'Request access' }).click();
  await heading(member.page, /^REQ-\d+: access to Payroll/).waitFor();
  await member.page.getByText('Pending').first().waitFor();
  expect(await member.page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
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

test('shows the requester why a manager denied', async () => {
  const { seeded } = gatehouse;
  const manager = await gatehouse.visit('manager');
  await manager.goto(`/requests/${seeded.tickets.mine}`);
  await manager.page.getByRole('button', { name: 'Deny' }).click();
  const dialog = manager.page.getByRole('dialog');
  await dialog.getByLabel('Comment').fill('Support has its own people for that.');
  await dialog.getByRole('button', { name: 'Deny' }).click();
  await told(manager.page, 'Request denied');

  const member = await gatehouse.visit('member');
  await member.goto(`/requests/${seeded.tickets.mine}`);
  await member.page.getByText('Denied').first().waitFor();
  await member.page.getByText('Support has its own people for that.').waitFor();
});

test('shows the newest comments on a request with hundreds of them', async () => {
  const { api, seeded } = gatehouse;
  const path = `/api/tickets/${seeded.tickets.denied}/comments/`;
  for (let n = 1; n <= 201; n++) await api.post(path, { comment: `Comment number ${n}.` });
  const { page, goto } = await gatehouse.visit('owner');
  await goto(`/requests/${seeded.tickets.denied}`);
  const comments = page.getByRole('list', { name: 'Comments' });
  await comments.getByText('Comment number 201.').waitFor();
  await comments.getByText('Comment number 1.').waitFor();
});

test('lets nobody approve their own request, in the page or in the API', async () => {
  const { seeded } = gatehouse;
  const asked = await (await gatehouse.apiAs('manager')).post('/api/tickets/', {
    app: seeded.apps.crm,
    user: seeded.people[STAFF.manager],
    type: 'NEW_ACCESS',
    initial_comment: 'For myself.',
  });
  const manager = await gatehouse.visit('manager');
  await manager.goto(`/requests/${asked.external_uuid}`);

  await manager.page.getByRole('button', { name: 'Withdraw' }).waitFor();
  expect(await manager.page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
  const api = await gatehouse.apiAs('manager');
  await expect(api.post(`/api/tickets/${asked.external_uuid}/approve/`)).rejects.toThrow(/: 403 /);
});

test('approves several requests at once', async () => {
  const { page, goto } = await gatehouse.visit('manager');
  await goto('/approvals');
  const waiting = page.getByRole('list', { name: 'Pending requests' });
  // These have one approval step. Code Hosting has two, and its owner would be asked again.
  const items = waiting.getByRole('listitem').filter({ hasText: 'Customer CRM' });
  const before = await items.count();
  expect(before).toBeGreaterThan(2);

  await items.nth(0).getByRole('checkbox').check();
  await items.nth(1).getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Approve 2' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Approve 2' }).click();
  const job = page.getByRole('dialog', { name: 'Approve 2 requests', exact: true });
  await job.getByText('2 of 2 done').waitFor();
  await job.getByText('Close').click();

  await expect.poll(() => items.count()).toBe(before - 2);
});

test('requests and approves access by keyboard', async () => {
  const member = await gatehouse.visit('member');
  const { page } = member;
  await member.goto('/requests/new');
  await tabTo(page, field(page, 'App'));
  await page.keyboard.type('Customer');
  await expect.poll(() => page.getByRole('option').allTextContents()).toEqual(['Customer CRM']);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await tabTo(page, field(page, 'Groups and licenses'));
  await page.keyboard.type('Support agents');
  await page.getByRole('option', { name: /Support agents/ }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByLabel('Reason'));
  await page.keyboard.type('Asked without a mouse.');
  await tabTo(page, page.getByRole('button', { name: 'Request access' }));
  await page.keyboard.press('Enter');
  await heading(page, /^REQ-\d+/).waitFor();

  const manager = await gatehouse.visit('manager');
  await manager.goto('/approvals');
  const article = manager.page.getByRole('article');
  const mine = article.getByText('Asked without a mouse.');
  await article.waitFor();
  for (let step = 0; step < 20 && !(await mine.isVisible()); step++) {
    await manager.page.keyboard.press('j');
    await manager.settled();
  }
  await mine.waitFor();
  await manager.page.keyboard.press('a');
  await manager.page.getByRole('dialog').getByLabel('Comment').waitFor();
  await manager.page.keyboard.type('Granted without a mouse.');
  await manager.page.keyboard.press('Control+Enter');
  await told(manager.page, 'Request approved');

  await page.reload();
  await page.getByText('Granted without a mouse.').waitFor();
});

test('warns of a pending request for the same access, and links to it', async () => {
  const { api, seeded } = gatehouse;
  const ticket = await api.post('/api/tickets/', {
    app: seeded.apps.directory,
    user: seeded.people[STAFF.auditor],
    type: 'MODIFY_ACCESS',
    memberships: { group: ['admins'] },
    initial_comment: 'For the audit.',
  });
  const { page, goto } = await gatehouse.visit('owner');
  await goto(`/requests/new?app=${seeded.apps.directory}&user=${seeded.people[STAFF.auditor]}`);
  await page.getByText('is already pending: Domain administrators').waitFor();
  await page
    .getByRole('status')
    .getByRole('link', { name: /^REQ-\d+$/ })
    .click();
  await heading(page, ticket.label).waitFor();
});

test('offers disconnected apps and full licenses only with the reason against them', async () => {
  const { apps } = gatehouse.seeded;
  const { page, goto } = await gatehouse.visit('member');
  await goto('/requests/new');
  await field(page, 'App').fill('Old Wiki');
  const wiki = page.getByRole('option', { name: /Old Wiki .*\(disconnected\)/ });
  await wiki.waitFor();
  expect(await wiki.getAttribute('data-combobox-disabled')).toBe('true');

  await goto(`/requests/new?app=${apps.wiki}`);
  await page.getByText('This app is disconnected.').waitFor();
  expect(await page.getByRole('button', { name: 'Request access' }).isDisabled()).toBe(true);

  await goto(`/requests/new?app=${apps.crm}`);
  await pick(page, 'Groups and licenses', 'Analytics');
  await page.getByText('No seats left: Analytics add-on').waitFor();
});
