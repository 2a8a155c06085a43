// @module-tag long
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect, inject, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../../test/database.ts';
import { type Service, startService } from '../../test/service.ts';

const ROWS = 500_000;
/** As in event-loop.test.ts. */
const LONGEST_MS = 250;

const textOf = (rows: number) => {
  const lines = ['Kennung;E-Mail;Vorname;Nachname;Status;Gruppen'];
  for (let n = 0; n < rows; n++)
    lines.push(`u${n};u${n}@x.example;J\xfcrgen ${n};M\xfcller;aktiv;Team ${n % 500}|Alle`);
  return Buffer.from(lines.join('\r\n'), 'latin1');
};

async function openLargeTest() {
  const { options, remove } = await createTestDatabase();
  const environment = { GATEHOUSE_RATE_LIMITS: 'off', LOG_LEVEL: 'warn' };
  let service: Service = await startService({ database: options, environment });
  const { key } = service;
  onTestFinished(async () => {
    await service.kill();
    await remove();
  });
  const call = async (method: string, path: string, body?: Buffer | object) => {
    const isFile = Buffer.isBuffer(body);
    const reply = await fetch(`${service.url}/org/acme${path}`, {
      method,
      headers: {
        authorization: `Api-Key ${key}`,
        ...(body === undefined ? {} : { 'content-type': isFile ? 'text/csv' : 'application/json' }),
      },
      ...(body === undefined ? {} : { body: isFile ? new Uint8Array(body) : JSON.stringify(body) }),
    });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${text}`);
    // biome-ignore lint/suspicious/noExplicitAny: tests state what they expect of a body.
    return { status: reply.status, body: (text === '' ? undefined : JSON.parse(text)) as any };
  };
  const until = async (path: string, isDone: (status: number, body: { status: string }) => boolean) => {
    for (;;) {
      const { status, body } = await call('GET', path);
      if (isDone(status, body)) return body;
      await sleep(200);
    }
  };
  const restart = async () => {
    await service.kill();
    service = await startService({ database: options, key, environment });
  };
  const app = (await call('POST', '/api/v1/bridge/apps/', { name: 'Large' })).body.id;
  const upload = async (rows: number) => {
    const { body } = await call('POST', `/api/apps/${app}/uploads/?file_name=large.csv`, textOf(rows));
    return { path: `/api/apps/${app}/uploads/${body.upload_id}/`, mapping: body.suggestion };
  };
  return { call, until, restart, app, upload, server: () => ({ url: service.url, pid: service.pid }) };
}

// Four minutes, so one engine is enough.
test.runIf(inject('prepared').engine === 'postgres')(
  `plans and applies ${ROWS} rows in Windows-1252 without delaying other requests`,
  {
    timeout: 540_000,
  },
  async () => {
    const { call, until, app, upload, server } = await openLargeTest();
    const prober = new Worker(new URL('../../test/lag-prober.ts', import.meta.url), {
      workerData: server(),
    });
    onTestFinished(async () => void (await prober.terminate()));
    const longestWait = async (): Promise<number> => {
      const reply = once(prober, 'message');
      prober.postMessage('ask');
      return (await reply)[0];
    };
    await sleep(1000);
    await longestWait();
    const figures: [string, number, number][] = [];
    const timed = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
      const started = performance.now();
      const result = await work();
      figures.push([name, (performance.now() - started) / 1000, await longestWait()]);
      return result;
    };

    const { path, mapping } = await timed('upload', () => upload(ROWS));
    await timed('check', async () => {
      await call('POST', `${path}check/`, { mapping });
      await until(path, (_, { status }) => status !== 'checking');
    });
    const { body } = await call('GET', path);
    expect(body).toMatchObject({ status: 'planned', rows: ROWS, problem_count: 0, encoding: 'windows-1252' });
    const session = `/api/apps/${app}/syncs/${body.sync_id}/`;
    const plan = await timed('plan', () => until(`${session}plan/`, (status) => status === 200));
    expect(plan).toMatchObject({ counts: { accounts: { created: ROWS }, memberships: { added: 2 * ROWS } } });
    await timed('apply', async () => {
      await call('POST', `${path}apply/`);
      await until(session, (_, { status }) => status !== 'completing');
    });
    expect((await call('GET', session)).body).toMatchObject({
      status: 'completed',
      counts: { created: ROWS + 501 },
    });

    const metrics = await (await fetch(`${server().url}/metrics`)).text();
    const memory = /^process_resident_memory_bytes (\S+)/m.exec(metrics)?.[1] ?? '0';
    for (const [name, seconds, lag] of figures)
      process.stdout.write(`${name.padEnd(8)} ${seconds.toFixed(1)} s, longest wait ${lag.toFixed(0)} ms\n`);
    process.stdout.write(`memory ${(Number(memory) / 1024 / 1024).toFixed(0)} MB\n`);
    for (const [name, , lag] of figures) expect(lag, name).toBeLessThan(LONGEST_MS);
  },
);

test('a check goes on after the process was killed', { timeout: 180_000 }, async () => {
  const { call, until, restart, upload } = await openLargeTest();
  const { path, mapping } = await upload(60_000);
  await call('POST', `${path}check/`, { mapping });
  await until(path, (_, { status }) => status === 'checking');
  await sleep(700);

  await restart();

  expect(await until(path, (_, { status }) => status !== 'checking')).toMatchObject({
    status: 'planned',
    rows: 60_000,
  });
});
