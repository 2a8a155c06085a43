// @module-tag long
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { openRunFolder } from '../../server/test/keeper.ts';
import { until } from './api.ts';
import { begin, type Counted, countsOf } from './clicks.ts';
import { type ConsoleTest, openCompanyConsole, openEmptyConsole } from './harness.ts';
import type { Company } from './seed.ts';
import { accountsOf, addApp, sync, uploadSheet } from './seed-apps.ts';
import { STAFF } from './seed-company.ts';
import { startReview } from './seed-review.ts';
import { carryOut, heading, told, typeInto } from './story.ts';

// Each script is what a person does. docs/guides/console.md has the counts. A page that needs more than its aim gets simpler.

let gatehouse: ConsoleTest<Company>;
beforeAll(async () => {
  gatehouse = await openCompanyConsole();
  return gatehouse.close;
});

const GROUPS = [{ id: 'keys', name: 'Keys of the workshop' }];

/** Syncs an app with an account for each name. */
const syncOf = (app: string, names: string[]) =>
  sync(gatehouse.api, app, {
    ...{ name: 'Workshop', licenses: [], groups: GROUPS },
    accounts: names.map((id) => ({
      ...{ id, email: `${id}@acme.example`, username: id, display_name: '', status: 'active' as const },
      ...{ memberships: { group: [{ id: 'keys' }] }, assignments: {} },
    })),
  });

/** Writes a file, and chooses it on an upload page. The dialog of the system is not part of the page. */
async function choose({ page }: Counted, name: string, lines: string[]): Promise<void> {
  const folder = await openRunFolder();
  onTestFinished(folder.remove);
  const file = join(folder.path, name);
  await writeFile(file, lines.join('\n'));
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose file' }).first().click();
  await (await chooser).setFiles(file);
}

async function apply({ page }: Counted): Promise<void> {
  await page.getByRole('button', { name: 'Check rows' }).click();
  await page.getByRole('button', { name: 'Apply changes' }).click();
  await page.getByText(/ was applied with \d+ rows/).waitFor();
}

test('an administrator makes the first app from a spreadsheet: 3 clicks, aim 6', async () => {
  const empty = await openEmptyConsole();
  onTestFinished(empty.close);
  const script = await begin(await empty.visit('owner'), '/');
  await choose(script, 'payroll.csv', ['id,email', '1,ada@x.example', '2,ben@x.example']);
  await apply(script);
  expect(await script.counts()).toEqual({ clicks: 3, keys: 0 });
  expect((await empty.api.get('/api/accounts/')).count).toBe(2);
});

