import { Type } from 'typebox';
import { pageOf, route, sendCsv } from '#kit/http.ts';
import { Component, Instant } from '#kit/schemas.ts';
import { exportPeriods, listPeriods } from '../access.ts';
import { Period } from '../period-schemas.ts';
import { NextCursor, paging, place, subject } from './schemas.ts';

export const listPeriodsRoute = route(
  'GET',
  '/api/history/access/',
  {
    ...place,
    summary: 'List periods of access',
    description:
      'The periods in which accounts existed and held groups and licenses, with their causes, by account and beginning. Takes `user`, `account`, `app`, or `app` with `slug` and `resource`; without them, it lists all. Members see only their own accounts, without the decisions.',
    query: {
      ...subject,
      from: Type.Optional({
        ...Instant,
        description: 'Only periods that may have lasted until after this time.',
      }),
      to: Type.Optional({ ...Instant, description: 'Only periods that may have begun by this time.' }),
      ...paging,
    },
    reply: Component('PeriodPage', { results: Type.Array(Period), next_cursor: NextCursor }),
  },
  async ({ call, query, reply }) =>
    query.format === 'csv'
      ? sendCsv(reply, 'access-history.csv', await exportPeriods(call, query))
      : listPeriods(call, query, query.cursor, pageOf(query).limit),
);
