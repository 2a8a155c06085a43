import { Type } from 'typebox';
import { Timestamp } from '../../platform/http/schemas.ts';
import type { Http } from '../../platform/http/server.ts';
import { eventHistogram } from '../histogram.ts';
import { refuseListedKeys } from './guards.ts';
import { access, filterQuery, responses, tags } from './schemas.ts';

const Histogram = Type.Object({
  seconds: Type.Integer({ description: 'The length of each interval.' }),
  more: Type.Boolean({
    description:
      'Whether counting stopped, so that the counts of the oldest intervals are too low. It stops after the newest 200,000 events of a catalog.',
  }),
  buckets: Type.Array(Type.Object({ from: Timestamp, count: Type.Integer({ minimum: 0 }) }), {
    description: 'At most 60 intervals, oldest first, also those without events.',
  }),
});

export function eventHistogramRoute(http: Http) {
  http.get(
    '/api/events/histogram/',
    {
      config: { access, reads: 'replica' },
      preValidation: refuseListedKeys,
      schema: {
        tags,
        summary: 'Count events by time',
        description:
          'Counts the events that match the filters, by the interval in which they occurred. Without a range, it covers the whole log. A range ends now at the latest. Intervals are aligned with the clock in UTC.',
        querystring: Type.Object(filterQuery),
        response: responses(Histogram),
      },
    },
    async (request) => eventHistogram(request.reads.db, request.principal.orgId, request.query),
  );
}
