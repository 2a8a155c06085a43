import type { FastifyRequest } from 'fastify';
import { signInRefusals } from '../sentences.ts';

/**
 * Throws 403 for a request that another site's page made the browser send. Browsers name the origin of such requests.
 * A request that carries a cookie must therefore name its origin.
 */
export function rejectCrossSite({ method, headers }: FastifyRequest, origin: string, hasCookie: boolean) {
  if (method === 'GET' || method === 'HEAD') return;
  const from = headers.origin;
  if (from === undefined ? hasCookie : from !== origin) {
    throw signInRefusals.another_site();
  }
}
