import { once } from 'node:events';
import { createServer, isIPv6 } from 'node:net';
import { StartError } from '../errors.ts';

/** Where the server listens. */
export interface Place {
  host: string;
  port: number;
}

const REASON: Record<string, (place: Place) => string> = {
  EADDRINUSE: ({ host, port }) =>
    `Another process uses port ${port} of ${host}. Stop it, or set PORT to a free port.`,
  EACCES: ({ port }) =>
    `The user that runs Gatehouse may not use port ${port}. Set PORT to 1024 or higher, or permit it to use this port.`,
  EPERM: ({ host, port }) =>
    `The system does not let Gatehouse listen on port ${port} of ${host}. Change PORT or HOST, or its rules.`,
  EADDRNOTAVAIL: ({ host }) =>
    `This machine does not have the address ${host}. Set HOST to one of its addresses, or to 0.0.0.0 or :: for all.`,
  EAFNOSUPPORT: ({ host }) =>
    `This machine does not support addresses such as ${host}. Set HOST to 0.0.0.0 or one of its addresses.`,
  EINVAL: ({ host }) =>
    `The address ${host} cannot be used. A link-local address needs its interface, as in fe80::1%eth0. Correct HOST.`,
  ENOTFOUND: ({ host }) => unknownHost(host),
  EAI_AGAIN: ({ host }) => unknownHost(host),
};

const unknownHost = (host: string) =>
  `The host name ${host} does not resolve. Set HOST to an address of this machine.`;

/** Explains why the server cannot listen. Returns other errors as they are. */
export function listenFailure(error: unknown, place: Place): unknown {
  const { code = '' } = error as NodeJS.ErrnoException;
  const reason = REASON[code]?.(place);
  return reason === undefined ? error : new StartError(reason, { cause: error });
}

/** Throws StartError if the server could not listen there now: before it opens the database, and creates anything. */
export async function requireFreePlace(place: Place): Promise<void> {
  const server = createServer();
  try {
    server.listen({ ...place, exclusive: true });
    await once(server, 'listening');
  } catch (error) {
    throw listenFailure(error, place);
  }
  server.close();
  await once(server, 'close');
}

/** The address of the server on this machine. */
export const originAt = ({ host, port }: Place): string =>
  `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
