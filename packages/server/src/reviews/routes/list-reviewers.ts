import { Type } from 'typebox';
import { envelope, listReply, pageOf, pageQuery } from '../../platform/http/lists.ts';
import { Nullable, Timestamp, Uuid } from '../../platform/http/schemas.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { listReviewers } from '../cycles.ts';
import { accessibleCycle, CycleParams, reading, tags } from './schemas.ts';

const Progress = Type.Object({
  reviewer: Nullable(
    Type.Object(
      { external_uuid: Uuid, email: Type.String(), name: Type.String() },
      { description: 'Null: the administrators, who decide items without reviewers.' },
    ),
  ),
  items: Type.Integer(),
  decided: Type.Integer({ description: 'By this reviewer, or by somebody else in their place.' }),
  open: Type.Integer(),
  overdue: Type.Integer({ description: 'Items that nobody had decided by the due date.' }),
  reminded_at: Nullable(Timestamp),
});

export function listReviewersRoute(http: Http, { db, origin }: RouteTools) {
  http.get(
    '/api/reviews/cycles/:cycle_id/reviewers/',
    {
      config: { ...reading, reads: 'replica' },
      onRequest: accessibleCycle(db),
      schema: {
        tags,
        summary: 'List reviewers of a cycle',
        description:
          'Returns the progress of each reviewer, those with the most undecided items first. An item with several reviewers counts for each of them. `reminded_at` is the time at which an administrator last reminded the reviewer.',
        params: CycleParams,
        querystring: Type.Object(pageQuery),
        response: { 200: envelope(Progress) },
      },
    },
    async (request) => {
      const page = pageOf(request.query);
      const { db } = request.reads;
      const slice = await listReviewers(db, request.principal, request.params.cycle_id, page);
      return listReply(request, origin(request), page, slice);
    },
  );
}
