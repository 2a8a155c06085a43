import { randomUUID } from 'node:crypto';
import '@fastify/swagger';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type RawReplyDefaultExpression,
  type RawRequestDefaultExpression,
  type RawServerDefault,
} from 'fastify';
import type { Db } from '../database/open.ts';
import { DomainError, invalid, nothingHere } from '../errors.ts';
import { isUuid } from '../ids.ts';
import { replyToError } from './errors.ts';
import { validatorCompiler } from './validation.ts';

export type Http = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** Who may call a route. The server does not start if a route does not declare it. */
export type Access = 'public' | { scope: string; roles?: readonly string[] };

/** The tools that the routes of every feature receive. */
export interface RouteTools {
  db: Db;
  /** The scheme and host under which callers reach this deployment, for absolute addresses. */
  origin: (request: FastifyRequest) => string;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
  }
}

/** Sends the console's HTML page, which is the same for all addresses of the console. */
export type ConsolePage = (reply: FastifyReply) => FastifyReply;

/**
 * The proxies whose X-Forwarded-For is trusted (D53): none, as many as the number closest to Gatehouse, or those with
 * these addresses. There is no way to trust all, because callers could then choose their own address.
 */
export type TrustProxy = false | number | string[];

export interface HttpOptions {
  logger: FastifyBaseLogger;
  trustProxy: TrustProxy;
  /** Sent to browsers for an address without a route: the console has its own routes. */
  page?: ConsolePage | undefined;
}

const ONE_MEGABYTE = 1024 * 1024;

/** Creates the HTTP server without routes: JSON bodies, errors as `{detail}` (D5), optional trailing slashes (D2). */
export function createHttp({ logger, trustProxy, page }: HttpOptions): Http {
  const http = Fastify({
    loggerInstance: logger,
    // Fastify takes no number, because a caller who bypasses the proxies could choose their address (docs/run-it.md).
    trustProxy: typeof trustProxy === 'number' ? (_address, hop) => hop < trustProxy : trustProxy,
    bodyLimit: ONE_MEGABYTE,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    logController: new LogController({ disableRequestLogging: true }),
    requestTimeout: 120_000,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // An id of any length reaches its route, so that the key is checked before the 404 (D6).
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 16 * 1024 },
    frameworkErrors: replyToError,
    clientErrorHandler: (_error, socket) => {
      const body = JSON.stringify({ detail: 'The request is not valid HTTP.' });
      if (socket.writable) {
        socket.end(
          `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
        );
      }
    },
  }).withTypeProvider<TypeBoxTypeProvider>();

  http.setValidatorCompiler(validatorCompiler);
  http.setErrorHandler(replyToError);
  http.setNotFoundHandler(async (request, reply) => {
    if (page !== undefined && acceptsHtml(request)) return page(reply);
    throw nothingHere();
  });
  http.addHook('onRequest', async (request, reply) => {
    reply.header('X-Request-Id', request.id);
    ignoreTypeOfEmptyBody(request.raw.headers);
    lowerIds(request.params as Record<string, string>);
  });
  http.addHook('onResponse', async ({ method, url, log }, reply) => {
    log.info({ method, url, status: reply.statusCode, ms: Math.round(reply.elapsedTime) }, 'request');
  });
  http.addHook('onRoute', (route) => {
    const isReferencePage = route.url.startsWith('/docs');
    if (route.config?.access === undefined && !isReferencePage) {
      throw new Error(
        `Route ${String(route.method)} ${route.url} does not declare who may call it. Set config.access.`,
      );
    }
  });
  parseJsonBodies(http);
  return http;
}

const acceptsHtml = ({ method, url, headers }: FastifyRequest) =>
  method === 'GET' && !url.startsWith('/org/') && (headers.accept ?? '').includes('text/html');

/** Accepts a request without a body, whatever content type it declares (D19). */
function ignoreTypeOfEmptyBody(headers: NodeJS.Dict<string | string[]>) {
  const length = headers['content-length'];
  if ((length === undefined || length === '0') && headers['transfer-encoding'] === undefined) {
    delete headers['content-type'];
  }
}

/** Ids in an address compare equal to those of the database in any case (D3). Slugs are case-sensitive. */
function lowerIds(params: Record<string, string>) {
  for (const [name, value] of Object.entries(params)) {
    if (name.endsWith('id') && isUuid(value)) params[name] = value.toLowerCase();
  }
}

function parseJsonBodies(http: Http) {
  http.removeAllContentTypeParsers();
  http.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => {
    if (text === '') return done(null, undefined);
    try {
      done(null, parseJson(text as string));
    } catch (error) {
      done(error instanceof DomainError ? error : invalid('The body is not valid JSON.'));
    }
  });
}

/**
 * Parses JSON and rejects lone surrogates, which JSON can escape but no database stores. `__proto__` becomes an own
 * property like any other: it is a valid slug, so a page may use it as a key. secure-json-parse would drop it.
 */
function parseJson(text: string): unknown {
  const mayHaveSurrogates = /\\ud[89a-f]/i.test(text);
  if (!mayHaveSurrogates) return JSON.parse(text);
  return JSON.parse(text, (key, value) => {
    const isText = key.isWellFormed() && (typeof value !== 'string' || value.isWellFormed());
    if (!isText) throw invalid('The body contains a lone surrogate, which is not valid text. Remove it.');
    return value;
  });
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** Returns 405 for other methods of existing addresses. Call it after all routes of `http` are added. */
export function refuseOtherMethods(
  http: Http,
  addresses: Map<string, { methods: Set<string>; access: Access }>,
) {
  for (const [url, { methods, access }] of [...addresses]) {
    const allowed = [...methods].sort().join(', ');
    const others = METHODS.filter((method) => !methods.has(method));
    if (others.length === 0) continue;
    http.route({
      method: others,
      url,
      config: { access },
      schema: { hide: true },
      handler: async (request, reply) => {
        reply.header('Allow', allowed);
        throw new DomainError(
          'method_not_allowed',
          `Method ${request.method} is not allowed at this address.`,
        );
      },
    });
  }
}
