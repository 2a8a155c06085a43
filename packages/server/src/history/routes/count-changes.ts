import { Type } from 'typebox';
import { CoverageView, coverageView, ExactTime } from '../../inventory/routes/as-of-schemas.ts';
import { Uuid } from '../../platform/http/schemas.ts';
import type { Http } from '../../platform/http/server.ts';
import { countChanges } from '../compare.ts';
import { between, counts, knownAt, read, subject, tags } from './schemas.ts';

const Reply = Type.Object({
  from: ExactTime,
  to: ExactTime,
  known_at: ExactTime,
  coverage: CoverageView,
  counts: Type.Object(counts),
  groups: Type.Array(
    Type.Object({
      app: Type.Object({ id: Uuid, name: Type.String() }),
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
      const { principal, query } = request;
      const { coverage, ...found } = await countChanges(db, principal, query);
      return { ...found, coverage: coverageView(coverage) };
    },
  );
}
