import { Writable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '#test/database.ts';
import { watching } from '../database/commits.ts';
import { raise } from '../database/signals.ts';
import { transaction } from '../database/transaction.ts';
import { createLoop, type LoopOptions, pace, tickAll } from './loop.ts';

interface OrgItem {
  org_id: string;
  id?: string;
}

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase();
});
afterAll(() => opened.close());

const HOUR = 3_600_000;

/** Creates a loop that looks for work once an hour, and collects what it logs. */
function loopOf(options: Partial<LoopOptions<OrgItem>>) {
  const lines: string[] = [];
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(String(chunk));
      done();
    },
  });
  const loop = createLoop<OrgItem>({
    name: 'test',
    db: opened.database.db,
    logger: pino(stream),
    wokenBy: ['events'],
    everyMs: HOUR,
    find: async () => [],
    nextDue: async () => null,
    work: async () => false,
    ...options,
  });
  onTestFinished(() => loop.stop());
  return { loop, lines };
}

/** Work that waits until it is released. */
function gate() {
  const begun: string[] = [];
  const releases = new Map<string, () => void>();
  return {
    begun,
    release: (name: string) => releases.get(name)?.(),
    work: ({ org_id, id }: OrgItem) => {
      const name = id ?? org_id;
      begun.push(name);
      const { promise, resolve } = Promise.withResolvers<void>();
      releases.set(name, resolve);
      return promise.then(() => false);
    },
  };
}

const until = (read: () => unknown) => expect.poll(read, { interval: 1 });

test('a tick does all work, also what the work brings, and ends', async () => {
  let left = 3;
  const done: number[] = [];
  const { loop } = loopOf({
    find: async () => (left > 0 ? [{ org_id: 'a' }] : []),
    work: async () => {
      done.push(left);
      left -= 1;
      return left > 0;
    },
  });
  await loop.tick();
  expect(done).toEqual([3, 2, 1]);
  expect(loop.isQuiet()).toBe(true);
});

test('work that is left does not wait for the pause between signals', async () => {
  const before = { ...pace };
  onTestFinished(() => void Object.assign(pace, before));
  Object.assign(pace, { leastGapMs: HOUR, leftGapMs: 0 });
  let left = 3;
  const { loop } = loopOf({
    find: async () => (left > 0 ? [{ org_id: 'a' }] : []),
    work: async () => {
      left -= 1;
      return left > 0;
    },
  });
  loop.start();
  await until(() => left).toBe(0);
});

test('loops that bring each other work are ticked until none is left', async () => {
  const { db } = opened.database;
  const queue: string[] = [];
  let events = 2;
  const reader = loopOf({
    find: async () => (queue.length > 0 ? [{ org_id: 'a' }] : []),
    work: async () => {
      queue.pop();
      if (events === 0) return false;
      events -= 1;
      raise(db, 'tasks');
      return false;
    },
  });
  const writer = loopOf({
    wokenBy: ['tasks'],
    find: async () => (queue.length === 0 && events > 0 ? [{ org_id: 'a' }] : []),
    work: async () => {
      queue.push('event');
      raise(db, 'events');
      return false;
    },
  });
  await tickAll([reader.loop, writer.loop]);
  expect({ events, queue }).toEqual({ events: 0, queue: [] });
});

test('a commit wakes the loop, a rollback does not', async () => {
  const { db } = opened.database;
  let looks = 0;
  const { loop } = loopOf({
    find: async () => {
      looks += 1;
      return [];
    },
  });
  loop.start();
  await until(() => looks).toBe(1);
  await expect(
    transaction(db, async (tx) => {
      raise(tx, 'events');
      throw new Error('undone');
    }),
  ).rejects.toThrow('undone');
  await transaction(db, async (tx) => {
    raise(tx, 'messages');
    await sql`select 1`.execute(tx);
  });
  expect(loop.isQuiet()).toBe(true);
  await transaction(db, async (tx) => {
    raise(tx, 'events');
    expect(loop.isQuiet()).toBe(true);
  });
  await until(() => looks).toBe(2);
});

test('a signal during an item makes the loop look for it again', async () => {
  const { work, begun, release } = gate();
  const { loop } = loopOf({ find: async () => [{ org_id: 'a' }], work });
  loop.start();
  await until(() => begun).toEqual(['a']);
  raise(opened.database.db, 'events');
  release('a');
  await until(() => begun).toEqual(['a', 'a']);
  release('a');
});

test('an error is logged, and delays neither other items nor the next round', async () => {
  const worked: string[] = [];
  const { loop, lines } = loopOf({
    find: async () => [{ org_id: 'bad' }, { org_id: 'good' }],
    work: async ({ org_id }) => {
      worked.push(org_id);
      if (org_id === 'bad') throw new Error('broken');
      return false;
    },
  });
  await loop.tick();
  expect(worked).toEqual(['bad', 'good']);
  expect(JSON.parse(lines.join(''))).toMatchObject({
    orgId: 'bad',
    work: 'test',
    err: { message: 'broken' },
  });

  loop.start();
  await until(() => worked).toEqual(['bad', 'good', 'good']);
  await loop.tick();
  expect(worked.slice(3).sort()).toEqual(['bad', 'good']);
});

test('a search that fails is logged and tried again', async () => {
  let looks = 0;
  const { loop, lines } = loopOf({
    find: async () => {
      looks += 1;
      if (looks === 1) throw new Error('no connection');
      return [];
    },
  });
  loop.start();
  await expect.poll(() => looks, { timeout: 10_000 }).toBe(2);
  expect(JSON.parse(lines.join(''))).toMatchObject({ work: 'test', err: { message: 'no connection' } });
});

