import { Type } from 'typebox';
import { Nullable, Timestamp, Uuid } from '../platform/http/schemas.ts';
import type { Http, RouteTools } from '../platform/http/server.ts';
import * as queries from './queries.ts';

const Count = Type.Integer({ minimum: 0 });
const Counts = Type.Record(Type.String(), Count);
const Bounded = Type.Object({
  count: Count,
  more: Type.Boolean({ description: 'There are more than 1,000, and they were not counted.' }),
});
const LastSync = Type.Object({
  sync_id: Uuid,
  status: Type.String(),
  started_at: Type.String(),
  finished_at: Nullable(Type.String()),
  counts: Nullable(Type.Object({ created: Count, updated: Count, unchanged: Count, removed: Count })),
  held: Nullable(Type.Object({ accounts: Count, memberships: Count })),
});
const Overview = Type.Object({
  apps: Type.Object({
    by_status: Counts,
    in_need: Type.Array(
      Type.Object({
        external_uuid: Uuid,
        name: Type.String(),
        configuration_status: Type.String(),
        last_synced_at: Nullable(Timestamp),
        last_sync: Nullable(LastSync),
      }),
      {
        description: 'At most 10: a failed or held sync first, then disconnected, never synced, longest ago.',
      },
    ),
  }),
  accounts: Type.Object({ by_status: Counts, orphans: Bounded }),
  tasks: Type.Object({
    pending: Bounded,
    scheduled: Bounded,
    oldest_pending_at: Nullable(Timestamp),
    failed: Type.Array(Type.Object({ day: Type.String(), error_code: Type.String(), count: Count }), {
      description: 'Of the last seven days, by day (UTC) and code.',
    }),
  }),
  licenses: Type.Array(
    Type.Object({
      app: Type.Object({ external_uuid: Uuid, name: Type.String() }),
      external_uuid: Uuid,
      name: Type.String(),
      used: Count,
      max: Count,
    }),
    { description: 'At most 10 with limited seats, the fullest first.' },
  ),
  reviews: Type.Array(
    Type.Object({
      external_uuid: Uuid,
      review: Uuid,
      name: Type.String(),
      due_at: Nullable(Timestamp),
      items: Count,
      decided: Count,
    }),
    { description: 'At most 10 open cycles, the next to fall due first.' },
  ),
  tickets: Type.Object({ waiting: Bounded }),
});

/** What an administrator looks at first (issue "Console"). */
export function overviewRoutes(http: Http, { db }: RouteTools) {
  http.get(
    '/api/overview/',
    {
      config: { access: { scope: 'govern', roles: ['owner', 'admin', 'auditor'] } },
      schema: {
        tags: ['Organization'],
        summary: 'How things stand',
        description: 'Each figure costs the same in an organization of ten accounts and of a million.',
        response: { 200: Overview },
      },
    },
    async ({ principal: { orgId } }) => ({
      apps: { by_status: await queries.countApps(db, orgId), in_need: await queries.appsInNeed(db, orgId) },
      accounts: {
        by_status: await queries.countAccounts(db, orgId),
        orphans: await queries.countOrphans(db, orgId),
      },
      tasks: { ...(await queries.openTasks(db, orgId)), failed: await queries.failedTasks(db, orgId) },
      licenses: await queries.licenseUse(db, orgId),
      reviews: await queries.openCycles(db, orgId),
      tickets: { waiting: await queries.waitingTickets(db, orgId) },
    }),
  );
}
