// @module-tag long

import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, inject, test } from 'vitest';
import { openDatabase } from '#kit/database/open.ts';
import { type Database, within } from '#kit/database.ts';
import { sql } from '#kit/sql.ts';
import { createTestDatabase } from '#test/database.ts';
import { type Envelope, named, namedChange } from '#test/event-log.ts';
import { type Service, startService } from '#test/service.ts';
import { recordEvents } from './record.ts';

/**
 * B: runs two servers on one PostgreSQL with slow writers, rollbacks, killed connections and lost responses. Exactly the
 * committed events must be delivered, once. SOAK_SECONDS sets the duration.
 */
const SECONDS = Number(process.env.SOAK_SECONDS ?? 15);
const WRITERS = 16;
const POLLERS = 9;
/** The catalog that each poller asks for in its first request. */
const CATALOGS = [undefined, 'configuration', 'all'];

interface World {
  database: Database;
  orgId: string;
  services: Service[];
  isOver: () => boolean;
}

interface Outcome {
  acknowledged: string[];
  takenBack: string[];
  failures: number;
  killed: number;
}

/** Writes until the end. After a killed connection it is unknown whether the last transaction was committed. */
async function write({ database, orgId, isOver }: World, writer: number, outcome: Outcome) {
  for (let turn = 0; !isOver(); turn++) {
    const names = Array.from({ length: randomInt(1, 51) }, (_, index) => `${writer}-${turn}-${index}`);
    const takesItBack = randomInt(10) === 0;
    try {
      await database.db.transaction().execute(async (tx) => {
        await sql`select pg_sleep(${Math.random() * 0.02})`.execute(tx);
        await recordEvents(
          within(tx, orgId),
          names.map((name, index) => (index % 3 === 0 ? namedChange(name) : named(name))),
        );
        await sql`select pg_sleep(${Math.random() * 0.004})`.execute(tx);
        if (takesItBack) throw new Error('taken back');
      });
      outcome.acknowledged.push(...names);
    } catch (error) {
      if (error instanceof Error && error.message === 'taken back') outcome.takenBack.push(...names);
      else outcome.failures++;
    }
    await sleep(randomInt(30));
  }
}

/** Ends a writer's connection at random moments. */
async function killBackends({ database, isOver }: World, outcome: Outcome) {
  while (!isOver()) {
    await sleep(randomInt(200, 700));
    const { rows } = await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'gatehouse' and datname = current_database() and pid <> pg_backend_pid()
        and state in ('active', 'idle in transaction') and query like '%pg_sleep%'
      order by random() limit 1`.execute(database.db);
    outcome.killed += rows.length;
  }
}

/** Polls with a stored cursor. Loses one response in eight and requests it again. */
class Poller {
  readonly delivered: string[] = [];
  #cursor = '';
  readonly #services: Service[];
  readonly catalog: string | undefined;

  constructor(services: Service[], catalog: string | undefined) {
    this.#services = services;
    this.catalog = catalog;
  }

  wants({ category }: { category: string }): boolean {
    if (this.catalog === 'all') return true;
    return (category === 'configuration') === (this.catalog === 'configuration');
  }

  async poll(limit: number): Promise<number> {
    const service = this.#services[randomInt(this.#services.length)] as Service;
    const query = new URLSearchParams({
      limit: String(limit),
      ...(this.#cursor === '' ? (this.catalog ? { catalog: this.catalog } : {}) : { cursor: this.#cursor }),
    });
    const answer = await fetch(`${service.url}/org/acme/api/events/?${query}`, {
      headers: { authorization: `Api-Key ${service.key}`, 'user-agent': 'soak' },
    });
    expect(answer.status).toBe(200);
    const page = (await answer.json()) as { next_cursor: string; results: Envelope[] };
    if (randomInt(8) === 0) return -1;
    const moments = page.results.map(({ ingested_at }) => ingested_at);
    expect(moments, 'strictly descending').toEqual([...new Set(moments)].sort().reverse());
    this.delivered.push(...page.results.map(({ event_id }) => event_id));
    this.#cursor = page.next_cursor;
    return page.results.length;
  }

  async pollUntil(isOver: () => boolean) {
    while (!isOver()) {
      await this.poll(randomInt(1, 201));
      await sleep(randomInt(40));
    }
  }

  /** Polls until a response is empty. Returns the number of responses. */
  async drain(limit: number): Promise<number> {
    for (let calls = 1; ; ) {
      const count = await this.poll(limit);
      if (count === 0) return calls;
      if (count > 0) calls++;
    }
  }
}

async function storedEvents({ database, orgId }: World) {
  const { rows } = await sql<{ id: string; category: string; name: string | null; position: number }>`
    select event_id as id, body::jsonb ->> 'category' as category, body::jsonb -> 'payload' ->> 'name' as name, position from event
    where org_id = ${orgId} order by position`.execute(database.db);
  return rows;
}

async function openWorld(): Promise<World & { close(): Promise<void> }> {
  const { options, remove } = await createTestDatabase();
  const environment = { GATEHOUSE_RATE_LIMITS: 'off' };
  const first = await startService({ database: options, environment });
  const second = await startService({ database: options, environment, key: first.key });
  const database = await openDatabase({ ...options, poolSize: WRITERS + 4 });
  const { rows } = await sql<{ id: string }>`select id from organization`.execute(database.db);
  const end = performance.now() + SECONDS * 1000;
  return {
    database,
    orgId: rows[0]?.id ?? '',
    services: [first, second],
    isOver: () => performance.now() > end,
    close: async () => {
      await Promise.all([first.stop(), second.stop()]);
      await database.close();
      await remove();
    },
  };
}

test.runIf(inject('prepared').engine === 'postgres')(
  'B: delivers exactly the committed events, once',
  async () => {
    const outcome: Outcome = { acknowledged: [], takenBack: [], failures: 0, killed: 0 };
    const opened = await openWorld();
    // A busy machine takes longer until enough has happened.
    const isEnough = () =>
      outcome.acknowledged.length > 500 && outcome.takenBack.length > 0 && outcome.killed > 0;
    const world = { ...opened, isOver: () => opened.isOver() && isEnough() };
    try {
      const pollers = Array.from(
        { length: POLLERS },
        (_, index) => new Poller(world.services, CATALOGS[index % CATALOGS.length]),
      );
      await Promise.all([
        killBackends(world, outcome),
        ...Array.from({ length: WRITERS }, (_, writer) => write(world, writer, outcome)),
        ...pollers.map((poller) => poller.pollUntil(world.isOver)),
      ]);

      const stored = await storedEvents(world);
      const names = new Set(stored.map(({ name }) => name));
      expect(stored.map(({ position }) => position)).toEqual(stored.map((_, index) => index + 1));
      expect(outcome.acknowledged.filter((name) => !names.has(name))).toEqual([]);
      expect(outcome.takenBack.filter((name) => names.has(name))).toEqual([]);
      for (const poller of pollers) {
        const limit = randomInt(50, 201);
        const wanted = stored.filter((event) => poller.wants(event));
        const rest = wanted.length - poller.delivered.length;
        expect(await poller.drain(limit)).toBeLessThanOrEqual(Math.ceil(rest / limit) + 2);
        expect(poller.delivered.length).toBe(new Set(poller.delivered).size);
        expect([...poller.delivered].sort()).toEqual(wanted.map(({ id }) => id).sort());
      }
    } finally {
      await world.close();
    }
  },
  (SECONDS + 300) * 1000,
);
