import { Type } from 'typebox';
import { causeOf } from '../../identity/cause.ts';
import {
  Bounds,
  Certainty,
  CoverageView,
  coverageView,
  ExactTime,
} from '../../inventory/routes/as-of-schemas.ts';
import { sendCsv } from '../../platform/http/csv.ts';
import { pageOf } from '../../platform/http/lists.ts';
import { Nullable } from '../../platform/http/schemas.ts';
import type { Http } from '../../platform/http/server.ts';
import { CHANGES, compare, exportComparison } from '../compare.ts';
import { between, counts, item, NextCursor, paging, read, subject, tags } from './schemas.ts';

const Change = Type.Enum([...CHANGES]);

const Query = Type.Object({
  ...subject,
  ...between,
  change: Type.Optional(Change),
  ...paging,
});

const MaybeText = Nullable(Type.String());
const Side = Nullable(
  Type.Object(
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

const Comparison = Type.Object({
  from: ExactTime,
  to: ExactTime,
  coverage: CoverageView,
  counts: Type.Object(counts),
  counts_more: Type.Boolean({
    description:
      'true: more accounts follow that were not counted. Each page counts its own. `GET /api/history/compare/counts/` counts all.',
  }),
  results: Type.Array(
    Type.Object({ change: Change, ...item, before: Side, after: Side, certainty: Certainty }),
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
      const { principal, query } = request;
      if (query.format === 'csv')
        return sendCsv(
          reply,
          'access-comparison.csv',
          await exportComparison(db, principal, query, causeOf(request)),
        );
      const { coverage, ...found } = await compare(db, principal, query, query.cursor, pageOf(query).limit);
      return { ...found, coverage: coverageView(coverage) };
    },
  );
}
