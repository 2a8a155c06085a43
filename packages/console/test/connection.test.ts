// @module-tag long
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../server/src/kit/database/open.ts';
import { startPostgres } from '../../server/test/postgres.ts';
import { ROOT } from '../../server/test/service.ts';
import { until } from './api.ts';
import { type ConsoleTest, openCompanyConsole } from './harness.ts';
import type { Company } from './seed.ts';
import { field, heading, told } from './story.ts';

const PATIENCE = { timeout: 100_000 };

let gatehouse: ConsoleTest<Company>;
/** The connection string of the system that is connected. */
let system: URL;
beforeAll(async () => {
  const postgres = await startPostgres();
  const database = await openDatabase({ url: postgres.url });
  await database.exec(`
    create role keeper login createrole password 'right-password';
    create role gatehouse_users;
    grant gatehouse_users to keeper with admin option;
    create role analysts;
    create role ada login in role gatehouse_users, analysts;
    create role grace login in role gatehouse_users;`);
  await database.close();
  system = new URL(postgres.url);
  system.username = 'keeper';
  gatehouse = await openCompanyConsole();
  return async () => {
    await gatehouse.close();
    await postgres.stop();
  };
}, 120_000);

const withPassword = (password: string) => Object.assign(new URL(system), { password }).href;

test('connects a database after a wrong password, and keeps its connection', async () => {
  const { page, goto, expectRefusals } = await gatehouse.visit('owner');
  await goto('/apps');
  await page.getByRole('link', { name: 'Add app' }).click();
  await page.getByRole('textbox', { name: 'Search types' }).fill('postgres');
  await page.getByRole('button', { name: /^PostgreSQL roles/ }).click();

  await field(page, 'App name').fill('Warehouse');
  await page.getByLabel('URL', { exact: false }).first().fill(withPassword('wrong-password'));
  await page.getByRole('button', { name: 'Save and test' }).click();
  const steps = page.getByRole('table', { name: 'Steps of the test' });
  await steps.getByRole('row', { name: /Sign in.*password authentication failed/i }).waitFor(PATIENCE);

  // Leaving loses nothing: the app has a paused connector.
  await page.getByRole('link', { name: 'Change settings' }).click();
  await heading(page, 'Warehouse').waitFor();
  await page.getByText('Setup is not finished').waitFor();
  await page.getByRole('button', { name: 'Replace URL' }).click();
  await page.getByLabel('URL', { exact: false }).first().fill(withPassword('right-password'));
  await page.getByRole('button', { name: 'Save settings' }).click();
  await told(page, 'Settings saved');
  await page.getByRole('link', { name: 'Continue setup' }).click();
  await page.getByRole('button', { name: 'Test again' }).click();
  await steps.getByRole('row', { name: /Sign in.*The credentials work/ }).waitFor(PATIENCE);

  await page.getByRole('button', { name: 'Continue to preview' }).click();
  await page.getByRole('tab', { name: /^Login roles \(2\)/ }).click(PATIENCE);
  await page
    .getByRole('table', { name: 'First records of Login roles' })
    .getByRole('row', { name: /grace/ })
    .waitFor();
  await page.getByRole('button', { name: 'Continue to schedule' }).click();
  await page.getByText('Syncs run every hour.').waitFor();
  await page.getByRole('button', { name: 'Start first sync' }).click();
  await page.getByText('The app is connected.').waitFor(PATIENCE);

  await page.getByRole('link', { name: 'Show connection' }).click();
  const runs = page.getByRole('table', { name: /connector runs, newest first$/ });
  await runs.getByRole('row', { name: /Sync.*Succeeded/ }).waitFor(PATIENCE);
  await runs.getByRole('link', { name: 'Sync' }).first().click();
  const drawer = page.getByRole('dialog', { name: 'Sync' });
  await drawer.getByRole('link', { name: 'Open session' }).waitFor();
  expect(await page.content()).not.toContain('right-password');
  await drawer.getByRole('button', { name: 'Close' }).click();

  await page.getByRole('button', { name: 'Pause' }).click();
  await told(page, 'Connector paused');
  await page.getByRole('button', { name: 'Resume' }).waitFor();
  await page.getByRole('button', { name: 'Remove connector' }).click();
  // The page may read the connector once more.
  expectRefusals([404], /GET .*\/connector\/$/);
  await page.getByRole('dialog').getByRole('button', { name: 'Remove connector' }).click();
  await told(page, 'Connector removed');
  await page.getByText('This app has no managed connector').waitFor();
}, 180_000);

const DEFINITION = readFileSync(join(ROOT, 'connectors/rest/definitions/rabbitmq.yml'), 'utf8');

