import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { until } from '#test/until.ts';
import { DomainError } from '../errors.ts';
import { createLogger } from '../logger.ts';
import { createHttp, type Http } from './server.ts';

/**
 * Requests over real connections, whose bodies arrive late, in part or not at all. After each of them, the process holds nothing of it, and
 * no error was left to end the process.
 */
const BODY = JSON.stringify('x'.repeat(300_000));
const PARTS = { none: 0, part: 150_000, whole: BODY.length };
const JSON_TYPE = 'Content-Type: application/json\r\n';

interface Case {
  method?: string;
  path: string;
  headers?: string;
  status: number;
  /** Whether the reply comes before the body is complete. */
  early?: boolean;
  /** The length that the request declares. */
  length?: number;
  /** The server does not notice that the client is gone until it has replied. */
  unread?: boolean;
  /** Node.js loses a request that follows in the same packet. */
  isLast?: boolean;
}

const CASES: Record<string, Case> = {
  GET: { method: 'GET', path: '/held', status: 200, early: true },
  HEAD: { method: 'HEAD', path: '/held', status: 200, early: true },
  'GET with an upgrade': {
    method: 'GET',
    path: '/held',
    headers: 'Connection: Upgrade\r\nUpgrade: websocket\r\n',
    status: 200,
    early: true,
    isLast: true,
  },
  'GET of an unknown address': { method: 'GET', path: '/none', status: 404, early: true },
  TRACE: { method: 'TRACE', path: '/held', status: 404, early: true },
  PROPFIND: { method: 'PROPFIND', path: '/held', status: 404, early: true },
  JSON: { path: '/held', headers: JSON_TYPE, status: 200 },
  'DELETE with JSON': { method: 'DELETE', path: '/held', headers: JSON_TYPE, status: 200 },
  'JSON that waits for 100 Continue': {
    path: '/held',
    headers: `${JSON_TYPE}Expect: 100-continue\r\n`,
    status: 200,
  },
  'JSON to an unknown address': { path: '/none', headers: JSON_TYPE, status: 404 },
  'JSON to a handler that throws': { path: '/throws', headers: JSON_TYPE, status: 500 },
  'JSON that is too large': { path: '/small', headers: JSON_TYPE, status: 413, early: true },
  'JSON to a route of forms': { path: '/form', headers: JSON_TYPE, status: 415, early: true },
  'a form that is too large': {
    path: '/form',
    headers: 'Content-Type: application/x-www-form-urlencoded\r\n',
    status: 413,
    early: true,
  },
  'another type': { path: '/held', headers: 'Content-Type: text/plain\r\n', status: 415 },
  'an invalid type': { path: '/held', headers: 'Content-Type: ;\r\n', status: 415, early: true },
  'an encoding': {
    path: '/held',
    headers: `${JSON_TYPE}Content-Encoding: gzip\r\n`,
    status: 415,
    early: true,
  },
  'a key that is refused': { path: '/private', headers: JSON_TYPE, status: 401, early: true },
  'an upload that nobody reads': {
    path: '/upload',
    headers: 'X-Read: no\r\n',
    status: 200,
    early: true,
    unread: true,
  },
  'an upload': { path: '/upload', status: 200 },
};

let http: Http;
let port: number;
/** Held handlers return when it resolves. */
let gate = Promise.withResolvers<void>();
const uncaught: unknown[] = [];
const onUncaught = (error: unknown) => void uncaught.push(error);
beforeAll(async () => {
  process.on('uncaughtException', onUncaught);
  http = createHttp({ logger: createLogger('silent'), trustProxy: false });
  const open = { config: { access: 'public' as const } };
  const held = async () => {
    await gate.promise;
    return {};
  };
  http.addHook('onRequest', async (request) => {
    const organization = request.headers['x-organization'];
    if (typeof organization !== 'string') return;
    request.principal = { orgId: organization } as FastifyRequest['principal'];
  });
  http.get('/healthz', { config: { ...open.config, unlimited: true } }, async () => ({}));
  http.get('/held', open, held);
  http.post('/held', open, held);
  http.delete('/held', open, held);
  http.post('/small', { ...open, bodyLimit: 1000 }, held);
  http.post('/throws', open, async () => {
    throw new Error('no');
  });
  const refuse = async () => {
    throw new DomainError('unauthenticated', 'No.');
  };
  http.post('/private', { ...open, onRequest: refuse }, held);
  await http.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 1000 },
      (_request, _text, done) => done(null, {}),
    );
    scope.post('/form', open, held);
  });
  await http.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    scope.post('/upload', { config: { ...open.config, streams: true } }, async ({ body, headers }) => {
      if (headers['x-read'] !== 'no') for await (const _ of body as Readable);
      return held();
    });
  });
  http.get('/endless', open, async (_request, reply) => reply.send(Readable.from(endless())));
  await http.listen({ port: 0, host: '127.0.0.1' });
  port = (http.server.address() as AddressInfo).port;
});
afterAll(async () => {
  await http.close();
  process.off('uncaughtException', onUncaught);
});

let isStreaming = false;
async function* endless() {
  isStreaming = true;
  try {
    for (;;) yield 'x'.repeat(1000);
  } finally {
    isStreaming = false;
  }
}

