import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Event, Rejected } from './events-api.ts';
import { type TailOptions, tail } from './events-tail.ts';

/** A scripted service: each request gets the next response, and its query is recorded. */
interface Scripted {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
}
let responses: Scripted[];
let queries: URLSearchParams[];
const server = createServer((request, response) => {
  queries.push(new URL(request.url ?? '', 'http://x').searchParams);
  const { status = 200, headers = {}, body = page('end') } = responses.shift() ?? {};
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
});

let folder: string;
let baseUrl: string;
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/org/acme`;
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-tail-'));
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  responses = [];
  queries = [];
});

const page = (cursor: string, ...names: string[]) => ({
  next_cursor: `next-${cursor}`,
  previous_cursor: `previous-${cursor}`,
  results: names.map((event_id) => ({ event_id })),
});

/** Runs until the script is used up and the tail waits for more events. */
async function run(options: Partial<TailOptions> = {}, environment: { failOn?: string } = {}) {
  const written: string[] = [];
  const reports: string[] = [];
  const pauses: number[] = [];
  const stop = new AbortController();
  const done = tail(
    {
      baseUrl,
      key: 'k',
      cursorFile: undefined,
      from: 'all',
      filters: {},
      once: true,
      interval: 60,
      ...options,
    },
    {
      signal: stop.signal,
      write: async (events: Event[]) => {
        for (const { event_id } of events) {
          if (event_id === environment.failOn) throw new Error('the pipe is closed');
          written.push(event_id);
        }
      },
      report: (message) => reports.push(message),
      pause: async (seconds) => {
        pauses.push(seconds);
        if (responses.length === 0) stop.abort();
      },
    },
  );
  const failure = await done.then(
    () => undefined,
    (error: unknown) => error,
  );
  return { written, reports, pauses, failure };
}

test('follows next_cursor until a page is empty', async () => {
  responses = [{ body: page('1', 'c', 'b') }, { body: page('2', 'a') }, { body: page('3') }];

  const { written } = await run({ filters: { severity: 'high' } });

  expect(written).toEqual(['c', 'b', 'a']);
  expect(queries.map((query) => query.get('cursor'))).toEqual([null, 'next-1', 'next-2']);
  expect(queries.every((query) => query.get('limit') === '200' && query.get('severity') === 'high')).toBe(
    true,
  );
});

test('waits 60 seconds when there are no new events, then continues', async () => {
  responses = [{ body: page('1') }, { body: page('2', 'later') }, { body: page('3') }];

  const { written, pauses } = await run({ once: false });

  expect(written).toEqual(['later']);
  expect(pauses).toEqual([60, 60]);
});

describe('the cursor file', () => {
  test('is written after the page, and the next run continues from it', async () => {
    const cursorFile = join(folder, 'continues');
    responses = [{ body: page('1', 'a') }, { body: page('2') }];
    await run({ cursorFile });

    responses = [{ body: page('3', 'b') }, { body: page('4') }];
    const { written } = await run({ cursorFile });

    expect(written).toEqual(['b']);
    expect(queries[2]?.get('cursor')).toBe('next-2');
    expect(JSON.parse(await readFile(cursorFile, 'utf8'))).toEqual({
      cursor: 'next-4',
      follows: 'next_cursor',
    });
  });

  test('keeps its position if the page cannot be written', async () => {
    const cursorFile = join(folder, 'stays');
    responses = [{ body: page('1', 'a') }, { body: page('2', 'lost') }];

    const { failure } = await run({ cursorFile }, { failOn: 'lost' });

    expect(failure).toMatchObject({ message: 'the pipe is closed' });
    expect(JSON.parse(await readFile(cursorFile, 'utf8'))).toEqual({
      cursor: 'next-1',
      follows: 'next_cursor',
    });
  });

  test.each(['missing/cursor', 'file/cursor'])('is tried before the first page: %s', async (name) => {
    await writeFile(join(folder, 'file'), '');
    const { written, failure } = await run({ cursorFile: join(folder, name) });

    expect(String(failure)).toMatch(/cursor/);
    expect({ written, queries }).toEqual({ written: [], queries: [] });
  });

  test('leaves nothing but itself in its folder', async () => {
    const own = await mkdtemp(join(folder, 'own-'));
    responses = [{ body: page('1', 'a') }, { body: page('2') }];

    await run({ cursorFile: join(own, 'cursor') });

    expect(await readdir(own)).toEqual(['cursor']);
  });

  test('is rejected if it is another kind of file', async () => {
    const { failure } = await run({ cursorFile: new URL(import.meta.url).pathname });

    expect(String(failure)).toContain('is not a cursor file');
    expect(queries).toEqual([]);
  });
});

test.each(['head -1', 'head -19', 'true', 'sed 1q'])('loses no event if the reader is %s', async (reader) => {
  const cursorFile = join(folder, `reader ${reader}`);
  const names = Array.from({ length: 20 }, (_, n) => `event-${n}`);
  const program = new URL('../main.ts', import.meta.url).pathname;
  const gatehouse = `"${process.execPath}" "${program}" events tail --once --cursor-file "${cursorFile}"`;
  const shell = (command: string) =>
    promisify(execFile)('sh', ['-c', command], {
      env: { ...process.env, GATEHOUSE_URL: baseUrl, GATEHOUSE_API_KEY: 'k' },
    });
  responses = [{ body: page('1', ...names) }, { body: page('2') }];
  await shell(`${gatehouse} 2>/dev/null | ${reader}`);
  expect(existsSync(cursorFile)).toBe(false);
  responses = [{ body: page('1', ...names) }, { body: page('2') }];

  const { stdout } = await shell(`${gatehouse} | cat`);

  expect(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).event_id),
  ).toEqual(names);
  expect(JSON.parse(await readFile(cursorFile, 'utf8'))).toMatchObject({ cursor: 'next-2' });
});

test('--from now skips existing events and follows previous_cursor', async () => {
  const cursorFile = join(folder, 'now');
  responses = [{ body: page('0', 'old') }, { body: page('1', 'new') }, { body: page('2') }];

  const { written } = await run({ from: 'now', cursorFile });

  expect(written).toEqual(['new']);
  expect(queries.map((query) => query.get('cursor'))).toEqual([null, 'previous-0', 'previous-1']);
  expect(JSON.parse(await readFile(cursorFile, 'utf8'))).toEqual({
    cursor: 'previous-2',
    follows: 'previous_cursor',
  });
});

describe('a failing service', () => {
  test('waits for Retry-After on 429', async () => {
    responses = [
      { status: 429, headers: { 'retry-after': '17' }, body: { detail: 'Request was throttled.' } },
      { body: page('1', 'a') },
      { body: page('2') },
    ];

    const { written, pauses, reports } = await run();

    expect([written, pauses]).toEqual([['a'], [17]]);
    expect(reports).toEqual(['Retrying in 17 s: 429 Request was throttled.']);
  });

  test('retries a failing service with growing pauses and the same cursor', async () => {
    responses = [
      { body: page('1', 'a') },
      { status: 500, body: { detail: 'Server error.' } },
      { status: 503, body: { detail: 'Away.' } },
      { status: 502, body: 'a proxy' },
      { body: page('2', 'b') },
      { body: page('3') },
    ];

    const { written, pauses } = await run();

    expect(written).toEqual(['a', 'b']);
    expect(pauses).toEqual([1, 2, 4]);
    expect(queries.slice(1, 5).map((query) => query.get('cursor'))).toEqual([
      'next-1',
      'next-1',
      'next-1',
      'next-1',
    ]);
  });

  test.each([401, 403, 404, 400])('stops on %i with the reason', async (status) => {
    responses = [{ status, body: { detail: 'No.' } }];

    const { failure } = await run();

    expect(failure).toBeInstanceOf(Rejected);
    expect(String(failure)).toContain(`${status} No.`);
  });

  test('reports events removed by retention', async () => {
    responses = [
      { headers: { 'gatehouse-events-retained-from': '2026-01-01T00:00:00.000000Z' }, body: page('1', 'a') },
      { body: page('2') },
    ];

    expect((await run()).reports).toEqual([
      'Retention has removed events before 2026-01-01T00:00:00.000000Z.',
    ]);
  });
});
