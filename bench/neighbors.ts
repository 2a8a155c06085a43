import { execFile } from 'node:child_process';
import { request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startPostgres } from '../packages/server/test/postgres.ts';
import { addApp, type Caller, callerOf } from './caller.ts';
import { KEY, SECRET_KEY, startService } from './service.ts';
import { account } from './sync.ts';
import { printTable } from './table.ts';

/**
 * Scenario `neighbors`: one organization, or somebody without a key, does its worst in fifteen ways, while another organization works as
 * usual: it lists accounts and events, and pushes pages. Prints the p95 of the other's requests beside its quiet value of the same run
 * (aim: less than twice).
 */
const CLI = fileURLToPath(new URL('../packages/server/src/cli.ts', import.meta.url));
const OWNER = { email: 'admin@acme.example', password: 'correct horse battery staple' };
const AIM = 2;
const WORKERS = 2;
const ACCOUNTS = 5000;
const PAGE = 100;

export async function run(options: { small: boolean }) {
  const postgres = await startPostgres(['synchronous_commit=on', 'max_wal_size=8GB']);
  try {
    const service = await startService(postgres.url, {
      GATEHOUSE_CONNECTOR_RUNS: '0',
      GATEHOUSE_ADMIN_EMAIL: OWNER.email,
      GATEHOUSE_ADMIN_PASSWORD: OWNER.password,
    });
    try {
      const environment = { ...process.env, DATABASE_URL: postgres.url, GATEHOUSE_SECRET_KEY: SECRET_KEY };
      const create = ['organizations', 'create', 'quiet', '--admin-email', 'admin@quiet.example'];
      const { stdout } = await promisify(execFile)(process.execPath, [CLI, ...create], { env: environment });
      const key = /API key\s+(\S+)/.exec(stdout)?.[1] ?? '';
      await measure(
        callerOf(`${service.origin}/org/acme`, KEY),
        callerOf(`${service.origin}/org/quiet`, key),
        options.small ? 2 : 8,
      );
    } finally {
      await service.stop();
    }
  } finally {
    await postgres.stop();
  }
}

