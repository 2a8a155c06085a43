import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { transaction, within } from '#kit/database.ts';
import { sql } from '#kit/sql.ts';
import { openTestApp } from '#test/app.ts';
import { named } from '#test/event-log.ts';
import { tail } from '../../../../cli/src/commands/events-tail.ts';
import { recordEvents } from './record.ts';

/** Runs `gatehouse events tail` against the whole service over HTTP. */
const { app, database, key, close } = await openTestApp({ own: true });
let folder: string;
let baseUrl: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-tail-'));
  baseUrl = `${await app.http.listen({ port: 0, host: '127.0.0.1' })}/org/acme`;
});
afterAll(async () => {
  await close();
  await rm(folder, { recursive: true });
});

async function run(options: { cursorFile: string; from?: 'all' | 'now' }): Promise<string[]> {
  const ids: string[] = [];
  await tail(
    { baseUrl, key, from: 'all', filters: {}, once: true, interval: 60, ...options },
    {
      signal: new AbortController().signal,
      write: async (events) => {
        ids.push(...events.map(({ event_id }) => event_id));
      },
      report: (message) => expect.unreachable(message),
      pause: async () => undefined,
    },
  );
  return ids;
}

async function record(count: number) {
  const { rows } = await sql<{ id: string }>`select id from organization`.execute(database.db);
  const events = Array.from({ length: count }, (_, index) => named(String(index)));
  await transaction(within(database.db, rows[0]?.id ?? ''), (tx) => recordEvents(tx, events));
}

async function stored(): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select event_id as id from event`.execute(database.db);
  return rows.map(({ id }) => id).sort();
}

/** The first use of a key is recorded a moment after the request. */
const recordedUse = () =>
  vi.waitUntil(async () => {
    const { rows } = await sql`select from event where event_type = 'api_key.used'`.execute(database.db);
    return rows.length === 1;
  });

test('delivers each stored event once across several runs', async () => {
  const cursorFile = join(folder, 'all');
  await record(450);
  const first = await run({ cursorFile });
  await recordedUse();
  await record(3);
  const second = await run({ cursorFile });
  const third = await run({ cursorFile });

  const delivered = [...first, ...second, ...third];
  expect(first.length).toBeGreaterThanOrEqual(450);
  expect(delivered.length).toBe(new Set(delivered).size);
  expect(delivered.sort()).toEqual(await stored());
});

test('delivers only new events when started from now', async () => {
  const cursorFile = join(folder, 'now');
  const before = await run({ cursorFile, from: 'now' });
  const known = new Set(await stored());
  await record(5);

  const after = await run({ cursorFile });

  expect(before).toEqual([]);
  expect(after.sort()).toEqual((await stored()).filter((id) => !known.has(id)));
});
