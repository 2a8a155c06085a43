import { isIP, type LookupFunction, Socket, type SocketConnectOpts } from 'node:net';
import { checkedLookup, checkLiteral, OutboundRefusal, permitAddresses } from '../platform/http/addresses.ts';

/**
 * Loaded into the process of a connector before its own code. Every TCP connection goes to a public address, to one that the
 * operator allows (D49), or to the bridge API of this node. Databases and directories have protocols of their own, so unlike
 * requests of the server, connections need not use https.
 */

const rules = { protocol: 'https:', allowLoopback: false };
const { GATEHOUSE_ALLOW_PRIVATE_ADDRESSES: permitted = '', GATEHOUSE_URL: bridge } = process.env;
permitAddresses(permitted.split(',').filter(Boolean));

const service = bridge === undefined ? undefined : new URL(bridge);
const withoutBrackets = (host: string) => host.replace(/^\[|\]$/g, '');
const isService = (host: string, port: unknown) =>
  service !== undefined &&
  withoutBrackets(service.hostname) === host &&
  String(port) === (service.port || (service.protocol === 'https:' ? '443' : '80'));

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
      throw new OutboundRefusal('A connector on the server cannot use local sockets. Use a host and a port.');
    if (!isService(host, options.port)) {
      checkLiteral(host, rules);
      if (isIP(host) === 0) options.lookup = lookup;
    }
  } catch (error) {
    process.nextTick(() => this.destroy(refused(error as Error)));
    return this;
  }
  return connect.call(this, options as unknown as SocketConnectOpts, done);
} as Socket['connect'];