async function measure(loud: Caller, quiet: Caller, seconds: number) {
  const ways = [...(await waysOf(loud)), ...(await waysOfWaiting(loud))];
  const work = await usualWork(quiet);
  await during(work, 2);
  const calm = await during(work, seconds);
  const rows: (string | number)[][] = [['quiet', calm.requests, calm.p95, 1, '', '']];
  for (const { name, workers, once, end } of ways) {
    const statuses = new Map<number, number>();
    let isOver = false;
    const noise = Array.from({ length: workers }, async (_, worker) => {
      while (!isOver) {
        const status = await once(worker);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    });
    await sleep(500);
    const { requests, p95 } = await during(work, seconds);
    isOver = true;
    end?.();
    await Promise.all(noise);
    const ratio = p95 / calm.p95;
    const replies = [...statuses].map(([status, count]) => `${status}: ${count}`).join(', ');
    rows.push([name, requests, p95, ratio, ratio > AIM ? 'over' : '', replies]);
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
  await Promise.all(
    Array.from({ length: WORKERS }, async (_, worker) => {
      for (let turn = worker; performance.now() - started < seconds * 1000; turn++) {
        const sent = performance.now();
        const status = await work[turn % work.length]?.();
        if (status !== 200) throw new Error(`The quiet organization got ${status}.`);
        times.push(performance.now() - sent);
      }
    }),
  );
  const sorted = times.toSorted((a, b) => a - b);
  return { requests: times.length, p95: sorted[Math.floor(sorted.length * 0.95)] ?? 0 };
}

/** Returns the statuses only: a loud organization is refused on purpose. */
const sender =
  ({ exchange }: Caller) =>
  async (...parameters: Parameters<Caller['exchange']>): Promise<number> =>
    (await exchange(...parameters)).status;

interface Way {
  name: string;
  workers: number;
  once(worker: number): Promise<number>;
  /** Called when it is over, so that what hangs ends. */
  end?(): void;
}

async function waysOf(caller: Caller): Promise<Way[]> {
  const { call } = caller;
  const send = sender(caller);
  const app = await fill(caller);
  const apps = await Promise.all(Array.from({ length: 4 }, () => addApp(caller)));
  const bridge = `/api/v1/bridge/apps/${app}/sync/`;
  const { sync_id } = await call<{ sync_id: string }>('POST', bridge);
  const policy = await call<{ external_uuid: string }>('POST', '/api/policies/', {
    name: 'Everyone',
    condition: 'true',
    effects: [{ do: 'suspend', app: 'all' }],
    trigger: 'daily',
    enabled: false,
  });
  const people = [
    'email,first_name,department',
    ...Array.from({ length: 20_000 }, (_, index) => `p${index}@acme.example,Person ${index},Finance`),
  ].join('\n');
  const sheet = [
    'id,email,group',
    ...Array.from({ length: 50_000 }, (_, index) => `${index},a${index}@acme.example,Group ${index % 90}`),
  ].join('\n');
  // Made once: making it each time would hold up the requests that are measured.
  const wide = JSON.stringify({
    records: Array.from({ length: PAGE }, (_, index) => ({
      ...account(index, 0),
      memberships: { group: Array.from({ length: PAGE }, (_, group) => ({ id: `g${group}` })) },
    })),
  });
  let page = 0;
  return [
    { name: 'pages', workers: 32, once: () => send('PUT', `${bridge}${sync_id}/account/`, pageOf(page++)) },
    {
      name: 'pages with 10,000 memberships',
      workers: 8,
      once: () => send('PUT', `${bridge}${sync_id}/account/`, wide),
    },
    {
      name: 'whole syncs of four apps',
      workers: 4,
      once: (worker) => syncOnce(caller, apps[worker] ?? ''),
    },
    {
      name: 'searches',
      workers: 64,
      once: () => send('GET', '/api/accounts/?email=ser&limit=200&count_to=10000'),
    },
    {
      name: 'deep pages',
      workers: 32,
      once: () => send('GET', `/api/accounts/?limit=200&offset=${ACCOUNTS - 200}`),
    },
    { name: 'events', workers: 32, once: () => send('GET', '/api/events/?limit=200') },
    {
      name: 'imports of 20,000 people',
      workers: 8,
      once: () => send('POST', '/api/users/import/?dry_run=true', people, 'text/csv'),
    },
    {
      name: 'uploads of 50,000 rows',
      workers: 8,
      once: (worker) =>
        send('POST', `/api/apps/${apps[worker % 4]}/uploads/?file_name=a.csv`, sheet, 'text/csv'),
    },
    {
      name: 'previews of a policy',
      workers: 32,
      once: () => send('POST', `/api/policies/${policy.external_uuid}/preview/`),
    },
    {
      name: 'new people',
      workers: 32,
      once: () => send('POST', '/api/users/', { email: `n${page++}@acme.example` }),
    },
  ];
}

/** Ways that occupy the process without giving it much to do: bodies that do not end, receivers that hang, and long requests. */
async function waysOfWaiting(caller: Caller): Promise<Way[]> {
  const { call, base, key } = caller;
  const app = await addApp(caller);
  const { sync_id } = await call<{ sync_id: string }>('POST', `/api/v1/bridge/apps/${app}/sync/`);
  const page = `/api/v1/bridge/apps/${app}/sync/${sync_id}/account/`;
  const sockets = new Set<{ destroy(): void }>();
  const receiver = createServer((socket) => void sockets.add(socket.on('error', () => {})));
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
  receiver.unref();
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const webhook = await call<{ id: string }>('POST', '/api/webhooks/', {
    name: 'Hangs',
    url,
    enabled: false,
  });
  const open = new Set<{ destroy(): void }>();
  const end = () => {
    for (const one of [...open, ...sockets]) one.destroy();
  };
  const begin = (path: string, method: string, length: number, bytes: number, by?: string) =>
    new Promise<number>((resolve) => {
      const sent = request(new URL(path, `${base}/`), {
        method,
        agent: false,
        headers: {
          ...(by === undefined ? {} : { authorization: `Api-Key ${by}` }),
          'content-type': 'application/json',
          'content-length': length,
        },
      });
      open.add(sent);
      sent
        .on('response', (reply) => reply.resume().on('close', () => resolve(reply.statusCode ?? 0)))
        .on('error', () => resolve(0))
        .on('close', () => open.delete(sent));
      if (bytes < length) sent.write(Buffer.alloc(bytes, ' '));
      else sent.end(Buffer.alloc(bytes, ' '));
    });
  const send = sender(caller);
  const scim = sender(callerOf(base, await addScimKey(base)));
  const large = JSON.stringify({
    records: Array.from({ length: PAGE }, (_, index) => ({
      ...account(index, 0),
      memberships: {
        group: Array.from({ length: PAGE }, (_, id) => ({ id: `g${id}`, name: 'n'.repeat(500) })),
      },
      unknown: 'x'.repeat(150_000),
    })),
  });
  const bulk = (worker: number) => ({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
    Operations: Array.from({ length: 1000 }, (_, index) => ({
      method: 'POST',
      path: '/Users',
      bulkId: `b${index}`,
      data: { userName: `bulk${worker}-${Date.now()}-${index}@acme.example` },
    })),
  });
  let stranger = 0;
  return [
    {
      name: 'unfinished bodies of strangers',
      workers: 256,
      once: () => begin('auth/sign-in/', 'POST', 256 * 1024, 1),
      end,
    },
    {
      name: 'unfinished pages of 32 MB',
      workers: 4,
      once: async () => {
        const status = await begin(page.slice(1), 'PUT', 32 * 1024 * 1024, 31 * 1024 * 1024, key);
        if (status === 503) await sleep(1000);
        return status;
      },
      end,
    },
    {
      name: 'SCIM bulks, and a stranger',
      workers: 3,
      once: async (worker) => {
        if (worker < 2) return scim('POST', '/scim/v2/Bulk', bulk(worker));
        await sleep(50);
        return begin(`../invented${stranger++}/auth/sign-in/`, 'POST', 2, 2);
      },
      end,
    },
    {
      name: 'receivers that hang',
      workers: 260,
      once: async () => {
        const status = await begin(`api/webhooks/${webhook.id}/test/`, 'POST', 0, 0, key);
        if (status === 503) await sleep(1000);
        return status;
      },
      end,
    },
    { name: 'pages of 21 MB', workers: 3, once: () => send('PUT', page, large) },
  ];
}

/** Only a signed-in owner can create a key for SCIM. */
async function addScimKey(base: string): Promise<string> {
  const post = (path: string, body: object, cookie = '') =>
    fetch(base + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: new URL(base).origin, cookie },
      body: JSON.stringify(body),
    });
  const signedIn = await post('/auth/sign-in/', OWNER);
  const cookie = signedIn.headers.getSetCookie().map((one) => one.split(';')[0]);
  const made = await post('/api/api-keys/', { name: 'SCIM', scopes: ['scim'] }, cookie.join('; '));
  if (made.status !== 201) throw new Error(`No key for SCIM: ${made.status} ${await made.text()}`);
  return ((await made.json()) as { key: string }).key;
}

