// @module-tag long
import { beforeAll, expect, test } from 'vitest';
import { type ConsoleTest, openConsole } from './harness.ts';
import { expectRows, heading } from './story.ts';

let gatehouse: ConsoleTest;
beforeAll(async () => {
  gatehouse = await openConsole();
  return gatehouse.close;
});

test('scrolls to the start of the list when its page is turned', async () => {
  const { page, goto, settled } = await gatehouse.visit('owner', { height: 500 });
  await goto('/accounts');
  await page.getByRole('button', { name: 'Next' }).click();
  await page.waitForURL(/page=2/);
  await settled();
  const top = (await page.getByRole('table').boundingBox())?.y ?? 0;
  expect(top).toBeGreaterThan(40);
  expect(top).toBeLessThan(250);
});

test('says that a page after the last one does not exist, and leads to the last one', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  for (const address of ['/accounts', '/people', '/apps', '/reviews', '/policies']) {
    await goto(`${address}?page=999`);
    await page.getByText('Page 999 does not exist').waitFor();
    await page.getByRole('button', { name: /^(Go to page \d+|Show the list)$/ }).click();
    await page.getByRole('main').getByRole('table').last().locator('tbody tr').first().waitFor();
    expect(page.url()).not.toContain('page=999');
  }
});

test('finds accounts by name', async () => {
  const { page, goto, settled } = await gatehouse.visit('owner');
  await goto('/accounts');
  await page.getByRole('searchbox', { name: 'Search by name or email' }).fill('Service account svc-003');
  await page.waitForURL(/q=/);
  await settled();
  await expectRows(page, 1);
  await page.getByRole('link', { name: 'Service account svc-003' }).click();
  await heading(page, 'Service account svc-003').waitFor();
});

test('opens a row with a click anywhere, by keyboard and as a link', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  const { crm } = gatehouse.seeded.apps;
  await goto(`/apps/${crm}?tab=groups`);
  const row = page.locator('tbody tr').filter({ hasText: 'Support agents' });
  await row.getByText('Cases and entitlements').click();
  await page.getByRole('heading', { name: 'Support agents' }).waitFor();
  await page.goBack();
  await row.getByRole('link', { name: 'Support agents' }).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByText('Accounts with this group').waitFor();

  await goto('/people');
  const opening = page.context().waitForEvent('page');
  await page
    .locator('tbody tr')
    .nth(2)
    .locator('td')
    .last()
    .click({ modifiers: ['ControlOrMeta'] });
  expect((await opening).url()).toContain('/people/');
});

test('shows the same number on the overview as in the list that it links to', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  await goto('/');
  const figure = page.getByRole('listitem').filter({ hasText: /^Active accounts/ });
  const [active, orphaned] = [figure.getByRole('link').first(), figure.getByRole('link').last()];
  for (const link of [active, orphaned]) {
    await goto('/');
    const shown = /\d+/.exec((await link.textContent()) ?? '')?.[0];
    await link.click();
    await page.getByText(new RegExp(`^${shown} accounts`)).waitFor();
  }
});

test('shows the same status of an app on the overview, in the list and on its page', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  for (const [name, status] of [
    // Its last sync ended with a removal that an administrator rejected.
    ['Customer CRM', 'Connected'],
    ['Code Hosting', 'Large removal held'],
    ['Payroll', 'Awaiting first sync'],
  ] as const) {
    await goto('/');
    await page
      .getByRole('region', { name: 'Sync health' })
      .getByRole('listitem')
      .filter({ hasText: name })
      .getByText(status)
      .waitFor();
    await goto('/apps');
    await page.locator('tbody tr').filter({ hasText: name }).getByText(status).waitFor();
    await page.getByRole('link', { name }).click();
    await heading(page, name).waitFor();
    await page.locator('main header').getByText(status).waitFor();
  }
});

