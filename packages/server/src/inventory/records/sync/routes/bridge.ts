import { Type } from 'typebox';
import { USER_NAME_KINDS, type UserNameKind } from '../../../../../../protocol/src/user-names.ts';
import { within } from '../../../../kit/database/organization.ts';
import { Component, Uuid } from '../../../../kit/http/schemas.ts';
import type { Http, RouteTools } from '../../../../kit/http/server.ts';
import { callOf } from '../../../../kit/identity/call.ts';
import { causeOf } from '../../../../kit/identity/cause.ts';
import type { Jobs } from '../../../../kit/jobs/jobs.ts';
import { abandonSession } from '../abandon.ts';
import { completeSession } from '../complete.ts';
import { startSession } from '../start.ts';
import { reportOf } from '../unseen.ts';
import { sessionViewOf } from '../view.ts';
import { onApp, onSession } from './on-session.ts';
import { AppParams, bridge, bridgeTags, Completion, SessionParams, SessionView } from './schemas.ts';

/** A start is never refused (protocol 4.4), so a body of another shape says nothing. */
const StartOptions = Type.Optional(
  Type.Unknown({
    title: 'SyncStart',
    description:
      'Optional: {"user_names": kind} names the system whose user names the connector creates: active_directory, linux, postgresql or mariadb. null: any name.',
  }),
);

/** Returns the kind of system that a connector names; undefined if it says nothing. */
function userNamesIn(body: unknown): UserNameKind | null | undefined {
  if (typeof body !== 'object' || body === null || !('user_names' in body)) return undefined;
  const { user_names: given } = body;
  return given === null ? null : USER_NAME_KINDS.find((kind) => kind === given);
}

export function startSessionRoute(http: Http, { db }: RouteTools) {
  http.post(
    '/api/v1/bridge/apps/:app_id/sync/',
    {
      config: bridge,
      onRequest: onApp(db),
      schema: {
        tags: bridgeTags,
        summary: 'Start sync session',
        params: AppParams,
        body: StartOptions,
        response: { 201: Component('NewSync', { sync_id: Uuid }) },
      },
    },
    async (request, reply) => {
      const { orgId, runId = null } = request.principal;
      const sync_id = await startSession(within(db, orgId), request.bridgeApp, causeOf(request), {
        runId,
        userNames: userNamesIn(request.body),
      });
      reply.code(201);
      return { sync_id };
    },
  );
}

/** 10,000 entries of four values each, with the longest ids. */
const LARGEST_COMPLETION_BYTES = 8 * 1024 * 1024;
const MOST_VALUES = 60_000;

export function completeSessionRoute(http: Http, { db, jobs }: RouteTools & { jobs: Jobs }) {
  http.post(
    '/api/v1/bridge/apps/:app_id/sync/:sync_id/complete/',
    {
      config: { ...bridge, mostValues: MOST_VALUES },
      onRequest: onSession(db),
      bodyLimit: LARGEST_COMPLETION_BYTES,
      schema: {
        tags: bridgeTags,
        summary: 'Complete sync',
        description:
          'Publishes the pushed records and removes the others. With `unseen`, the connector reports what its listing does not show. Members of a group that are `unreadable` stay until a sync can read them.',
        params: SessionParams,
        body: Completion,
        response: { 202: SessionView },
      },
    },
    async (request, reply) => {
      const { bridgeApp, params, body } = request;
      reply.code(202);
      const report = reportOf(body?.unseen ?? []);
      return completeSession(jobs, callOf(db, request), bridgeApp, params.sync_id, report);
    },
  );
}

export function abandonSessionRoute(http: Http, { db }: RouteTools) {
  http.post(
    '/api/v1/bridge/apps/:app_id/sync/:sync_id/abandon/',
    {
      config: bridge,
      onRequest: onSession(db),
      schema: {
        tags: bridgeTags,
        summary: 'Abandon sync',
        params: SessionParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { bridgeApp, params } = request;
      await abandonSession(callOf(db, request), bridgeApp, params.sync_id);
      reply.code(204);
      return null;
    },
  );
}

export function showSessionRoute(http: Http, { db }: RouteTools) {
  http.get(
    '/api/v1/bridge/apps/:app_id/sync/:sync_id/',
    {
      config: bridge,
      onRequest: onSession(db),
      schema: {
        tags: bridgeTags,
        summary: 'Get sync progress',
        params: SessionParams,
        response: { 200: SessionView },
      },
    },
    async ({ principal, bridgeApp, params }) =>
      sessionViewOf(within(db, principal.orgId), bridgeApp.id, params.sync_id),
  );
}
