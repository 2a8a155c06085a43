import { afterAll, beforeAll, expect, test } from 'vitest';
import { openReviewsTest, type ReviewsTest } from '#test/reviews.ts';
import { addSyncedApp, type SyncedApp } from '#test/sync.ts';

/** Scopes and reviewers that follow from the last sign-ins, risks and owners that an app reports (D54). */
let service: ReviewsTest;
let app: SyncedApp;
const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const email = (name: string) => `${name}@details.example`;
const inTeams = (...ids: string[]) => ({ team: ids.map((id) => ({ id })) });

beforeAll(async () => {
  service = await openReviewsTest();
  const people: Record<string, string> = {};
  for (const name of ['olga', 'gita', 'ann', 'left']) {
    const { body } = await service.call('POST', '/api/users/', { email: email(name) });
    people[name] = body.external_uuid;
  }
  await service.call('POST', `/api/users/${people.left}/deactivate/`);
  app = await addSyncedApp(service);
  await service.call('PATCH', `/api/apps/${app.id}/`, { owner: people.olga });
  await app.sync({
    team: [
      { id: 'admins', name: 'Admins', risk: 'high', owner: 'GITA@details.example' },
      { id: 'staff', name: 'Staff', risk: 'low', owner: email('left') },
      { id: 'plain', name: 'Plain' },
    ],
    seat: [{ id: 'pro', name: 'Pro' }],
    bot: [
      { id: 'ann', email: email('ann'), last_sign_in_at: ago(5), memberships: inTeams('admins', 'staff') },
      { id: 'gita', email: email('gita'), last_sign_in_at: ago(200), memberships: inTeams('admins') },
      {
        id: 'old',
        username: 'old',
        mfa_enabled: false,
        last_sign_in_at: ago(200),
        memberships: inTeams('staff', 'plain'),
      },
      { id: 'new', username: 'new', assignments: { seat: [{ id: 'pro' }] } },
    ],
  });
  const silent = await addSyncedApp(service);
  await silent.sync({ bot: [{ id: 'silent', username: 'silent' }] });
});
afterAll(() => service.close());

/** Returns the items of a new cycle: `account`, or `account/group`, and the reviewers. */
async function reviewed(settings: object): Promise<Record<string, string>> {
  const items = await service.items(await service.start(settings));
  const short = (one: { email: string; username?: string }) => (one.email || one.username)?.split('@')[0];
  return Object.fromEntries(
    items.map(({ account, resource, reviewers }) => [
      [short(account), resource?.id].filter(Boolean).join('/'),
      reviewers.map(short).join(' '),
    ]),
  );
}
const accessIn = async (scope: object) => Object.keys(await reviewed({ scope })).sort();

test('the owner of a group reviews its memberships, and the owner of the app everything else', async () => {
  const reviewers = await reviewed({ reviewer: 'group_owner', scope: { apps: [app.id] } });
  expect(reviewers).toMatchObject({
    ann: 'olga',
    'ann/admins': 'gita',
    'ann/staff': 'olga',
    'old/plain': 'olga',
    'new/pro': 'olga',
  });
  expect(reviewers['gita/admins']).not.toContain('gita');
});

test('reviews only dormant accounts', async () => {
  expect(await accessIn({ not_used_for_days: 90, include: ['accounts'] })).toEqual(['gita', 'old']);
  expect(await accessIn({ not_used_for_days: 90, include: ['memberships'], apps: [app.id] })).toEqual([
    'gita/admins',
    'old/plain',
    'old/staff',
  ]);
});

test('reviews only groups with a risk, and the accounts that have one', async () => {
  expect(await accessIn({ risks: ['high'] })).toEqual(['ann', 'ann/admins', 'gita', 'gita/admins']);
  expect(await accessIn({ risks: ['low', 'high'], include: ['memberships'] })).toEqual([
    'ann/admins',
    'ann/staff',
    'gita/admins',
    'old/staff',
  ]);
  expect(await accessIn({ risks: ['low'], not_used_for_days: 90 })).toEqual(['old', 'old/staff']);
});

test('rejects risks without memberships, and opens nothing if no account is dormant', async () => {
  const scope = { risks: ['high'], include: ['accounts'] };
  const { status, body } = await service.call('POST', '/api/reviews/', { name: 'Risks', scope });
  expect([status, body.detail]).toEqual([400, expect.stringContaining('Add memberships to scope.include')]);
  const id = await service.campaign({ scope: { not_used_for_days: 3000 } });
  expect((await service.call('POST', `/api/reviews/${id}/start/`)).status).toBe(422);
  expect((await service.call('GET', `/api/reviews/${id}/`)).body.scope).toMatchObject({
    not_used_for_days: 3000,
    risks: null,
  });
});

test('items and the evidence say whether an account has a second factor', async () => {
  const cycle = await service.start({ scope: { not_used_for_days: 90, include: ['accounts'] } });
  const items = await service.items(cycle);
  expect(items.map(({ account, context }) => [account.username, context.mfa_enabled])).toEqual(
    expect.arrayContaining([
      ['old', false],
      ['', null],
    ]),
  );
  const path = `/api/reviews/cycles/${cycle.external_uuid}/evidence/?format=csv`;
  const [head = '', ...rows]: string[] = (await service.call('GET', path)).body.split('\r\n');
  const at = head.split(',').indexOf('mfa_enabled');
  expect(rows.find((row) => row.includes(',old,'))?.split(',')[at]).toBe('false');
});
