import { Type } from 'typebox';
import { causeOf } from '../../identity/cause.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { addComment } from '../comments.ts';
import { CommentItem, commentItem } from './comment-schemas.ts';
import { accessibleTicket, personal, RequiredComment, TicketParams, tags } from './schemas.ts';

export function addCommentRoute(http: Http, { db }: RouteTools) {
  http.post(
    '/api/tickets/:ticket_id/comments/',
    {
      config: personal,
      onRequest: accessibleTicket(db),
      schema: {
        tags,
        summary: 'Comment on a ticket',
        params: TicketParams,
        body: Type.Object({ comment: RequiredComment }),
        response: { 201: CommentItem },
      },
    },
    async (request, reply) => {
      const { principal, params, body } = request;
      const comment = await addComment(db, principal, params.ticket_id, body.comment, causeOf(request));
      reply.code(201);
      return commentItem(comment);
    },
  );
}
