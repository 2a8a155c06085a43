// @module-tag long

import { expect, onTestFinished, test, vi } from 'vitest';
import { escalateItems } from '#decisions/reviews/reviewers/escalate.ts';
import { createLogger } from '#kit/logger.ts';
import { sql } from '#kit/sql.ts';
import { openMailReceiver } from '#test/mail.ts';
import { scan } from '#test/notifications.ts';
import { addPersonWithKey, eventsOf } from '#test/people.ts';
import { openReviewsTest, type ReviewsTest } from '#test/reviews.ts';
import { setTimes } from '#test/time.ts';

/** Reviews with many items: each reviewer gets one notification and one email, however many items they have. */
vi.setConfig({ testTimeout: 300_000 });
const until = <T>(read: () => T) => expect.poll(read, { timeout: 240_000, interval: 250 });

async function open() {
  const receiver = await openMailReceiver();
  const service = await openReviewsTest([], { mail: receiver.settings });
  onTestFinished(async () => {
    await service.close();
    await receiver.close();
  });
  const { orgId, appId } = service;
  const { db } = service.database;
  const { rows } = await sql<{ id: string }>`
    select id from resource_type where org_id = ${orgId} and slug = 'person'`.execute(db);
  return { service, receiver, db, orgId, appId, type: rows[0]?.id ?? '' };
}

/** Returns how many people got how many notifications of a kind, and were sent how many emails about it. */
async function countsOf({ database, orgId }: ReviewsTest, kind: string) {
  const { rows } = await sql<{ people: number; notifications: number; emails: number }>`
    select count(distinct n.user_id)::integer as people, count(distinct n.id)::integer as notifications,
      count(d.id) filter (where d.state = 'sent')::integer as emails
    from notification n
    left join notification_delivery d
      on d.org_id = ${orgId} and d.notification_id = n.id and d.medium = 'email'
    where n.org_id = ${orgId} and n.kind = ${kind}`.execute(database.db);
  return rows[0];
}

/** Counts the escalations that were not read yet. */
async function eventsLeft({ database, orgId }: ReviewsTest) {
  const { rows } = await sql<{ n: number }>`
    select count(*)::integer as n from event e
    join notification_cursor c on c.org_id = ${orgId} and e.ingested_at > c.read_to
    where e.org_id = ${orgId} and e.event_type = 'review.escalated'`.execute(database.db);
  return rows[0]?.n;
}

test('a reviewer of 10,000 items gets one notification and one email, and so does the manager to whom they are escalated', async () => {
  const { service, receiver, db, orgId, appId, type } = await open();
  const [reviewer, boss] = [
    await addPersonWithKey(service, 'member'),
    await addPersonWithKey(service, 'member'),
  ];
  await service.call('PATCH', `/api/users/${reviewer.id}/`, { manager: boss.id });
  await sql`
    insert into account (org_id, app_id, resource_type_id, external_id, email, username, status)
    select ${orgId}::uuid, ${appId}::uuid, ${type}::uuid, 'many-' || n, 'many-' || n || '@acme.example', 'many-' || n, 'ACTIVE'
    from generate_series(1, 10000) n`.execute(db);

  const { external_uuid: id } = await service.start({
    ...{ reviewer: [reviewer.id], scope: { include: ['accounts'] } },
    ...{ due_days: 90, escalate_after_working_days: 5 },
  });
  const status = async () => (await service.call('GET', `/api/reviews/cycles/${id}/`)).body.status;
  await until(status).toBe('in_progress');
  // A job opens a cycle of this size. If its event was read before it was open, the next scan finds it.
  await scan(service);
  const once = { people: 1, notifications: 1, emails: 1 };
  await until(() => countsOf(service, 'review_assigned')).toEqual(once);

  await setTimes(service, 'review_cycle', { opened_at: '10 days ago' }, { id });
  await escalateItems(db, createLogger('silent'));
  expect(await eventsOf(service, 'review.escalated')).toHaveLength(10_000);
  await until(() => eventsLeft(service)).toBe(0);
  await until(() => countsOf(service, 'review_reassigned')).toEqual(once);
  await scan(service);
  expect(await countsOf(service, 'review_reassigned')).toEqual(once);
  expect(await countsOf(service, 'review_assigned')).toEqual(once);
  expect(receiver.to(reviewer.email).map(({ mail }) => mail.subject)).toEqual(['Review waiting: Quarterly']);
  expect(receiver.to(boss.email)).toHaveLength(1);
});

test('300 reviewers with items get one notification and one email each', async () => {
  const { service, receiver, db, orgId, appId, type } = await open();
  await sql`
    insert into platform_user (org_id, email, username)
    select ${orgId}::uuid, 'manager-' || n || '@acme.example', 'manager-' || n from generate_series(1, 300) n`.execute(
    db,
  );
  await sql`
    insert into platform_user (org_id, email, username, manager_id)
    select ${orgId}::uuid, 'of-' || m.email, 'of-' || m.username, m.id from platform_user m
    where m.org_id = ${orgId} and m.email like 'manager-%'`.execute(db);
  await sql`
    insert into account (org_id, app_id, resource_type_id, external_id, email, username, status, user_id)
    select ${orgId}::uuid, ${appId}::uuid, ${type}::uuid, u.username || '-' || n, u.email, u.username, 'ACTIVE', u.id
    from platform_user u cross join generate_series(1, 5) n
    where u.org_id = ${orgId} and u.email like 'of-manager-%'`.execute(db);

  const cycle = await service.start({ reviewer: 'manager', scope: { include: ['accounts'] } });

  expect(cycle.progress.items).toBe(1500);
  const once = { people: 300, notifications: 300, emails: 300 };
  await until(() => countsOf(service, 'review_assigned')).toEqual(once);
  await scan(service);
  expect(await countsOf(service, 'review_assigned')).toEqual(once);
  const addresses = receiver.received.flatMap(({ to }) => to);
  expect([addresses.length, new Set(addresses).size]).toEqual([300, 300]);
});