/** Opens a connection. */
async function open() {
  const accepted = once(http.server, 'connection') as Promise<[Socket]>;
  const client = connect(port, '127.0.0.1');
  onTestFinished(() => void client.destroy());
  client.on('error', () => undefined);
  let text = '';
  client.setEncoding('latin1').on('data', (piece: string) => {
    text += piece;
  });
  const [[served]] = await Promise.all([accepted, once(client, 'connect')]);
  const closed = new Promise<void>((resolve) => served.once('close', () => resolve()));
  return {
    client,
    text: () => text,
    /** Resolves once the server has read the headers. */
    write: async (bytes: string) => {
      const requested = once(http.server, 'request');
      client.write(bytes);
      await requested;
    },
    /** Resolves once the server knows that the client is gone. */
    reset: async () => {
      client.resetAndDestroy();
      await closed;
    },
  };
}

const headOf = ({ method = 'POST', path, headers = '', length = BODY.length }: Case, organization?: string) =>
  `${method} ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n${headers}${
    organization === undefined ? '' : `X-Organization: ${organization}\r\n`
  }\r\n`;

async function expectNothingLeft() {
  await until(
    'no load',
    http.load,
    ({ requests, waiting, bodyBytes }) => requests + waiting + bodyBytes === 0,
    { everyMs: 1 },
  );
  expect((await http.inject('/healthz')).statusCode).toBe(200);
  expect(uncaught).toEqual([]);
}

const table = Object.entries(CASES).flatMap(([name, one]) =>
  ['a stranger', 'a member'].flatMap((caller) =>
    Object.entries(PARTS).map(([part, sent]) => ({ name, caller, part, sent, one })),
  ),
);
const organizationOf = (caller: string) => (caller === 'a member' ? 'acme' : undefined);

describe('holds nothing', () => {
  test.each(table)('when $caller is gone before the reply: $name, $part of it sent', async (row) => {
    gate = Promise.withResolvers();
    const { write, reset } = await open();

    await write(headOf(row.one, organizationOf(row.caller)) + BODY.slice(0, row.sent));
    if (row.one.unread) gate.resolve();
    await reset();
    gate.resolve();

    await expectNothingLeft();
  });

  test.each(table)('when the rest comes after the reply to $caller: $name, $part of it sent', async (row) => {
    gate = Promise.withResolvers();
    gate.resolve();
    const { client, text, write, reset } = await open();
    const statuses = () =>
      [...text().matchAll(/HTTP\/1\.1 (\d+)/g)]
        .map(([, status]) => Number(status))
        .filter((one) => one > 100);
    const untilReplies = (count: number) =>
      until('replies', statuses, ({ length }) => length >= count, { everyMs: 1 });

    await write(headOf(row.one, organizationOf(row.caller)) + BODY.slice(0, row.sent));
    if (row.one.early) await untilReplies(1);
    client.write(BODY.slice(row.sent));
    await untilReplies(1);
    expect(statuses()).toEqual([row.one.status]);
    if (!row.one.isLast && !/^connection: close/im.test(text())) {
      // The connection remains usable, so everything that came has been read.
      await write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
      await untilReplies(2);
      expect(statuses()).toEqual([row.one.status, 200]);
    }
    await expectNothingLeft();
    await reset();

    await expectNothingLeft();
  });

  test.each(['a stranger', 'a member'])('of pipelined requests of %s', async (caller) => {
    gate = Promise.withResolvers();
    const { write, reset } = await open();
    const held: Case = { method: 'GET', path: '/held', status: 200, length: 0 };
    const json: Case = { path: '/held', headers: JSON_TYPE, status: 200 };

    const organization = organizationOf(caller);
    await write(headOf(held, organization) + headOf(json, organization) + BODY.slice(0, PARTS.part));
    await until('the second body', http.load, ({ bodyBytes }) => bodyBytes > 0, { everyMs: 1 });
    await reset();
    gate.resolve();

    await expectNothingLeft();
  });

  test.each(['a stranger', 'a member'])('of a response that %s stops reading', async (caller) => {
    const { text, write, reset } = await open();
    const endlessly: Case = { method: 'GET', path: '/endless', status: 200 };

    await write(headOf(endlessly, organizationOf(caller)));
    await until('the response', text, (all) => all.includes('xxx'), { everyMs: 1 });
    expect(isStreaming).toBe(true);
    await reset();

    await until(
      'the end of the response',
      () => isStreaming,
      (is) => !is,
      { everyMs: 1 },
    );
    await expectNothingLeft();
  });

  test('of the bodies of an address, which can send one after many others', async () => {
    gate = Promise.withResolvers();
    gate.resolve();
    for (let n = 0; n < 100; n++) {
      const { client, text, write } = await open();
      await write(headOf({ method: 'GET', path: '/held', status: 200 }));
      await until('the reply', text, (all) => all.includes('200 OK'), { everyMs: 1 });
      client.write(BODY);
    }
    const { text, write } = await open();
    await write(headOf({ path: '/held', headers: JSON_TYPE, status: 200 }) + BODY);
    await until('the reply', text, (all) => all !== '', { everyMs: 1 });

    expect(text()).toMatch(/^HTTP\/1\.1 200 /);
    expect(http.load().refused.bodyBytes).toBe(0);
    await expectNothingLeft();
  });
});
