import { Type } from 'typebox';
import { PersonEmail } from '#directory/people/reference.ts';
import { AppName } from '#inventory/apps/reference.ts';
import { AccountSummary, EntitlementSummary } from '#inventory/records/accounts/schemas.ts';
import { Bounds, ExactTime } from '#inventory/records/history/as-of-schemas.ts';
import { pageQuery } from '#kit/http.ts';
import { Component, Instant, Nullable, Uuid } from '#kit/schemas.ts';

/** The common part of all operations on the history. */
export const place = {
  tag: 'History',
  config: { access: { scope: 'read', apps: 'listed' }, reads: 'replica' },
} as const;

/** The query parameters that name what a question is about. */
export const subject = {
  user: Type.Optional({ ...Uuid, description: 'The accounts that belonged to this person at the time.' }),
  account: Type.Optional(Uuid),
  app: Type.Optional(Uuid),
  slug: Type.Optional(Type.String({ description: 'With `app` and `resource`: the resource type.' })),
  resource: Type.Optional(
    Type.String({ description: 'With `app` and `slug`: the external id of a group or license.' }),
  ),
};

/** The two times of a comparison. */
export const between = {
  from: Type.Optional({ ...Instant, description: 'The earlier time. By default, 7 days before `to`.' }),
  to: Type.Optional({ ...Instant, description: 'The later time. By default, now.' }),
};

const Count = Type.Integer({ minimum: 0 });
export const counts = { added: Count, removed: Count, changed: Count };

export const knownAt = {
  known_at: Type.Optional({
    ...Instant,
    description: 'Use only what Gatehouse knew at this time. By default, everything it knows now.',
  }),
};

export const paging = {
  ...knownAt,
  cursor: Type.Optional(Type.String({ description: 'The `next_cursor` of the previous page.' })),
  limit: pageQuery.limit,
  format: Type.Optional(
    Type.Enum(['json', 'csv'], { description: 'csv: all results as CSV, without pages.' }),
  ),
};

export const NextCursor = Nullable(
  Type.String({
    description: 'null: there are no more results. Until then, a page can hold fewer than `limit`, or none.',
  }),
);

const Cause = Component('Cause', {
  kind: Type.Enum(['sync', 'abandoned_sync', 'removal', 'task', 'revert'], {
    description:
      'sync, abandoned_sync: a sync found the app changed. removal: a completed sync no longer found the account. task: a connector completed a task. revert: a sync was reverted.',
  }),
  at: { ...ExactTime, description: 'When Gatehouse recorded the change.' },
  sync_id: Nullable(Uuid),
  task_id: Nullable(Uuid),
  confirmed: Nullable(
    Type.Enum(['read', 'none'], {
      description:
        'For a task: read if the connector read the account back and saw the result, none if it did not see it. null if it did not say.',
    }),
  ),
  ticket_id: Nullable(Uuid),
  review_item_id: Nullable(Uuid),
  policy_id: Nullable(Uuid),
  decided_by: Nullable({
    ...PersonEmail,
    description:
      'The person who approved the request, decided the review item or created the task. null for syncs, policies and reverts.',
  }),
  actor: Nullable(
    Type.Object(
      { type: Type.String(), uuid: Nullable(Type.String()) },
      { description: 'The caller who reported the task or reverted the sync. null for syncs.' },
    ),
  ),
});

/** The account or membership that a period or a difference is about. */
export const item = {
  type: Type.Enum(['account', 'membership']),
  app: AppName,
  account: AccountSummary,
  user: Nullable({ ...Uuid, description: 'The person to whom the account belonged.' }),
  resource: Nullable(EntitlementSummary),
};

export const Period = Component('Period', {
  id: Type.String({ description: 'Stays the same when the period ends.' }),
  ...item,
  status: Nullable(Type.String({ description: 'The status of an account; null for memberships.' })),
  bounds: Bounds,
  began: Nullable(Cause),
  ended: Nullable(Cause),
});
