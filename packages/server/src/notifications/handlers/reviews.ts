import type { Draft, Recipient } from '../draft.ts';
import * as facts from '../queries/facts.ts';
import { movedKey, reviewKey } from '../recipients.ts';
import { type Handler, newAmong } from './handler.ts';

export const reviewStarted: Handler = async ({ db, orgId, text, reviewersOf }) => {
  const cycle = await facts.findCycle(db, orgId, text('cycle_id'));
  return cycle === undefined ? [] : [reviewAssigned(cycle, await reviewersOf(cycle.id))];
};

/** Returns the draft for people who review in a cycle. */
export function reviewAssigned({ id, name, due_at }: facts.CycleFacts, to: readonly Recipient[]): Draft {
  return {
    kind: 'review_assigned',
    key: reviewKey(id),
    to,
    title: `Review waiting: ${name}`,
    body: ({ date }) => (due_at === null ? 'Open the review to decide.' : `It is due on ${date(due_at)}.`),
    path: `/reviews/cycles/${id}`,
    about: { type: 'cycle', id },
    appId: null,
  };
}

export const reviewMoved: Handler = async ({ db, orgId, event, text, reviewersOf }) => {
  const cycle = await facts.findCycle(db, orgId, text('cycle_id'));
  if (cycle === undefined) return [];
  const isEscalated = event.type === 'review.escalated';
  return [
    {
      kind: 'review_reassigned',
      key: movedKey(cycle.id, event.at),
      to: newAmong(await reviewersOf(cycle.id), event),
      title: `Review items were ${isEscalated ? 'escalated' : 'assigned'} to you: ${cycle.name}`,
      body: () => 'Open the review to decide.',
      path: `/reviews/cycles/${cycle.id}`,
      about: { type: 'cycle', id: cycle.id },
    },
  ];
};
