import { access } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyReply } from 'fastify';
import { type BuiltPages, PERMISSIONS, secure } from './console.ts';
import type { Http } from './server.ts';

/** The names of pages and files below /help/: no compressed copies, and nothing outside the folder. */
const PAGE = /^[a-z0-9-]+(?:\/[a-z0-9-]+)*$/;
const FILE = /^[a-z0-9-]+(?:\/[a-z0-9-]+)*\.(?:js|css|svg|png|woff2|json)$/;

/**
 * Serves the help of this version, as `npm run docs:site` builds it. Nobody needs to sign in: it contains what the repository does. The
 * pages of the console must have been registered before.
 */
export async function helpRoutes(http: Http, { folder, building }: BuiltPages) {
  const served = { config: { access: 'public' }, schema: { hide: true } } as const;
  await http.register(async (scope) => {
    await scope.register(fastifyStatic, {
      root: folder,
      serve: false,
      preCompressed: true,
      suppressWarning: true,
    });
    const send = async (reply: FastifyReply, wanted: string) => {
      await building?.catch(() => undefined);
      const file = PAGE.test(wanted) ? `${wanted}.html` : FILE.test(wanted) ? wanted : undefined;
      const isThere = file !== undefined && (await isFile(join(folder, file)));
      if (isThere) return secure(reply).headers(PERMISSIONS).sendFile(file, { maxAge: 0 });
      return reply
        .code(404)
        .type('text/plain; charset=utf-8')
        .send(await missing(folder));
    };
    // The links of the first page are relative to /help/, and the server takes both addresses for one.
    scope.get('/help', served, ({ url }, reply) =>
      url.startsWith('/help/') ? send(reply, 'index') : reply.redirect('/help/', 308),
    );
    scope.get<{ Params: { '*': string } }>('/help/*', served, ({ params }, reply) =>
      send(reply, params['*'].replace(/\/$/, '')),
    );
  });
}

const isFile = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

/** Says why there is no page at an address. */
const missing = async (folder: string) =>
  (await isFile(join(folder, 'index.html')))
    ? 'The help has no page with this address. Its contents are at /help/.\n'
    : 'The help was not built. Run npm run docs:site, then open this page again.\n';
