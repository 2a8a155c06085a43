import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { Fault } from './fault.ts';
import { answer } from './routes.ts';
import { Refusal } from './validate.ts';
import { createWorld } from './world.ts';

export type ScriptedService = Awaited<ReturnType<typeof startScriptedService>>;

/**
 * Starts an in-memory service that implements exactly the protocol, without additions, on a free port, with scheduled faults.
 */
export async function startScriptedService(faults: Fault[] = []) {
  const world = createWorld();
  const key = `gh_${'k'.repeat(40)}`;
  const calls: string[] = [];
  const pages = { largest: 0 };
  const schedule = createSchedule(faults);

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://local');
    const path = url.pathname.replace(/^\/org\/conformance/, '').replace(/\/$/, '');
    const method = request.method ?? '';
    const body = await bodyOf(request);
    calls.push(`${method} ${path}`);
    if (method === 'PUT')
      pages.largest = Math.max(pages.largest, (body as { records?: unknown[] })?.records?.length ?? 0);
    const due = schedule.due(`${method} ${path}`);
    const fault = due?.what;
    if (fault === 'drop') return cutOff(request, due);
    if (fault !== undefined && fault in refusals) return refuse(response, fault as keyof typeof refusals);
    try {
      if (request.headers.authorization !== `Api-Key ${key}`) throw new Refusal(401, 'Invalid API key');
      const [status, reply] = answer(world, { method, path, query: url.searchParams, body, fault });
      if (fault === 'lose') return cutOff(request, due);
      send(response, status, reply);
    } catch (error) {
      if (error instanceof Refusal) return send(response, error.status, { detail: error.message });
      send(response, 500, { detail: String(error) });
    }
  });

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/org/conformance`,
    key,
    world,
    /** Every request so far, as "METHOD /path". */
    calls,
    /** The largest number of records in one page. */
    pages,
    arm: schedule.arm,
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function createSchedule(faults: Fault[]) {
  const armed = faults.map((fault) => ({ ...fault, met: 0 }));
  return {
    arm: (fault: Fault): void => void armed.push({ ...fault, met: 0 }),
    /** Every matching rule counts the request. The first rule that is due decides. */
    due(call: string): Fault | undefined {
      const matching = armed.filter(({ on }) => on.test(call));
      for (const fault of matching) fault.met++;
      return matching.find(({ met, nth, times = 1 }) => met >= nth && met < nth + times);
    },
  };
}

function cutOff(request: IncomingMessage, fault: Fault | undefined): void {
  fault?.also?.();
  request.socket.destroy();
}

const refusals = {
  throttle: [429, 'Request was throttled. Expected available in 1 seconds.'],
  crash: [500, 'Internal server error'],
  conflict: [409, "Task is already in 'completed' state and cannot be updated."],
} as const;

function refuse(response: ServerResponse, fault: keyof typeof refusals): void {
  const [status, detail] = refusals[fault];
  send(response, status, { detail }, fault === 'throttle' ? { 'retry-after': '1' } : {});
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
