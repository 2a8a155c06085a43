import { Type } from 'typebox';
import { AppName } from '../../../inventory/apps/reference.ts';
import {
  Bounds,
  Certainty,
  CoverageView,
  coverageView,
  ExactTime,
} from '../../../inventory/records/routes/as-of-schemas.ts';
import { sendCsv } from '../../../kit/http/csv.ts';
import { pageOf } from '../../../kit/http/lists.ts';
import { Component, Nullable } from '../../../kit/http/schemas.ts';
import type { Http } from '../../../kit/http/server.ts';
import { callOf } from '../../../kit/identity/call.ts';
import { CHANGES } from '../changes.ts';
import { compare, countChanges, exportComparison } from '../compare.ts';
import { between, counts, item, knownAt, NextCursor, paging, read, subject, tags } from './schemas.ts';

const Change = Type.Enum([...CHANGES]);

const Query = Type.Object({
  ...subject,
  ...between,
  change: Type.Optional(Change),
  ...paging,
});

const MaybeText = Nullable(Type.String());

const Side = Nullable(
  Component(
    'ComparedState',
    {
      status: MaybeText,
      email: MaybeText,
      username: MaybeText,
      display_name: MaybeText,
      external_id: MaybeText,
      certainty: Certainty,
      bounds: Bounds,
    },
    { description: 'null: absent. All but `certainty` and `bounds` are null for memberships.' },
  ),
);

const Comparison = Component('Comparison', {
  from: ExactTime,
  to: ExactTime,
  coverage: CoverageView,
  counts: Component('DifferenceCounts', counts),
  counts_more: Type.Boolean({
    description:
      'true: more accounts follow that were not counted. Each page counts its own. `GET /api/history/compare/counts/` counts all.',
  }),
  results: Type.Array(
    Component('Difference', { change: Change, ...item, before: Side, after: Side, certainty: Certainty }),
  ),
  next_cursor: NextCursor,
});

export function compareRoute(http: Http) {
  http.get(
    '/api/history/compare/',
    {
      config: { access: read, reads: 'replica' },
      schema: {
        tags,
        summary: 'Compare access at two times',
        description:
          'Accounts, groups and licenses that were added, removed or changed between two times. Takes `user`, `account`, `app`, or `app` with `slug` and `resource`; without them, it concerns all apps. A difference is `possible` if it is not certain that it came between them.',
        querystring: Query,
        response: { 200: Comparison },
      },
    },
    async (request, reply) => {
      const { db } = request.reads;
      const { query } = request;
      if (query.format === 'csv')
        return sendCsv(reply, 'access-comparison.csv', await exportComparison(callOf(db, request), query));
      const { coverage, ...found } = await compare(
        callOf(db, request),
        query,
        query.cursor,
        pageOf(query).limit,
      );
      return { ...found, coverage: coverageView(coverage) };
    },
  );
}

const Reply = Component('ComparisonCounts', {
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

export function countChangesRoute(http: Http) {
  http.get(
    '/api/history/compare/counts/',
    {
      config: { access: read, reads: 'replica' },
      schema: {
        tags,
        summary: 'Count the differences of access at two times',
        description:
          'The number of all differences that `GET /api/history/compare/` lists with the same parameters. 422 if more than 100,000 accounts changed since `from`.',
        querystring: Type.Object({ ...subject, ...between, ...knownAt }),
        response: { 200: Reply },
      },
    },
    async (request) => {
      const { db } = request.reads;
      const { query } = request;
      const { coverage, ...found } = await countChanges(callOf(db, request), query);
      return { ...found, coverage: coverageView(coverage) };
    },
  );
}
