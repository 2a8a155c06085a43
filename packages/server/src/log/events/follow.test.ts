// @module-tag engine

import { afterAll, beforeAll, expect, test } from 'vitest';
import { transaction, within } from '#kit/database.ts';
import { named, namedChange, newOrganization, openTestLog, type TestLog } from '#test/event-log.ts';
import { endOfLog } from './facts.ts';
import { readLog } from './follow.ts';
import { recordEvents } from './record.ts';

let opened: TestLog;
beforeAll(async () => {
  opened = await openTestLog();
});
afterAll(() => opened.close());

test('returns each event after a place once, in order, up to the end of the log', async () => {
  const { orgId, record } = opened;
  const { db } = opened.database;
  const other = await newOrganization(opened.database);
  await record(named('a'), namedChange('of no interest'), named('b'));
  await transaction(within(db, other), (tx) => recordEvents(tx, [named('foreign')]));
  await record(named('c'));
  const end = await endOfLog(within(db, orgId));

  const read = (after: number, limit: number) =>
    readLog(within(db, orgId), { after }, ['user.created'], limit);
  const first = await read(0, 2);
  const rest = await read(first.next, 2);
  expect([...first.entries, ...rest.entries].map(({ payload }) => payload.name)).toEqual(['a', 'b', 'c']);
  expect(first.entries[0]).toMatchObject({ type: 'user.created', source: { type: 'api' } });
  expect(first).toMatchObject({ hasMore: true, next: first.entries[1]?.moment });
  expect(rest).toMatchObject({ hasMore: false, next: end });

  await record(named('later'));
  const before = await readLog(
    within(db, orgId),
    { after: rest.entries[0]?.moment ?? 0, to: end },
    ['user.created'],
    2,
  );
  expect(before).toEqual({ entries: [], hasMore: false, next: end });
  expect(await read(end, 2)).toMatchObject({ entries: [{ payload: { name: 'later' } }] });
  const none = await readLog(within(db, orgId), { after: 0 }, ['user.deleted'], 2);
  expect(none).toEqual({ entries: [], hasMore: false, next: await endOfLog(within(db, orgId)) });
});
