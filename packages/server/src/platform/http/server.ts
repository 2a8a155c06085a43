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
import { DomainError } from '../errors.ts';
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

/** Who may call a route. Every route says so, or the server does not start (house, "A feature"). */
export type Access = 'public' | { scope: string; roles?: readonly string[] };

/** What every feature's routes are given. */
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

/** The one page of the console, whatever its address: the address is the console's own business. */
export type Page = (reply: FastifyReply) => FastifyReply;

export interface HttpOptions {
  logger: FastifyBaseLogger;
  /** Proxies whose X-Forwarded-For is believed (D11); false believes none. */
  trustProxy: boolean | string[];
  /** For people who open an address that no route has: the console knows it, or says that it does not. */
  page?: Page | undefined;
}

const ONE_MEGABYTE = 1024 * 1024;

/** The HTTP server without any route: JSON in and out, errors as `{detail}` (D5), slashes at will (D2). */
export function createHttp({ logger, trustProxy, page }: HttpOptions): Http {
  const http = Fastify({
    loggerInstance: logger,
    trustProxy,
    bodyLimit: ONE_MEGABYTE,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    logController: new LogController({ disableRequestLogging: true }),
    requestTimeout: 120_000,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // What is too long to be an id is not found by its route, after the key was asked for, like any other (D6).
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 16 * 1024 },
    frameworkErrors: replyToError,
    clientErrorHandler: (_error, socket) => {
      const body = JSON.stringify({ detail: 'The request is not HTTP.' });
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
    if (page !== undefined && wantsPage(request)) return page(reply);
    throw new DomainError('not_found', 'There is nothing at this address.');
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
        `Route ${String(route.method)} ${route.url} does not declare who may call it (config.access).`,
      );
    }
  });
  readJsonBodies(http);
  return http;
}

const wantsPage = ({ method, url, headers }: FastifyRequest) =>
  method === 'GET' && !url.startsWith('/org/') && (headers.accept ?? '').includes('text/html');

/** A POST without a body is accepted whatever type it claims (D19). */
function ignoreTypeOfEmptyBody(headers: NodeJS.Dict<string | string[]>) {
  const length = headers['content-length'];
  if ((length === undefined || length === '0') && headers['transfer-encoding'] === undefined) {
    delete headers['content-type'];
  }
}

/** Ids in an address are compared as the database writes them (D3). Slugs are left alone: their case tells them apart. */
function lowerIds(params: Record<string, string>) {
  for (const [name, value] of Object.entries(params)) {
    if (name.endsWith('id') && isUuid(value)) params[name] = value.toLowerCase();
  }
}

function readJsonBodies(http: Http) {
  http.removeAllContentTypeParsers();
  http.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => {
    if (text === '') return done(null, undefined);
    try {
      done(null, parseJson(text as string));
    } catch (error) {
      done(error instanceof DomainError ? error : new DomainError('invalid', 'The body is not valid JSON.'));
    }
  });
}

/** Half a surrogate pair, which JSON can escape, is no text, and no database stores it. */
function parseJson(text: string): unknown {
  const mayHoldHalves = /\\ud[89a-f]/i.test(text);
  if (!mayHoldHalves) return JSON.parse(text);
  return JSON.parse(text, (key, value) => {
    const isText = key.isWellFormed() && (typeof value !== 'string' || value.isWellFormed());
    if (!isText)
      throw new DomainError('invalid', 'The body holds half of a surrogate pair, which is no text.');
    return value;
  });
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** Answers 405 where an address exists and the method does not. Called after all routes of `http` were added. */
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
        throw new DomainError('method_not_allowed', `Method ${request.method} is not allowed here.`);
      },
    });
  }
}
