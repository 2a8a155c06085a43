// @module-tag long
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { type ConsoleTest, openConsole } from './harness.ts';
import { STAFF } from './seed-company.ts';
import { field, heading, tabTo, told, typeInto } from './story.ts';

let gatehouse: ConsoleTest;
beforeAll(async () => {
  gatehouse = await openConsole();
  return gatehouse.close;
});

const basketOf = (page: Page) => page.getByRole('region', { name: 'Your request' });

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
  await expect.poll(() => manager.page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
  const api = await gatehouse.apiAs('manager');
  await expect(api.post(`/api/tickets/${asked.external_uuid}/approve/`)).rejects.toThrow(/: 403 /);
});

test('approves several requests in one step', async () => {
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
  await job.getByText('2 requests approved.').waitFor();
  await job.getByText('Close').click();

  await expect.poll(() => items.count()).toBe(before - 2);
});

test('decides the request that the dialog names, even if it has left the list', async () => {
  const { page, goto, settled, expectRefusals } = await gatehouse.visit('manager');
  await goto('/approvals');
  const posted: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') posted.push(request.url());
  });
  await page.getByRole('article').waitFor();
  const waiting = (await (await gatehouse.apiAs('manager')).get('/api/tickets/?to_approve=true&limit=200'))
    .results;
  const [first, second] = waiting;
  await goto(`/approvals?ticket=${first.external_uuid}`);
  await page.getByRole('button', { name: 'Deny' }).click();
  const dialog = page.getByRole('dialog', { name: `Deny ${first.label.split(':')[0]}?` });
  await dialog.waitFor();
  await gatehouse.api.post(`/api/tickets/${first.external_uuid}/deny/`, { override: true, comment: 'No.' });
  const list = page.getByRole('list', { name: 'Pending requests', includeHidden: true });
  await expect
    .poll(() => list.getByRole('listitem', { includeHidden: true }).count(), { timeout: 20_000 })
    .toBe(waiting.length - 1);
  await settled();

  expectRefusals([409], /\/deny\//);
  await dialog.getByRole('button', { name: 'Deny' }).click();
  await dialog.getByRole('alert').waitFor();
  expect(posted.filter((url) => url.endsWith('/deny/'))).toEqual([
    expect.stringContaining(first.external_uuid),
  ]);
  expect((await gatehouse.api.get(`/api/tickets/${second.external_uuid}/`)).ticket_status).toBe('PENDING');
});

test('keeps showing a request while others arrive and leave', async () => {
  const { page, goto, settled } = await gatehouse.visit('manager');
  const api = await gatehouse.apiAs('manager');
  const waiting = async () => (await api.get('/api/tickets/?to_approve=true&limit=200')).results;
  const [first] = await waiting();
  const article = page.getByRole('article');
  await page.route('**/api/tickets/?*', async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    if (isLate) body.results.reverse();
    await route.fulfill({ response, json: body });
  });
  let isLate = false;
  await goto('/approvals');
  const name = await article.getAttribute('aria-label');
  expect(name).toContain(first.label.split(':')[0]);
  isLate = true;
  const reversed = page.getByRole('list', { name: 'Pending requests' }).getByRole('listitem').last();
  await expect.poll(() => reversed.locator('[aria-current=true]').count(), { timeout: 20_000 }).toBe(1);
  await settled();
  await expect.poll(() => article.getAttribute('aria-label')).toBe(name);

  await page.getByRole('button', { name: 'Deny' }).click();
  await page
    .getByRole('dialog')
    .getByText(name ?? '')
    .waitFor();
});

test('requests and approves access by keyboard', async () => {
  const member = await gatehouse.visit('member');
  const { page } = member;
  await member.goto('/requests/new');
  await tabTo(page, page.getByLabel('Search by name or description'));
  await page.keyboard.type('Sales EMEA');
  const card = page.getByRole('button', { name: /^(Choose|Chosen:) Sales EMEA in Customer CRM$/ });
  await tabTo(page, card);
  await page.keyboard.press('Enter');
  await expect.poll(() => card.getAttribute('aria-pressed')).toBe('true');
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
  await typeInto(manager.page.getByRole('dialog').getByLabel('Comment'), 'Granted without a mouse.');
  await manager.page.keyboard.press('Control+Enter');
  await told(manager.page, 'Request approved');

  await page.reload();
  await page.getByText('Granted without a mouse.').waitFor();
});

test('shows what the person has, and links to what was requested already', async () => {
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
  const cards = page.getByRole('list', { name: 'Catalog', exact: true });
  const account = cards.getByRole('listitem').filter({ hasText: 'Account' }).first();
  await account.getByText('Has this already').waitFor();
  await expect.poll(() => account.getByRole('button').count()).toBe(0);
  await cards
    .getByRole('listitem')
    .filter({ hasText: 'Domain administrators' })
    .getByRole('link', { name: /^REQ-\d+$/ })
    .click();
  await heading(page, ticket.label.replace(/ for .*$/, '')).waitFor();
});

