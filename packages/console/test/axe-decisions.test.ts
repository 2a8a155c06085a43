// @module-tag long
import { beforeAll } from 'vitest';
import { testPages } from './axe.ts';
import { type ConsoleTest, openSharedConsole } from './harness.ts';
import { STAFF } from './seed-company.ts';

let gatehouse: ConsoleTest;
beforeAll(async () => {
  gatehouse = await openSharedConsole();
  return gatehouse.close;
});

testPages('for the owner', () => gatehouse, 'owner', [
  ['tasks', '/tasks'],
  ['failed task', ({ tasks }) => `/tasks/${tasks.failed}`],
  ['proof of a task', ({ tasks }) => `/tasks/${tasks.failed}/proof`],
  ['requests', '/requests'],
  ['new request', '/requests/new'],
  ['new request for a person', ({ people }) => `/requests/new?user=${people[STAFF.member]}`],
  ['request', ({ tickets }) => `/requests/${tickets.pending}`],
  ['approvals', '/approvals'],
  ['reviews', '/reviews'],
  ['templates of reviews', '/reviews/new'],
  ['new review', '/reviews/new?template=everyone'],
  ['review', ({ reviews }) => `/reviews/${reviews.open}`],
  ['open cycle', ({ cycles }) => `/reviews/cycles/${cycles.open}`],
  ['reviewers of a cycle', ({ cycles }) => `/reviews/cycles/${cycles.open}?reviewers=true`],
  ['items by access', ({ cycles }) => `/reviews/cycles/${cycles.open}?group=access`],
  ['revocations of a cycle', ({ cycles }) => `/reviews/cycles/${cycles.open}?plan=true`],
  ['closed cycle', ({ cycles }) => `/reviews/cycles/${cycles.closed}`],
  ['findings', '/findings'],
  ['policies', '/policies'],
  ['templates of policies', '/policies/new'],
  ['new policy', '/policies/new?from=team'],
  ['policy', ({ policies }) => `/policies/${policies.joiners}`],
  ['policy preview', ({ policies }) => `/policies/${policies.joiners}?preview=true`],
  ['events', '/events'],
  ['API keys', '/settings/api-keys'],
  ['identity provider', '/settings/identity-provider'],
  ['set-up of Okta', '/settings/identity-provider?product=okta'],
  ['set-up of Entra ID with SAML', '/settings/identity-provider?product=entra&protocol=saml'],
  ['webhook', ({ webhook }) => `/settings/webhooks/${webhook}`],
  ['inbox', '/notifications'],
  ['notification settings', '/settings/notifications'],
  ['channels', '/settings/notifications?tab=channels'],
  ['deliveries of notifications', '/settings/notifications?tab=deliveries'],
  ['organization', '/settings/organization'],
  ['profile', '/settings/profile'],
]);

testPages('for a member', () => gatehouse, 'manager', [
  ['overview', '/'],
  ['approvals', '/approvals'],
  ['catalog', '/requests/new'],
  ['team', '/team'],
  ['person of the team', ({ people }) => `/team/${people[STAFF.member]}`],
  ['reviews', '/reviews'],
  ['open cycle', ({ cycles }) => `/reviews/cycles/${cycles.open}`],
  ['inbox', '/notifications'],
  ['notification settings', '/settings/notifications'],
]);
