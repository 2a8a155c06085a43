import { afterAll, beforeAll, expect, test } from 'vitest';
import { named, namedChange, newOrganization, openTestLog, type TestLog } from '../../test/event-log.ts';
import { transaction } from '../platform/database/transaction.ts';
import { endOfLog, eventsBetween } from './follow.ts';
import { recordEvents } from './record.ts';

let opened: TestLog;
beforeAll(async () => {
  opened = await openTestLog();
});
afterAll(() => opened.close());

test('returns each event after a place once, in order, up to the end of the range', async () => {
  const { orgId, record } = opened;
  const { db } = opened.database;
  const other = await newOrganization(opened.database);
  await record(named('a'), namedChange('of no interest'), named('b'));
  await transaction(db, (tx) => recordEvents(tx, other, [named('foreign')]));
  await record(named('c'));
  const to = await endOfLog(db, orgId);
  await record(named('later'));

  const read = (after: number, limit: number) =>
    eventsBetween(db, orgId, { after, to }, ['user.created'], limit);
  const first = await read(0, 2);
  const rest = await read(first.at(-1)?.moment ?? 0, 2);
  expect([...first, ...rest].map(({ payload }) => payload.name)).toEqual(['a', 'b', 'c']);
  expect(first[0]).toMatchObject({ type: 'user.created', source: { type: 'api' } });
  expect(await read(to, 2)).toEqual([]);
  expect(await eventsBetween(db, orgId, { after: 0, to }, ['user.deleted'], 2)).toEqual([]);
});
