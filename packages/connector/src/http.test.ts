import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createHttp } from './http.ts';

/** Starts a service that replies with these statuses in turn, each with Retry-After: 0. */
async function serve(...statuses: number[]) {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    response.writeHead(statuses.shift() ?? 500, { 'retry-after': '0', 'content-type': 'application/json' });
    request.resume().on('end', () => response.end('{"detail": "The server is busy."}'));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const lines: string[] = [];
  const http = createHttp({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    key: 'key',
    log: { info: (line) => lines.push(line), warn: (line) => lines.push(line) },
    signal: new AbortController().signal,
    attempts: 2,
  });
  return { http, requests, lines };
}

test('waits as long as a busy service asks for, however often, and repeats a push', async () => {
  const { http, requests, lines } = await serve(503, 503, 503, 503, 200);

  const reply = await http('PUT', '/page/', { body: { records: [] } });

  expect(reply.status).toBe(200);
  expect(requests).toEqual(Array(5).fill('PUT /page/'));
  expect(lines[0]).toBe('the service is busy and refused PUT /page/; waiting 0 s');
});

test('does not repeat a request that must not run twice after a 503, because it may have run', async () => {
  const { http, requests } = await serve(503, 200);

  await expect(http('POST', '/apps/', { body: {}, repeatable: false })).rejects.toThrow(
    'The server is busy.',
  );
  expect(requests).toEqual(['POST /apps/']);
});

test('sends nothing else before the moment for which a refusal asked', async () => {
  let opensAt = 0;
  const [requests, early]: string[][] = [[], []];
  const server = createServer((request, response) => {
    const url = String(request.url);
    requests?.push(url);
    if (performance.now() < opensAt) early?.push(url);
    const refuses = requests?.length === 1;
    if (refuses) opensAt = performance.now() + 1000;
    response.writeHead(refuses ? 429 : 200, refuses ? { 'retry-after': '1' } : {}).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close().closeAllConnections());
  const refused = Promise.withResolvers<void>();
  const lines: string[] = [];
  const info = (line: string) => {
    lines.push(line);
    refused.resolve();
  };
  const http = createHttp({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    key: 'key',
    log: { info, warn: info },
    signal: new AbortController().signal,
  });

  const first = http('PUT', '/first/', { body: {} });
  await refused.promise;
  await Promise.all([first, http('PUT', '/second/', { body: {} }), http('PUT', '/third/', { body: {} })]);

  expect(early).toEqual([]);
  expect(requests?.toSorted()).toEqual(['/first/', '/first/', '/second/', '/third/']);
  expect(lines).toEqual(['the service throttled PUT /first/; waiting 1 s']);
});
