import { Type } from 'typebox';
import { AppName } from '#inventory/apps/reference.ts';
import { CoverageView, ExactTime } from '#inventory/records/history/as-of-schemas.ts';
import { pageOf, route, sendCsv } from '#kit/http.ts';
import { Component } from '#kit/schemas.ts';
import { compare, countChanges, exportComparison } from '../compare.ts';
import { Change, Difference } from '../period-schemas.ts';
import { between, counts, knownAt, NextCursor, paging, place, subject } from './schemas.ts';

const Comparison = Component('Comparison', {
  from: ExactTime,
  to: ExactTime,
  coverage: CoverageView,
  counts: Component('DifferenceCounts', counts),
  counts_more: Type.Boolean({
    description:
      'true: more accounts follow that were not counted. Each page counts its own. `GET /api/history/compare/counts/` counts all.',
  }),
  results: Type.Array(Difference),
  next_cursor: NextCursor,
});

const Counts = Component('ComparisonCounts', {
  from: ExactTime,
  to: ExactTime,
  known_at: ExactTime,
  coverage: CoverageView,
  counts: Component('DifferenceCounts', counts),
  groups: Type.Array(
    Component('ComparisonGroup', {
      app: AppName,
      type: Type.Enum(['account', 'group', 'license'], {
        description: 'Accounts, or the memberships in groups and assignments of licenses.',
      }),
      ...counts,
    }),
    { description: 'By app and type. Only those with differences.' },
  ),
});

export const comparisonRoutes = [
  route(
    'GET',
    '/api/history/compare/',
    {
      ...place,
      summary: 'Compare access at two times',
      description:
        'Accounts, groups and licenses that were added, removed or changed between two times. Takes `user`, `account`, `app`, or `app` with `slug` and `resource`; without them, it concerns all apps. A difference is `possible` if it may also have come before `from` or after `to`.',
      query: { ...subject, ...between, change: Type.Optional(Change), ...paging },
      reply: Comparison,
    },
    async ({ call, query, reply }) => {
      if (query.format === 'csv')
        return sendCsv(reply, 'access-comparison.csv', await exportComparison(call, query));
      return compare(call, query, query.cursor, pageOf(query).limit);
    },
  ),
  route(
    'GET',
    '/api/history/compare/counts/',
    {
      ...place,
      summary: 'Count the differences of access at two times',
      description:
        'The number of all differences that `GET /api/history/compare/` lists with the same parameters. 422 if more than 100,000 accounts changed since `from`.',
      query: { ...subject, ...between, ...knownAt },
      reply: Counts,
    },
    ({ call, query }) => countChanges(call, query),
  ),
];
