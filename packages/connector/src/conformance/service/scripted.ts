import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { type Kind, Refusal } from './validate.ts';
import { createWorld } from './world.ts';

/** What befalls the `nth` request (from 1) whose "METHOD /path" matches `on`. */
export type Fault = {
  on: RegExp;
  nth: number;
  /**
   * throttle: 429 with Retry-After. crash: 500, nothing done. lose: done, but the connection breaks before the answer.
   * drop: the connection breaks before anything is done. supersede: a newer session starts just before.
   * cleanup: the completion ends in CLEANUP_FAILED.
   */
  what: 'throttle' | 'crash' | 'lose' | 'drop' | 'supersede' | 'cleanup';
  /** How many matching requests in a row; 1 unless told. */
  times?: number;
};

export type ScriptedService = Awaited<ReturnType<typeof startScriptedService>>;

/**
 * A service that follows the contract, in memory, on a port of its own, with faults on schedule. It gives a connector
 * nothing that the contract does not promise.
 */
export async function startScriptedService(faults: Fault[] = []) {
  const world = createWorld();
  const key = `gh_${'k'.repeat(40)}`;
  const calls: string[] = [];
  const pages = { largest: 0 };
  const armed = faults.map((fault) => ({ ...fault, met: 0 }));

  const due = (call: string): Fault | undefined => {
    let found: Fault | undefined;
    for (const fault of armed) {
      if (!fault.on.test(call)) continue;
      fault.met++;
      if (fault.met >= fault.nth && fault.met < fault.nth + (fault.times ?? 1)) found ??= fault;
    }
    return found;
  };

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://local');
    const path = url.pathname.replace(/^\/org\/conformance/, '').replace(/\/$/, '');
    const call = `${request.method} ${path}`;
    const body = await bodyOf(request);
    calls.push(call);
    const fault = due(call);
    if (fault?.what === 'drop') return void request.socket.destroy();
    if (fault?.what === 'throttle') {
      return send(
        response,
        429,
        { detail: 'Request was throttled. Expected available in 1 seconds.' },
        { 'retry-after': '1' },
      );
    }
    if (fault?.what === 'crash') return send(response, 500, { detail: 'Internal server error' });
    try {
      if (request.headers.authorization !== `Api-Key ${key}`) throw new Refusal(401, 'Invalid API key');
      const [status, answer] = route(path, url.searchParams, request.method ?? '', body, fault);
      if (fault?.what === 'lose') return void request.socket.destroy();
      send(response, status, answer);
    } catch (error) {
      if (error instanceof Refusal) return send(response, error.status, { detail: error.message });
      send(response, 500, { detail: String(error) });
    }
  });

  function route(
    path: string,
    query: URLSearchParams,
    method: string,
    body: unknown,
    fault: Fault | undefined,
  ): [number, unknown] {
    if (path === '/api/accounts' && method === 'GET') {
      const results = world.activeAccounts(query.get('app') ?? '');
      return [200, { count: results.length, next: null, previous: null, results: [] }];
    }
    const parts = path.split('/');
    if (!path.startsWith('/api/v1/bridge/apps')) throw new Refusal(404, 'Not found');
    const [, , , , , appId, area, first, second] = parts;
    if (appId === undefined) return appsRoute(method, body);
    const shape = `${method} ${[area, first && '*', second && (['complete', 'abandon', 'status'].includes(second) ? second : '*')].filter(Boolean).join('/')}`;
    if (fault?.what === 'supersede') world.start(appId);
    switch (shape) {
      case 'GET ':
        return [200, appView(appId)];
      case 'GET resource-types':
        return [200, [...world.find(appId).types.values()]];
      case 'POST resource-types': {
        const { slug, name, type } = (body ?? {}) as { slug: string; name: string; type: Kind };
        if (!slug || !name || !['account', 'group', 'license'].includes(type))
          throw new Refusal(400, 'Field required');
        return [201, world.registerType(appId, slug, name, type)];
      }
      case 'POST sync':
        return [201, { sync_id: world.start(appId) }];
      case 'PUT sync/*/*':
        pages.largest = Math.max(pages.largest, (body as { records?: unknown[] })?.records?.length ?? 0);
        return [200, world.push(appId, first ?? '', second ?? '', body)];
      case 'POST sync/*/complete':
        world.complete(appId, first ?? '', fault?.what === 'cleanup');
        return [202, world.status(appId, first ?? '')];
      case 'POST sync/*/abandon':
        world.abandon(appId, first ?? '');
        return [204, undefined];
      case 'GET sync/*':
        return [200, world.status(appId, first ?? '')];
      case 'GET tasks':
        return [200, { tasks: world.tasks(appId, query.get('status')) }];
      case 'PATCH tasks/*/status':
        return [200, world.report(appId, first ?? '', body)];
      default:
        throw new Refusal(404, 'Not found');
    }
  }

  function appsRoute(method: string, body: unknown): [number, unknown] {
    if (method === 'GET') return [200, [...world.apps.keys()].map(appView)];
    const name = (body as { name?: unknown } | undefined)?.name;
    if (method !== 'POST' || typeof name !== 'string' || !name)
      throw new Refusal(400, 'Field required (name)');
    return [201, appView(world.createApp(name).id)];
  }

  function appView(appId: string) {
    const { id, name, createdAt, lastSyncedAt } = world.find(appId);
    return {
      id,
      name,
      configuration_status: 'CHECKING_CONFIGURATION',
      created_at: createdAt,
      last_synced_at: lastSyncedAt,
    };
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/org/conformance`,
    key,
    world,
    /** Every request so far, as "METHOD /path". */
    calls,
    /** The most records that came in one page. */
    pages,
    arm: (fault: Fault) => void armed.push({ ...fault, met: 0 }),
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
    [Symbol.asyncDispose](): Promise<void> {
      return this.close();
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  try {
    return await json(request);
  } catch {
    return undefined;
  }
}

function send(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(body === undefined ? undefined : JSON.stringify(body));
}
