import * as http from 'node:http';
import { type AgentOptions, Agent as HttpsAgent } from 'node:https';
import type { Duplex } from 'node:stream';
import {
  type OutboundProxy,
  ProxySettingError,
  portOf,
  readProxy,
  usesProxy,
} from '../../protocol/src/net/outbound-proxy.ts';
import { openTunnel } from '../../protocol/src/net/tunnel.ts';
import { Exit, Failure } from './errors.ts';

/**
 * Connections for HTTP, which go through the proxy in GATEHOUSE_PROXY, except for the hosts in GATEHOUSE_NO_PROXY. HTTP_PROXY,
 * HTTPS_PROXY and NO_PROXY do not count.
 */

type Environment = Readonly<Record<string, string | undefined>>;
type Agents = { 'http:': http.Agent; 'https:': http.Agent };
type Done = (error: Error | null, socket: Duplex) => void;

const direct: Agents = {
  'http:': new http.Agent({ keepAlive: true }),
  'https:': new HttpsAgent({ keepAlive: true }),
};

/** Throws Failure for invalid settings. */
function proxyIn(env: Environment): OutboundProxy | undefined {
  try {
    return readProxy(env);
  } catch (error) {
    throw error instanceof ProxySettingError ? new Failure(error.message, Exit.usage) : error;
  }
}

let environment: Environment = process.env;
let opened: { settings: string; proxy: OutboundProxy; agents: Agents } | undefined;

/** Returns the proxy for an address, and its agents. Opens them with the first request. */
function proxyFor(url: URL) {
  const { GATEHOUSE_PROXY, GATEHOUSE_NO_PROXY } = environment;
  if (!GATEHOUSE_PROXY) return undefined;
  const settings = `${GATEHOUSE_PROXY} ${GATEHOUSE_NO_PROXY ?? ''}`;
  if (opened?.settings !== settings) {
    const proxy = proxyIn(environment);
    opened = proxy && { settings, proxy, agents: through(proxy) };
  }
  return opened !== undefined && usesProxy(opened.proxy, url.hostname, portOf(url)) ? opened : undefined;
}

/** Returns whether requests to the address go through the proxy, which then resolves the name. */
export const isProxied = (url: URL): boolean => proxyFor(url) !== undefined;

/** Returns the agent for requests to the address with `node:http` or `node:https`. It keeps connections open. */
export const agentFor = (url: URL): http.Agent =>
  (proxyFor(url)?.agents ?? direct)[url.protocol === 'https:' ? 'https:' : 'http:'];

function through(proxy: OutboundProxy): Agents {
  const tunnelTo = ({ host, port }: { host?: string | null | undefined; port?: unknown }) =>
    openTunnel(proxy, host ?? 'localhost', Number(port));
  class PlainAgent extends http.Agent {
    override createConnection(options: http.ClientRequestArgs, done?: Done) {
      tunnelTo(options).then((socket) => done?.(null, socket), done as (error: Error) => void);
      return undefined;
    }
  }
  class SecureAgent extends HttpsAgent {
    override createConnection(options: AgentOptions & http.ClientRequestArgs, done?: Done) {
      tunnelTo(options).then(
        (socket) => done?.(null, super.createConnection({ ...options, socket } as typeof options) as Duplex),
        done as (error: Error) => void,
      );
      return undefined;
    }
  }
  return { 'http:': new PlainAgent({ keepAlive: true }), 'https:': new SecureAgent({ keepAlive: true }) };
}

/**
 * Uses the proxy of this environment from now on, also for `fetch` and Node's own agents, which a connector may use. Node.js knows no
 * networks of IPv6 addresses, so these hosts do not bypass the proxy there. Throws Failure for invalid settings.
 */
export function useProxy(env: Environment): void {
  environment = env;
  const proxy = proxyIn(env);
  if (proxy === undefined) return;
  if (!('setGlobalProxyFromEnv' in http))
    throw new Failure('GATEHOUSE_PROXY requires Node.js 24.14 or newer', Exit.usage);
  http.setGlobalProxyFromEnv({
    http_proxy: proxy.href,
    https_proxy: proxy.href,
    no_proxy: ['localhost', '127.0.0.1', '[::1]', '::1', ...proxy.bypassed.flatMap(asNodeWritesIt)].join(','),
  });
}

function asNodeWritesIt(bypass: OutboundProxy['bypassed'][number]): string[] {
  const port = bypass.port === undefined ? '' : `:${bypass.port}`;
  if (bypass.kind === 'all') return port === '' ? ['*'] : [];
  if (bypass.kind === 'name')
    return [...(bypass.isItself ? [`${bypass.name}${port}`] : []), `*.${bypass.name}${port}`];
  const { address, bits, version } = bypass;
  if (version === 6) return bits === 128 ? [`[${address}]${port}`] : [];
  if (bits === 32) return [`${address}${port}`];
  const parts = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  const first = parts - (parts % 2 ** (32 - bits));
  return port === '' ? [`${dotted(first)}-${dotted(first + 2 ** (32 - bits) - 1)}`] : [];
}

const dotted = (number: number) =>
  [24, 16, 8, 0].map((bits) => Math.floor(number / 2 ** bits) % 256).join('.');
