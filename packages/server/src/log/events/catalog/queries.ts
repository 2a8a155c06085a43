import { Type } from 'typebox';
import { Nullable, Uuid } from '#kit/schemas.ts';
import { BY_PERSON, Changes, Count, define, field, Text } from '../payloads.ts';

const query = {
  query_id: field('The saved query.', Uuid),
  name: field('The name of the query.', Text),
};

const BY_THE_CLOCK = ['schedule'] as const;

/** Saved queries. */
export const queriesEvents = {
  'query.created': define('Query saved', ['system'], BY_PERSON, {
    sentence: '{who} saved the query {name}',
    payload: query,
  }),
  'query.updated': define('Saved query changed', ['system'], BY_PERSON, {
    sentence: '{who} changed the query {name}: {changes}',
    payload: { ...query, changes: Changes },
  }),
  'query.deleted': define('Saved query removed', ['system'], BY_PERSON, {
    sentence: '{who} removed the query {name}',
    payload: query,
  }),
  'query.ran': define('Saved query run by its schedule', ['system'], BY_THE_CLOCK, {
    sentence: 'The query {name} found {count, plural, one {# row} other {# rows}}',
    payload: {
      ...query,
      count: field('The rows that it found.', Count),
      previous: field(
        'The rows that the scheduled run before found. Null: it is the first.',
        Nullable(Count),
      ),
      recipients: field('The people who are notified.', Type.Array(Uuid)),
    },
  }),
  'query.stopped': define('Schedule of a saved query stopped by Gatehouse', ['system'], BY_THE_CLOCK, {
    severity: 'medium',
    sentence:
      '{reason, select, owner_left {Gatehouse stopped the schedule of the query {name}, because its owner has left} owner_may_not {Gatehouse stopped the schedule of the query {name}, because its owner may no longer read it} no_recipients {Gatehouse stopped the schedule of the query {name}, because no recipient may read it} too_slow {Gatehouse stopped the schedule of the query {name}, because it takes too long} failed {Gatehouse stopped the schedule of the query {name}, because it failed} other {Gatehouse stopped the schedule of the query {name}, because the query is no longer valid}}',
    payload: {
      ...query,
      owner: field('The owner of the query.', Uuid),
      reason: field(
        'Why it happened.',
        Type.Enum(['owner_left', 'owner_may_not', 'no_recipients', 'query_invalid', 'too_slow', 'failed']),
      ),
    },
  }),
};
