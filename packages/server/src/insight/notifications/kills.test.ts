// @module-tag long

import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { openDatabase } from '#kit/database/open.ts';
import { sql } from '#kit/sql.ts';
import { createTestDatabase } from '#test/database.ts';
import { overHttp, stallBefore } from '#test/faults.ts';
import { openMailReceiver } from '#test/mail.ts';
import { startService } from '#test/service.ts';

/**
 * These tests kill the service with SIGKILL before each statement that turns an event into an email, and start it again. The
 * notification must be there once. Its email must have been sent once, or twice with the same Message-ID if the kill came between
 * sending it and marking it as sent.
 */

// Each starts the service twice, which takes long on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

const { engine } = inject('prepared');
const CREATED = `exists (select from event_contract where event_type = 'api_key.created' and body like '%Killed%')`;
const CLAIMED = 'exists (select from notification_message where attempts > 0)';

test.skipIf(engine === 'citus').each([
  ['insert on notification', CREATED, 1],
  ['insert on notification_delivery', CREATED, 1],
  ['update on notification_cursor', CREATED, 1],
  ['insert on notification_message', CREATED, 1],
  ['update on notification_delivery', 'exists (select from notification_message)', 1],
  ['update on notification_message', 'exists (select from notification_message)', 1],
  ['update on notification_message', CLAIMED, 2],
  ['update on notification_delivery', CLAIMED, 2],
])('killed before %s, while %s', async (point, condition, most) => {
  const receiver = await openMailReceiver();
  const { options, remove } = await createTestDatabase('organization');
  const { key } = inject('prepared');
  const environment = {
    GATEHOUSE_SMTP_URL: receiver.settings.url,
    GATEHOUSE_MAIL_FROM: receiver.settings.from,
  };
  const stall = await stallBefore(options, point, condition);
  const first = await startService({ database: options, key, environment });
  onTestFinished(async () => {
    await first.stop().catch(() => undefined);
    await remove();
    await receiver.close();
  });
  const { status } = await overHttp(first).call('POST', '/api/api-keys/', { name: 'Killed' });
  expect(status).toBe(201);
  await stall.untilReached(first);
  await first.kill();
  await stall.lift();
  const database = await openDatabase(options);
  // Otherwise the message is left alone for two minutes, in case the node is alive after all.
  await sql`update notification_message set leased_until = null`.execute(database.db);
  await database.close();
  const second = await startService({ database: options, key, environment });
  onTestFinished(async () => {
    await second.stop();
  });
  const deliveries = async () =>
    (await overHttp(second).call('GET', '/api/notifications/deliveries/')).body.results.map(
      ({ medium, kind, state }: Record<string, string>) => `${medium} ${kind} ${state}`,
    );
  await expect
    .poll(deliveries, { timeout: 60_000 })
    .toEqual(expect.arrayContaining(['email key_created sent', 'inbox key_created sent']));
  expect(await deliveries()).toHaveLength(2);
  expect(receiver.received.length).toBeLessThanOrEqual(most);
  expect(receiver.received.length).toBeGreaterThan(0);
  expect(new Set(receiver.received.map(({ mail }) => mail.messageId)).size).toBe(1);
});
