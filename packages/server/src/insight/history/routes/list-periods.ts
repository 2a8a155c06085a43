import { Type } from 'typebox';
import { sendCsv } from '../../../kit/http/csv.ts';
import { pageOf } from '../../../kit/http/lists.ts';
import { Component, Instant } from '../../../kit/http/schemas.ts';
import type { Http } from '../../../kit/http/server.ts';
import { callOf } from '../../../kit/identity/call.ts';
import { exportPeriods, listPeriods } from '../access.ts';
import { NextCursor, Period, paging, read, subject, tags } from './schemas.ts';

const Query = Type.Object({
  ...subject,
  from: Type.Optional({
    ...Instant,
    description: 'Only periods that may have lasted until after this time.',
  }),
  to: Type.Optional({ ...Instant, description: 'Only periods that may have begun by this time.' }),
  ...paging,
});

export function listPeriodsRoute(http: Http) {
  http.get(
    '/api/history/access/',
    {
      config: { access: read, reads: 'replica' },
      schema: {
        tags,
        summary: 'List periods of access',
        description:
          'The periods in which accounts existed and held groups and licenses, with their causes, by account and beginning. Takes `user`, `account`, `app`, or `app` with `slug` and `resource`; without them, it lists all. Members see only their own accounts, without the decisions.',
        querystring: Query,
        response: { 200: Component('PeriodPage', { results: Type.Array(Period), next_cursor: NextCursor }) },
      },
    },
    async (request, reply) => {
      const { db } = request.reads;
      const { query } = request;
      if (query.format === 'csv')
        return sendCsv(reply, 'access-history.csv', await exportPeriods(callOf(db, request), query));
      return listPeriods(callOf(db, request), query, query.cursor, pageOf(query).limit);
    },
  );
}