/** Watches for commits so often that a test need not wait. */
function watchOften() {
  const { everyMs } = watching;
  onTestFinished(() => void Object.assign(watching, { everyMs }));
  watching.everyMs = 5;
}

test('a quiet loop asks when work is due, and looks for it then', async () => {
  let looks = 0;
  const asked: number[] = [];
  const { loop } = loopOf({
    everyMs: 1,
    find: async () => {
      looks += 1;
      return [];
    },
    nextDue: async () => {
      asked.push(looks);
      return looks === 1 ? 0.05 : null;
    },
  });
  loop.start();
  await until(() => looks).toBe(2);
  await until(() => asked.at(-1)).toBe(2);
  expect(asked[0]).toBe(1);
});

test('a sleeping loop asks again after a commit that nobody has signaled, and looks if it brought work', async () => {
  watchOften();
  const { db } = opened.database;
  let looks = 0;
  let isDue = false;
  let questions = 0;
  const { loop } = loopOf({
    everyMs: 1,
    find: async () => {
      looks += 1;
      return [];
    },
    nextDue: async () => {
      questions += 1;
      return isDue ? 0 : HOUR;
    },
  });
  loop.start();
  await until(() => questions).toBeGreaterThan(0);
  const before = looks;
  isDue = true;
  await sql`create table commit_of_the_test (n integer)`.execute(db);
  await until(() => looks).toBeGreaterThan(before);
});

describe('commits that come all the time', () => {
  /** Commits again and again, until the test ends. */
  function keepCommitting() {
    watchOften();
    const stop = new AbortController();
    const committing = (async () => {
      while (!stop.signal.aborted) {
        await sql`select pg_current_xact_id()`.execute(opened.database.db);
        await turn();
      }
    })();
    onTestFinished(() => {
      stop.abort();
      return committing;
    });
  }

  test.each([
    ['work that is due at a time', { due: 0.3, longest: HOUR }],
    ['the longest sleep', { due: null, longest: 300 }],
  ])('do not delay %s', async (_, { due, longest }) => {
    const before = { ...pace };
    onTestFinished(() => void Object.assign(pace, before));
    pace.longestSleepMs = longest;
    keepCommitting();
    let looks = 0;
    let questions = 0;
    const { loop } = loopOf({
      everyMs: 1,
      find: async () => {
        looks += 1;
        return [];
      },
      nextDue: async () => {
        questions += 1;
        return due;
      },
    });
    loop.start();
    await expect.poll(() => looks, { timeout: 5000 }).toBeGreaterThan(1);
    expect(questions).toBeGreaterThan(1);
  });
});

test('a signal wakes a sleeping loop', async () => {
  let looks = 0;
  let questions = 0;
  const { loop } = loopOf({
    everyMs: 1,
    find: async () => {
      looks += 1;
      return [];
    },
    nextDue: async () => {
      questions += 1;
      return null;
    },
  });
  loop.start();
  await until(() => questions).toBeGreaterThan(0);
  raise(opened.database.db, 'events');
  await until(() => looks).toBe(2);
});

test('a question that fails is logged, and the loop looks again', async () => {
  let questions = 0;
  const { loop, lines } = loopOf({
    everyMs: 1,
    nextDue: async () => {
      questions += 1;
      if (questions === 1) throw new Error('no connection');
      return null;
    },
  });
  loop.start();
  await expect.poll(() => questions, { timeout: 10_000 }).toBeGreaterThan(1);
  expect(JSON.parse(lines.join(''))).toMatchObject({ work: 'test', err: { message: 'no connection' } });
});

test('without room, the items of all organizations take turns', async () => {
  const { work, begun, release } = gate();
  const found = ['a1', 'a2', 'b1'].map((id) => ({ org_id: id.slice(0, 1), id }));
  const { loop } = loopOf({
    find: async () => found.filter(({ id }) => !begun.includes(id)),
    hasRoom: ({ org_id }, busy) => busy.length < 2 && busy.every((item) => item.org_id !== org_id),
    work,
  });
  loop.start();
  await until(() => begun).toEqual(['a1', 'b1']);
  release('b1');
  await turn();
  expect(begun).toEqual(['a1', 'b1']);
  release('a1');
  await until(() => begun).toEqual(['a1', 'b1', 'a2']);
  release('a2');
});

test('an organization with endless work leaves turns to the others', async () => {
  const begun: string[] = [];
  const { loop } = loopOf({
    find: async () =>
      ['a', 'b', 'c'].filter((org) => org === 'a' || !begun.includes(org)).map((org_id) => ({ org_id })),
    work: async ({ org_id }) => {
      begun.push(org_id);
      return org_id === 'a' && begun.length < 6;
    },
  });
  await loop.tick();
  expect(begun.slice(0, 3)).toEqual(['a', 'b', 'c']);
});

test('stop waits for the work in progress and asks it to end', async () => {
  let ended = false;
  const { loop } = loopOf({
    find: async () => [{ org_id: 'a' }],
    work: (_item, signal) => {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      signal.addEventListener('abort', () => {
        ended = true;
        resolve(true);
      });
      return promise;
    },
  });
  loop.start();
  await until(() => loop.isQuiet()).toBe(false);
  await loop.stop();
  expect({ ended, quiet: loop.isQuiet() }).toMatchObject({ ended: true });
});
