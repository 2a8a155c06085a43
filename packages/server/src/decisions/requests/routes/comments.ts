import { Type } from 'typebox';
import { PersonReference } from '#directory/people/reference.ts';
import { Component, Timestamp, Uuid } from '#kit/schemas.ts';
import { addComment, listComments, provideInformation, requestInformation } from '../comments.ts';
import type { DecisionTools } from '../decide.ts';
import type { Comment } from '../queries/comments.ts';
import { COMMENT_KINDS } from '../ticket.ts';
import { tickets } from './resource.ts';
import { RequiredComment } from './schemas.ts';

const CommentItem = Component('TicketComment', {
  external_uuid: Uuid,
  author: PersonReference,
  kind: Type.Enum([...COMMENT_KINDS]),
  comment: Type.String(),
  created_at: Timestamp,
});

const commentItem = ({ id, ...comment }: Comment) => ({ external_uuid: id, ...comment });

const NewTicketComment = Component('NewTicketComment', { comment: RequiredComment });

export const commentRoutes = (tools: DecisionTools) => [
  tickets.listOf(
    'comments/',
    'List the comments on a ticket',
    {
      description: 'Oldest first, with the questions and answers between approvers and requester.',
      item: CommentItem,
    },
    async ({ call, found }, page) => {
      const { count, results } = await listComments(call, found.id, page);
      return { count, results: results.map(commentItem) };
    },
  ),
  tickets.one.post(
    'comments/',
    'Comment on a ticket',
    { body: NewTicketComment, reply: CommentItem, status: 201 },
    async ({ call, found, body }) => commentItem(await addComment(call, found.id, body.comment)),
  ),
  tickets.act(
    'request-information/',
    'Request more information',
    {
      description: 'The ticket stays PENDING. The requester or the user answers.',
      body: NewTicketComment,
    },
    ({ call, found, body }) => requestInformation(tools, call, found.id, body.comment),
  ),
  tickets.act(
    'provide-information/',
    'Provide the requested information',
    { description: 'For the requester and the user.', body: NewTicketComment },
    ({ call, found, body }) => provideInformation(tools, call, found.id, body.comment),
  ),
];
