// @module-tag engine

import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { transaction, within } from '#kit/database.ts';
import { sql } from '#kit/sql.ts';
import { type Envelope, named, namedChange, newOrganization, openTestLog } from '#test/event-log.ts';
import { secrets } from '#test/secrets.ts';
import type { CatalogName } from './catalog.ts';
import { rotateCursorKey } from './cursor-keys.ts';
import { listEvents } from './list.ts';
import { jumpAfterRestore, openEventLog } from './log.ts';
import { recordEvents } from './record.ts';

/**
 * Compares random sequences of commits, rollbacks, polls, lost responses, retention, key rotations, restarts and jumps
 * with a simple model: a list of names, and the names that each reader received.
 */
const { database, close } = await openTestLog();
const { db } = database;
afterAll(close);

type Step =
  | { do: 'commit'; events: CatalogName[] }
  | { do: 'roll back'; events: number }
  | { do: 'poll' | 'poll newer' | 'lose the response'; reader: number; limit: number }
  | { do: 'retain'; share: number }
  | { do: 'rotate' | 'restart' | 'jump' };

/** The catalog that each reader requests first. Its cursor keeps the choice. */
const WANTED = [{}, { catalog: 'configuration' }, { catalog: 'all' }] as const;
const READERS = WANTED.length;
const limit = fc.integer({ min: 1, max: 6 });
const reader = fc.nat({ max: READERS - 1 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('commit' as const),
      events: fc.array(fc.constantFrom('contract' as const, 'configuration' as const), {
        minLength: 1,
        maxLength: 7,
      }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('roll back' as const), events: fc.integer({ min: 1, max: 3 }) }),
  },
  {
    weight: 9,
    arbitrary: fc.record({
      do: fc.constantFrom('poll' as const, 'lose the response' as const),
      reader,
      limit,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('poll newer' as const), reader, limit }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('retain' as const),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom('rotate' as const, 'restart' as const, 'jump' as const) }),
  },
);