test('offers no disconnected apps, and full licenses only with the reason against them', async () => {
  const { apps } = gatehouse.seeded;
  const { page, goto } = await gatehouse.visit('member');
  await goto(`/requests/new?app=${apps.wiki}`);
  await page.getByText('This app is disconnected').waitFor();

  await goto(`/requests/new?app=${apps.crm}&q=Analytics`);
  await page
    .getByRole('listitem')
    .filter({ hasText: 'Analytics add-on' })
    .getByText('No seats left')
    .waitFor();
});

test('sends one request for each app, and repeats only the one that failed', async () => {
  const visit = await gatehouse.visit('member');
  const { page } = visit;
  await visit.goto('/requests/new');
  await page.getByRole('button', { name: 'Choose owners in Code Hosting' }).click();
  await page.getByRole('button', { name: 'Choose Domain administrators in Corporate Directory' }).click();
  const basket = basketOf(page);
  await basket.getByRole('button', { name: 'Remove owners in Code Hosting' }).click();
  await page.getByText('owners was removed from your request').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await basket.getByText('owners', { exact: true }).waitFor();

  await basket.getByRole('radio', { name: '7 days' }).check();
  await basket.getByLabel('Reason').fill('Two apps together.');
  const sent: string[] = [];
  let refuse = true;
  await page.route('**/api/tickets/', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    const body = route.request().postDataJSON();
    sent.push(body.external_uuid);
    // The server has received the second one, but its reply is lost.
    if (sent.length === 2 && refuse) {
      refuse = false;
      await route.fetch();
      return route.fulfill({ status: 500, json: { detail: 'The reply was lost.' } });
    }
    return route.continue();
  });
  visit.expectRefusals([500]);
  await basket.getByRole('button', { name: 'Request access' }).click();
  await basket.getByText('The reply was lost.').waitFor();
  await basket.getByText(/^REQ-\d+ was created\.$/).waitFor();
  expect(sent).toHaveLength(2);

  await basket.getByRole('button', { name: 'Send again' }).click();
  await heading(page, 'Requests').waitFor();
  expect(sent).toHaveLength(3);
  expect(sent[2]).toBe(sent[1]);
  const own = (await (await gatehouse.apiAs('member')).get('/api/tickets/?limit=200')).results.filter(
    ({ initial_comment }: { initial_comment: string }) => initial_comment === 'Two apps together.',
  );
  expect(own.map(({ app }: { app: { name: string } }) => app.name).sort()).toEqual([
    'Code Hosting',
    'Corporate Directory',
  ]);
  for (const { created_at, end_time } of own)
    expect(Math.round((Date.parse(end_time) - Date.parse(created_at)) / 86_400_000)).toBe(7);
});

test('shows a manager their team, and lets them request for it', async () => {
  const { page, goto } = await gatehouse.visit('manager');
  await goto('/');
  await page.getByRole('link', { name: 'My team' }).click();
  await heading(page, 'My team').waitFor();
  await page
    .getByRole('link', { name: /Tomás Prado/ })
    .first()
    .click();
  await heading(page, 'Tomás Prado').waitFor();
  await page.getByRole('list', { name: 'Accounts' }).getByRole('link', { name: 'Code Hosting' }).waitFor();
  await page.getByRole('link', { name: 'Request access' }).click();
  await heading(page, 'New request').waitFor();
  await expect.poll(() => field(page, 'Beneficiary').inputValue()).toBe('Tomás Prado');
  await page.getByText('Has this already').first().waitFor();

  const stranger = await gatehouse.visit('member');
  stranger.expectRefusals([404]);
  await stranger.goto(`/team/${gatehouse.seeded.people[STAFF.manager]}`);
  await stranger.page.getByText('Not found', { exact: true }).waitFor();
});

test('keeps what was chosen for a request when the page is loaded again', async () => {
  const { page, goto, settled } = await gatehouse.visit('member');
  await goto('/requests/new');
  const catalog = page.getByRole('list', { name: 'Catalog' });
  const choose = catalog.getByRole('button', { name: /^Choose / }).first();
  const name = ((await choose.getAttribute('aria-label')) ?? '').replace(/^Choose (.*) in .*$/, '$1');
  await choose.click();
  const chosen = page.getByRole('list', { name: 'Chosen access' });
  await chosen.getByText(name).first().waitFor();
  await page.reload();
  await settled();
  await chosen.getByText(name).first().waitFor();
  await chosen
    .getByRole('button', { name: `Remove ${name} in` })
    .first()
    .click();
  await page.reload();
  await settled();
  await expect.poll(() => chosen.getByRole('listitem').count()).toBe(0);
});
