import { Socket as DatagramSocket } from 'node:dgram';
import { syncBuiltinESMExports } from 'node:module';
import { isIP, type LookupFunction, Server, Socket, type SocketConnectOpts } from 'node:net';
import { Worker } from 'node:worker_threads';
import { checkedLookup, checkLiteral, OutboundRefusal, permitAddresses } from '#kit/net/addresses.ts';
import type { Sentence } from '#kit/sentences.ts';
import { guardDatabases } from './guard-databases.ts';
import { guardProcesses } from './guard-processes.ts';
import { guardSentences } from './guard-sentences.ts';

/**
 * Loaded into the process of a connector before its own code. Every TCP connection goes to a public address, to one that the
 * operator allows (D49), or, under the names of bridge.ts, to the bridge API and the gateway of this node. Databases and directories have
 * protocols of their own, so unlike requests of the server, connections need not use https. Nothing listens, and nothing is
 * sent by UDP. It also closes the holes of Node's permission model that connectors could use: databases and other processes.
 */

const rules = { protocol: 'https:', allowLoopback: false };
const {
  GATEHOUSE_ALLOW_PRIVATE_ADDRESSES: permitted = '',
  GATEHOUSE_URL: named,
  GATEHOUSE_BRIDGE: bridge,
  GATEHOUSE_PROXY: proxy,
  GATEHOUSE_GATEWAY: gateway,
  GATEHOUSE_SERVER: server,
} = process.env;
permitAddresses(permitted.split(',').filter(Boolean));

const withoutBrackets = (host: string) => host.replace(/^\[|\]$/g, '');
const portOf = ({ port, protocol }: URL) => port || (protocol === 'https:' ? '443' : '80');
/** The services of this node for the process, by names that only this run knows. */
const services = [
  [named, bridge],
  [proxy, gateway],
].flatMap(([name, at]) =>
  name === undefined || at === undefined
    ? []
    : [
        {
          name: new URL(name).hostname,
          host: withoutBrackets(new URL(at).hostname),
          port: portOf(new URL(at)),
        },
      ],
);

/** Between SIGTERM, on which a connector abandons its session, and SIGKILL. */
const GRACE_MS = 5000;
/**
 * Ends the process when the server is gone. A thread does so, because a connector that hangs in a loop runs no timers. It
 * receives no messages, and nothing has a reference to it.
 */
const WATCH = `
  const { server, grace } = require('node:worker_threads').workerData;
  const checking = setInterval(() => {
    if (process.ppid === server) return;
    clearInterval(checking);
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), grace);
    process.kill(process.pid, 'SIGTERM');
  }, 1000);`;
if (server !== undefined) {
  new Worker(WATCH, {
    eval: true,
    // Without this, the thread would load this module.
    execArgv: ['--permission'],
    env: {},
    workerData: { server: Number(server), grace: GRACE_MS },
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 },
  }).unref();
}
// Other threads would not have the rules below.
process.permission.drop('worker');

/** Clients of some protocols hide why a connection failed, so the log has it as well. */
function refused<E extends Error | null>(error: E): E {
  if (!(error instanceof OutboundRefusal)) return error;
  process.stderr.write(`refused: ${error.message}\n`);
  return Object.assign(error, { code: 'EACCES' });
}

const lookup: LookupFunction = (host, options, done) =>
  checkedLookup(rules)(host, options, (error, ...found) => done(refused(error), ...found));

const connect = Socket.prototype.connect as (this: Socket, ...args: unknown[]) => Socket;

/** Returns the options of a call of `connect`, which takes options, a port and a host, or arguments in a list. */
function optionsOf(args: unknown[]): { options: Record<string, unknown>; done: unknown } {
  const flat = Array.isArray(args[0]) ? (args[0] as unknown[]) : args;
  const done = flat.find((one) => typeof one === 'function');
  const [first, second] = flat;
  if (typeof first === 'object' && first !== null) return { options: { ...first }, done };
  const host = typeof second === 'string' ? { host: second } : {};
  return { options: /^\d+$/.test(String(first)) ? { port: Number(first), ...host } : { path: first }, done };
}

Socket.prototype.connect = function guarded(this: Socket, ...args: unknown[]): Socket {
  const { options, done } = optionsOf(args);
  const host = withoutBrackets(String(options.host ?? 'localhost'));
  try {
    if (options.path !== undefined && options.path !== null)
      throw new OutboundRefusal(guardSentences.connector_cannot_use_sockets());
    const service = services.find(({ name, port }) => name === host && port === String(options.port));
    if (service !== undefined) options.host = service.host;
    else {
      checkLiteral(host, rules);
      if (isIP(host) === 0) options.lookup = lookup;
    }
  } catch (error) {
    process.nextTick(() => this.destroy(refused(error as Error)));
    return this;
  }
  return connect.call(this, options as unknown as SocketConnectOpts, done);
} as Socket['connect'];

const unavailable = (why: Sentence) => () => {
  throw refused(new OutboundRefusal(why));
};
Server.prototype.listen = unavailable(guardSentences.connector_cannot_listen());
for (const name of ['bind', 'connect', 'send'] as const)
  DatagramSocket.prototype[name] = unavailable(guardSentences.connector_cannot_use_udp());

guardDatabases();
guardProcesses();
// For imports by name.
syncBuiltinESMExports();
