// @module-tag engine

import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { transaction, within } from '#kit/database.ts';
import { sql } from '#kit/sql.ts';
import { named, namesOf, newOrganization, openTestLog, type ParsedPage } from '#test/event-log.ts';
import { secrets } from '#test/secrets.ts';
import { rotateCursorKey } from './cursor-keys.ts';
import { findEvent } from './list.ts';
import { openEventLog } from './log.ts';
import { recordEvents } from './record.ts';

const test_ = await openTestLog();
const { database } = test_;
afterAll(test_.close);

let org: string;
beforeEach(async () => {
  org = await newOrganization(database);
});

const read = (query: Parameters<typeof test_.read>[0] = {}) => test_.read(query, org);
const record = (...names: string[]) =>
  transaction(within(database.db, org), (tx) =>
    recordEvents(
      tx,
      names.map((name) => named(name)),
    ),
  );

/** Follows next_cursor until a page is empty. Returns the pages, the empty one last. */
async function drain(query: Parameters<typeof read>[0]): Promise<ParsedPage[]> {
  const pages = [await read(query)];
  while (pages.at(-1)?.events.length !== 0)
    pages.push(await read({ ...query, cursor: pages.at(-1)?.nextCursor ?? '' }));
  return pages;
}

describe('next_cursor', () => {
  test('walks from the newest event to the oldest and then catches up', async () => {
    await record('a', 'b', 'c', 'd', 'e');

    const pages = await drain({ limit: 2 });

    expect(pages.map(({ events }) => namesOf(events))).toEqual([['e', 'd'], ['c', 'b'], ['a'], []]);
  });

  test('of an empty log delivers later events', async () => {
    const empty = await read();
    await record('first');

    const next = await read({ cursor: empty.nextCursor });

    expect(empty.events).toEqual([]);
    expect(namesOf(next.events)).toEqual(['first']);
  });

  test('delivers events recorded during the walk once, after the walk', async () => {
    await record('a', 'b', 'c');
    const first = await read({ limit: 2 });
    await record('d', 'e', 'f');

    const pages = await drain({ limit: 2, cursor: first.nextCursor });

    expect(pages.map(({ events }) => namesOf(events))).toEqual([['a'], ['f', 'e'], ['d'], []]);
  });

  test('opens the next window in the same request if the last page was exactly full', async () => {
    await record('a', 'b');
    const full = await read({ limit: 2 });
    await record('c');

    const page = await read({ limit: 2, cursor: full.nextCursor });

    expect(namesOf(page.events)).toEqual(['c']);
  });

  test('returns the same page when used again', async () => {
    await record('a', 'b', 'c');
    const first = await read({ limit: 1 });

    const twice = [
      await read({ limit: 1, cursor: first.nextCursor }),
      await read({ limit: 1, cursor: first.nextCursor }),
    ];

    expect(twice.map(({ events }) => namesOf(events))).toEqual([['b'], ['b']]);
  });

  test('accepts another page size during the walk', async () => {
    await record('a', 'b', 'c', 'd');
    const first = await read({ limit: 1 });

    expect(namesOf((await read({ limit: 200, cursor: first.nextCursor })).events)).toEqual(['c', 'b', 'a']);
  });

  test('moves past events that its filter excludes', async () => {
    await record('a');
    const before = await read({ category: 'task' });
    await record('b');

    const after = await read({ cursor: before.nextCursor });
    const unfiltered = await read({ cursor: after.nextCursor, category: 'user_lifecycle' });

    expect(after.events).toEqual([]);
    expect(unfiltered.events).toEqual([]);
  });
});

describe('previous_cursor', () => {
  test('returns the events just newer and can be polled', async () => {
    await record('a', 'b');
    const first = await read();
    const quiet = await read({ cursor: first.previousCursor });
    await record('c', 'd', 'e');

    const newer = await read({ cursor: quiet.previousCursor, limit: 2 });
    const newest = await read({ cursor: newer.previousCursor, limit: 2 });
    const end = await read({ cursor: newest.previousCursor, limit: 2 });

    expect([quiet, newer, newest, end].map(({ events }) => namesOf(events))).toEqual([
      [],
      ['d', 'c'],
      ['e'],
      [],
    ]);
  });

  test('leads back to the page before', async () => {
    await record('a', 'b', 'c', 'd', 'e', 'f');
    const first = await read({ limit: 2 });
    const second = await read({ limit: 2, cursor: first.nextCursor });
    const third = await read({ limit: 2, cursor: second.nextCursor });

    const back = await read({ limit: 2, cursor: third.previousCursor });
    const again = await read({ limit: 2, cursor: back.nextCursor });

    expect(namesOf(back.events)).toEqual(namesOf(second.events));
    expect(namesOf(again.events)).toEqual(namesOf(third.events));
  });

  test('leads back down from an empty newer page', async () => {
    await record('a', 'b', 'c');
    const top = await read({ limit: 2 });
    const above = await read({ limit: 2, cursor: top.previousCursor });

    expect(namesOf((await read({ limit: 2, cursor: above.nextCursor })).events)).toEqual(['c', 'b']);
  });
});

