import { Type } from 'typebox';
import { pageQuery } from '#kit/http.ts';
import { Instant, Nullable, Uuid } from '#kit/schemas.ts';

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
