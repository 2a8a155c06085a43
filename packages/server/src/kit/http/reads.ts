import type { Database } from '../database/open.ts';
import type { Replica } from '../database/replica.ts';
import type { Reader } from '../database/replica-reader.ts';
import type { Http } from './server.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * `replica`: the handler reads through `request.reads`, which may be a replica. Only for requests that change nothing
     * and authorize nobody: guards use the primary.
     */
    reads?: 'replica';
  }
  interface FastifyRequest {
    /** The database from which the handler reads: the primary, or a replica that is as fresh (ADR 15). */
    reads: Reader;
  }
}

/** Gives each request what it reads from. Without a replica, and for routes that do not declare `reads`, the primary. */
export function provideReads(http: Http, primary: Database, replica: Replica | undefined): void {
  http.decorateRequest('reads');
  http.addHook('onRoute', ({ method, url, config }) => {
    const isGet = [method].flat().every((one) => one === 'GET' || one === 'HEAD');
    if (config?.reads !== undefined && !isGet)
      throw new Error(`Route ${String(method)} ${url} cannot read from a replica. Remove config.reads.`);
  });
  http.addHook('onRequest', async (request) => {
    const mayReadReplica = request.routeOptions.config?.reads === 'replica';
    request.reads = replica !== undefined && mayReadReplica ? replica.reader() : primary;
  });
}