async function syncOnce(caller: Caller, app: string): Promise<number> {
  const { call } = caller;
  const send = sender(caller);
  const path = `/api/v1/bridge/apps/${app}/sync/`;
  const { sync_id } = await call<{ sync_id: string }>('POST', path);
  for (let page = 0; page < 10; page++) await send('PUT', `${path}${sync_id}/account/`, pageOf(page));
  return send('POST', `${path}${sync_id}/complete/`);
}

const pageOf = (page: number) => ({
  records: Array.from({ length: PAGE }, (_, index) => ({
    ...account((page * PAGE + index) % ACCOUNTS, 0),
    memberships: {},
  })),
});

/** Adds an app with accounts. */
async function fill(caller: Caller): Promise<string> {
  const { call } = caller;
  const app = await addApp(caller);
  const path = `/api/v1/bridge/apps/${app}/sync/`;
  const { sync_id } = await call<{ sync_id: string }>('POST', path);
  for (let page = 0; page < ACCOUNTS / PAGE; page++)
    await call('PUT', `${path}${sync_id}/account/`, pageOf(page));
  await call('POST', `${path}${sync_id}/complete/`);
  while ((await call<{ status: string }>('GET', `${path}${sync_id}/`)).status !== 'completed')
    await sleep(100);
  return app;
}
