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
import { nothingHere } from '../errors.ts';
import { isUuid } from '../ids.ts';
import { serializerCompiler, validatorCompiler } from '../validation.ts';
import { replyToClientError } from './client-errors.ts';
import { replyToError } from './errors.ts';
import { setSecurityHeaders } from './headers.ts';
import { requireHost } from './host.ts';
import { isEmpty, parseJsonBodies } from './json.ts';
import { type Load, type LoadLimits, limitLoad } from './overload.ts';
import { powerOf } from './powers.ts';
import type { TrustProxy } from './proxies.ts';
import { noticeProxy } from './proxy-notice.ts';
import { limitSockets } from './sockets.ts';

export type Http = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** The callers who may use a route. The server does not start if a route does not declare it. */
export type Access =
  | 'public'
  | {
      scope: string;
      roles?: readonly string[];
      /** `listed`: the route serves app-scoped API keys, and shows and changes only these apps (D7). */
      apps?: 'listed';
      /**
       * The route records a person's decision, or creates a key that could. An API key that another person created
       * cannot call it (D8).
       */
      personal?: true;
      /**
       * Whether a signed-in caller must have proved who they are in the last 15 minutes. Required for every route that
       * could give lasting power (powers.ts). `privileged`: only if the change concerns a role or a person who has one,
       * which the operation checks itself.
       */
      stepUp?: boolean | 'privileged';
    };

/** The tools that the routes of every feature receive. */
export interface RouteTools {
  db: Db;
  /** The scheme and host under which callers reach this deployment, for absolute addresses. */
  origin: (request: FastifyRequest) => string;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
    /** The route replies even if the process refuses other requests because of its load. */
    unlimited?: true;
    /** The route stores its body while it arrives: the body does not count as held in memory. */
    streams?: true;
    /**
     * The route waits for another system, another process or its turn to read a file, so it waits in no line (lines.ts) and has one of the
     * places for such requests. Without it, a request that turns out to wait for another system gets 503 then, if there is no such place.
     */
    waits?: true;
    /** The route takes the API key as a bearer token too. */
    takesBearer?: true;
    /** The route is one of the protocol's outside of the bridge: it ignores unknown query parameters (D5). */
    ignoresUnknownQuery?: true;
  }
  interface FastifyInstance {
    load: () => Load;
  }
}

/**
 * Sends the console's HTML page, which is the same for all addresses of the console of an organization. Without a slug,
 * the page is for the organization at `/`.
 */
export type ConsolePage = (reply: FastifyReply, slug?: string) => Promise<FastifyReply>;

export interface HttpOptions {
  logger: FastifyBaseLogger;
  trustProxy: TrustProxy;
  /** Whether callers reach this deployment over TLS. Requests that a trusted proxy received over TLS count too. */
  isPublicOverTls?: boolean;
  /** Sent to browsers for an address without a route: the console has its own routes. */
  page?: ConsolePage | undefined;
  /** Limits other than the standard ones, for tests. */
  loadLimits?: LoadLimits | undefined;
}

/**
 * Addresses that are never a page at `/`: those of organizations, and files. A browser that gets the page instead of the missing
 * file of another release would keep it under the name of that file.
 */
const OF_NO_PAGE = /^\/(org|assets)\/|^[^?]*\.(js|css|svg|png|woff2)(\?|$)/;

const ONE_MEGABYTE = 1024 * 1024;

/** Creates the HTTP server without routes: JSON bodies, errors as `{detail}` (D5), optional trailing slashes (D2). */
export function createHttp({
  logger,
  trustProxy,
  isPublicOverTls = false,
  page,
  loadLimits,
}: HttpOptions): Http {
  const http = Fastify({
    loggerInstance: logger,
    // Fastify takes no number, because a caller who bypasses the proxies could choose their address (docs/guides/run-it.md).
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
    frameworkErrors: (error, request, reply) => {
      setSecurityHeaders(request, reply, isPublicOverTls);
      replyToError(error, request, reply);
    },
    clientErrorHandler: replyToClientError,
    // Otherwise Node.js replies to a request without a Host header itself, and not as {detail}.
    http: { requireHostHeader: false },
  }).withTypeProvider<TypeBoxTypeProvider>();

  limitSockets(http.server, trustProxy);
  http.setValidatorCompiler(validatorCompiler);
  http.setSerializerCompiler(serializerCompiler);
  http.setErrorHandler(replyToError);
  http.setNotFoundHandler(async (request, reply) => {
    if (page !== undefined && isNavigation(request) && !OF_NO_PAGE.test(request.url)) return page(reply);
    throw nothingHere();
  });
  const notice = noticeProxy(trustProxy, logger);
  http.addHook('onRequest', async (request, reply) => {
    notice(request);
    reply.header('X-Request-Id', request.id);
    setSecurityHeaders(request, reply, isPublicOverTls);
    requireHost(request);
    ignoreTypeOfEmptyBody(request.raw.headers);
    lowerIds(request.params as Record<string, string>);
  });
  // It checks the encoding, so that a body that is refused is never counted.
  parseJsonBodies(http);
  http.decorate('load', limitLoad(http, loadLimits));
  http.addHook('onResponse', async ({ method, url, log }, reply) => {
    log.info({ method, url, status: reply.statusCode, ms: Math.round(reply.elapsedTime) }, 'request');
  });
  http.addHook('onRoute', (route) => {
    const isReferencePage = route.url.startsWith('/docs');
    if (isReferencePage) return;
    const name = `Route ${String(route.method)} ${route.url}`;
    const access = route.config?.access;
    if (access === undefined) throw new Error(`${name} does not declare who may call it. Set config.access.`);
    const power = access === 'public' || access.stepUp !== undefined ? undefined : powerOf(route);
    if (power !== undefined)
      throw new Error(
        `${name} can give lasting power (${power}), but does not declare whether it requires a recent sign-in. Set config.access.stepUp.`,
      );
  });
  return http;
}

/** Whether a browser asks for a page, and not a script or a client of the API for data. */
export const isNavigation = ({ method, headers }: FastifyRequest) =>
  method === 'GET' && (headers.accept ?? '').includes('text/html');

/** Accepts a request without a body, whatever content type it declares (D19). */
function ignoreTypeOfEmptyBody(headers: NodeJS.Dict<string | string[]>) {
  if (isEmpty(headers)) delete headers['content-type'];
}

/** Ids in an address compare equal to those of the database in any case (D3). Slugs are case-sensitive. */
function lowerIds(params: Record<string, string>) {
  for (const [name, value] of Object.entries(params)) {
    if (name.endsWith('id') && isUuid(value)) params[name] = value.toLowerCase();
  }
}
