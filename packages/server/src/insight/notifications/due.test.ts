// @module-tag engine
import { randomUUID } from 'node:crypto';
import { afterAll, test } from 'vitest';
import { sql } from '#kit/sql.ts';
import { at, type DueWork, expectToSleepUntilDue, openDueTest } from '#test/due-times.ts';
import * as cursor from './queries/cursor.ts';
import * as outbox from './queries/outbox.ts';

const { db, orgId, close } = await openDueTest();
afterAll(close);

const works: DueWork[] = [
  {
    name: 'deliveries of notifications',
    find: () => outbox.organizationsToSend(db, ['email']),
    untilDue: () => outbox.untilDueMessage(db, ['email']),
    dueIn: (seconds) =>
      sql`
        insert into notification_delivery (org_id, notification_id, medium, kind, state, due_at)
        values (${orgId}, ${randomUUID()}, 'email', 'digest', 'waiting', ${at(seconds)})`.execute(db),
    clear: () => sql`delete from notification_delivery where org_id = ${orgId}`.execute(db),
  },
  {
    name: 'leases of messages',
    find: () => outbox.organizationsToSend(db, ['email']),
    untilDue: () => outbox.untilDueMessage(db, ['email']),
    dueIn: (seconds) =>
      sql`
        insert into notification_message (org_id, medium, leased_until)
        values (${orgId}, 'email', ${at(seconds)})`.execute(db),
    clear: () => sql`delete from notification_message where org_id = ${orgId}`.execute(db),
  },
  {
    name: 'scans for notifications',
    find: () => cursor.organizationsToRead(db),
    untilDue: () => cursor.untilScan(db),
    dueIn: (seconds) =>
      sql`
        update notification_cursor set read_to = 'infinity', scan_asked_at = null, scanned_at = ${at(seconds - 600)}
        where org_id = ${orgId}`.execute(db),
    clear: () =>
      sql`update notification_cursor set scanned_at = 'infinity' where org_id = ${orgId}`.execute(db),
  },
  {
    name: 'requested scans for notifications',
    find: () => cursor.organizationsToRead(db),
    untilDue: () => cursor.untilScan(db),
    dueIn: (seconds) =>
      sql`
        update notification_cursor set read_to = 'infinity', scan_asked_at = clock_now(), scanned_at = ${at(seconds - 60)}
        where org_id = ${orgId}`.execute(db),
    clear: () =>
      sql`update notification_cursor set scanned_at = 'infinity' where org_id = ${orgId}`.execute(db),
  },
];

test.each(works)('the loop sleeps until $name are due', expectToSleepUntilDue);
