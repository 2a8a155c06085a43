// @module-tag engine
import { afterAll, beforeAll, expect, test } from 'vitest';
import { settle } from '#test/policies.ts';
import { openReviewsTest, type ReviewsTest } from '#test/reviews.ts';
import { setTimes } from '#test/time.ts';

/** Reviews and policies as the causes of periods, from the decision to the list of periods. */
let service: ReviewsTest;
beforeAll(async () => {
  service = await openReviewsTest([
    { id: 'ann', email: 'ann@acme.example', memberships: { team: [{ id: 'red' }] } },
    { id: 'bob', email: 'bob@acme.example', memberships: { team: [{ id: 'blue' }] } },
  ]);
});
afterAll(() => service.close());

/** Completes all pending tasks, as the connector would. Returns their ids. */
async function work(): Promise<string[]> {
  const { tasks } = (await service.bridge('GET', '/tasks/?status=pending')).body;
  for (const { id } of tasks)
    await service.bridge('PATCH', `/tasks/${id}/status/`, { status: 'completed', result: {} });
  return tasks.map(({ id }: { id: string }) => id);
}

const periodsOf = async (email: string) => {
  const { external_uuid: id } = await service.accountByEmail(email);
  return (await service.call('GET', `/api/history/access/?account=${id}`)).body.results;
};

test('a revoked review item ends a period, with the reviewer who decided', async () => {
  const cycle = await service.start({ cooling_off_hours: 0 });
  const reviewer = await service.keyOf('rita@acme.example', 'admin');
  const item = (await service.items(cycle)).find(({ resource }) => resource?.id === 'red');
  await service.decide(cycle, [item], 'revoke', { key: reviewer.key, comment: 'Changed teams.' });
  const [task] = await work();

  const periods = await periodsOf('ann@acme.example');

  const revoked = periods.find(({ type }: { type: string }) => type === 'membership');
  expect(revoked).toMatchObject({
    resource: { id: 'red' },
    bounds: { gone_by: revoked.ended.at, seen_until: revoked.ended.at },
    began: { kind: 'sync', review_item_id: null },
    ended: {
      kind: 'task',
      task_id: task,
      review_item_id: item.id,
      policy_id: null,
      sync_id: null,
      decided_by: { external_uuid: reviewer.id, email: 'rita@acme.example' },
    },
  });
});

test('a policy ends one state of an account and begins the next', async () => {
  const { body } = await service.call('POST', '/api/policies/', {
    name: 'Suspend Bob',
    trigger: 'daily',
    condition: 'account.email == "bob@acme.example"',
    effects: [{ do: 'suspend', app: service.appId }],
  });
  const { db } = service.database;
  // A daily policy runs from the next day on.
  await setTimes(db, 'policy', { ran_at: '1 day earlier' }, { org_id: service.orgId });
  await settle(db);
  const [task] = await work();

  const states = (await periodsOf('bob@acme.example')).filter(
    ({ type }: { type: string }) => type === 'account',
  );

  const cause = {
    kind: 'task',
    task_id: task,
    policy_id: body.external_uuid,
    review_item_id: null,
    decided_by: null,
  };
  expect(states).toMatchObject([
    { status: 'ACTIVE', began: { kind: 'sync', policy_id: null }, ended: cause },
    { status: 'SUSPENDED', began: cause, ended: null },
  ]);
});
