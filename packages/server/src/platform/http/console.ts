import { existsSync, readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { Http, Page } from './server.ts';

/** Nothing but what this server itself serves, nothing inline, and no page around ours. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS = {
  'Content-Security-Policy': POLICY,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
};

const A_YEAR_MS = 365 * 24 * 3_600_000;

/** Undefined where the console was not built (`npm start` builds it). */
export function readPage(folder: string, organization: string): Page | undefined {
  const file = join(folder, 'index.html');
  if (!existsSync(file)) return undefined;
  const html = readFileSync(file, 'utf8').replace('__ORG__', organization);
  return (reply) =>
    reply
      .headers({ ...HEADERS, 'Cache-Control': 'no-cache' })
      .type('text/html; charset=utf-8')
      .send(html);
}

/** The files beside the page: those in assets/ have their hash in their name, and never change. */
export async function consoleRoutes(http: Http, folder: string, page: Page) {
  const served = { config: { access: 'public' }, schema: { hide: true } } as const;
  await http.register(async (scope) => {
    await scope.register(fastifyStatic, { root: folder, serve: false, preCompressed: true });
    scope.get('/', served, (_request, reply) => page(reply));
    for await (const file of glob('**/*.{js,css,svg,png,woff2}', { cwd: folder })) {
      const isHashed = file.startsWith('assets/');
      scope.get(`/${file}`, served, (_request, reply) =>
        reply.headers(HEADERS).sendFile(file, { immutable: isHashed, maxAge: isHashed ? A_YEAR_MS : 0 }),
      );
    }
  });
}
