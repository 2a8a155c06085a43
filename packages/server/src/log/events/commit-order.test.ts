// @module-tag engine

import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { type Tx, within } from '#kit/database.ts';
import { sql } from '#kit/sql.ts';
import { type Envelope, named, namesOf, newOrganization, openTestLog } from '#test/event-log.ts';
import { setTimes } from '#test/time.ts';
import { momentToIso } from './moment.ts';
import { recordEvents } from './record.ts';

const log = await openTestLog();
const { db } = log.database;
afterAll(log.close);

let org: string;
beforeEach(async () => {
  org = await newOrganization(log.database);
});

/** A transaction that the test ends explicitly. */
const begin = () => db.startTransaction().execute();

/** Resolves once a session of this database waits for a lock. */
async function someoneWaits() {
  await expect
    .poll(async () => {
      const { rows } = await sql<{ n: number }>`
        select count(*)::integer as n from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
      return rows[0]?.n ?? 0;
    })
    .toBeGreaterThan(0);
}

interface Poller {
  poll(): Promise<Envelope[]>;
}

function ourPoller(): Poller {
  let cursor = '';
  return {
    async poll() {
      const page = await log.read({ cursor, limit: 200 }, org);
      cursor = page.nextCursor;
      return page.events;
    },
  };
}

/**
 * Plays the order that loses events in many logs: A takes a position, B takes the next one, B commits, a reader polls,
 * A commits, the reader polls again. Returns the events that the reader received.
 */
async function slowWriterScenario(record: (tx: Tx, name: string) => Promise<unknown>, { poll }: Poller) {
  const delivered: Envelope[] = [];
  const [a, b] = [await begin(), await begin()];
  await record(a, 'A');
  const secondWrite = record(b, 'B').then(() => b.commit().execute());
  // A recorder that locks the head makes B wait for A. Any other lets B commit first.
  await Promise.race([secondWrite, someoneWaits()]);
  delivered.push(...(await poll()));
  await a.commit().execute();
  await secondWrite;
  delivered.push(...(await poll()), ...(await poll()));
  return namesOf(delivered).sort();
}

describe.runIf(log.database.engine === 'postgres')('with writers side by side', () => {
  const ours = (tx: Tx, name: string) => recordEvents(within(tx, org), [named(name)]);

  test('A: a cursor over a sequence loses an event', async () => {
    await sql`create table naive (id bigint generated always as identity, name text)`.execute(db);
    let last = 0;
    const poll = async () => {
      const { rows } = await sql<{ id: number; name: string }>`
        select id, name from naive where id > ${last} order by id`.execute(db);
      last = rows.at(-1)?.id ?? last;
      return rows.map(({ name }) => ({ payload: { name } }) as unknown as Envelope);
    };
    const record = (tx: Tx, name: string) => sql`insert into naive (name) values (${name})`.execute(tx);

    expect(await slowWriterScenario(record, { poll })).toEqual(['B']);
  });

  test('A: the log delivers both events once', async () => {
    expect(await slowWriterScenario(ours, ourPoller())).toEqual(['A', 'B']);
  });

  test('D: a log without the lock of the head loses an event', async () => {
    const unlocked = async (tx: Tx, name: string) => {
      await sql`
        insert into event_contract (org_id, position, ingested_at, event_id, event_type, occurred_at, subject_uuid, lag, body)
        select ${org}::uuid, 1, clock_now(), gen_random_uuid(), 'user.created', clock_now(),
          gen_random_uuid(), 0, ${JSON.stringify({ payload: { name } })}`.execute(tx);
      await setTimes(db, 'event_head', { last_ingested_at: 'now' }, { org_id: org });
    };

    expect(await slowWriterScenario(unlocked, ourPoller())).toEqual(['B']);
  });

  /** A reader in two statements, with a writer between them. Returns the events of two rounds. */
  async function twoStatements(order: 'page first' | 'head first') {
    let low = 0;
    const delivered: string[] = [];
    const page = async (upTo: number | null) => {
      const { rows } = await sql<{ name: string }>`
        select body::jsonb -> 'payload' ->> 'name' as name from event
        where org_id = ${org} and ingested_at > ${momentToIso(low)}::timestamptz
          and ingested_at <= ${upTo === null ? 'infinity' : momentToIso(upTo)}::timestamptz`.execute(db);
      delivered.push(...rows.map(({ name }) => name));
    };
    const head = async () => {
      const { rows } = await sql<{ head: number }>`
        select (extract(epoch from last_ingested_at) * 1000000)::bigint as head
        from event_head where org_id = ${org}`.execute(db);
      return rows[0]?.head ?? 0;
    };
    for (const name of ['first', 'second']) {
      const between = () => db.transaction().execute((tx) => recordEvents(within(tx, org), [named(name)]));
      if (order === 'page first') {
        await page(null);
        await between();
        low = await head();
      } else {
        const top = await head();
        await between();
        await page(top);
        low = top;
      }
    }
    await page(null);
    return delivered;
  }

  test('D: reading the page before the head loses events, reading the head first does not', async () => {
    expect(await twoStatements('page first')).toEqual([]);
    expect(await twoStatements('head first')).toEqual(expect.arrayContaining(['first', 'second']));
  });

  test('positions follow the order of commits with many concurrent writers', async () => {
    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        db.transaction().execute(async (tx) => {
          await sql`select pg_sleep(random() / 200)`.execute(tx);
          await recordEvents(within(tx, org), [named(`${index} a`), named(`${index} b`)]);
          await sql`select pg_sleep(random() / 500)`.execute(tx);
        }),
      ),
    );

    const { rows } = await sql<{ position: number; ordered: boolean }>`
      select position, ingested_at > lag(ingested_at, 1, '-infinity') over (order by position) as ordered
      from event where org_id = ${org} order by position`.execute(db);
    expect(rows.map(({ position }) => position)).toEqual(Array.from({ length: 80 }, (_, index) => index + 1));
    expect(rows.every(({ ordered }) => ordered)).toBe(true);
  });

  test('G: a long transaction on another table delays no event', async () => {
    const long = await begin();
    await sql`create table elsewhere (x integer)`.execute(long);
    await sql`insert into elsewhere values (1)`.execute(long);
    const reader = ourPoller();

    await db.transaction().execute((tx) => recordEvents(within(tx, org), [named('meanwhile')]));
    const delivered = namesOf(await reader.poll());
    await long.commit().execute();

    expect(delivered).toEqual(['meanwhile']);
    expect(await reader.poll()).toEqual([]);
  });

  test('G: organizations do not wait for each other', async () => {
    const other = await newOrganization(log.database);
    const holding = await begin();
    await recordEvents(within(holding, other), [named('held')]);

    await db.transaction().execute((tx) => recordEvents(within(tx, org), [named('free')]));
    const delivered = namesOf(await ourPoller().poll());
    await holding.rollback().execute();

    expect(delivered).toEqual(['free']);
    expect((await log.read({}, other)).events).toEqual([]);
  });
});

test('ingested_at grows even if the clock runs backwards', async () => {
  await setTimes(db, 'event_head', { last_ingested_at: '1 hour ahead' }, { org_id: org });
  const before = await log.read({}, org);

  await db.transaction().execute((tx) => recordEvents(within(tx, org), [named('a'), named('b')]));

  expect(namesOf((await log.read({ cursor: before.nextCursor }, org)).events)).toEqual(['b', 'a']);
});
