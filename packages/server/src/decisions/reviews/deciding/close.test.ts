import { expect, onTestFinished, test } from 'vitest';
import { within } from '#kit/database.ts';
import { sql } from '#kit/sql.ts';
import { openReviewsTest } from '#test/reviews.ts';
import { closeCycle } from './close.ts';

test('revokes every undecided item once in a cycle of several chunks', async () => {
  const service = await openReviewsTest([{ id: 'first', email: 'first@acme.example' }]);
  onTestFinished(service.close);
  const { db } = service.database;
  await sql`
    insert into account (org_id, app_id, resource_type_id, external_id, email, status)
    select org_id, app_id, resource_type_id, 'n' || n, 'n' || n || '@many.example', 'ACTIVE'
    from account, generate_series(1, 1499) n where org_id = ${service.orgId}`.execute(db);
  const cycle = await service.start({ on_no_response: 'revoke' });
  await service.makeDue();
  const close = () => closeCycle(within(db, service.orgId), cycle.external_uuid);
  await Promise.all([close(), close()]);

  const { body } = await service.call('GET', `/api/reviews/cycles/${cycle.external_uuid}/`);
  expect(body).toMatchObject({ status: 'completed', progress: { items: 1500, revoked: 1500 } });
  const { rows } = await sql<{ tasks: number; created: number }>`
    select (select count(distinct task_id) from review_item where cycle_id = ${cycle.external_uuid}) as tasks,
      (select count(*) from event where org_id = ${service.orgId} and event_type = 'task.created') as created`.execute(
    db,
  );
  expect(rows).toEqual([{ tasks: 1500, created: 1500 }]);
}, 120_000);

test('shows what closing a cycle would take away', async () => {
  const service = await openReviewsTest([
    { id: 'a', email: 'a@acme.example', memberships: { team: [{ id: 'red' }] } },
    { id: 'b', email: 'b@acme.example' },
  ]);
  onTestFinished(service.close);
  const cycle = await service.start({ on_no_response: 'revoke', revoke_account_by: 'suspend' });
  const path = `/api/reviews/cycles/${cycle.external_uuid}`;
  const plan = async () => (await service.call('GET', `${path}/plan/`)).body;

  const before = await plan();
  expect(before).toMatchObject({
    count: 3,
    counts: { accounts: { suspended: 2, removed: 0 }, memberships: { removed: 1 } },
  });

  const [kept] = before.results.filter(({ kind }: { kind: string }) => kind === 'membership');
  await service.call('POST', `${path}/decisions/`, { items: [kept.id], decision: 'keep' });
  expect(await plan()).toMatchObject({
    count: 2,
    counts: { memberships: { removed: 0 } },
    needs_confirmation: false,
  });

  const guard = { removal_guard: { percent: 50, at_least: 2 } };
  await service.call('PATCH', `/api/apps/${service.appId}/`, guard);
  expect(await plan()).toMatchObject({ needs_confirmation: true });
});
