import { request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { account, addApp } from './kit/apps.ts';
import { type Caller, callerOf } from './kit/caller.ts';
import { ACCOUNTS, fill, PAGE, pageOf, sender } from './usual-app.ts';

/** The ways in which an organization, or somebody without a key, can do its worst. */

export const OWNER = { email: 'admin@acme.example', password: 'correct horse battery staple' };

/** One way to be loud. */
export interface Way {
  name: string;
  workers: number;
  once(worker: number): Promise<number>;
  /** Called when it is over, so that what hangs ends. */
  end?(): void;
}

export const waysOf = async (caller: Caller): Promise<Way[]> => [
  ...(await waysOfWork(caller)),
  ...(await waysOfWaiting(caller)),
];

async function waysOfWork(caller: Caller): Promise<Way[]> {
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
