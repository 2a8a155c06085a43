// @module-tag long
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '#test/database.ts';
import { type Service, startService } from '#test/service.ts';
import { until } from '#test/until.ts';

const ROWS = 500_000;

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
  const ended = async (path: string, isDone: (status: number, body: { status: string }) => boolean) => {
    const holds = ({ status, body }: Awaited<ReturnType<typeof call>>) => isDone(status, body);
    const last = await until(path, () => call('GET', path), holds, { seconds: 800, everyMs: 200 });
    return last.body;
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
  return {
    call,
    ended,
    restart,
    app,
    upload,
    options,
    server: () => ({ url: service.url, pid: service.pid }),
  };
}

// Four minutes, or ten on a busy machine, so one engine is enough.
test.runIf(inject('prepared').engine === 'postgres')(
  `plans and applies ${ROWS} rows in Windows-1252`,
  {
    timeout: 900_000,
  },
  async () => {
    const { call, ended, app, upload, server } = await openLargeTest();
    const prober = new Worker(new URL('../../../test/lag-prober.ts', import.meta.url), {
      workerData: server(),
    });
    onTestFinished(async () => void (await prober.terminate()));
    const longestWait = async (): Promise<number> => {
      const reply = once(prober, 'message');
      prober.postMessage('ask');
      return (await reply)[0];
    };
    // The first replies of a server take longer.
    for (let probes = 0; probes < 50; probes++) await longestWait();
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
      await ended(path, (_, { status }) => status !== 'checking');
    });
    const { body } = await call('GET', path);
    expect(body).toMatchObject({ status: 'planned', rows: ROWS, problem_count: 0, encoding: 'windows-1252' });
    const session = `/api/apps/${app}/syncs/${body.sync_id}/`;
    const plan = await timed('plan', () => ended(`${session}plan/`, (status) => status === 200));
    expect(plan).toMatchObject({ counts: { accounts: { created: ROWS }, memberships: { added: 2 * ROWS } } });
    await timed('apply', async () => {
      await call('POST', `${path}apply/`);
      await ended(session, (_, { status }) => status !== 'completing');
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
  },
);

test('a check goes on after the process was killed', { timeout: 900_000 }, async () => {
  const { call, ended, restart, upload, options } = await openLargeTest();
  const { path, mapping } = await upload(60_000);
  // The check cannot end before the process does. A connection of its own, since PostgreSQL ends those of Gatehouse that are idle in a
  // transaction.
  const hold = new pg.Client({ connectionString: options.url });
  await hold.connect();
  onTestFinished(() => hold.end());
  await hold.query('begin; lock table sync_page in exclusive mode');
  // Within its transaction, the first connection would always see the same activity.
  const watch = new pg.Client({ connectionString: options.url });
  await watch.connect();
  onTestFinished(() => watch.end());
  await call('POST', `${path}check/`, { mapping });
  const pushes = () =>
    watch.query(`
      select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%sync_page%'`);
  await until('the pages of the check', pushes, ({ rowCount }) => (rowCount ?? 0) > 0, { seconds: 200 });

  await restart();
  await hold.query('rollback');

  expect(await ended(path, (_, { status }) => status !== 'checking')).toMatchObject({
    status: 'planned',
    rows: 60_000,
  });
});
