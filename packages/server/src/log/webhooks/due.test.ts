// @module-tag engine
import { randomUUID } from 'node:crypto';
import { afterAll, test } from 'vitest';
import { sql } from '#kit/sql.ts';
import { at, type DueWork, expectToSleepUntilDue, openDueTest } from '#test/due-times.ts';
import { setTimes } from '#test/time.ts';
import * as webhooks from './queries/delivering.ts';

const { db, orgId, close } = await openDueTest();
afterAll(close);
await sql`
  insert into webhook (org_id, id, name, url, filters, position, sealed_secret)
  values (${orgId}, ${randomUUID()}, 'Audit', 'https://audit.example/', '{}', clock_now(), 'sealed')`.execute(
  db,
);

const works: DueWork[] = [
  {
    name: 'attempts of webhooks',
    find: () => webhooks.dueWebhooks(db, { each: 8, limit: 8 }),
    untilDue: () => webhooks.untilDueWebhook(db),
    dueIn: (seconds) =>
      sql`
        update webhook set position = '-infinity', attempts = 1, first_failed_at = clock_now(),
          failure_told_at = clock_now(), next_attempt_at = ${at(seconds)}
        where org_id = ${orgId}`.execute(db),
    clear: () => sql`update webhook set position = 'infinity' where org_id = ${orgId}`.execute(db),
  },
  {
    name: 'claims of webhooks',
    find: () => webhooks.dueWebhooks(db, { each: 8, limit: 8 }),
    untilDue: () => webhooks.untilDueWebhook(db),
    dueIn: (seconds) =>
      sql`
        update webhook set position = '-infinity', attempts = 0, first_failed_at = null, failure_told_at = null,
          next_attempt_at = null, claimed_until = ${at(seconds)}
        where org_id = ${orgId}`.execute(db),
    clear: () => sql`update webhook set position = 'infinity' where org_id = ${orgId}`.execute(db),
  },
  {
    name: 'webhooks that fail for a while',
    find: () => webhooks.untoldFailures(db, 8),
    untilDue: () => webhooks.untilUntoldFailure(db),
    dueIn: (seconds) =>
      sql`
        update webhook set attempts = 1, failure_told_at = null, next_attempt_at = 'infinity',
          first_failed_at = ${at(seconds - 900)}
        where org_id = ${orgId}`.execute(db),
    clear: () => setTimes(db, 'webhook', { failure_told_at: 'now' }, { org_id: orgId }),
  },
];

test.each(works)('the loop sleeps until $name are due', expectToSleepUntilDue);
