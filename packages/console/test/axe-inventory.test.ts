import { beforeAll } from 'vitest';
import { testPages } from './axe.ts';
import { type ConsoleTest, openConsole } from './harness.ts';

let gatehouse: ConsoleTest;
beforeAll(async () => {
  gatehouse = await openConsole();
  return gatehouse.close;
});

testPages('before sign-in', () => gatehouse, null, [
  ['sign-in', '/sign-in'],
  ['welcome', '/welcome#token'],
  ['an address that there is not', '/nothing/here'],
]);

testPages('for the owner', () => gatehouse, 'owner', [
  ['overview', '/'],
  ['apps', '/apps'],
  ['app', ({ apps }) => `/apps/${apps.crm}`],
  ['accounts of an app', ({ apps }) => `/apps/${apps.crm}?tab=accounts`],
  ['groups of an app', ({ apps }) => `/apps/${apps.crm}?tab=groups`],
  ['licenses of an app', ({ apps }) => `/apps/${apps.crm}?tab=licenses`],
  ['syncs of an app', ({ apps }) => `/apps/${apps.crm}?tab=syncs`],
  ['settings of an app', ({ apps }) => `/apps/${apps.crm}?tab=settings`],
  ['app that was never synced', ({ apps }) => `/apps/${apps.payroll}`],
  ['app that is disconnected', ({ apps }) => `/apps/${apps.wiki}`],
  ['app with a held sync', ({ apps }) => `/apps/${apps.code}?tab=syncs`],
  ['accounts', '/accounts'],
  ['account', ({ accounts }) => `/accounts/${accounts.seller}`],
  ['people', '/people'],
  ['person', ({ people }) => `/people/${people['marta.silva@acme.example']}`],
]);
