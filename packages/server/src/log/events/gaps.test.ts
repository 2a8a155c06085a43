// @module-tag engine

import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { transaction, within } from '#kit/database.ts';
import { sql } from '#kit/sql.ts';
import { named, namedChange, newOrganization, openTestLog } from '#test/event-log.ts';
import { endOfLog } from './facts.ts';
import { jumpAfterRestore } from './log.ts';
import { raiseHead } from './queries/head.ts';
import { deleteHidden, raiseRetention } from './queries/retention.ts';
import { recordEvents } from './record.ts';

const { database, close } = await openTestLog();
afterAll(close);

const DAY = 86_400_000;

interface Span {
  first: number;
  last: number;
  reason: string;
}

/** The positions with events and those of gaps, in order. */
async function spansOf(org: string): Promise<Span[]> {
  const { rows } = await sql<Span>`
    select * from (
      select position as first, position as last, 'event' as reason from event where org_id = ${org}
      union all
      select first_position, last_position, reason from event_gap where org_id = ${org}
    ) span order by first`.execute(database.db);
  return rows;
}

async function headOf(org: string): Promise<number> {
  const { rows } = await sql<{ head: number }>`
    select last_position as head from event_head where org_id = ${org}`.execute(database.db);
  return rows[0]?.head ?? -1;
}

/** Removes the events that were recorded before a part of the log, as the daily job does. */
async function retain(org: string, part: number): Promise<void> {
  const { rows } = await sql<{ at: Date }>`
    select ingested_at as at from event where org_id = ${org} order by ingested_at`.execute(database.db);
  const first = rows[Math.floor(part * rows.length)];
  await transaction(within(database.db, org), async (tx) => {
    await raiseRetention(tx, (Date.now() - (first?.at.getTime() ?? Date.now())) / DAY);
    await deleteHidden(tx, 1000);
  });
  // Retention counts whole milliseconds: the newest event may be of this one.
  if (rows.length > 0 && first === undefined) await retain(org, part);
}

type Step = { record: number } | { retain: number } | 'jump' | 'raise' | 'fail';
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ record: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ retain: fc.double({ min: 0, max: 1.2, noNaN: true }) }),
  fc.constantFrom<Step>('jump', 'raise', 'fail'),
);

async function take(org: string, step: Step): Promise<void> {
  const db = within(database.db, org);
  if (step === 'jump') await jumpAfterRestore(database.db);
  else if (step === 'raise') {
    const end = await endOfLog(db);
    await transaction(db, (tx) => raiseHead(tx, end + 1));
  } else if (step === 'fail')
    await transaction(db, async (tx) => {
      await recordEvents(tx, [named('lost')]);
      throw new Error('changed my mind');
    }).catch(() => {});
  else if ('retain' in step) await retain(org, step.retain);
  else {
    const events = Array.from({ length: step.record }, (_, at) => (at % 2 ? namedChange('b') : named('a')));
    await transaction(db, (tx) => recordEvents(tx, events));
  }
}

async function expectEachPositionOnce(org: string): Promise<void> {
  const spans = await spansOf(org);
  let next = 1;
  for (const { first, last, reason } of spans) {
    expect(first, `${reason} in ${JSON.stringify(spans)}`).toBe(next);
    next = last + 1;
  }
  expect(await headOf(org)).toBe(next - 1);
}

test('each position below the head has an event, or is in one recorded gap', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 9 }), async (steps) => {
      const org = await newOrganization(database);
      for (const one of steps) await take(org, one);

      await expectEachPositionOnce(org);
    }),
    { numRuns: 25 },
  );
});

test('also if all of it happens at the same time', async () => {
  const org = await newOrganization(database);
  const steps: Step[] = [
    { record: 3 },
    'raise',
    { record: 2 },
    { retain: 0.6 },
    'fail',
    { record: 4 },
    'jump',
  ];
  const worker = async (_: unknown, first: number) => {
    for (let at = 0; at < 3 * steps.length; at++)
      await take(org, steps[(first + at) % steps.length] ?? 'fail');
  };
  await Promise.all(Array.from({ length: 6 }, worker));

  await expectEachPositionOnce(org);
});

test('retention extends its gap, and keeps the positions that were skipped apart', async () => {
  const org = await newOrganization(database);
  const steps: Step[] = [{ record: 2 }, 'raise', { record: 3 }, { retain: 1 }, { record: 2 }, { retain: 1 }];
  for (const one of steps) await take(org, one);

  expect(await spansOf(org)).toEqual([
    { first: 1, last: 2, reason: 'retention' },
    { first: 3, last: 1_000_002, reason: 'jump' },
    { first: 1_000_003, last: 1_000_007, reason: 'retention' },
  ]);
});
