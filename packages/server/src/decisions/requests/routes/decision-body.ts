import { type Static, Type } from 'typebox';
import { Component, Nullable } from '#kit/schemas.ts';
import type { Decision } from '../decide.ts';
import type { Verdict } from '../ticket.ts';
import { Comment } from './schemas.ts';

export const DecisionBody = Type.Optional(
  Nullable(
    Component('TicketDecision', {
      comment: Comment,
      override: Type.Optional(
        Type.Boolean({
          description: 'true: an administrator decides for all approvers. Requires a comment.',
        }),
      ),
      step: Type.Optional(
        Type.Integer({
          minimum: 1,
          description: 'The step that you are deciding. 409 if the ticket has moved to another step.',
        }),
      ),
    }),
  ),
);

export function decisionIn(verdict: Verdict, body: Static<typeof DecisionBody>): Decision {
  const { comment, override = false, step } = body ?? {};
  return { verdict, override, comment: comment ?? '', step: step === undefined ? null : step - 1 };
}
