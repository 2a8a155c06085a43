import { Type } from 'typebox';
import { appOf } from '#inventory/apps/apps.ts';
import { resource } from '#kit/http.ts';
import type { Jobs } from '#kit/jobs/jobs.ts';
import { Component, Nullable, Uuid } from '#kit/schemas.ts';
import { USER_NAME_KINDS, type UserNameKind } from '../../../../../../protocol/src/user-names.ts';
import { reportOf } from '../../sessions/unseen.ts';
import { detailedView, type SessionView as Shown } from '../../sessions/view.ts';
import { abandonSession } from '../abandon.ts';
import { completeSession } from '../complete.ts';
import { startSession } from '../start.ts';
import { sessionIn } from './on-session.ts';
import { bridge, bridgeTag, Completion, SessionView } from './schemas.ts';

const place = {
  tag: bridgeTag,
  reading: bridge,
  managing: bridge,
  schema: SessionView,
  view: (session: Shown) => session,
};

const apps = resource({
  ...place,
  path: '/api/v1/bridge/apps/',
  id: 'app_id',
  find: appOf,
});

const syncs = resource({
  ...place,
  path: '/api/v1/bridge/apps/:app_id/sync/',
  params: { app_id: Uuid },
  id: 'sync_id',
  find: sessionIn,
  load: (call, { session }) => detailedView(call, session),
});

/** A start is never refused (protocol 4.4), so a body of another shape says nothing. */
const StartOptions = Type.Optional(
  Type.Union([
    Component('SyncOptions', {
      user_names: Type.Optional(
        Nullable(
          Type.Enum([...USER_NAME_KINDS], {
            description: 'The system whose user names the connector creates. Null: any name.',
          }),
        ),
      ),
    }),
    Type.Null(),
    Type.Unknown(),
  ]),
);

/** Returns the kind of system that a connector names; undefined if it says nothing. */
function userNamesIn(body: unknown): UserNameKind | null | undefined {
  if (typeof body !== 'object' || body === null || !('user_names' in body)) return undefined;
  const { user_names: given } = body;
  return given === null ? null : USER_NAME_KINDS.find((kind) => kind === given);
}

/** 10,000 entries of four values each, with the longest ids. */
const LARGEST_COMPLETION_BYTES = 8 * 1024 * 1024;
const MOST_VALUES = 60_000;

export const bridgeSyncRoutes = (jobs: Jobs) => [
  apps.one.post(
    'sync/',
    'Start sync session',
    { body: StartOptions, reply: Component('NewSync', { sync_id: Uuid }), status: 201 },
    async ({ call, found, body }) => {
      const { runId = null } = call.principal;
      const options = { runId, userNames: userNamesIn(body) };
      return { sync_id: await startSession(call, found, call.cause, options) };
    },
  ),
  syncs.one.post(
    'complete/',
    'Complete sync',
    {
      description:
        'Publishes the pushed records and removes the others. With `unseen`, the connector reports what its listing does not show. Members of a group that are `unreadable` stay until a sync can read them.',
      config: { ...bridge, mostValues: MOST_VALUES },
      body: Completion,
      status: 202,
      options: { bodyLimit: LARGEST_COMPLETION_BYTES },
    },
    ({ call, found, body }) =>
      completeSession(jobs, call, found.app, found.session.id, reportOf(body?.unseen ?? [])),
  ),
  syncs.one.post('abandon/', 'Abandon sync', { reply: Type.Null(), status: 204 }, async ({ call, found }) => {
    await abandonSession(call, found.app, found.session.id);
    return null;
  }),
  syncs.get('Get sync progress'),
];