test('names the line and column of a mistake in a definition, and asks for its settings', async () => {
  const { page, goto, expectRefusals } = await gatehouse.visit('owner');
  expectRefusals([400], /connectors\/check/);
  await goto('/apps/new?type=rest&name=Desk');
  await field(page, 'Definition').fill(DEFINITION.replace('accounts:', 'account:'));
  await page.getByRole('button', { name: 'Check definition' }).click();
  await page.getByText(/Line \d+, column \d+/).waitFor(PATIENCE);
  await field(page, 'Definition').fill(DEFINITION);
  await page.getByRole('button', { name: 'Check definition' }).click();
  await page.getByText('The definition is valid.').waitFor(PATIENCE);

  await field(page, 'URL').fill('https://desk.example');
  await field(page, 'Username').fill('keeper');
  await page.getByLabel('Password').first().fill('secret-password');
  await page.getByRole('button', { name: 'Save and test' }).click();
  await heading(page, 'Add app').waitFor();
  await page.getByRole('heading', { name: 'Test the connection' }).waitFor();

  await page.getByRole('link', { name: 'Change settings' }).click();
  await field(page, 'URL').fill('https://other.example');
  await page.getByText('Enter the secrets again.').waitFor();
  await expect.poll(() => page.getByLabel('Password').first().inputValue()).toBe('');
}, 120_000);

test('marks a failing connector in the list of apps, and says what to do', async () => {
  const { api } = gatehouse;
  const { id } = await api.post('/api/v1/bridge/apps/', { name: 'Ledger' });
  const path = `/api/apps/${id}/connector/`;
  await api.post(path, {
    type: 'postgres',
    secrets: { url: withPassword('wrong-password') },
    schedule: { every_minutes: 60 },
  });
  const run = await api.post(`${path}run/`, { kind: 'sync' });
  await until(
    () => api.get(`${path}runs/${run.id}/`),
    ({ ended_at }) => ended_at !== null,
  );

  const { page, goto } = await gatehouse.visit('owner');
  await goto('/apps');
  await page
    .getByRole('row', { name: /Ledger.*Connector failing/ })
    .getByRole('link', { name: 'Ledger' })
    .click();
  await page.getByRole('tab', { name: 'Connection' }).click();
  const alert = page.getByRole('alert').filter({ hasText: 'The last sync did not succeed' });
  await alert.getByText(/authentication failed.*Replace the credentials/i).waitFor();
  await page.getByText('in 2 hours').waitFor();
  await page.getByText('Every hour, less often while syncs fail').waitFor();
}, 60_000);

test('asks for all secrets when one of several is replaced, and keeps them otherwise', async () => {
  const { id } = await gatehouse.api.post('/api/v1/bridge/apps/', { name: 'Queue' });
  const path = `/api/apps/${id}/connector/`;
  await gatehouse.api.post(path, {
    type: 'rest',
    definition: `${DEFINITION}\nheaders: { X-Api-Key: '\${API_KEY}' }\n`,
    settings: { URL: 'https://queue.example', USERNAME: 'keeper' },
    secrets: { PASSWORD: 'first-password', API_KEY: 'first-key' },
    paused: true,
  });
  const before = (await gatehouse.api.get(path)).secrets;
  const { page, goto } = await gatehouse.visit('owner');
  await goto(`/apps/${id}?tab=connection`);

  await page.getByRole('button', { name: 'Replace Password' }).click();
  await page.getByText('Enter the secrets again.').waitFor();
  await page.getByRole('button', { name: 'Keep the stored Password' }).click();
  await page.getByRole('button', { name: 'Replace Password' }).waitFor();
  await page.getByRole('button', { name: 'Save settings' }).click();
  await page.getByText('Settings saved').waitFor();
  expect((await gatehouse.api.get(path)).secrets).toEqual(before);

  await page.getByRole('button', { name: 'Replace Password' }).click();
  await page.getByLabel('Password').first().fill('second-password');
  await page.getByLabel('API key').first().fill('second-key');
  await page.getByRole('button', { name: 'Save settings' }).click();
  await until(
    () => gatehouse.api.get(path),
    ({ secrets }) => secrets.every((one: { set_at: string }, i: number) => one.set_at > before[i].set_at),
  );
}, 60_000);

test('lets an auditor read a connection, but not change it', async () => {
  const { id } = await gatehouse.api.post('/api/v1/bridge/apps/', { name: 'Directory' });
  await gatehouse.api.post(`/api/apps/${id}/connector/`, {
    type: 'scim',
    settings: { url: 'https://directory.example/scim' },
    secrets: { token: 'secret-token' },
    paused: true,
  });
  const { page, goto } = await gatehouse.visit('auditor');
  await goto(`/apps/${id}?tab=connection`);
  await page.getByRole('heading', { name: 'SCIM 2.0' }).waitFor();
  await expect.poll(() => field(page, 'URL').isDisabled()).toBe(true);
  for (const name of [
    'Sync now',
    'Pause',
    'Save settings',
    'Save schedule',
    'Remove connector',
    'Replace Token',
  ])
    await expect.poll(() => page.getByRole('button', { name, exact: true }).count()).toBe(0);
  expect(await page.content()).not.toContain('secret-token');
});

test('leads from the types without a connector to their pages', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  await goto('/apps/new');
  await page.getByRole('button', { name: /^Runs elsewhere/ }).click();
  await field(page, 'App name').fill('Mainframe');
  await page.getByRole('button', { name: 'Create app' }).click();
  await heading(page, 'Mainframe').waitFor();
  await page.getByRole('button', { name: 'Create API key' }).waitFor();
});
