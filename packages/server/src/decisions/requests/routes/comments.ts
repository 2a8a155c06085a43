import { Component } from '#kit/schemas.ts';
import { addComment, listComments, provideInformation, requestInformation } from '../comments.ts';
import type { DecisionTools } from '../decide.ts';
import { CommentItem } from '../ticket-schemas.ts';
import { tickets } from './resource.ts';
import { RequiredComment } from './schemas.ts';

const NewTicketComment = Component('NewTicketComment', { comment: RequiredComment });

export const commentRoutes = (tools: DecisionTools) => [
  tickets.listOf(
    'comments/',
    'List the comments on a ticket',
    {
      description: 'Oldest first, with the questions and answers between approvers and requester.',
      item: CommentItem,
    },
    ({ call, found }, page) => listComments(call, found.id, page),
  ),
  tickets.one.post(
    'comments/',
    'Comment on a ticket',
    { body: NewTicketComment, reply: CommentItem, status: 201 },
    ({ call, found, body }) => addComment(call, found.id, body.comment),
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
