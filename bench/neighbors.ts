import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Caller, callerOf } from './kit/caller.ts';
import { inParallel, over, quantile } from './kit/measure.ts';
import type { Options, Use } from './kit/options.ts';
import { DURABLE, KEY, SECRET_KEY, startDatabase, startService } from './kit/service.ts';
import { printTable } from './kit/table.ts';
import type { FromLoud, ToLoud } from './loud-neighbor.ts';
import { OWNER } from './loud-ways.ts';
import { ACCOUNTS, fill, pageOf, sender } from './usual-app.ts';

/**
 * Scenario `neighbors`: one organization, or somebody without a key, does its worst in fifteen ways, while another organization works as
 * usual: it lists accounts and events, and pushes pages. Prints the p95 of the other's requests beside its quiet value of the same run
 * (aim: less than twice). `--only=pages,uploads` runs the ways whose names contain one of these words.
 */
const CLI = fileURLToPath(new URL('../packages/server/src/program.ts', import.meta.url));
const LOUD = fileURLToPath(new URL('./loud-neighbor.ts', import.meta.url));
const AIM = 2;
const WORKERS = 2;

export async function run(options: Options, use: Use) {
  const database = await use(startDatabase(DURABLE));
  const service = await use(
    startService(database.url, {
      GATEHOUSE_CONNECTOR_RUNS: '0',
      GATEHOUSE_ADMIN_EMAIL: OWNER.email,
      GATEHOUSE_ADMIN_PASSWORD: OWNER.password,
    }),
  );
  const environment = { ...process.env, DATABASE_URL: database.url, GATEHOUSE_SECRET_KEY: SECRET_KEY };
  const create = ['organizations', 'create', 'quiet', '--admin-email', 'admin@quiet.example'];
  const { stdout } = await promisify(execFile)(process.execPath, [CLI, ...create], { env: environment });
  const key = /API key\s+(\S+)/.exec(stdout)?.[1] ?? '';
  const loud = startLoud(`${service.origin}/org/acme`, KEY);
  await measure(loud, callerOf(`${service.origin}/org/quiet`, key), options).finally(loud.stop);
}

/** Starts the loud organization in a process of its own. Otherwise, the other's times would include the making of loud requests. */
function startLoud(base: string, key: string) {
  const loud = fork(LOUD, [base, key]);
  const ask = async (message: ToLoud): Promise<FromLoud> => {
    loud.send(message);
    const [reply] = (await once(loud, 'message')) as [FromLoud];
    return reply;
  };
  return {
    names: async () => (await ask({ do: 'prepare' })).names ?? [],
    begin: (name: string) => ask({ do: 'begin', name }),
    /** Returns how many requests got which status. */
    end: async () => (await ask({ do: 'end' })).statuses ?? {},
    stop: () => void loud.kill(),
  };
}

async function measure(loud: ReturnType<typeof startLoud>, quiet: Caller, { small, only }: Options) {
  const seconds = small ? 2 : 8;
  const isWanted = (name: string) => only.length === 0 || only.some((word) => name.includes(word));
  const names = (await loud.names()).filter(isWanted);
  const work = await usualWork(quiet);
  await during(work, 2);
  const calm = await during(work, seconds);
  const rows: (string | number)[][] = [['quiet', calm.requests, calm.p95, 1, '', '']];
  for (const name of names) {
    await loud.begin(name);
    await sleep(500);
    const { requests, p95 } = await during(work, seconds);
    const replies = Object.entries(await loud.end()).map(([status, count]) => `${status}: ${count}`);
    const ratio = p95 / calm.p95;
    rows.push([name, requests, p95, ratio, over(ratio, AIM), replies.join(', ')]);
  }
  printTable(
    `requests of the other organization; p95 in ms; ratio to the quiet value (aim: at most ${AIM})`,
    ['', 'requests', 'p95', 'ratio', '', 'replies to the loud one'],
    rows,
  );
}

/** Returns the kinds of requests that an organization sends all day. */
async function usualWork(caller: Caller): Promise<(() => Promise<number>)[]> {
  const { call } = caller;
  const send = sender(caller);
  const app = await fill(caller);
  const { sync_id } = await call<{ sync_id: string }>('POST', `/api/v1/bridge/apps/${app}/sync/`);
  let page = 0;
  return [
    () => send('GET', '/api/accounts/?limit=50'),
    () => send('GET', '/api/events/?limit=50'),
    () => send('GET', `/api/accounts/?email=user${(page * 37) % ACCOUNTS}`),
    () => send('PUT', `/api/v1/bridge/apps/${app}/sync/${sync_id}/account/`, pageOf(page++)),
  ];
}

async function during(work: (() => Promise<number>)[], seconds: number) {
  const times: number[] = [];
  const started = performance.now();
  await inParallel(WORKERS, async (worker) => {
    for (let turn = worker; performance.now() - started < seconds * 1000; turn++) {
      const sent = performance.now();
      const status = await work[turn % work.length]?.();
      if (status !== 200) throw new Error(`The quiet organization got ${status}.`);
      times.push(performance.now() - sent);
    }
  });
  return { requests: times.length, p95: quantile(times, 0.95) };
}
