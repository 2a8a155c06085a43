import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { openRunFolder } from '../../server/test/keeper.ts';
import { ROOT } from '../../server/test/service.ts';
import type { Api } from './api.ts';
import { type ConsoleTest, openEmptyServer } from './harness.ts';

let gatehouse: ConsoleTest<undefined>;
beforeAll(async () => {
  gatehouse = await openEmptyServer();
  return gatehouse.close;
});

const ACCOUNTS = 1200;

async function writeAccounts(): Promise<string> {
  const folder = await openRunFolder();
  onTestFinished(folder.remove);
  const file = join(folder.path, 'accounts.csv');
  const rows = Array.from({ length: ACCOUNTS }, (_, at) => `u${at},u${at}@acme.example,team-${at % 7}`);
  await writeFile(file, ['id,email,groups', ...rows, ''].join('\n'));
  return file;
}

async function finishSetup(api: Api, emails: readonly string[]) {
  await api.postCsv('/api/users/import/', ['email', ...emails].join('\n'));
  const { results: people } = await api.get('/api/users/?limit=200');
  const { results: apps } = await api.get('/api/apps/');
  await api.patch(`/api/apps/${apps[0].external_uuid}/`, { owner: people[0].external_uuid });
  await api.post('/api/reviews/', { name: 'First review' });
}

/** The tests run on the pinned Node.js, and npm puts it first in the path. */
const withoutPinned = (path: string) =>
  path
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'))
    .join(delimiter);

test('leads an empty organization to its first app, API key and sync', async () => {
  const { page, context, goto } = await gatehouse.visit('owner');
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: gatehouse.url });
  const accounts = await writeAccounts();

  await goto('/');
  await page.getByRole('heading', { level: 1, name: 'Welcome to Gatehouse' }).waitFor();
  await page.getByRole('link', { name: 'Add app' }).click();
  await page.getByRole('button', { name: /^Runs elsewhere/ }).click();
  await page.getByLabel('App name').fill('Payroll');
  await page.getByRole('button', { name: 'Create app' }).click();
  await page.getByRole('heading', { level: 1, name: 'Payroll' }).waitFor();
  await page.getByRole('button', { name: 'Create API key' }).click();
  await page.getByRole('region', { name: 'API key' }).waitFor();
  await page.getByText('Waiting for the first session').waitFor();
  await page.getByRole('button', { name: 'Copy command' }).click();
  const command = (await page.getByRole('region', { name: 'command' }).textContent()) ?? '';
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(command);

  const run = promisify(execFile)('bash', ['-ec', command.replace('accounts.csv', accounts)], {
    cwd: ROOT,
    // The Node.js of the system, which may be too old to run TypeScript.
    env: { HOME: dirname(accounts), PATH: withoutPinned(process.env.PATH ?? '') },
  });
  await page.getByText('The first session has started').waitFor();
  await run;

  const latest = page.getByRole('region', { name: 'Latest sync' });
  await latest.getByText('Completed').waitFor();
  await latest.getByRole('row').filter({ hasText: 'Accounts' }).getByText('1,200').waitFor();
  await page.getByRole('main').getByText('Connected', { exact: true }).first().waitFor();
  await page.getByRole('tab', { name: 'Accounts' }).click();
  await page.getByText('1,200 accounts').waitFor();

  await goto('/');
  const next = page.getByRole('region', { name: 'Next steps' });
  await expect.poll(() => next.getByRole('img', { name: 'To do' }).count()).toBe(4);
  await next.getByRole('link', { name: 'Import people' }).click();
  await page.getByRole('heading', { name: 'Import people' }).waitFor();
  await finishSetup(gatehouse.api, ['u1@acme.example']);
  await page.reload();
  await goto('/');
  const linking = next.getByRole('listitem').filter({ hasText: 'Link the remaining accounts' });
  await expect.poll(() => next.getByRole('img', { name: 'To do' }).count()).toBe(1);
  await linking.getByRole('img', { name: 'To do' }).waitFor();

  const emails = Array.from({ length: ACCOUNTS }, (_, at) => `u${at}@acme.example`);
  await gatehouse.api.postCsv('/api/users/import/', ['email', ...emails].join('\n'));
  await page.reload();
  await goto('/');
  await expect.poll(() => next.count()).toBe(0);
});
