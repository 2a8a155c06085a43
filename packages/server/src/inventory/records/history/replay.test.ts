// @module-tag long
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { historyOf } from '#test/history-lines.ts';
import { addSyncedApp, openSyncTest, type SyncedApp, type SyncTest, untilEnded } from '#test/sync.ts';

/** Runs random sessions, and then the same sessions again with an empty database. Only the times may differ. */
let first: SyncTest;
let second: SyncTest;
beforeAll(async () => {
  first = await openSyncTest();
  second = await openSyncTest();
});
afterAll(async () => {
  await first.close();
  await second.close();
});

const record = fc.record({
  id: fc.constantFrom('a', 'b', 'c'),
  display_name: fc.constantFrom('', 'X'),
  status: fc.constantFrom('active', 'active', 'suspended', 'inactive'),
  teams: fc.subarray(['g', 'h']),
});
const session = fc.record({
  pages: fc.array(fc.uniqueArray(record, { selector: ({ id }) => id, maxLength: 3 }), { maxLength: 3 }),
  end: fc.constantFrom('complete', 'complete', 'complete', 'abandon', 'approve', 'reject', 'supersede'),
});
type Session = typeof session extends fc.Arbitrary<infer T> ? T : never;

async function run(service: SyncTest, app: SyncedApp, { pages, end }: Session): Promise<void> {
  const id = await app.start();
  for (const page of pages) {
    const records = page.map(({ teams, ...fields }) => ({
      ...fields,
      email: '',
      memberships: { team: teams.map((team) => ({ id: team })) },
    }));
    await app.push(id, 'person', records);
  }
  if (end === 'supersede') return;
  if (end === 'abandon') {
    await app.abandon(id);
    return;
  }
  await app.complete(id);
  if (end === 'complete') return;
  const { status } = await service.call('POST', `/api/apps/${app.id}/syncs/${id}/${end}/`);
  if (status === 202) await untilEnded(app, id);
}

async function historyAfter(service: SyncTest, sessions: Session[]): Promise<string[]> {
  const app = await addSyncedApp(service);
  await service.call('PATCH', `/api/apps/${app.id}/`, { removal_guard: { percent: 40, at_least: 2 } });
  for (const one of sessions) await run(service, app, one);
  return historyOf(service, app.id);
}

test('replaying all sessions gives the same history', { timeout: 300_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(session, { minLength: 1, maxLength: 6, size: 'max' }), async (sessions) => {
      expect(await historyAfter(second, sessions)).toEqual(await historyAfter(first, sessions));
    }),
    { numRuns: first.database.engine === 'citus' ? 5 : 15 },
  );
});
