import pg from 'pg';
import { createApp } from '../packages/server/src/app.ts';
import { openDatabase } from '../packages/server/src/kit/database/open.ts';
import { createLogger } from '../packages/server/src/kit/logger.ts';
import { parseSecretKey, type SecretKey } from '../packages/server/src/kit/secrets/secret-key.ts';
import { openSecrets } from '../packages/server/src/kit/secrets/secrets.ts';
import { addApp } from './kit/apps.ts';
import { inParallel, median } from './kit/measure.ts';
import type { Options, Use } from './kit/options.ts';
import { connectAll, DURABLE, SECRET_KEY, type Service, startDatabase, startService } from './kit/service.ts';
import { printTable } from './kit/table.ts';

/**
 * Scenario `tasks`: a connector lists 200 of 100,000 pending tasks and reports each, four at a time, as the SDK does.
 * Floor: the same statements, recorded in this process and replayed through `pg` alone on four connections. The second
 * row repeats this with 1,000,000 completed tasks in the table, which must not increase the cost.
 */
const OPEN = 100_000;
const COMPLETED = 1_000_000;
const PAGE = 200;
const LANES = 4;
const ROUNDS = 5;

interface Times {
  /** Seconds. */
  list: number;
  reports: number;
}

export async function run(_: Options, use: Use) {
  const database = await use(startDatabase(DURABLE));
  const service = await use(startService(database.url));
  const { client, url } = database;
  const appId = await addApp(service);
  await fill(client, appId);

  const rows: (string | number)[][] = [];
  for (const completed of [0, COMPLETED]) {
    await addCompleted(client, appId, completed);
    await client.query('vacuum analyze');
    const floor = await replayedFloor(service, url, client, appId);
    const ours = await medianTimes(() => throughHttp(service, appId));
    const total = ours.list + ours.reports;
    rows.push([
      `${completed.toLocaleString('en-US')} completed`,
      ours.list * 1000,
      floor.list * 1000,
      PAGE / ours.reports,
      PAGE / floor.reports,
      (floor.list + floor.reports) / total,
    ]);
  }
  printTable(
    `${PAGE} of ${OPEN} pending tasks, listed and reported by ${LANES} lanes; ratio = floor time / our time (goal: 0.5)`,
    ['', 'list ms', 'floor ms', 'reports/s', 'floor/s', 'ratio'],
    rows,
  );
}

/** Lists and reports one batch of tasks through HTTP. */
async function throughHttp(service: Service, appId: string): Promise<Times> {
  const base = `/api/v1/bridge/apps/${appId}/tasks/`;
  return listAndReport(
    async () => (await service.call<{ tasks: { id: string }[] }>('GET', `${base}?status=pending`)).tasks,
    (id) => service.call('PATCH', `${base}${id}/status/`, { status: 'completed', result: null, error: null }),
  );
}

async function listAndReport(
  list: () => Promise<{ id: string }[]>,
  report: (id: string) => Promise<unknown>,
): Promise<Times> {
  const started = performance.now();
  const tasks = await list();
  const listed = performance.now();
  if (tasks.length !== PAGE) throw new Error(`Expected ${PAGE} tasks, but the list has ${tasks.length}.`);
  await inParallel(LANES, async () => {
    for (let task = tasks.pop(); task !== undefined; task = tasks.pop()) await report(task.id);
  });
  return { list: (listed - started) / 1000, reports: (performance.now() - listed) / 1000 };
}

type Statement = { text: string; values: unknown[] };

/** Records the statements of one round, undoes their effects, and replays them without the server. Returns the median times. */
async function replayedFloor(
  service: Service,
  url: string,
  client: pg.Client,
  appId: string,
): Promise<Times> {
  const { list, reports } = await record(service, url, appId);
  const taskIds = [...reports.keys()];
  const connections = await connectAll(LANES, url);
  const times = await medianTimes(async () => {
    await undo(client, taskIds);
    const free = [...connections];
    const send = async (statements: Statement[]) => {
      const connection = free.pop();
      if (connection === undefined) throw new Error('More lanes than connections.');
      for (const statement of statements) await connection.query(statement);
      free.push(connection);
    };
    return listAndReport(
      async () => {
        await send(list);
        return taskIds.map((id) => ({ id }));
      },
      (id) => send(reports.get(id) ?? []),
    );
  });
  await connections.end();
  return times;
}

