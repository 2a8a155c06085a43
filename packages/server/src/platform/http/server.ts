import { randomUUID } from 'node:crypto';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type RawReplyDefaultExpression, type RawRequestDefaultExpression, type RawServerDefault } from 'fastify';
import { DomainError } from '../errors.ts';
import { replyToError } from './errors.ts';
import { validatorCompiler } from './validation.ts';

export type Http = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** Who may call a route. Every route says so, or the server does not start (house, "A feature"). */
export type Access = 'public' | { scope: string; role?: string };

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
  }
}

export interface HttpOptions {
  logger: FastifyBaseLogger;
  /** Proxies whose X-Forwarded-For is believed (D11); false believes none. */
  trustProxy: boolean | string[];
}

const ONE_MEGABYTE = 1024 * 1024;

/** The HTTP server without any route: JSON in and out, errors as `{detail}` (D5), slashes at will (D2). */
export function createHttp({ logger, trustProxy }: HttpOptions): Http {
  const http = Fastify({
    loggerInstance: logger,
    trustProxy,
    bodyLimit: ONE_MEGABYTE,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    requestTimeout: 120_000,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: true },
    frameworkErrors: replyToError,
    clientErrorHandler: (_error, socket) => {
      const body = JSON.stringify({ detail: 'The request is not HTTP.' });
      if (socket.writable) {
        socket.end(`HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
      }
    },
  }).withTypeProvider<TypeBoxTypeProvider>();

  http.setValidatorCompiler(validatorCompiler);
  http.setErrorHandler(replyToError);
  http.setNotFoundHandler(async () => {
    throw new DomainError('not_found', 'There is nothing at this address.');
  });
  http.addHook('onRequest', async (request, reply) => {
    reply.header('X-Request-Id', request.id);
    ignoreTypeOfEmptyBody(request.raw.headers);
  });
  http.addHook('onRoute', (route) => {
    if (route.config?.access === undefined) {
      throw new Error(`Route ${String(route.method)} ${route.url} does not declare who may call it (config.access).`);
    }
  });
  readJsonBodies(http);
  return http;
}

/** A POST without a body is accepted whatever type it claims (D19). */
function ignoreTypeOfEmptyBody(headers: NodeJS.Dict<string | string[]>) {
  const length = headers['content-length'];
  if ((length === undefined || length === '0') && headers['transfer-encoding'] === undefined) {
    delete headers['content-type'];
  }
}

function readJsonBodies(http: Http) {
  http.removeAllContentTypeParsers();
  http.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => {
    if (text === '') return done(null, undefined);
    try {
      done(null, JSON.parse(text as string));
    } catch {
      done(new DomainError('invalid', 'The body is not valid JSON.'));
    }
  });
}

/**
 * Answers 405 where an address exists and the method does not. Called once, after all routes of `http` were added.
 * `addresses`: address to methods, as the onRoute hook saw them.
 */
export function refuseOtherMethods(http: Http, addresses: Map<string, Set<string>>, access: (url: string) => Access) {
  for (const [url, methods] of addresses) {
    const others = METHODS.filter((method) => !methods.has(method));
    if (others.length === 0) continue;
    http.route({
      method: others,
      url,
      config: { access: access(url) },
      schema: { hide: true },
      handler: async (request, reply) => {
        reply.header('Allow', [...methods].sort().join(', '));
        throw new DomainError('method_not_allowed', `Method ${request.method} is not allowed here.`);
      },
    });
  }
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
