// @module-tag long

import { randomUUID } from 'node:crypto';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { openDatabase } from '#kit/database/open.ts';
import { sql } from '#kit/sql.ts';
import { createTestDatabase } from '#test/database.ts';
import { overHttp, stallBefore } from '#test/faults.ts';
import { type Service, startService } from '#test/service.ts';

/**
 * These tests kill the service with SIGKILL at each statement of a scheduled run, from the first one after it was taken to its last,
 * and start it again. The run must be there once: one event, one notification, and the next run in the future.
 */

// Each starts the service twice, which takes long on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

const { engine } = inject('prepared');
const RUN = `exists (select from saved_query where next_run_at <= now())`;
const RAN = `exists (select from event_configuration where event_type = 'query.ran')`;

test.skipIf(engine === 'citus').each([
  ['update on saved_query', RUN],
  ['insert on event_configuration', `exists (select from saved_query where last_run_at is not null)`],
  ['insert on notification', RAN],
])('killed before %s, a run is neither lost nor doubled', async (point, condition) => {
  const { options, remove } = await createTestDatabase('organization');
  const { key } = inject('prepared');
  const id = randomUUID();
  const database = await openDatabase(options);
  const definition = { subject: 'accounts', conditions: [], columns: ['account.id'], sort: 'account.id' };
  await sql`
    insert into saved_query (org_id, id, owner_id, name, definition, every, hour, recipients, next_run_at)
    select org_id, ${id}, id, 'Killed', ${JSON.stringify(definition)}::jsonb, 'daily', 8, array[id], now() - interval '3 days'
    from platform_user where role in ('owner', 'admin') order by id limit 1`.execute(database.db);
  await database.close();
  const stall = await stallBefore(options, point, condition);
  const first = await startService({ database: options, key });
  onTestFinished(async () => {
    await first.stop().catch(() => undefined);
    await remove();
  });
  await stall.untilReached(first);
  await first.kill();
  await stall.lift();

  const second = await startService({ database: options, key });
  onTestFinished(async () => {
    await second.stop();
  });
  await expect.poll(() => told(second), { timeout: 60_000 }).toHaveLength(1);
  const runs = await read(second, '/api/events/?catalog=all&event_type=query.ran');
  expect(runs.results).toMatchObject([{ payload: { query_id: id, count: 0, previous: null } }]);
  const after = await read(second, `/api/queries/${id}/`);
  expect(after).toMatchObject({ last_count: 0, stopped: null });
  expect(Date.parse(after.next_run_at)).toBeGreaterThan(Date.now());
});

const read = async (service: Service, path: string) => (await overHttp(service).call('GET', path)).body;

const told = async (service: Service) =>
  (await read(service, '/api/notifications/deliveries/')).results.filter(
    ({ kind, medium }: Record<string, string>) => kind === 'query_results' && medium === 'inbox',
  );
