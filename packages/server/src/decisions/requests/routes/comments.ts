import { Type } from 'typebox';
import { within } from '../../../kit/database/organization.ts';
import { envelope, listReply, pageOf, pageQuery } from '../../../kit/http/lists.ts';
import { Component } from '../../../kit/http/schemas.ts';
import type { Http, RouteTools } from '../../../kit/http/server.ts';
import { callOf } from '../../../kit/identity/call.ts';
import { addComment, listComments } from '../comments.ts';
import { CommentItem, commentItem } from './comment-schemas.ts';
import { accessibleTicket, personal, RequiredComment, reading, TicketParams, tags } from './schemas.ts';

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
      const { count, results } = await listComments(within(db, principal.orgId), params.ticket_id, page);
      return listReply(request, origin(request), page, { count, results: results.map(commentItem) });
    },
  );
}

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
        body: Component('NewTicketComment', { comment: RequiredComment }),
        response: { 201: CommentItem },
      },
    },
    async (request, reply) => {
      const { params, body } = request;
      const comment = await addComment(callOf(db, request), params.ticket_id, body.comment);
      reply.code(201);
      return commentItem(comment);
    },
  );
}
