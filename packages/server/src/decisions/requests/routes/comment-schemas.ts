import { Type } from 'typebox';
import { PersonReference } from '#directory/people/reference.ts';
import { Component, Timestamp, Uuid } from '#kit/schemas.ts';
import type { Comment } from '../queries/comments.ts';
import { COMMENT_KINDS } from '../ticket.ts';

export const CommentItem = Component('TicketComment', {
  external_uuid: Uuid,
  author: PersonReference,
  kind: Type.Enum([...COMMENT_KINDS]),
  comment: Type.String(),
  created_at: Timestamp,
});

export const commentItem = ({ id, ...comment }: Comment) => ({ external_uuid: id, ...comment });
