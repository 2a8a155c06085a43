import type { Socket } from 'node:net';
import { Agent, buildConnector, fetch } from 'undici';
import { type OutboundProxy, portOf, usesProxy } from '../../../../protocol/src/net/outbound-proxy.ts';
import { openTunnel } from '../../../../protocol/src/net/tunnel.ts';
import { checkedLookup, checkLiteral, checkProxied } from './addresses.ts';

type NoteAddress = (options: { protocol: string; host?: string }, address: string | undefined) => void;

export type Client = ReturnType<typeof openClient>;

/**
 * Opens the agents of outbound.ts, which keep connections open for later requests. A connection belongs to the rules and to the proxy
 * under which it was made. `noteAddress` gets the address of each new one.
 */
export const openClient = (noteAddress: NoteAddress, proxy: OutboundProxy | undefined) => ({
  fetch,
  agents: { public: agent(false, noteAddress, proxy), developing: agent(true, noteAddress, proxy) },
});

/** The addresses of a name are checked when a connection is made, and an IP address in a URL before. */
function agent(allowLoopback: boolean, noteAddress: NoteAddress, proxy: OutboundProxy | undefined): Agent {
  const connectorFor = (protocol: string) =>
    buildConnector({ lookup: checkedLookup({ protocol, allowLoopback }) });
  const [secure, plain] = [connectorFor('https:'), connectorFor('http:')];
  return new Agent({
    connect: (options, callback) => {
      const { hostname, protocol } = options;
      const fail = (error: unknown) => callback(error as Error, null);
      if (proxy !== undefined && usesProxy(proxy, hostname, portOf(options))) {
        tunnelFor(proxy, { protocol, allowLoopback }, options).then(({ socket, address }) => {
          noteAddress(options, address);
          if (protocol === 'https:') secure({ ...options, httpSocket: socket }, callback);
          else callback(null, socket);
        }, fail);
        return;
      }
      try {
        checkLiteral(hostname, { protocol, allowLoopback });
      } catch (error) {
        fail(error);
        return;
      }
      (protocol === 'https:' ? secure : plain)(options, (...result) => {
        const [error, socket] = result;
        if (error === null) noteAddress(options, socket.remoteAddress);
        callback(...result);
      });
    },
  });
}

/** Opens a tunnel by name, since proxies decide by names. Returns the address that the name has here, if any. */
async function tunnelFor(
  proxy: OutboundProxy,
  rules: { protocol: string; allowLoopback: boolean },
  { hostname, protocol, port }: buildConnector.Options,
): Promise<{ socket: Socket; address: string | undefined }> {
  const [found] = await checkProxied(hostname, rules);
  return { socket: await openTunnel(proxy, hostname, portOf({ protocol, port })), address: found?.address };
}