class History {
  readonly org: string;
  #log = openEventLog(database, secrets, () => new Error('dead'));
  #committed: string[] = [];
  #catalogs = new Map<string, CatalogName>();
  #retainedFrom = 0;
  #next = 0;
  /** Readers that follow next_cursor. Each receives every event of its catalog once. */
  #readers = WANTED.map((wanted) => ({
    wanted,
    cursor: '',
    delivered: [] as string[],
    wasTold: false,
    lost: 0,
  }));
  /** Readers that poll previous_cursor. Each receives every event of its catalog after its start once. */
  #newer = WANTED.map((wanted) => ({ wanted, cursor: '', delivered: [] as string[], wasTold: false }));

  constructor(org: string) {
    this.org = org;
  }

  async begin() {
    for (const reader of this.#newer) reader.cursor = (await this.#page(reader.wanted)).previousCursor;
  }

  async perform(step: Step): Promise<void> {
    switch (step.do) {
      case 'commit':
        return this.#commit(step.events);
      case 'roll back':
        return this.#rollBack(step.events);
      case 'poll':
        return this.#poll(step.reader, step.limit);
      case 'lose the response':
        await this.#page(this.#queryOf(this.#readers[step.reader], step.limit));
        return;
      case 'poll newer':
        return this.#pollNewer(step.reader, step.limit);
      case 'retain':
        return this.#retain(Math.floor(step.share * this.#committed.length));
      case 'rotate':
        await rotateCursorKey(within(db, this.org), secrets);
        return;
      case 'restart':
        this.#log = openEventLog(database, secrets, () => new Error('dead'));
        return;
      case 'jump':
        await jumpAfterRestore(db);
        return;
    }
  }

  /** Lets all readers read to the end, and checks that each received every event that retention kept, once. */
  async finish() {
    for (const [index, reader] of this.#readers.entries()) {
      let before: number;
      do {
        before = reader.delivered.length;
        await this.#poll(index, 4);
      } while (reader.delivered.length > before);
      this.#expectAll(reader.delivered, this.#wantedOf(reader), reader.wasTold);
    }
    for (const [index, reader] of this.#newer.entries()) {
      let before: number;
      do {
        before = reader.delivered.length;
        await this.#pollNewer(index, 4);
      } while (reader.delivered.length > before);
      this.#expectAll(reader.delivered, this.#wantedOf(reader), reader.wasTold);
      // A reader that polls upwards sees events in commit order.
      expect(reader.delivered).toEqual(this.#committed.filter((name) => reader.delivered.includes(name)));
    }
  }

  #wantedOf({ wanted }: { wanted: { catalog?: string } }): string[] {
    const { catalog = 'contract' } = wanted;
    return this.#committed.filter((name) => catalog === 'all' || this.#catalogs.get(name) === catalog);
  }

  /** The filters are sent with the first request only. */
  #queryOf(reader: { wanted: object; cursor: string } | undefined, limit: number) {
    return reader === undefined || reader.cursor === ''
      ? { ...reader?.wanted, limit }
      : { cursor: reader.cursor, limit };
  }

  #expectAll(delivered: string[], expected: string[], wasTold: boolean) {
    expect(new Set(delivered).size, 'nothing twice').toBe(delivered.length);
    const kept = new Set(this.#committed.slice(this.#retainedFrom));
    const missing = expected.filter((name) => !delivered.includes(name));
    expect(
      missing.filter((name) => kept.has(name)),
      'no event is missing',
    ).toEqual([]);
    // A reader with a cursor is told if retention removed events that it had not read.
    if (missing.length > 0 && delivered.some((name) => !kept.has(name))) expect(wasTold).toBe(true);
    expect(
      delivered.every((name) => expected.includes(name)),
      'no event is invented',
    ).toBe(true);
  }

  async #commit(catalogs: CatalogName[]) {
    const names = catalogs.map(() => `n${this.#next++}`);
    const events = names.map((name, index) =>
      catalogs[index] === 'contract' ? named(name) : namedChange(name),
    );
    await transaction(within(db, this.org), (tx) => recordEvents(tx, events));
    for (const [index, name] of names.entries()) this.#catalogs.set(name, catalogs[index] ?? 'contract');
    this.#committed.push(...names);
  }

  async #rollBack(count: number) {
    const lost = transaction(within(db, this.org), async (tx) => {
      await recordEvents(
        tx,
        Array.from({ length: count }, (_, index) => (index % 2 ? named : namedChange)('rolled back')),
      );
      throw new Error('roll back');
    });
    await expect(lost).rejects.toThrow('roll back');
  }

  async #poll(index: number, limit: number) {
    const reader = this.#readers[index];
    if (reader === undefined) return;
    const page = await this.#page(this.#queryOf(reader, limit));
    reader.cursor = page.nextCursor;
    reader.delivered.push(...page.names);
    reader.wasTold ||= page.clampedTo !== null;
  }

  async #pollNewer(index: number, limit: number) {
    const reader = this.#newer[index];
    if (reader === undefined) return;
    const page = await this.#page({ cursor: reader.cursor, limit });
    reader.cursor = page.previousCursor;
    reader.delivered.push(...page.names.reverse());
    reader.wasTold ||= page.clampedTo !== null;
  }

  async #retain(from: number) {
    if (from <= this.#retainedFrom) return;
    this.#retainedFrom = from;
    await sql`
      update event_head h set retained_from = e.ingested_at from (
        select ingested_at from event where org_id = ${this.org} order by ingested_at offset ${from} limit 1
      ) e where h.org_id = ${this.org}`.execute(db);
    this.#retainedFrom = from;
  }

  async #page(query: { cursor?: string; limit?: number; catalog?: string }) {
    const page = await listEvents(this.#log, { orgId: this.org, keyId: null }, query);
    const events = JSON.parse(`[${page.results}]`) as Envelope[];
    const moments = events.map(({ ingested_at }) => ingested_at);
    expect(moments, 'strictly descending').toEqual([...new Set(moments)].sort().reverse());
    return { ...page, names: events.map(({ payload }) => String(payload.name)) };
  }
}

test('C: every reader receives every event once under any sequence of operations', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 60 }), async (steps) => {
      const history = new History(await newOrganization(database));
      await history.begin();
      for (const one of steps) await history.perform(one);
      await history.finish();
    }),
    { numRuns: 40 },
  );
});
