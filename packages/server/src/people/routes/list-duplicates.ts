import { Type } from 'typebox';
import { envelope, listReply, pageOf, pageQuery } from '../../platform/http/lists.ts';
import type { Http } from '../../platform/http/server.ts';
import { DUPLICATE_REASONS, listDuplicates } from '../duplicates-queries.ts';
import { PersonView, tags } from './schemas.ts';
import { type PeopleTools, view } from './tools.ts';

const DuplicateView = Type.Object({
  people: Type.Array(PersonView, { description: 'The two users.' }),
  score: Type.Integer({ minimum: 0, maximum: 100 }),
  reasons: Type.Array(Type.Enum([...DUPLICATE_REASONS]), {
    description:
      'The same employee number, emails that look alike, the same name, or the same part of the email before the @.',
  }),
});

export function listDuplicatesRoute(http: Http, { origin }: PeopleTools) {
  http.get(
    '/api/users/duplicates/',
    {
      config: { access: { scope: 'govern', roles: ['owner', 'admin', 'auditor'] }, reads: 'replica' },
      schema: {
        tags,
        summary: 'List possible duplicates',
        description:
          'Pairs of users who may be the same person, the likeliest first, without dismissed ones.',
        querystring: Type.Object(pageQuery),
        response: { 200: envelope(DuplicateView) },
      },
    },
    async (request) => {
      const page = pageOf(request.query);
      const { count, results } = await listDuplicates(request.reads.db, request.principal.orgId, page);
      const pairs = results.map((pair) => ({ ...pair, people: pair.people.map(view) }));
      return listReply(request, origin(request), page, { count, results: pairs });
    },
  );
}
