import type { FastifyRequest } from 'fastify';
import { invalid } from '../errors.ts';

const HOST = /^(?:\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i;

/** Returns the scheme and host that a request names. Throws 400 if its Host header is missing or malformed. */
export function originOf({ protocol, host }: FastifyRequest): string {
  const origin = `${protocol}://${host}`;
  if (HOST.test(host) && URL.canParse(origin)) return origin;
  throw host === ''
    ? noHost()
    : invalid('The Host header is malformed. Send a host name, with a port from 0 to 65535 if needed.');
}

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