test('lists the records and people of a held removal before anyone decides', async () => {
  const { api, seeded } = gatehouse;
  const { code } = seeded.apps;
  const { results } = await api.get(`/api/apps/${code}/syncs/?limit=1`);
  const plan = await api.get(`/api/apps/${code}/syncs/${results[0].sync_id}/plan/?limit=10&applied=false`);
  const people = plan.results.flatMap(({ person }: { person: object | null }) => person ?? []);
  expect(people.length).toBeGreaterThan(0);
  const { page, goto } = await gatehouse.visit('owner');
  await goto(`/apps/${code}?tab=syncs`);
  const removed = page.getByRole('table', { name: 'Records that approving removes' });
  const check = async () => {
    await removed.getByText('Remove account').first().waitFor();
    await removed.getByText('Nobody').first().waitFor();
    for (const { first_name, last_name } of people)
      await removed.getByRole('link', { name: `${first_name} ${last_name}` }).waitFor();
  };
  await check();

  await page.getByRole('link', { name: /^Show all [\d,]+ removals/ }).click();
  await heading(page, 'Sync of Code Hosting').waitFor();
  await check();
  await page
    .getByRole('list', { name: 'Events of this sync' })
    .getByText(/is held for approval because it would take away/)
    .waitFor();
  const all = page.getByRole('table', { name: 'Changes of this sync' });
  await all.getByText('Remove account').first().waitFor();
  await page.getByRole('combobox', { name: 'Type' }).click();
  await page.getByRole('option', { name: 'Memberships' }).click();
  await all.getByText('Remove membership').first().waitFor();
  await expect.poll(() => all.getByText('Remove account').count()).toBe(0);
  expect(page.url()).toContain('of=membership');
});

test('the header of held removals is above their first row', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  await goto(`/apps/${gatehouse.seeded.apps.code}?tab=syncs`);
  const removed = page.getByRole('table', { name: 'Records that approving removes' });
  const [header, first] = await Promise.all([
    removed.locator('thead').boundingBox(),
    removed.locator('tbody tr').first().boundingBox(),
  ]);
  expect((header?.y ?? 0) + (header?.height ?? 0)).toBeLessThanOrEqual((first?.y ?? 0) + 1);
});

test('every filter of an address is shown and can be removed', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  const { people } = gatehouse.seeded;
  const person = people['marta.silva@acme.example'] ?? '';
  await goto(`/accounts?user=${person}&of_leavers=true&linked=true&owner=${person}&not_used_for_days=45`);
  const search = page.getByRole('search');
  await expect.poll(() => search.getByRole('combobox', { name: 'Person' }).inputValue()).toBe('Has left');
  for (const [chip, name] of [
    ['One person only', 'user'],
    ['One owner only', 'owner'],
    ['Not used for 45 days', 'not_used_for_days'],
    ['Linked', 'linked'],
  ] as const) {
    await search.getByRole('button', { name: chip, exact: true }).click();
    await page.waitForURL((url) => !url.searchParams.has(name));
  }
  expect(new URL(page.url()).search).toBe('?of_leavers=true');

  await goto('/accounts?correlation=ambiguous&linked=true&of_leavers=true');
  for (const chip of ['Linked', 'Record to choose'])
    await search.getByRole('button', { name: chip, exact: true }).click();
  await page.waitForURL((url) => url.search === '?of_leavers=true');

  // Also at an earlier time.
  await goto(`/accounts?user=${person}&as_of=${new Date().toISOString()}`);
  const { count } = await gatehouse.api.get(`/api/accounts/?user=${person}`);
  await expect.poll(() => page.locator('tbody tr').count()).toBe(count);
  await search.getByRole('button', { name: 'One person only' }).click();
  await expect.poll(() => page.locator('tbody tr').count()).toBeGreaterThan(count);

  await goto(`/tasks?whose=mine&app=${gatehouse.seeded.apps.crm}`);
  await page.getByRole('button', { name: 'One app only' }).click();
  await page.waitForURL((url) => !url.searchParams.has('app'));
});

test.each([1440, 390])('no name is too long for a page that is %i pixels wide', async (width) => {
  const { api } = gatehouse;
  const name = `Long${width}${'x'.repeat(180)}`;
  const { id: app } = await api.post('/api/v1/bridge/apps/', { name });
  const email = `long.${width}@acme.example`;
  const { external_uuid: person } = await api.post('/api/users/', {
    email,
    first_name: name,
    last_name: name,
    attributes: { [name]: name },
  });
  const { external_uuid: review } = await api.post('/api/reviews/', { name, scope: { apps: [app] } });
  const { page, goto } = await gatehouse.visit('owner', { width });
  const wide: string[] = [];
  for (const address of [
    '/',
    `/apps?q=Long${width}`,
    `/apps/${app}`,
    `/people?q=Long${width}`,
    `/people/${person}`,
    '/reviews',
    `/reviews/${review}`,
    `/reviews/${review}?dialog=start`,
    `/tasks?app=${app}`,
  ]) {
    await goto(address);
    const isWide = await page.evaluate(() =>
      [document.documentElement, ...document.querySelectorAll('[data-wide], [role=dialog], dl')].some(
        ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth,
      ),
    );
    if (isWide) wide.push(address);
  }
  expect(wide).toEqual([]);
});