/** Runs one round in this process, one request at a time, and returns the statements of each request. */
async function record(service: Service, url: string, appId: string) {
  const { key } = await service.call<{ key: string }>('POST', '/api/api-keys/', { name: 'floor' });
  const database = await openDatabase({ url });
  const app = await createApp({
    database,
    secrets: openSecrets({ current: parseSecretKey(SECRET_KEY) as SecretKey, old: [] }),
    logger: createLogger('silent'),
    publicUrl: undefined,
    trustProxy: false,
  });
  const headers = { authorization: `Api-Key ${key}` };
  const address = `/org/acme/api/v1/bridge/apps/${appId}/tasks/`;
  // The first use of a key records an event, which is not part of a round.
  await app.http.inject({ method: 'GET', url: `/org/acme/api/v1/bridge/apps/${appId}/`, headers });

  const original = pg.Client.prototype.query as (...args: unknown[]) => unknown;
  let statements: Statement[] = [];
  pg.Client.prototype.query = function recorded(this: pg.Client, ...args: unknown[]) {
    const [query, values] = args;
    const text = typeof query === 'string' ? query : (query as Statement).text;
    const given = (values ?? (query as Statement).values ?? []) as unknown[];
    statements.push({ text, values: Array.isArray(given) ? given : [] });
    return original.apply(this, args);
  } as typeof pg.Client.prototype.query;
  try {
    const listed = await app.http.inject({ method: 'GET', url: `${address}?status=pending`, headers });
    const list = statements;
    const reports = new Map<string, Statement[]>();
    for (const { id } of listed.json<{ tasks: { id: string }[] }>().tasks) {
      statements = [];
      const payload = { status: 'completed', result: null, error: null };
      await app.http.inject({ method: 'PATCH', url: `${address}${id}/status/`, headers, payload });
      reports.set(id, statements);
    }
    return { list, reports };
  } finally {
    pg.Client.prototype.query = original as typeof pg.Client.prototype.query;
    await app.close();
    await database.close();
  }
}

/** Restores the tasks to their state before the round. */
async function undo(client: pg.Client, taskIds: string[]) {
  await client.query(
    `delete from membership m using task t
     where t.id = any($1) and m.org_id = t.org_id and m.account_id = t.account_id`,
    [taskIds],
  );
  await client.query(
    `update task set status = 'pending', dispatched_at = null, ended_at = null where id = any($1)`,
    [taskIds],
  );
}

/** Creates accounts, a group, and a pending task for each account that adds it to the group. */
async function fill(client: pg.Client, appId: string) {
  await client.query(
    `insert into entitlement (org_id, app_id, resource_type_id, external_id, name)
     select r.org_id, $1, r.id, 'g', 'Group' from resource_type r where r.slug = 'group'`,
    [appId],
  );
  await client.query(
    `insert into account (org_id, app_id, resource_type_id, external_id, email, status)
     select r.org_id, $1, r.id, 'u' || n, 'user.' || n || '@example.com', 'ACTIVE'
     from resource_type r cross join generate_series(1, $2::int) n where r.slug = 'account'`,
    [appId, OPEN],
  );
  await client.query(
    `with made as (
       insert into task (org_id, app_id, account_id, action, status, execute_after, task_type)
       select org_id, app_id, id, 'update_account', 'pending', now(), 'POLICY' from account where app_id = $1
       returning org_id, app_id, id)
     insert into task_change (org_id, task_id, entitlement_id, added, name)
     select made.org_id, made.id, e.id, true, e.name from made join entitlement e on e.app_id = made.app_id`,
    [appId],
  );
}

async function addCompleted(client: pg.Client, appId: string, count: number) {
  await client.query(
    `insert into task (org_id, app_id, account_id, action, status, execute_after, task_type, dispatched_at, ended_at)
     select a.org_id, a.app_id, a.id, 'reset_password', 'completed', now(), 'POLICY', now(), now()
     from generate_series(1, $2::int) n
     join (select *, row_number() over () as i from account where app_id = $1) a on a.i = n % $3 + 1`,
    [appId, count, OPEN],
  );
}

async function medianTimes(measure: () => Promise<Times>): Promise<Times> {
  const all: Times[] = [];
  for (let round = 0; round < ROUNDS; round++) all.push(await measure());
  return { list: median(all.map(({ list }) => list)), reports: median(all.map(({ reports }) => reports)) };
}
