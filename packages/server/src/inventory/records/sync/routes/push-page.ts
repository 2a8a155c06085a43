import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Database } from '#kit/database.ts';
import { DomainError } from '#kit/errors.ts';
import { receiveBlocks } from '#kit/http/blocks.ts';
import { readJson } from '#kit/http/json.ts';
import { type Http, replyToError } from '#kit/http.ts';
import { Uuid } from '#kit/schemas.ts';
import { pagePusher } from '../push.ts';
import type { SyncQuotas } from '../quota.ts';
import { PageBody, PageReply } from './page-schemas.ts';
import { bridge, bridgeTag } from './schemas.ts';

/** A page of 100 records may be as large as this. The limit of other routes is 1 MB (D19). */
const LARGEST_PAGE_BYTES = 32 * 1024 * 1024;

/** A larger page is parsed in a worker thread, since that may take longer than the event loop may wait. */
const LARGEST_INLINE_BYTES = 256 * 1024;
/** Errors of a body that could not be read. */
const ABOUT_BODY: ReadonlySet<string> = new Set(['invalid', 'unsupported_media_type']);

/** The hot path: the statement that stores the page also checks the key, the app and the session. */
export function pushPageRoute(
  http: Http,
  { database, syncQuotas }: { database: Database; syncQuotas: SyncQuotas | undefined },
) {
  const pusher = pagePusher(database, syncQuotas);
  const addressOf = (request: FastifyRequest) => {
    const { app_id, sync_id, slug } = request.params as { app_id: string; sync_id: string; slug: string };
    return { appId: app_id, sessionId: sync_id, slug };
  };

  /** An error about the address comes before an error about an unreadable body (D6). */
  async function replyToUnreadable(error: unknown, request: FastifyRequest, reply: FastifyReply) {
    const isAboutBody = !(error instanceof DomainError) || ABOUT_BODY.has(error.code);
    if (!isAboutBody) return replyToError(error, request, reply);
    const first = await pusher.assertPushable(request.principal, addressOf(request)).then(
      () => error,
      (reason: unknown) => reason,
    );
    return replyToError(first, request, reply);
  }

  void http.register(async (scope) => {
    scope.removeContentTypeParser('application/json');
    scope.addContentTypeParser('application/json', (request, payload, done) =>
      receiveBlocks(request, payload, (error, blocks) => {
        if (error !== null) return done(error);
        try {
          done(null, blocks.length > LARGEST_INLINE_BYTES ? blocks : parsedNow(blocks.whole()));
        } catch (unreadable) {
          done(unreadable as Error);
        }
      }),
    );
    (scope as unknown as Http).put(
      '/api/v1/bridge/apps/:app_id/sync/:sync_id/:slug/',
      {
        // The emails in a page are those of accounts, not of people.
        config: { ...bridge, access: { ...bridge.access, stepUp: false }, confirmsKey: true },
        bodyLimit: LARGEST_PAGE_BYTES,
        errorHandler: async (error, request, reply) =>
          request.body === undefined && request.principal !== undefined
            ? replyToUnreadable(error, request, reply)
            : replyToError(error, request, reply),
        // The schema is documentation only: parsePage validates, with the messages and in the order of protocol 7.2.
        validatorCompiler: () => () => true,
        schema: {
          tags: [bridgeTag],
          summary: 'Push a page of records',
          params: Type.Object({ app_id: Uuid, sync_id: Uuid, slug: Type.String() }),
          body: PageBody,
          response: { 200: PageReply },
        },
      },
      async (request) => pusher.push(request.principal, addressOf(request), request.body),
    );
  });
}

const parsedNow = (bytes: Buffer) => (bytes.length === 0 ? undefined : readJson(bytes, bytes.length));
