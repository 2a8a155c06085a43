import type { FastifyRequest } from 'fastify';
import { conflict, invalid } from '../errors.ts';
import { isLoopback } from './addresses.ts';

const HOST = /^(?:\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i;

/** Returns the scheme and host that a request names. Throws 400 if its Host header is missing or malformed. */
export function originOf({ protocol, host }: FastifyRequest): string {
  const origin = `${protocol}://${host}`;
  if (HOST.test(host) && URL.canParse(origin)) return origin;
  throw host === ''
    ? noHost()
    : invalid('The Host header is malformed. Send a host name, with a port from 0 to 65535 if needed.');
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
  throw conflict(
    `Gatehouse does not know the address under which people reach it: anyone can write ${hostname} into a request. Set GATEHOUSE_PUBLIC_URL to that address, such as https://gatehouse.example.com, and restart Gatehouse.`,
  );
}

const isSameAddress = (hostname: string, address: string | undefined) =>
  address !== undefined && hostname.replace(/^\[|\]$/g, '') === address.replace(/^::ffff:(?=[\d.]+$)/i, '');

const noHost = () =>
  invalid('The request has no Host header. Send the name under which you reach this server.');

/** HTTP/1.1 requires the header of every request, once (RFC 9112, 3.2). A proxy might read another one of several. */
export function requireHost({ raw: { httpVersion, headers, rawHeaders } }: FastifyRequest) {
  if (httpVersion === '1.1' && headers.host === undefined) throw noHost();
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') hosts++;
  if (hosts > 1) throw invalid('The request has several Host headers. Send one.');
}
