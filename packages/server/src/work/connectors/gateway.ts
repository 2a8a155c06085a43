import { randomBytes } from 'node:crypto';
import {
  createServer,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { type Duplex, pipeline } from 'node:stream';
import {
  type AddressRules,
  checkedLookup,
  checkLiteral,
  checkProxied,
  networkList,
  OutboundRefusal,
} from '#kit/net/addresses.ts';
import { causeSentence, networkCause } from '../../../../protocol/src/net/network-cause.ts';
import { type OutboundProxy, usesProxy } from '../../../../protocol/src/net/outbound-proxy.ts';
import { openTunnel, ProxyError, REASON_HEADER, writeReason } from '../../../../protocol/src/net/tunnel.ts';
import { gatewayVariables } from './bridge.ts';

/**
 * A proxy on this machine between the connectors of this node and the operator's proxy. Connectors learn neither the address nor the
 * password of the latter, and reach through it no address that is forbidden to them.
 */
export interface Gateway {
  /** Opens the way for one run, which may reach these networks although they are not public. */
  admit(networks: readonly string[]): Promise<Pass>;
  close(): void;
}

export interface Pass {
  /** The environment of the process. */
  env: Record<string, string>;
  /** A secret in `env`. */
  token: string;
  /** Ends all connections of the run. */
  end(): void;
}

/** The run behind a pass. */
interface Run {
  rules: AddressRules;
  sockets: Set<Duplex>;
  /** The connections that it has, and those that are being made. */
  reaches: number;
  ended: boolean;
}

/** Connections of one run at the same time. A tunnel is one. */
const MOST_REACHES = 64;

/** The gateway starts to listen with the first run. */
export function openGateway(proxy: OutboundProxy): Gateway {
  const runs = new Map<string, Run>();
  let starting: Promise<Server> | undefined;
  const start = () => {
    starting ??= listen(proxy, (authorization) => runs.get(authorization));
    return starting;
  };
  return {
    admit: async (networks) => {
      const { port } = (await start()).address() as AddressInfo;
      const token = randomBytes(24).toString('hex');
      const authorization = `Basic ${Buffer.from(`run:${token}`).toString('base64')}`;
      // Connectors have protocols of their own, so what they send need not be https (guard.ts).
      const rules = { protocol: 'https:', allowLoopback: false, permitted: networkList(networks) };
      const run = { rules, sockets: new Set<Duplex>(), reaches: 0, ended: false };
      runs.set(authorization, run);
      return {
        env: gatewayVariables(`http://run:${token}@127.0.0.1:${port}`),
        token,
        end: () => {
          runs.delete(authorization);
          run.ended = true;
          for (const socket of run.sockets) socket.destroy();
        },
      };
    },
    close: () => {
      void starting?.then((server) => {
        server.closeAllConnections();
        server.close();
      });
      for (const { sockets } of runs.values()) for (const socket of sockets) socket.destroy();
    },
  };
}

async function listen(
  proxy: OutboundProxy,
  findRun: (authorization: string) => Run | undefined,
): Promise<Server> {
  const server = createServer();
  const runOf = ({ headers }: IncomingMessage) => findRun(headers['proxy-authorization'] ?? '');
  server.on('connect', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    void tunnel(proxy, runOf(request), request, socket, head);
  });
  server.on('request', (request, response) => void forward(proxy, runOf(request), request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return server.unref();
}

/** Replies to CONNECT, and passes on what both sides send. */
async function tunnel(
  proxy: OutboundProxy,
  run: Run | undefined,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
) {
  const target = URL.canParse(`http://${request.url}`) ? new URL(`http://${request.url}`) : undefined;
  try {
    const other = await reach(proxy, run, target);
    if (socket.destroyed) {
      other.destroy();
      return;
    }
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    if (head.length > 0) other.write(head);
    run?.sockets.add(socket);
    socket.once('close', () => {
      run?.sockets.delete(socket);
      other.destroy();
    });
    other.once('close', () => socket.destroy());
    socket.pipe(other).pipe(socket);
  } catch (error) {
    const { status, reason } = refusalFor(error, target);
    socket.end(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${REASON_HEADER}: ${writeReason(reason)}\r\ncontent-length: 0\r\n\r\n`,
    );
  }
}

/** Forwards a request for an http address, which clients send without a tunnel. */
async function forward(
  proxy: OutboundProxy,
  run: Run | undefined,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const url = URL.canParse(request.url ?? '') ? new URL(request.url ?? '') : undefined;
  const target = url?.protocol === 'http:' ? url : undefined;
  try {
    const other = await reach(proxy, run, target);
    if (response.destroyed) {
      other.destroy();
      return;
    }
    response.once('close', () => other.destroy());
    const { method, headers } = request;
    const passedOn = httpRequest({
      createConnection: () => other,
      path: `${target?.pathname}${target?.search}`,
      ...(method === undefined ? {} : { method }),
      headers: { ...ownHeaders(headers), host: target?.host },
    });
    passedOn.on('error', () => response.destroy());
    passedOn.once('response', (reply) => {
      try {
        response.writeHead(reply.statusCode ?? 502, ownHeaders(reply.headers));
      } catch {
        // A status below 100, or headers that contradict each other.
        response.destroy();
        return;
      }
      // A response that the other side cuts off must end as an error here, too: clients repeat such requests.
      pipeline(reply, response, (error) => {
        if (error) response.destroy();
      });
    });
    request.on('error', () => passedOn.destroy()).pipe(passedOn);
  } catch (error) {
    const { status, reason } = refusalFor(error, target);
    response.writeHead(status, { [REASON_HEADER]: writeReason(reason), 'content-type': 'text/plain' });
    response.end(reason);
  }
}

const ownHeaders = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => !/^(proxy-|connection$|keep-alive$|upgrade$)/.test(name)),
  );

class GatewayRefusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const hasEnded = () => new GatewayRefusal(407, 'The run of the connector has ended.');

/** Opens a connection to the host of an address: through the operator's proxy, or directly if the host bypasses it. */
async function reach(proxy: OutboundProxy, run: Run | undefined, target: URL | undefined): Promise<Socket> {
  if (run === undefined) throw hasEnded();
  if (target === undefined) throw new GatewayRefusal(400, 'The address is not one of HTTP.');
  if (run.reaches >= MOST_REACHES)
    throw new GatewayRefusal(503, `A connector can have ${MOST_REACHES} connections at the same time.`);
  run.reaches += 1;
  try {
    const socket = await open(proxy, run, target);
    socket.on('error', () => socket.destroy());
    if (run.ended) {
      socket.destroy();
      throw hasEnded();
    }
    run.sockets.add(socket);
    socket.once('close', () => {
      run.reaches -= 1;
      run.sockets.delete(socket);
    });
    return socket;
  } catch (error) {
    run.reaches -= 1;
    throw error;
  }
}

async function open(proxy: OutboundProxy, { rules }: Run, { hostname, port: given }: URL): Promise<Socket> {
  const port = given === '' ? 80 : Number(given);
  if (!usesProxy(proxy, hostname, port)) return openDirect(hostname, port, rules);
  await checkProxied(hostname, rules);
  return openTunnel(proxy, hostname, port);
}

function openDirect(hostname: string, port: number, rules: AddressRules): Promise<Socket> {
  checkLiteral(hostname, rules);
  const socket = connect({
    host: hostname.replace(/^\[|\]$/g, ''),
    port,
    lookup: checkedLookup(rules),
  });
  return new Promise((resolve, reject) => {
    socket.once('connect', () => resolve(socket));
    socket.once('error', reject);
  });
}

function refusalFor(error: unknown, target: URL | undefined): { status: number; reason: string } {
  if (error instanceof GatewayRefusal) return { status: error.status, reason: error.message };
  if (error instanceof OutboundRefusal) return { status: 403, reason: error.message };
  if (error instanceof ProxyError)
    return { status: error.code === 'ERR_PROXY_REFUSED' ? 403 : 502, reason: error.message };
  const cause = networkCause(error, target?.host);
  return {
    status: 502,
    reason: cause === undefined ? `${target?.host} could not be reached.` : causeSentence(cause),
  };
}
