import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventsOf } from '../people.ts';
import { openReviewsTest, type ReviewsTest } from '../reviews.ts';
import { addSyncedApp, people } from '../sync.ts';

/** The contents of configuration events about settings and decisions (D43). trail.test.ts checks that all are recorded. */
let service: ReviewsTest;
let byOwner: object;
beforeAll(async () => {
  service = await openReviewsTest([
    { id: 'ann', email: 'ann@x.example', memberships: { team: [{ id: 'red' }] } },
  ]);
  byOwner = { actor: { type: 'user', uuid: service.adminId, ip: '127.0.0.1' }, source: { type: 'api' } };
});
afterAll(() => service.close());

const last = async (type: string) => (await eventsOf(service, type)).at(-1);
const person = async (email: string, more: object = {}) =>
  (await service.call('POST', '/api/users/', { email, ...more })).body.external_uuid as string;

describe('policies', () => {
  const policy = {
    name: 'Leavers',
    trigger: 'user.deactivated',
    condition: 'true',
    effects: [{ do: 'delete', app: 'all' }],
    enabled: false,
  };

  test('an event has the definition of a new policy, and only the changed fields of a change', async () => {
    const { external_uuid: id } = (await service.call('POST', '/api/policies/', policy)).body;
    expect(await last('policy.created')).toMatchObject({
      ...byOwner,
      subject: { type: 'system', uuid: id },
      payload: {
        policy_id: id,
        name: 'Leavers',
        definition: { condition: 'true', delay: null, enabled: false },
      },
    });

    await service.call('PATCH', `/api/policies/${id}/`, { delay: 'P1D', condition: 'true' });
    expect((await last('policy.updated'))?.payload).toEqual({
      policy_id: id,
      name: 'Leavers',
      changes: [{ field: 'delay', from: null, to: 'P1D' }],
    });

    await service.call('DELETE', `/api/policies/${id}/`);
    expect((await last('policy.deleted'))?.payload).toEqual({ policy_id: id, name: 'Leavers' });
  });

  test('a change that changes nothing leaves no event', async () => {
    const { external_uuid: id } = (await service.call('POST', '/api/policies/', policy)).body;
    const before = (await eventsOf(service, 'policy.')).length;
    await service.call('PATCH', `/api/policies/${id}/`, { name: 'Leavers' });

    expect(await eventsOf(service, 'policy.')).toHaveLength(before);
  });

  test('an event has the task limit before and after', async () => {
    await service.call('PATCH', '/api/policies/settings/', { task_limit: 7 });

    expect((await last('policy.settings_changed'))?.payload).toEqual({
      changes: [{ field: 'task_limit', from: 1000, to: 7 }],
    });
  });
});

