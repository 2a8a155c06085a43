import type { FastifyRequest } from 'fastify';
import { isLoopback } from '../net/outbound.ts';
import { originOf, ownOriginOf } from './host.ts';
import type { Http } from './server.ts';

/** The addresses under which callers, recipients of messages and connectors reach this deployment. */
export interface OwnAddresses {
  /** The origin under which a request reaches this deployment. */
  origin: (request: FastifyRequest) => string;
  /**
   * The origin for addresses that lead others here: sign-in links, and what a sign-in provider gets. Throws 409 without a public
   * address, if the request names a host that is not this machine's own.
   */
  linkOrigin: (request: FastifyRequest) => string;
  /** The origin for links in messages, which no request names. */
  ownOrigin: () => string;
  /** Whether this deployment serves only its own machine, so that its receivers may be there as well. */
  allowLoopback: () => boolean;
  /** Returns the path of an organization's console. */
  consolePath: (slug: string) => string;
  /** The address of an organization on this node. Undefined until the server listens. */
  localUrl: (slug: string) => string | undefined;
}

/** `publicUrl`: the origin for all. Without it, the one that each request names. `home`: the organization whose console is at `/`. */
export function ownAddresses(http: Http, publicUrl: string | undefined, home: string): OwnAddresses {
  const ownOrigin = () => publicUrl ?? listeningOrigin(http);
  return {
    origin: (request) => publicUrl ?? originOf(request),
    linkOrigin: (request) => publicUrl ?? ownOriginOf(request),
    ownOrigin,
    allowLoopback: () => isLoopback(new URL(ownOrigin()).hostname),
    consolePath: (slug) => (slug === home ? '' : `/org/${slug}`),
    localUrl: (slug) => (http.server.listening ? `${listeningOrigin(http)}/org/${slug}` : undefined),
  };
}

/** Returns the origin at which this process listens, for a deployment without a public address. */
function listeningOrigin(http: Http): string {
  const address = http.server.address();
  if (address === null || typeof address === 'string') return 'http://localhost';
  const host = ['0.0.0.0', '::'].includes(address.address) ? 'localhost' : address.address;
  return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
}
