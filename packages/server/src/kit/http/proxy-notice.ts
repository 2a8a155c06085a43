import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { isPublic } from '../net/addresses.ts';
import type { TrustProxy } from './proxies.ts';

/**
 * Returns a function that looks for requests of a proxy that is not trusted, whose callers all share its address and its limits. It
 * logs this once.
 */
export function noticeProxy(trustProxy: TrustProxy, log: { warn(fields: object, text: string): void }) {
  let isDone = trustProxy !== false;
  return ({ headers, ip }: Pick<FastifyRequest, 'headers' | 'ip'>) => {
    if (isDone || (headers['x-forwarded-for'] === undefined && headers.forwarded === undefined)) return;
    if (isIP(ip) === 0 || isPublic(ip)) return;
    isDone = true;
    log.warn(
      { address: ip },
      `Requests arrive through a proxy at ${ip}, which is not trusted: all its callers share one address and the limits for it. Set GATEHOUSE_TRUST_PROXY to the address of the proxy, or to the number of proxies.`,
    );
  };
}
