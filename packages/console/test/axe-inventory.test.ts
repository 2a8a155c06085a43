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
  ['unknown address', '/nothing/here'],
]);

testPages('for the owner', () => gatehouse, 'owner', [
  ['overview', '/'],
  ['apps', '/apps'],
  ['app', ({ apps }) => `/apps/${apps.crm}`],
  ['app accounts', ({ apps }) => `/apps/${apps.crm}?tab=accounts`],
  ['app groups', ({ apps }) => `/apps/${apps.crm}?tab=groups`],
  ['app licenses', ({ apps }) => `/apps/${apps.crm}?tab=licenses`],
  ['app syncs', ({ apps }) => `/apps/${apps.crm}?tab=syncs`],
  ['app settings', ({ apps }) => `/apps/${apps.crm}?tab=settings`],
  ['app without syncs', ({ apps }) => `/apps/${apps.payroll}`],
  ['disconnected app', ({ apps }) => `/apps/${apps.wiki}`],
  ['app with a held sync', ({ apps }) => `/apps/${apps.code}?tab=syncs`],
  ['accounts', '/accounts'],
  ['account', ({ accounts }) => `/accounts/${accounts.seller}`],
  ['people', '/people'],
  ['person', ({ people }) => `/people/${people['marta.silva@acme.example']}`],
]);