test('draws the newest syncs of apps and the licenses of an app, with their tables', async () => {
  const { page, goto } = await gatehouse.visit('auditor');
  const { code, crm } = gatehouse.seeded.apps;
  await goto('/apps');
  const row = page.locator('tbody tr').filter({ hasText: 'Code Hosting' });
  await row.getByRole('img', { name: '1 of the last 2 syncs completed' }).waitFor();

  await goto(`/apps/${code}?tab=syncs`);
  const syncs = page.getByRole('figure', { name: 'Newest syncs of Code Hosting' });
  await syncs.getByRole('img', { name: 'Newest syncs of Code Hosting' }).waitFor();
  await syncs.getByText(/^1 of the last 2 syncs completed\. The longest took/).waitFor();
  await syncs.getByRole('button', { name: 'Show table' }).click();
  await syncs.getByRole('cell', { name: 'Held' }).waitFor();

  await goto(`/apps/${crm}?tab=licenses`);
  const licenses = page.getByRole('figure', { name: 'Licenses of Customer CRM in the last 12 months' });
  await licenses.getByText(/^107 of 110 seats are assigned to accounts today, and 3 are unused\./).waitFor();
  await licenses.getByRole('button', { name: 'Show table' }).click();
  await licenses.getByRole('columnheader', { name: "Unused seats, at today's limit" }).waitFor();
});

test('lists what a completed sync changed', async () => {
  const { page, goto } = await gatehouse.visit('auditor');
  const { code } = gatehouse.seeded.apps;
  await goto(`/apps/${code}?tab=syncs`);
  const sessions = page.getByRole('table', { name: /^Sync sessions/ });
  await sessions
    .locator('tbody tr')
    .filter({ hasText: 'Completed' })
    .last()
    .getByRole('link')
    .first()
    .click();
  await page
    .getByRole('table', { name: 'Changes made by this sync' })
    .getByText('Created account')
    .first()
    .waitFor();
  await page.getByText(/accounts created/).waitFor();
  await page
    .getByRole('list', { name: 'Events of this sync' })
    .getByText(/^The first sync of Code Hosting completed/)
    .waitFor();
  await page.getByText('Duration', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'All syncs' }).click();
  await sessions.waitFor();
});

test('asks before a held removal is rejected, and shows the rejection as a decision', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  const { code } = gatehouse.seeded.apps;
  await goto(`/apps/${code}?tab=syncs`);
  await page.getByRole('button', { name: 'Reject removal' }).click();
  const dialog = page.getByRole('dialog', { name: 'Remove nothing?' });
  await dialog.getByRole('button', { name: 'Reject removal' }).click();
  await page.getByRole('table').getByText('Rejected', { exact: true }).waitFor();
  await page.getByRole('table').getByRole('link', { name: 'Ada Bauer' }).waitFor();
  await expect.poll(() => page.getByRole('main').getByText('Failed').count()).toBe(0);
  await goto('/apps');
  await page.locator('tbody tr').filter({ hasText: 'Code Hosting' }).getByText('Connected').waitFor();
});

test("requests nothing that a member may not read on an app's page", async () => {
  const { page, goto } = await gatehouse.visit('member');
  for (const id of Object.values(gatehouse.seeded.apps)) {
    await goto(`/apps/${id}`);
    await page.getByRole('link', { name: 'Request access' }).waitFor();
  }
});

test('shows the times in the inbox as everywhere else', async () => {
  const { page, goto } = await gatehouse.visit('manager');
  await goto('/notifications');
  await page
    .getByText(/It is due on [A-Z][a-z]{2} \d+, \d{4}, \d+:\d\d [AP]M\.$/)
    .first()
    .waitFor();
  await expect.poll(() => page.getByRole('main').textContent()).not.toContain('UTC');
});

test('names the keys that open the search as this computer does', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  await goto('/');
  await page.getByTitle('Search pages, people, accounts and apps').getByText('Ctrl+K').waitFor();
});
