// @module-tag long
import { beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../server/src/kit/database/open.ts';
import { startPostgres } from '../../server/test/postgres.ts';
import { until } from './api.ts';
import { type ConsoleTest, openEmptyConsole } from './harness.ts';
import { field, pick, told } from './story.ts';

const PATIENCE = { timeout: 100_000 };

let gatehouse: ConsoleTest<undefined>;
let system: URL;
/** Runs a statement in the connected system. */
let change: (statement: string) => Promise<void>;
beforeAll(async () => {
  const postgres = await startPostgres();
  change = async (statement) => {
    const database = await openDatabase({ url: postgres.url });
    await database.exec(statement);
    await database.close();
  };
  // A record without an ID is skipped.
  await change(`
    create role keeper login password 'right-password';
    create table crew (id text, email text, nap integer);
    grant select on crew to keeper;
    insert into crew values ('ada', 'ada@acme.example', 0), ('', 'nobody@acme.example', 0);`);
  system = new URL(postgres.url);
  gatehouse = await openEmptyConsole();
  return async () => {
    await gatehouse.close();
    await postgres.stop();
  };
}, 120_000);

const definition = () => `
app_name: Crew
connect:
  dsn: postgres://\${DB_HOST}:${system.port}${system.pathname}
  user: keeper
  password: \${DB_PASSWORD:-}
resource_types:
  user:
    name: Sailors
    list:
      query: SELECT id, email, pg_sleep(nap)::text AS nap FROM crew ORDER BY id LIMIT ?<Limit> OFFSET ?<Offset>
      pagination: { strategy: offset, primary_key: id }
      map:
        id: .id
        display_name: .id
        traits:
          user:
            emails: [.email]
`;

test('shows skipped records, takes a cron expression, cancels a sync, and removes an optional secret', async () => {
  const { page, goto, expectRefusals } = await gatehouse.visit('owner');
  await goto('/apps/new?type=sql&name=Crew');
  await field(page, 'Definition').fill(definition());
  await page.getByRole('button', { name: 'Check definition' }).click();
  await page.getByText('The definition is valid.').waitFor(PATIENCE);
  await field(page, 'DB host').fill('127.0.0.1');
  await page.getByLabel('DB password').first().fill('right-password');
  await page.getByRole('button', { name: 'Save and test' }).click();
  await page.getByRole('row', { name: /Sign in.*The credentials work/ }).waitFor(PATIENCE);
  await page.getByRole('button', { name: 'Continue to preview' }).click();
  await page.getByRole('tab', { name: 'Sailors (1, 1 skipped)' }).waitFor(PATIENCE);
  const skipped = page.getByRole('alert').filter({ hasText: '1 record skipped' });
  await skipped.getByText(/its id is empty/i).waitFor();

  await page.getByRole('button', { name: 'Continue to schedule' }).click();
  await page.getByRole('radio', { name: 'At set times' }).check({ force: true });
  await field(page, 'Cron expression').fill('61 6 * * *');
  await pick(page, 'Time zone', 'Europe/Berlin');
  expectRefusals([400], /\/connector\/$/);
  await page.getByRole('button', { name: 'Start first sync' }).click();
  await page.getByText('The schedule is not valid').waitFor(PATIENCE);
  await expect.poll(() => field(page, 'Cron expression').getAttribute('aria-invalid')).toBe('true');
  await field(page, 'Cron expression').fill('30 6 * * 1-5');
  await page.getByText('Syncs run at 06:30, Monday to Friday (Europe/Berlin).').waitFor();

  await change('update crew set nap = 120');
  await page.getByRole('button', { name: 'Start first sync' }).click();
  await page.getByText('You can leave this page.').waitFor(PATIENCE);
  await page.getByRole('link', { name: 'Show connection' }).click();
  const runs = page.getByRole('table', { name: /connector runs, newest first$/ });
  await runs.getByRole('row', { name: /Sync.*Running/ }).waitFor(PATIENCE);
  await runs.getByRole('link', { name: 'Sync' }).click();
  const drawer = page.getByRole('dialog', { name: 'Sync' });
  await drawer.getByRole('button', { name: 'Cancel run' }).click();
  await drawer.getByText('Canceled').first().waitFor(PATIENCE);
  await drawer.getByRole('button', { name: 'Close' }).click();

  await page.getByRole('button', { name: 'Remove DB password' }).click();
  await page.getByText('Removed when you save').waitFor();
  await page.getByRole('button', { name: 'Keep the stored DB password' }).click();
  await page.getByRole('button', { name: 'Replace DB password' }).waitFor();
  await page.getByRole('button', { name: 'Remove DB password' }).click();
  await page.getByRole('button', { name: 'Save settings' }).click();
  await told(page, 'Settings saved');
  const id = /\/apps\/([\w-]+)/.exec(page.url())?.[1];
  expect((await gatehouse.api.get(`/api/apps/${id}/connector/`)).secrets).toEqual([]);
}, 240_000);

test('says that the syncs of an app are overdue', async () => {
  const { id } = await gatehouse.api.post('/api/v1/bridge/apps/', { name: 'Late' });
  await gatehouse.api.post(`/api/apps/${id}/connector/`, {
    type: 'postgres',
    secrets: { url: `postgres://keeper:right-password@127.0.0.1:${system.port}${system.pathname}` },
    schedule: { every_minutes: 60 },
  });
  await gatehouse.changeData(
    `update connector set scheduled_since = now() - interval '4 hours' where app_id = '${id}'`,
  );
  await until(
    () => gatehouse.api.get(`/api/apps/${id}/connector/`),
    ({ overdue }) => overdue,
  );

  const { page, goto } = await gatehouse.visit('owner');
  await goto('/');
  await page
    .getByRole('region', { name: 'Sync health' })
    .getByRole('listitem')
    .filter({ hasText: 'Late' })
    .getByText('Syncs overdue')
    .waitFor();
  await goto('/apps');
  await page
    .getByRole('row', { name: /Late.*Syncs overdue/ })
    .getByRole('link', { name: 'Late' })
    .click();
  await page.locator('main header').getByText('Syncs overdue').waitFor();
  await page.getByRole('tab', { name: 'Connection' }).click();
  await page.getByRole('alert').filter({ hasText: 'Syncs are overdue' }).waitFor();

  // No server has taken the sync that is due.
  await page.route(`**/api/apps/${id}/connector/`, async (route) => {
    const response = await route.fetch();
    const json = { ...(await response.json()), next_sync_at: '2026-11-20T12:00:00.000Z' };
    await route.fulfill({ response, json });
  });
  await page.reload();
  await page.getByText('Due since Nov 20, 2026').waitFor();
}, 120_000);

test('accepts the removals that the guard has stopped', async () => {
  await change(`
    create table deck (id text, email text, nap integer);
    grant select on deck to keeper;
    insert into deck select 'hand' || n, 'hand' || n || '@acme.example', 0 from generate_series(1, 30) n;`);
  const { id } = await gatehouse.api.post('/api/v1/bridge/apps/', { name: 'Deck' });
  const path = `/api/apps/${id}/connector/`;
  await gatehouse.api.post(path, {
    type: 'sql',
    definition: definition().replaceAll('crew', 'deck'),
    settings: { DB_HOST: '127.0.0.1' },
    secrets: { DB_PASSWORD: 'right-password' },
  });
  const sync = async () => {
    const run = await gatehouse.api.post(`${path}run/`, { kind: 'sync' });
    await until(
      () => gatehouse.api.get(`${path}runs/${run.id}/`),
      ({ ended_at }) => ended_at !== null,
    );
  };
  await sync();
  await change(`delete from deck where id > 'hand2'`);
  await sync();

  const { page, goto } = await gatehouse.visit('owner');
  await goto(`/apps/${id}?tab=connection`);
  const alert = page.getByRole('alert').filter({ hasText: 'The last sync would have removed a lot' });
  await alert.getByText(/^The guard has stopped the sync: 18 of 30 accounts would be removed/).waitFor();
  await alert.getByRole('button', { name: 'Accept the removals' }).click();
  const dialog = page.getByRole('dialog', { name: 'Sync Deck and accept its removals?' });
  await dialog.getByRole('button', { name: 'Sync and remove' }).click();

  await told(page, 'Sync started');
  await alert.waitFor({ state: 'detached', ...PATIENCE });
  await until(
    () => gatehouse.api.get(`/api/accounts/?app=${id}&status=ACTIVE`),
    ({ count }) => count === 12,
  );
}, 240_000);
