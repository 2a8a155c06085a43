import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import helmet from '@fastify/helmet';
import fastifyStatic from '@fastify/static';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ConsolePage, type Http, isNavigation } from './server.ts';

const SELF = ["'self'"];
const NONE = ["'none'"];

/** Allows only what this server serves, nothing inline, and no embedding in other pages. */
const SECURITY = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: NONE,
      scriptSrc: SELF,
      styleSrc: SELF,
      imgSrc: ["'self'", 'data:'],
      fontSrc: SELF,
      connectSrc: SELF,
      formAction: SELF,
      baseUri: NONE,
      frameAncestors: NONE,
      // No script may turn text into HTML or code, so a flaw in a component cannot either (Trusted Types).
      requireTrustedTypesFor: ["'script'"],
      trustedTypes: NONE,
    },
  },
  referrerPolicy: { policy: 'same-origin' as const },
  xFrameOptions: { action: 'deny' as const },
  // Set for all responses (headers.ts).
  strictTransportSecurity: false,
};

/** helmet does not set this header. */
export const PERMISSIONS = { 'Permissions-Policy': 'camera=(), geolocation=(), microphone=()' };

const A_YEAR_MS = 365 * 24 * 3_600_000;

/** Addresses below `/org/<slug>/` that belong to the API, and never to the console. */
const OF_THE_API = /^\/org\/[^/]*\/(api|auth)([/?]|$)/;

/** Whether a browser asks for a page of an organization's console. */
export const isConsoleNavigation = (request: FastifyRequest) =>
  isNavigation(request) && !OF_THE_API.test(request.url);

/** The folder of the built console, or of the built help. */
export interface BuiltPages {
  folder: string;
  /** Resolves once it is built. Without it, it was built before, or there is none. */
  building?: Promise<void> | undefined;
}

/**
 * Returns the console's HTML page for the organization at `/`, or for the one with a slug. While the console is being built, the page
 * waits for it. Undefined if the console was not built (`npm start` builds it).
 */
export function loadConsolePage(
  { folder, building }: BuiltPages,
  organization: string,
): ConsolePage | undefined {
  const file = join(folder, 'index.html');
  if (building === undefined && !existsSync(file)) return undefined;
  return async (reply, slug) => {
    await building;
    // Read for each page: `npm start` of the next release replaces the folder while this process still runs.
    const html = (await readFile(file, 'utf8'))
      .replace('__ORG__', slug ?? organization)
      .replace('__BASE__', slug === undefined ? '' : `/org/${slug}`);
    return secure(reply)
      .headers({ ...PERMISSIONS, 'Cache-Control': 'no-cache' })
      .type('text/html; charset=utf-8')
      .send(html);
  };
}

/** helmet writes to the response itself, where the headers of all responses (headers.ts) would hide its policy. */
export function secure(reply: FastifyReply): FastifyReply {
  reply.removeHeader('Content-Security-Policy');
  void reply.helmet(SECURITY);
  return reply;
}

/** The names of files that browsers get: not those of the build, the page, or compressed copies. */
const FILE = ':file(^[\\w.-]+\\.(?:js|css|svg|png|woff2)$)';

/**
 * Serves the console's page and files, which may not exist yet. The names of files in assets/ contain their hash, so they never
 * change.
 */
export async function consoleRoutes(http: Http, folder: string, page: ConsolePage) {
  const served = { config: { access: 'public' }, schema: { hide: true } } as const;
  await http.register(helmet, { global: false });
  await http.register(async (scope) => {
    await scope.register(fastifyStatic, {
      root: folder,
      serve: false,
      preCompressed: true,
      suppressWarning: true,
    });
    scope.get('/', served, (_request, reply) => page(reply));
    scope.get<{ Params: { file: string } }>(`/${FILE}`, served, ({ params }, reply) =>
      secure(reply).headers(PERMISSIONS).sendFile(params.file, { maxAge: 0 }),
    );
    // The policies are those of the page. A file has the headers of data, because nobody opens it: they are shorter.
    scope.get<{ Params: { file: string } }>(`/assets/${FILE}`, served, ({ params }, reply) =>
      reply.sendFile(`assets/${params.file}`, { immutable: true, maxAge: A_YEAR_MS }),
    );
  });
}
