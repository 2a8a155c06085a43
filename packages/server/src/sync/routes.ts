import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { withApp } from '../apps/with-app.ts';
import { actorOf } from '../identity/cause.ts';
import type { Database } from '../platform/database/open.ts';
import { DomainError } from '../platform/errors.ts';
import { replyToError } from '../platform/http/errors.ts';
import { Nullable, Timestamp, Uuid } from '../platform/http/schemas.ts';
import type { Http, RouteTools } from '../platform/http/server.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import { abandonSession, completeSession, sessionOf, sessionView, startSession } from './session.ts';
import { stager } from './stage.ts';

/** A lawful page can be large (D19). */
const LARGEST_PAGE_BYTES = 32 * 1024 * 1024;

const Text = Type.String({ minLength: 1, maxLength: 512 });
const MaybeText = Type.Optional(Nullable(Type.String({ maxLength: 512 })));
const Refs = Type.Optional(
  Nullable(
    Type.Record(Type.String(), Type.Array(Type.Object({ id: Text, name: MaybeText }), { maxItems: 100 })),
  ),
);
const Account = Type.Object({
  id: Text,
  email: MaybeText,
  username: MaybeText,
  first_name: MaybeText,
  last_name: MaybeText,
  display_name: MaybeText,
  status: Type.Optional(Type.Enum(['active', 'inactive', 'suspended'])),
  memberships: Refs,
  assignments: Refs,
});
const Group = Type.Object({ id: Text, name: Text, description: Type.Optional(Nullable(Type.String())) });
const License = Type.Object({
  id: Text,
  name: Text,
  description: Type.Optional(Nullable(Type.String())),
  max_count: Type.Optional(
    Nullable(Type.Integer({ minimum: 0, description: 'Maximum seats; 0 means unlimited.' })),
  ),
  used_count: Type.Optional(Nullable(Type.Integer({ minimum: 0 }))),
  is_paid: Type.Optional(Nullable(Type.Boolean())),
  is_unlimited: Type.Optional(Nullable(Type.Boolean())),
});
const PageBody = Type.Object({
  records: Type.Array(Type.Union([Account, Group, License]), { maxItems: 100 }),
});
const PageReply = Type.Object({ total: Type.Integer(), created: Type.Integer(), updated: Type.Integer() });

const Count = Type.Integer();
export const SessionView = Type.Object({
  sync_id: Uuid,
  status: Type.String({ description: 'in_progress, completing, completed, error or abandoned.' }),
  progress: Type.Array(
    Type.Object({ slug: Type.String(), name: Type.String(), type: Type.String(), synced_count: Count }),
  ),
  error: Type.Optional(Type.Object({ error_code: Type.String(), message: Type.String() })),
  superseded_by: Type.Optional(Uuid),
  held: Type.Optional(Type.Object({ accounts: Count, memberships: Count })),
  started_at: Timestamp,
  finished_at: Nullable(Timestamp),
  counts: Nullable(Type.Object({ created: Count, updated: Count, unchanged: Count, removed: Count })),
  membership_counts: Nullable(Type.Object({ added: Count, removed: Count })),
});

const AppParams = Type.Object({ app_id: Uuid });
const SessionParams = Type.Object({ app_id: Uuid, sync_id: Uuid });
const config = { access: { scope: 'bridge' } } as const;
const tags = ['Bridge: sync'];

/** Sync sessions (contract 4.4 to 4.8). */
export function syncRoutes(
  http: Http,
  { db, database, jobs }: RouteTools & { database: Database; jobs: Jobs },
) {
  const tools = { db, jobs };
  const onApp = withApp(db);
  const onSession = [
    onApp,
    async (request: FastifyRequest) => {
      const { app_id, sync_id } = request.params as { app_id: string; sync_id: string };
      await sessionOf(db, request.principal.orgId, app_id, sync_id);
    },
  ];

  http.post(
    '/api/v1/bridge/apps/:app_id/sync/',
    {
      config,
      onRequest: onApp,
      schema: {
        tags,
        summary: 'Start sync session',
        params: AppParams,
        response: { 201: Type.Object({ sync_id: Uuid }) },
      },
    },
    async (request, reply) => {
      const sync_id = await startSession(tools, request.principal, actorOf(request), request.bridgeApp);
      reply.code(201);
      return { sync_id };
    },
  );

  pushRoute(http, database);

  http.post(
    '/api/v1/bridge/apps/:app_id/sync/:sync_id/complete/',
    {
      config,
      onRequest: onSession,
      schema: { tags, summary: 'Complete sync', params: SessionParams, response: { 202: SessionView } },
    },
    async (request, reply) => {
      const { orgId } = request.principal;
      const session = await completeSession(tools, orgId, request.bridgeApp, request.params.sync_id);
      reply.code(202);
      return sessionView(db, orgId, session);
    },
  );

  http.post(
    '/api/v1/bridge/apps/:app_id/sync/:sync_id/abandon/',
    {
      config,
      onRequest: onSession,
      schema: { tags, summary: 'Abandon sync', params: SessionParams, response: { 204: Type.Null() } },
    },
    async (request, reply) => {
      await abandonSession(
        tools,
        request.principal.orgId,
        request.bridgeApp,
        request.params.sync_id,
        actorOf(request),
      );
      reply.code(204);
      return null;
    },
  );

  http.get(
    '/api/v1/bridge/apps/:app_id/sync/:sync_id/',
    {
      config,
      onRequest: onSession,
      schema: { tags, summary: 'Get sync progress', params: SessionParams, response: { 200: SessionView } },
    },
    async (request) => {
      const { orgId } = request.principal;
      return sessionView(db, orgId, await sessionOf(db, orgId, request.bridgeApp.id, request.params.sync_id));
    },
  );
}

/** Contract 4.5. The hot path: key, app and session are confirmed by the statement that stores the page. */
function pushRoute(http: Http, database: Database) {
  const staging = stager(database);
  const addressOf = (request: FastifyRequest) => {
    const { app_id, sync_id, slug } = request.params as { app_id: string; sync_id: string; slug: string };
    return { appId: app_id, sessionId: sync_id, slug };
  };

  /** A body that cannot even be read is refused after an address that does not exist (D6). */
  async function refuseAddressFirst(error: unknown, request: FastifyRequest, reply: FastifyReply) {
    const isAboutBody = !(error instanceof DomainError) || error.code === 'invalid';
    if (!isAboutBody) return replyToError(error, request, reply);
    const refusal = await staging.assertPushable(request.principal, addressOf(request)).then(
      () => error,
      (reason: unknown) => reason,
    );
    return replyToError(refusal, request, reply);
  }

  http.put(
    '/api/v1/bridge/apps/:app_id/sync/:sync_id/:slug/',
    {
      config: { ...config, confirmsKey: true },
      bodyLimit: LARGEST_PAGE_BYTES,
      errorHandler: async (error, request, reply) =>
        request.body === undefined && request.principal !== undefined
          ? refuseAddressFirst(error, request, reply)
          : replyToError(error, request, reply),
      // The schema is for readers; parsePage checks, in contract 7.2's words and order.
      validatorCompiler: () => () => true,
      schema: {
        tags,
        summary: 'Push a page of records',
        params: Type.Object({ app_id: Uuid, sync_id: Uuid, slug: Type.String() }),
        body: PageBody,
        response: { 200: PageReply },
      },
    },
    async (request) => staging.push(request.principal, addressOf(request), request.body),
  );
}
