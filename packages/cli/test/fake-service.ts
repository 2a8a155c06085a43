import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { runGatehouse } from './gatehouse.ts';

interface Asked {
  method: string;
  /** Without the address of the organization. */
  path: string;
  body: unknown;
}

/** Starts a service that replies with JSON until the test is over, and returns what it was asked and a way to run `gatehouse` with it. */
export async function openFakeService(reply: (asked: Asked) => unknown) {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const sent = await text(request);
    const one = {
      method: request.method ?? '',
      path: (request.url ?? '').replace('/org/acme', ''),
      body: sent === '' ? null : JSON.parse(sent),
    };
    asked.push(one);
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply(one)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-cli-'));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true });
  });
  const { port } = server.address() as AddressInfo;
  const env = { GATEHOUSE_URL: `http://127.0.0.1:${port}/org/acme`, GATEHOUSE_API_KEY: 'key' };
  return { asked, run: (...args: string[]) => runGatehouse(folder, args, { env }) };
}