describe('access reviews', () => {
  test('each decision has an event with the decision before, and the last one closes the cycle', async () => {
    const cycle = await service.start({ scope: { apps: [service.appId] } });
    const items = await service.items(cycle);
    expect(items).toHaveLength(2);
    await service.decide(cycle, items, 'keep', { comment: 'Fine' });
    await service.decide(cycle, items, 'revoke');

    const decided = (await eventsOf(service, 'review.decided')).filter(
      ({ payload }) => payload.cycle_id === cycle.external_uuid,
    );
    expect(decided.map(({ payload }) => [payload.previous_decision, payload.decision])).toEqual([
      [null, 'keep'],
      [null, 'keep'],
      ['keep', 'revoke'],
      ['keep', 'revoke'],
    ]);
    expect(decided.find(({ payload }) => payload.kind === 'membership')).toMatchObject({
      ...byOwner,
      subject: { type: 'app_user' },
      payload: {
        app_name: 'Payroll',
        email: 'ann@x.example',
        resource: { slug: 'team', id: 'red', name: 'Red' },
        comment: 'Fine',
      },
    });
    const ofCampaign = (await eventsOf(service, 'campaign.')).filter(
      ({ payload }) => payload.campaign_id === cycle.campaign.external_uuid,
    );
    expect(ofCampaign.map(({ event_type }) => event_type)).toEqual([
      'campaign.created',
      'campaign.started',
      'campaign.closed',
    ]);
  });

  test('a bulk decision records one event for each of 1,000 items', {
    tags: ['long'],
    timeout: 60_000,
  }, async () => {
    const app = await addSyncedApp(service);
    const session = await app.start();
    for (let n = 0; n < 1000; n += 100)
      await app.push(
        session,
        'person',
        people(100, () => ({}), n),
      );
    await app.complete(session);
    const cycle = await service.start({ scope: { apps: [app.id], include: ['accounts'] } });
    const items: { id: string }[] = [];
    for (let offset = 0; offset < 1000; offset += 200)
      items.push(...(await service.items(cycle, `offset=${offset}`)));
    expect((await service.decide(cycle, items, 'keep')).status).toBe(200);

    const decided = (await eventsOf(service, 'review.decided')).filter(
      ({ payload }) => payload.cycle_id === cycle.external_uuid,
    );
    expect(new Set(decided.map(({ payload }) => payload.item_id)).size).toBe(1000);
  });

  test('an event names the reviewers before and after a reviewer leaves', async () => {
    const reviewer = await person('reviewer@acme.example');
    const cycle = await service.start({
      scope: { apps: [service.appId], include: ['accounts'] },
      reviewer: [reviewer],
      fallback_reviewers: [service.adminId],
    });
    const [item] = await service.items(cycle);
    await service.call('POST', `/api/users/${reviewer}/deactivate/`);

    expect(await last('review.reassigned')).toMatchObject({
      actor: { type: 'system' },
      payload: { item_id: item.id, from: [reviewer], to: [service.adminId] },
    });
  });

  test('an export of the evidence leaves an event', async () => {
    const cycle = await service.start({ scope: { apps: [service.appId], include: ['accounts'] } });
    await service.call('GET', `/api/reviews/cycles/${cycle.external_uuid}/evidence/?format=csv`);

    expect(await last('export.created')).toMatchObject({
      ...byOwner,
      payload: { what: 'review_evidence', format: 'csv', cycle_id: cycle.external_uuid },
    });
  });
});

describe('apps', () => {
  test('an event has the settings before and after', async () => {
    const owner = await person('app-owner@acme.example');
    await service.call('PATCH', `/api/apps/${service.appId}/`, { owner, removal_guard: null });

    expect(await last('app_settings.changed')).toMatchObject({
      ...byOwner,
      subject: { type: 'app', uuid: service.appId },
      payload: {
        changes: [
          { field: 'owner', from: null, to: owner },
          { field: 'removal_guard', from: { percent: 30, at_least: 100 }, to: null },
        ],
      },
    });
  });

  test.each([
    ['approve', 'removal_guard.approved'],
    ['reject', 'removal_guard.rejected'],
  ])('an event names the administrator who decides to %s a held removal', async (verb, type) => {
    const app = await addSyncedApp(service);
    const person = () => people(10, () => ({}));
    await app.sync({ person: person() });
    await service.call('PATCH', `/api/apps/${app.id}/`, { removal_guard: { percent: 30, at_least: 1 } });
    const session = await app.start();
    await app.push(session, 'person', person().slice(8));
    await app.complete(session);
    await service.call('POST', `/api/apps/${app.id}/syncs/${session}/${verb}/`);

    expect(await last(type)).toMatchObject({
      ...byOwner,
      payload: { app_id: app.id, sync_id: session, held: { accounts: 8, memberships: 0 } },
    });
  });

  test('an event has the person before and after an account is linked by hand', async () => {
    const [one, other] = [await person('one@acme.example'), await person('other@acme.example')];
    const { external_uuid: id } = await service.accountByEmail('ann@x.example');
    await service.call('PATCH', `/api/accounts/${id}/`, { user: one });
    await service.call('PATCH', `/api/accounts/${id}/`, { user: other });
    await service.call('PATCH', `/api/accounts/${id}/`, { user: other });

    const changes = (await eventsOf(service, 'account_link.')).map(({ payload }) => payload);
    expect(changes.map(({ from, to }) => [from, to])).toEqual([
      [null, one],
      [one, other],
    ]);
    expect(changes[0]).toMatchObject({ account_id: id, email: 'ann@x.example', app_name: 'Payroll' });
  });
});

test('an import leaves a summary in addition to the events of each person', async () => {
  const headers = { 'content-type': 'text/csv' };
  await person('known@acme.example');
  await service.call('POST', '/api/users/import/', 'email\nnew@acme.example\nknown@acme.example\n', {
    headers,
  });

  expect(await last('person.imported')).toMatchObject({
    ...byOwner,
    payload: { created: 1, updated: 0, unchanged: 1 },
  });
});
