import { within } from '../../../kit/database/organization.ts';
import { type Draft, date, type Recipient } from '../draft.ts';
import * as facts from '../queries/lookups.ts';
import { movedKey, reviewKey } from '../recipients.ts';
import { type Handler, newAmong } from './handler.ts';

export const reviewStarted: Handler = async ({ db, orgId, text, reviewersOf }) => {
  const cycle = await facts.findCycle(within(db, orgId), text('cycle_id'));
  return cycle === undefined ? [] : [reviewAssigned(cycle, await reviewersOf(cycle.id))];
};

/** Returns the draft for people who review in a cycle. */
export function reviewAssigned({ id, name, due_at }: facts.CycleFacts, to: readonly Recipient[]): Draft {
  return {
    kind: 'review_assigned',
    key: reviewKey(id),
    to,
    title: `Review waiting: ${name}`,
    body: due_at === null ? 'Open the review to decide.' : `It is due on ${date(due_at)}.`,
    path: `/reviews/cycles/${id}`,
    about: { type: 'cycle', id },
    appId: null,
  };
}

export const reviewMoved: Handler = async ({ db, orgId, event, text, reviewersOf }) => {
  const cycle = await facts.findCycle(within(db, orgId), text('cycle_id'));
  if (cycle === undefined) return [];
  const isEscalated = event.type === 'review.escalated';
  return [
    {
      kind: 'review_reassigned',
      key: movedKey(cycle.id, event.at),
      to: newAmong(await reviewersOf(cycle.id), event),
      title: `Review items were ${isEscalated ? 'escalated' : 'assigned'} to you: ${cycle.name}`,
      body: 'Open the review to decide.',
      path: `/reviews/cycles/${cycle.id}`,
      about: { type: 'cycle', id: cycle.id },
    },
  ];
};

/** Reminds a reviewer, or those who review in their place, because an administrator asked for it. */
export const reviewReminded: Handler = async ({ db, orgId, event, text, reviewersOf }) => {
  const cycle = await facts.findCycle(within(db, orgId), text('cycle_id'));
  if (cycle === undefined) return [];
  const { id, name, due_at } = cycle;
  const reviewer = text('user_id');
  const awaited = await reviewersOf(id);
  return [
    {
      kind: kindOfReminder(cycle),
      key: `review-reminder:${id}:${event.id}`,
      to: awaited.filter(({ userId, onBehalfOf }) => userId === reviewer || onBehalfOf === reviewer),
      title: `Reminder: ${name}`,
      body:
        due_at === null
          ? 'An administrator asks you to decide your open items.'
          : `An administrator asks you to decide your open items. The review is due on ${date(due_at)}.`,
      path: `/reviews/cycles/${id}`,
      about: { type: 'cycle', id },
    },
  ];
};

const URGENT_HOURS = 7 * 24;

/** By default, people get ordinary reminders once a day, and those of reviews that are due soon or overdue immediately. */
function kindOfReminder({ hours_left }: facts.CycleFacts) {
  if (hours_left === null || hours_left >= URGENT_HOURS) return 'review_reminder';
  return hours_left < 0 ? 'review_overdue' : 'review_due';
}