test("an administrator removes a leaver's access: 2 clicks, aim 3", async () => {
  const { api } = gatehouse;
  const app = await addApp(api, 'Workshop');
  const { external_uuid: leaver } = await api.post('/api/users/', { email: 'lea.quits@acme.example' });
  await syncOf(app, ['lea.quits']);
  const script = await begin(await gatehouse.visit('admin'), `/people/${leaver}`);
  const { page } = script;
  await page.getByRole('button', { name: 'Offboard', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Workshop', { exact: true }).waitFor();
  await dialog.getByRole('button', { name: 'Offboard', exact: true }).click();
  await told(page, /offboarded$/);
  expect(await script.counts()).toEqual({ clicks: 2, keys: 0 });
  const { results } = await api.get(`/api/tasks/?app=${app}`);
  expect(results.map(({ action }: { action: string }) => action).toSorted()).toEqual([
    'delete_account',
    'suspend_account',
  ]);
});

test('an administrator and a fulfiller remove an account of a spreadsheet until it is seen gone: 8 clicks, aim 8', async () => {
  const { api, seeded } = gatehouse;
  const { id: app } = await api.post('/api/v1/bridge/apps/', { name: 'Crew sheet' });
  const lines = ['id,email', ...Array.from({ length: 20 }, (_, n) => `c${n},c${n}@sheet.example`)];
  await uploadSheet(await gatehouse.apiAs('owner'), app, lines.join('\n'));
  const fulfillment = `/api/apps/${app}/fulfillment/`;
  await api.put(fulfillment, {
    ...(await api.get(fulfillment)),
    people: [seeded.people[STAFF.member]],
  });
  const [account] = await accountsOf(api, app, 'c19@sheet.example');
  const proof = () => api.get(`/api/accounts/${account?.external_uuid}/proof/`);

  const admin = await begin(await gatehouse.visit('owner'), `/accounts/${account?.external_uuid}`);
  await admin.page.getByRole('button', { name: 'Delete', exact: true }).click();
  const dialog = admin.page.getByRole('dialog');
  await typeInto(dialog.getByRole('textbox'), 'c19@sheet.example');
  await dialog.getByRole('button', { name: 'Delete account' }).click();
  await told(admin.page, /task created/);

  const fulfiller = await begin(await gatehouse.visit('member'), '/');
  await fulfiller.page.getByRole('button', { name: 'Mark as done' }).click();
  await fulfiller.page.getByRole('dialog').getByRole('button', { name: 'Mark as done' }).click();
  await told(fulfiller.page, 'Task completed');

  await admin.page.getByRole('link', { name: 'Upload a spreadsheet' }).click();
  await choose(admin, 'crew.csv', lines.slice(0, -1));
  await apply(admin);
  expect(await countsOf(admin, fulfiller)).toEqual({ clicks: 8, keys: 0 });
  expect(await until(proof, ({ state }) => state !== 'waiting')).toMatchObject({ state: 'done' });
});

test('an auditor opens the proof of a removal: 1 click, aim 1', async () => {
  const { api } = gatehouse;
  const app = await addApp(api, 'Archive');
  await syncOf(app, ['ann', 'ben', 'cyd', 'dee']);
  const account = (await accountsOf(api, app, 'ann@acme.example'))[0]?.external_uuid;
  await api.post('/api/tasks/', { app, account, action: 'delete_account', reason: 'Left the company' });
  await carryOut(api, app);
  await syncOf(app, ['ben', 'cyd', 'dee']);
  const script = await begin(await gatehouse.visit('auditor'), `/accounts/${account}`);
  await script.page.getByRole('link', { name: 'Proof of removal' }).click();
  await script.page.getByText('Proven', { exact: true }).waitFor();
  expect(await script.counts()).toEqual({ clicks: 1, keys: 0 });
});

test('an auditor finds who had a group on a day: 0 clicks, aim 0, and 2 keys', async () => {
  const script = await begin(await gatehouse.visit('auditor'), '/');
  const { page } = script;
  const [group] = (await gatehouse.api.get('/api/resources/?type=group&sort=-members')).results;
  await page.keyboard.press('Control+k');
  const dialog = page.getByRole('dialog', { name: 'Search' });
  await typeInto(dialog.getByRole('combobox', { name: 'Search' }), `who had ${group.name} on 15 Jan 2026`);
  await dialog
    .getByRole('option')
    .filter({ hasText: `People with access to ${group.name} on Jan 15, 2026` })
    .first()
    .waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/access\/[^/]+\?as_of=/);
  await heading(page, group.name).waitFor();
  expect(await script.counts()).toEqual({ clicks: 0, keys: 2 });
});

test('a reviewer decides 70 items, 15 of them by hand: 18 keys, aim 20', async () => {
  const { address, progress } = await startReview(gatehouse);
  const script = await begin(await gatehouse.visit('manager'), address);
  const { page } = script;
  await page.getByRole('button', { name: 'Keep the 55 without deviations' }).waitFor();
  await page.keyboard.press('a');
  const reason = page.getByRole('radio', { name: 'The access fits the work of these people.' });
  await expect.poll(() => reason.evaluate((one) => one === document.activeElement)).toBe(true);
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await expect.poll(progress).toMatchObject({ kept: 55, undecided: 15 });
  const focused = () => page.evaluate(() => (document.activeElement as HTMLElement).dataset.at ?? '');
  await expect.poll(focused).not.toBe('');
  for (let decided = 0; decided < 15; decided += 1) {
    const before = await focused();
    await page.keyboard.press(decided % 3 === 0 ? 'n' : 'y');
    if (decided < 14) await expect.poll(focused).not.toBe(before);
  }
  await expect.poll(progress).toMatchObject({ kept: 65, revoked: 5, undecided: 0 });
  expect(await script.counts()).toEqual({ clicks: 0, keys: 18 });
});

test('refuses a script that fills a field without a click', async () => {
  const script = await begin(await gatehouse.visit('auditor'), '/people');
  await script.page.getByPlaceholder('Search by name or email').fill('Ada');
  await expect(script.counts()).rejects.toThrow('without a click or a key');
});
