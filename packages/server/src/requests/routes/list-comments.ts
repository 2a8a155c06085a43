import { Type } from 'typebox';
import { envelope, listReply, pageOf, pageQuery } from '../../platform/http/lists.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { listComments } from '../comments.ts';
import { CommentItem, commentItem } from './comment-schemas.ts';
import { accessibleTicket, reading, TicketParams, tags } from './schemas.ts';

export function listCommentsRoute(http: Http, { db, origin }: RouteTools) {
  http.get(
    '/api/tickets/:ticket_id/comments/',
    {
      config: reading,
      onRequest: accessibleTicket(db),
      schema: {
        tags,
        summary: 'List the comments on a ticket',
        description: 'Oldest first, with the questions and answers between approvers and requester.',
        params: TicketParams,
        querystring: Type.Object({ ...pageQuery }),
        response: { 200: envelope(CommentItem) },
      },
    },
    async (request) => {
      const { principal, params, query } = request;
      const page = pageOf(query);
      const { count, results } = await listComments(db, principal.orgId, params.ticket_id, page);
      return listReply(request, origin(request), page, { count, results: results.map(commentItem) });
    },
  );
}
