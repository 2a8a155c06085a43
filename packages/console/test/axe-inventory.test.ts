// @module-tag long
import { beforeAll } from 'vitest';
import { testPages } from './axe.ts';
import { type ConsoleTest, openSharedConsole } from './harness.ts';

/** Returns the time of the call, which is after the seed. */
const now = () => new Date().toISOString();
/** Before anything was recorded. */
const lastMonth = new Date(Date.now() - 30 * 86_400_000).toISOString();

let gatehouse: ConsoleTest;
beforeAll(async () => {
  gatehouse = await openSharedConsole();
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
  ['settings of a connector', '/apps/new?type=ldap'],
  ['app', ({ apps }) => `/apps/${apps.crm}`],
  ['app accounts', ({ apps }) => `/apps/${apps.crm}?tab=accounts`],
  ['app groups', ({ apps }) => `/apps/${apps.crm}?tab=groups`],
  ['app licenses', ({ apps }) => `/apps/${apps.crm}?tab=licenses`],
  ['app syncs', ({ apps }) => `/apps/${apps.crm}?tab=syncs`],
  ['app without a connector', ({ apps }) => `/apps/${apps.crm}?tab=connection`],
  ['app settings', ({ apps }) => `/apps/${apps.crm}?tab=settings`],
  ['app without syncs', ({ apps }) => `/apps/${apps.payroll}`],
  ['disconnected app', ({ apps }) => `/apps/${apps.wiki}`],
  ['app with a held sync', ({ apps }) => `/apps/${apps.code}?tab=syncs`],
  ['access', '/access'],
  ['access at an earlier time', () => `/access?as_of=${now()}`],
  ['group', ({ apps }) => `/access?app=${apps.crm}&slug=group&id=sales-emea`],
  ['license', ({ apps }) => `/access?app=${apps.crm}&slug=license&id=seat`],
  ['queries', '/queries'],
  [
    'query',
    () =>
      `/queries/new?query=${encodeURIComponent('{"subject":"access","conditions":[{"field":"resource.risk","operator":"is","value":["high"]},{"field":"user.attributes.team","operator":"is_empty"}]}')}`,
  ],
  ['accounts', '/accounts'],
  ['account', ({ accounts }) => `/accounts/${accounts.seller}`],
  ['accounts at an earlier time', () => `/accounts?as_of=${lastMonth}`],
  [
    'person at an earlier time',
    ({ people }) => `/people/${people['marta.silva@acme.example']}?as_of=${now()}`,
  ],
  [
    'person with two times',
    ({ people }) => `/people/${people['marta.silva@acme.example']}?versus=${lastMonth}`,
  ],
  ['activity of a person', ({ people }) => `/people/${people['marta.silva@acme.example']}?tab=activity`],
  [
    'requests and tasks of a person',
    ({ people }) => `/people/${people['marta.silva@acme.example']}?tab=work`,
  ],
  ['timeline', ({ people }) => `/people/${people['marta.silva@acme.example']}?tab=timeline`],
  ['timeline as a table', ({ accounts }) => `/accounts/${accounts.seller}?table=true`],
  ['comparison', ({ apps }) => `/history/compare?app=${apps.crm}`],
  ['people', '/people'],
  ['unlinked accounts', '/people?tab=unlinked'],
  ['leavers with access', '/people?tab=leavers'],
  ['owner of an account', ({ accounts }) => `/accounts/${accounts.seller}?ask=owner`],
  ['groups', '/groups'],
  ['person', ({ people }) => `/people/${people['marta.silva@acme.example']}`],
]);
