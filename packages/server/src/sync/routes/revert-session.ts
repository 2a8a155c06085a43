import { Type } from 'typebox';
import { causeOf } from '../../identity/cause.ts';
import { Nullable, Uuid } from '../../platform/http/schemas.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { type RevertHook, revertSession } from '../revert.ts';
import { onSession } from './on-session.ts';
import { adminTags, SessionParams } from './schemas.ts';

const Count = Type.Integer({ minimum: 0 });

const Body = Type.Object({
  dry_run: Type.Optional(
    Type.Boolean({ default: false, description: 'Show the changes without making them.' }),
  ),
  reason: Type.Optional(Nullable(Type.String({ maxLength: 2000 }))),
});

const Conflict = Type.Object({
  type: Type.Enum(['account', 'link', 'membership']),
  account: Type.Object({
    id: Uuid,
    email: Type.String(),
    display_name: Type.String(),
    external_id: Nullable(Type.String()),
  }),
  resource: Nullable(
    Type.Object({
      type: Type.Enum(['group', 'license']),
      slug: Type.String(),
      id: Type.String(),
      name: Type.String(),
    }),
  ),
  reason: Type.String(),
});

const Reply = Type.Object({
  sync_id: Uuid,
  dry_run: Type.Boolean(),
  counts: Type.Object({
    accounts: Type.Object({ removed: Count, restored: Count }),
    links: Type.Integer({ minimum: 0, description: 'Accounts that belong to their former person again.' }),
    memberships: Type.Object({ added: Count, removed: Count }),
    resources: Type.Integer({
      minimum: 0,
      description: 'Groups and licenses that get back their name, appear again, or disappear.',
    }),
    tasks: Type.Integer({ minimum: 0, description: 'Tasks of policies that are canceled.' }),
  }),
  later_syncs: Type.Integer({
    minimum: 0,
    description: 'Syncs published since. They did not change the records that the revert changes.',
  }),
  conflicts: Type.Object({
    count: Count,
    results: Type.Array(Conflict, {
      description: 'The first 100 records that have changed since. They stay as they are.',
    }),
  }),
});

export function revertSessionRoute(http: Http, tools: RouteTools & { revertHook: RevertHook }) {
  http.post(
    '/api/apps/:app_id/syncs/:sync_id/revert/',
    {
      config: { access: { scope: 'govern', roles: ['owner', 'admin'] } },
      onRequest: onSession(tools.db),
      schema: {
        tags: adminTags,
        summary: 'Revert a sync',
        description:
          'Returns the inventory to the state before the session, wherever nothing has changed since, and cancels the tasks that policies made because of it. Records that have changed since stay, and the response lists them. Nothing changes in the app itself: its next sync remains the truth.',
        params: SessionParams,
        body: Body,
        response: { 200: Reply },
      },
    },
    async (request) => {
      const { principal, bridgeApp, params, body } = request;
      return revertSession(tools, principal.orgId, bridgeApp.id, params.sync_id, {
        dryRun: body.dry_run ?? false,
        reason: body.reason ?? null,
        cause: causeOf(request),
      });
    },
  );
}