describe('limit', () => {
  test('is 50 by default and 200 at most (protocol 8, D38)', async () => {
    await record(...Array.from({ length: 210 }, (_, index) => String(index)));

    expect((await read()).events).toHaveLength(50);
    expect((await read({ limit: 100_000 })).events).toHaveLength(200);
  });
});

describe('filters and cursors (D36)', () => {
  test('a cursor keeps its filters', async () => {
    await record('a', 'b', 'c');
    const subject = (await read()).events.at(-1)?.subject.uuid ?? '';
    const first = await read({ subject_uuid: subject });
    await record('d');
    await transaction(within(database.db, org), (tx) => recordEvents(tx, [named('mine', subject)]));

    expect(namesOf((await read({ cursor: first.nextCursor })).events)).toEqual(['mine']);
  });

  test('filters in the request replace all filters of the cursor', async () => {
    await record('a', 'b');
    const first = await read({ limit: 1, category: 'user_lifecycle', severity: 'info' });

    expect((await read({ cursor: first.nextCursor, severity: 'critical' })).events).toEqual([]);
    expect(namesOf((await read({ cursor: first.nextCursor, severity: 'info' })).events)).toEqual(['a']);
  });

  test('an empty cursor counts as absent', async () => {
    await record('a');

    expect(namesOf((await read({ cursor: '' })).events)).toEqual(['a']);
  });

  test('rejects a cursor of another organization', async () => {
    await record('a');
    const { nextCursor } = await read();

    await expect(test_.read({ cursor: nextCursor }, await newOrganization(database))).rejects.toThrow(
      /cursor/,
    );
  });

  test('accepts a cursor signed with a new key that this node has not cached', async () => {
    await record('a', 'b');
    const before = await read({ limit: 1 });
    expect(await rotateCursorKey(within(database.db, org), secrets)).toBe(2);
    const other = { ...test_.log, keyring: openEventLog(database, secrets, () => new Error()).keyring };
    const { listEvents } = await import('./list.ts');
    const reader = { orgId: org, keyId: null };

    const fresh = await listEvents(other, reader, { limit: 1, cursor: before.nextCursor });

    expect(fresh.results).toContain('"name":"a"');
    expect(Buffer.from(fresh.nextCursor, 'base64url')[1]).toBe(2);
  });
});

describe('after a restore', () => {
  test('a cursor from the lost end of the log misses nothing and no position is reused', async () => {
    await record('kept', 'lost');
    const ahead = await read();
    // Simulates a restored backup: the head is where it was before the cursor was created.
    await sql`update event_head set last_position = 1, last_ingested_at = '2020-01-01' where org_id = ${org}`.execute(
      database.db,
    );

    const empty = await read({ cursor: ahead.nextCursor });
    await record('new');
    const next = await read({ cursor: empty.nextCursor });

    expect(empty.events).toEqual([]);
    expect(namesOf(next.events)).toEqual(['new']);
    const { rows } = await sql<{ position: number }>`
      select max(position) as position from event where org_id = ${org}`.execute(database.db);
    expect(rows[0]?.position).toBeGreaterThan(1_000_000);
  });
});

describe('one event', () => {
  test('is found by its id within its organization (protocol 4.12)', async () => {
    await record('a');
    const [event] = (await read()).events;
    const id = event?.event_id ?? '';

    const found = await findEvent(test_.log, { orgId: org, keyId: null }, id);
    const elsewhere = await findEvent(test_.log, { orgId: await newOrganization(database), keyId: null }, id);
    const unknown = await findEvent(test_.log, { orgId: org, keyId: null }, randomUUID());

    expect(JSON.parse(found ?? '')).toEqual(event);
    expect([elsewhere, unknown]).toEqual([undefined, undefined]);
  });
});

describe('the key of the reader', () => {
  test('is checked with the page: an unknown key is rejected', async () => {
    const reader = { orgId: org, keyId: randomUUID() };
    const { listEvents } = await import('./list.ts');

    await expect(listEvents(test_.log, reader, {})).rejects.toThrow('The key is dead.');
    await expect(findEvent(test_.log, reader, randomUUID())).rejects.toThrow('The key is dead.');
  });
});
