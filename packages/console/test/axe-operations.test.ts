// @module-tag long
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { beforeAll } from 'vitest';
import { openDatabase } from '../../server/src/kit/database/open.ts';
import { startPostgres } from '../../server/test/postgres.ts';
import { testPages } from './axe.ts';
import { type ConsoleTest, openConsole } from './harness.ts';
import { type Operations, seedOperations } from './seed-operations.ts';

let gatehouse: ConsoleTest;
let added: Operations;
beforeAll(async () => {
  const [postgres, receiver] = await Promise.all([startPostgres(), startReceiver()]);
  const database = await openDatabase({ url: postgres.url });
  await database.exec(`
    create role keeper login createrole password 'right-password';
    create role gatehouse_users;
    grant gatehouse_users to keeper with admin option;
    create role ada login in role gatehouse_users;`);
  await database.close();
  const withPassword = (password: string) =>
    Object.assign(new URL(postgres.url), { username: 'keeper', password }).href;
  gatehouse = await openConsole();
  added = await seedOperations(gatehouse, {
    system: { right: withPassword('right-password'), wrong: withPassword('wrong-password') },
    receiver: receiver.url,
  });
  return async () => {
    await gatehouse.close();
    receiver.stop();
    await postgres.stop();
  };
}, 120_000);

async function startReceiver() {
  const server = createServer((_, response) => response.end('ok'));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, stop: () => server.close() };
}

/** Presses a button that opens a dialog. */
const press = (name: string | RegExp) => async (page: Page) => {
  await page.getByRole('button', { name, exact: true }).first().click();
  await page.getByRole('dialog').waitFor();
};
const openRun = async (page: Page) => {
  await page
    .getByRole('table', { name: /connector runs, newest first$/ })
    .getByRole('link')
    .first()
    .click();
  await page.getByRole('dialog').getByText('Duration').waitFor();
};
const connectionOf = (app: keyof Operations['connectors']) => () =>
  `/apps/${added.connectors[app]}?tab=connection`;
const setup = (app: keyof Operations['connectors'], step: string) => () =>
  `/apps/new?app=${added.connectors[app]}&step=${step}`;
const webhook = (dialog: string) => () => `/settings/webhooks/${added.webhook}?dialog=${dialog}`;

testPages('for the owner', () => gatehouse, 'owner', [
  ['spreadsheet: file', () => `/apps/${added.uploads.app}/upload`],
  ['accounts by hand', () => `/apps/${added.uploads.app}/accounts`],
  ['spreadsheet: columns', () => added.uploads.columns],
  ['spreadsheet: problems', () => added.uploads.invalid],
  ['spreadsheet: plan', () => added.uploads.planned],
  ['spreadsheet: done', () => added.uploads.applied],
  ['people from a spreadsheet', () => added.uploads.people],
  ['fulfillment', () => `/apps/${added.byHand.app}?tab=fulfillment`],
  ['settings of an app', () => `/apps/${added.byHand.app}?tab=settings`],
  ['archiving an app', () => `/apps/${added.byHand.app}?tab=settings`, press('Archive app')],
  ['held tasks', () => `/apps/${added.heldApp}`],
  ['confirming held tasks', () => `/apps/${added.heldApp}`, press('Confirm tasks')],
  ['tasks of all people', '/tasks?whose=by_hand&state=ended'],
  ['wizard: types', '/apps/new'],
  ['wizard: settings', '/apps/new?type=postgres'],
  ['wizard: definition', '/apps/new?type=rest&name=Desk'],
  ['wizard: by hand', '/apps/new?type=by_hand'],
  ['wizard: failed test', setup('failing', 'test')],
  ['wizard: test', setup('working', 'test')],
  ['wizard: preview', setup('working', 'preview')],
  ['wizard: schedule', setup('unfinished', 'schedule')],
  ['wizard: done', setup('working', 'done')],
  ['connection', connectionOf('working')],
  ['failing connection', connectionOf('failing')],
  ['unfinished connection', connectionOf('unfinished')],
  ['failed run', connectionOf('failing'), openRun],
  ['removing a connector', connectionOf('working'), press('Remove connector')],
  ['channels', '/settings/notifications?tab=channels'],
  ['new channel', '/settings/notifications?tab=channels&dialog=slack'],
  ['removing a channel', '/settings/notifications?tab=channels', press(/^Remove/)],
  ['delivery log', '/settings/notifications?tab=deliveries'],
  ['webhooks', '/settings/webhooks'],
  ['new webhook', '/settings/webhooks?new=true'],
  ['webhook', () => `/settings/webhooks/${added.webhook}`],
  ['delivery', () => `/settings/webhooks/${added.webhook}`, press(/^Details of/)],
  ['editing a webhook', webhook('edit')],
  ['enabling a webhook', webhook('enable')],
  ['rotating a secret', webhook('rotate')],
  ['replaying events', webhook('replay')],
  ['deleting a webhook', webhook('delete')],
  ['merge', () => `/people?tab=duplicates&ask=merge&into=${added.twins[0]}&from=${added.twins[1]}`],
  ['choosing a person to merge', () => `/people/${added.twins[0]}?ask=merge`],
  ['duplicates', '/people?tab=duplicates'],
  ['dismissed duplicates', '/people?tab=duplicates&dismissed=true'],
  ['deactivating the owner of API keys', () => `/people/${added.keyOwner}?ask=deactivate`],
  ['groups', '/groups'],
  ['group', () => `/groups/${added.group}`],
]);

testPages('for a fulfiller', () => gatehouse, 'member', [
  ['work of a fulfiller', '/'],
  ['tasks of a member', '/tasks'],
  ['ended tasks', '/tasks?state=ended'],
  ['task', () => `/tasks/${added.byHand.open}`],
  ['completed task', () => `/tasks/${added.byHand.done}`],
  ['refused task', () => `/tasks/${added.byHand.refused}`],
  ['completing a task', () => `/tasks/${added.byHand.open}?ask=complete`],
  ['refusing a task', () => `/tasks/${added.byHand.open}?ask=refuse`],
  ['reassigning a task', () => `/tasks/${added.byHand.open}?ask=reassign`],
  ['notification settings', '/settings/notifications'],
]);

testPages('for a member without tasks', () => gatehouse, 'manager', [
  ['tasks of a member', '/tasks'],
  ['work of a reviewer', '/'],
]);
