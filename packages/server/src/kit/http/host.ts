import type { FastifyRequest } from 'fastify';
import { isLoopback } from '../net/addresses.ts';
import { httpRefusals } from './sentences.ts';

const HOST = /^(?:\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i;

/** Returns the scheme and host that a request names. Throws 400 if its Host header is missing or malformed. */
export function originOf({ protocol, host }: FastifyRequest): string {
  const origin = `${protocol}://${host}`;
  if (HOST.test(host) && URL.canParse(origin)) return origin;
  throw host === '' ? noHost() : httpRefusals.host_malformed();
}

/**
 * Returns the scheme and host that a request names, for links that lead others here. Anyone can write a host into a request, so
 * it must be this machine's own: `localhost`, or the address at which the request arrived. Throws 409 for any other one.
 */
export function ownOriginOf(request: FastifyRequest): string {
  const origin = originOf(request);
  const { hostname } = new URL(origin);
  const { localAddress } = request.socket;
  const isOwn = isLoopback(hostname) || isSameAddress(hostname, localAddress);
  if (isOwn) return origin;
  throw httpRefusals.public_url_unknown({ hostname });
}

const isSameAddress = (hostname: string, address: string | undefined) =>
  address !== undefined && hostname.replace(/^\[|\]$/g, '') === address.replace(/^::ffff:(?=[\d.]+$)/i, '');

const noHost = () => httpRefusals.host_missing();

/** HTTP/1.1 requires the header of every request, once (RFC 9112, 3.2). A proxy might read another one of several. */
export function requireHost({ raw: { httpVersion, headers, rawHeaders } }: FastifyRequest) {
  if (httpVersion === '1.1' && headers.host === undefined) throw noHost();
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') hosts++;
  if (hosts > 1) throw httpRefusals.hosts_several();
}
