import { type Static, Type } from 'typebox';
import { Held } from '#inventory/apps/held.ts';
import { SyncStatus } from '#inventory/apps/sync-status.ts';
import { Component, MapOf, Nullable, Timestamp, Uuid } from '#kit/schemas.ts';

const Count = Type.Integer({ minimum: 0 });
const Counts = MapOf(Count);
const Bounded = Component('BoundedCount', {
  count: Count,
  more: Type.Boolean({ description: 'Whether more than 1,000 exist. Only 1,000 are counted.' }),
});
const LastSync = Type.Object({
  sync_id: Uuid,
  status: SyncStatus,
  started_at: Type.String(),
  finished_at: Nullable(Type.String()),
  counts: Nullable(Type.Object({ created: Count, updated: Count, unchanged: Count, removed: Count })),
  held: Nullable(Held),
  rejected_by: Nullable({ ...Uuid, description: 'The person who rejected the held removals.' }),
  overdue: Type.Optional(
    Type.Literal(true, {
      description:
        'The next sync is overdue: the newest completed one ended more than three usual intervals ago, and more than an hour. Only then present.',
    }),
  ),
});
export const Overview = Component('Overview', {
  apps: Type.Object({
    by_status: Counts,
    in_need: Type.Array(
      Type.Object({
        external_uuid: Uuid,
        name: Type.String(),
        configuration_status: Type.Enum(['CHECKING_CONFIGURATION', 'CONNECTED', 'DISCONNECTED']),
        last_synced_at: Nullable(Timestamp),
        last_sync: Nullable(LastSync),
      }),
      {
        description:
          'At most 10 apps: failed or held syncs first, then overdue, disconnected, never synced, and the oldest syncs.',
      },
    ),
  }),
  accounts: Type.Object({
    by_status: Counts,
    orphans: {
      ...Bounded,
      description:
        'Active accounts that belong to nobody, and that no administrator has made service or shared accounts.',
    },
    without_owner: { ...Bounded, description: 'Service and shared accounts without an active owner.' },
  }),
  people: Type.Object({
    leavers_with_access: {
      ...Bounded,
      description: 'People who are deactivated or past their end date and still have accounts.',
    },
  }),
  tasks: Type.Object({
    pending: Bounded,
    scheduled: Bounded,
    oldest_pending_at: Nullable(Timestamp),
    failed: Type.Array(Type.Object({ day: Type.String(), error_code: Type.String(), count: Count }), {
      description: 'Failed tasks of the last seven days by day (UTC) and error code.',
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
    { description: 'At most 10 licenses with limited seats, the fullest first.' },
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
    { description: 'At most 10 open cycles, the first to be due first.' },
  ),
  webhooks: Type.Object({
    failing: Type.Array(
      Type.Object({
        id: Uuid,
        name: Type.String(),
        first_failed_at: Nullable(Timestamp),
        error: Nullable(Type.String()),
        enabled: Type.Boolean({ description: 'False if it has been disabled or paused since.' }),
        waiting: Type.Object(
          { count: Count, more: Type.Boolean() },
          { description: 'The events that wait. Only 100 are counted.' },
        ),
      }),
      { description: 'At most 10 webhooks whose next event fails, the longest first.' },
    ),
  }),
  tickets: Type.Object({ waiting: Bounded }),
  next_steps: Type.Object(
    {
      app: Nullable(Type.Object({ external_uuid: Uuid, name: Type.String() })),
      people: Type.Boolean({ description: 'Whether there are people in addition to the first owner.' }),
      app_owner: Type.Boolean({ description: 'Whether an app has an owner.' }),
      review: Type.Boolean({ description: 'Whether there is an access review.' }),
    },
    { description: 'The steps after the first sync of an app that are done. `app` is the first synced app.' },
  ),
});
export type Overview = Static<typeof Overview>;
