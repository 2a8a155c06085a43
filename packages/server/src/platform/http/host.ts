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

/** HTTP/1.1 requires the header of every request (RFC 9112). */
export function requireHost({ raw: { httpVersion, headers } }: FastifyRequest) {
  if (httpVersion === '1.1' && headers.host === undefined) throw noHost();
}
