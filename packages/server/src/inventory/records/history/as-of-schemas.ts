import { type Static, Type } from 'typebox';
import { Component, Instant, Nullable, Uuid } from '#kit/schemas.ts';

/** The query parameters that ask about an earlier time. */
export const asOfQuery = {
  as_of: Type.Optional({
    ...Instant,
    description: 'Return the data as of this time, which cannot be in the future.',
  }),
  known_at: Type.Optional({
    ...Instant,
    description:
      'With `as_of`: use only what Gatehouse knew at this time. By default, everything it knows now.',
  }),
};

/** The further parameters of a list of accounts at an earlier time. */
export const asOfListQuery = {
  after: Type.Optional({
    ...Uuid,
    description: 'With `as_of`: only accounts after this one. `next` contains it.',
  }),
  format: Type.Optional(
    Type.Enum(['json', 'csv'], {
      description: 'csv: with `as_of`, all accounts and what they held, as CSV.',
    }),
  ),
};

/** A time with microseconds, as text. */
export const ExactTime = Type.String({ format: 'date-time' });

export const Bounds = Component(
  'Bounds',
  {
    not_before: Nullable({
      ...ExactTime,
      description:
        'The last time at which it was known to be absent. null: nothing is known of the time before.',
    }),
    seen_from: Nullable({ ...ExactTime, description: 'The first time at which it was known to exist.' }),
    seen_until: Nullable({ ...ExactTime, description: 'The last time at which it was known to exist.' }),
    gone_by: Nullable({
      ...ExactTime,
      description: 'The first time at which it was known to be gone. null: it has not ended.',
    }),
  },
  {
    description:
      'From `seen_from` to `seen_until`, it was seen before and after. Outside of that, between `not_before` and `gone_by`, it is possible.',
  },
);

export const Certainty = Type.Enum(['certain', 'possible'], {
  description:
    'certain: seen before and after the time. possible: it began or ended between two syncs, either before or after the time.',
});

/** The additional fields of items with `as_of`. */
export const asOfFields = { certainty: Type.Optional(Certainty), bounds: Type.Optional(Bounds) };

const Sync = Nullable(Component('SyncTime', { sync_id: Uuid, at: ExactTime }));

export const CoverageView = Type.Array(
  Component('Coverage', {
    app: Type.Object({ external_uuid: Uuid, id: Uuid, name: Type.String() }),
    known: Type.Boolean({
      description:
        'false: no sync of this app had completed, or the history is not kept that long, so that missing results mean nothing.',
    }),
    sync_before: Sync,
    sync_after: Sync,
  }),
  { description: 'The last completed sync of each app before the time and the first one after it.' },
);
export type Coverage = Static<typeof CoverageView>[number];

/** The additional fields of a list's envelope with `as_of`. */
export const asOfEnvelope = {
  as_of: Type.Optional(ExactTime),
  known_at: Type.Optional(ExactTime),
  coverage: Type.Optional(CoverageView),
};

export const asOfReply = (
  { at, shownKnownAt }: { at: string; shownKnownAt: string },
  coverage: Coverage[],
) => ({
  as_of: at,
  known_at: shownKnownAt,
  coverage,
});
