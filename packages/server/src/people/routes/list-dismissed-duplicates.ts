import { Type } from 'typebox';
import { envelope, listReply, pageOf, pageQuery } from '../../platform/http/lists.ts';
import type { Http } from '../../platform/http/server.ts';
import { listDismissals } from '../dismissals.ts';
import { DismissalView, dismissalView } from './dismissal-schemas.ts';
import { tags } from './schemas.ts';
import type { PeopleTools } from './tools.ts';

export function listDismissedDuplicatesRoute(http: Http, { origin }: PeopleTools) {
  http.get(
    '/api/users/duplicates/dismissed/',
    {
      config: { access: { scope: 'govern', roles: ['owner', 'admin', 'auditor'] }, reads: 'replica' },
      schema: {
        tags,
        summary: 'List dismissed duplicates',
        description: 'Pairs of users who were marked as different, the latest first.',
        querystring: Type.Object(pageQuery),
        response: { 200: envelope(DismissalView) },
      },
    },
    async (request) => {
      const page = pageOf(request.query);
      const { count, results } = await listDismissals(request.reads.db, request.principal.orgId, page);
      return listReply(request, origin(request), page, { count, results: results.map(dismissalView) });
    },
  );
}
