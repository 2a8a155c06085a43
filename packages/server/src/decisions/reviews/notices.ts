import type { OrgDb } from '#kit/database.ts';
import { type Draft, date, type Recipient } from '#log/notices/draft.ts';
import {
  type Check,
  type Context,
  type Details,
  type DraftPage,
  type DueOptions,
  FIRST_ID,
  type Handler,
  type Notices,
  newAmong,
  pages,
} from '#log/notices/notices.ts';
import { cyclesVisibleTo } from './cycles/cycles.ts';
import * as queries from './cycles/queries/notices.ts';
import { cyclesWaitingFor, reviewersWaitedFor } from './cycles/waiting.ts';

const REVIEW_REMINDER_DAYS = 7;

const reviewStarted: Handler = async (context) => {
  const cycle = await queries.findCycle(context.org, context.text('cycle_id'));
  return cycle === undefined ? [] : [reviewAssigned(cycle, await reviewersOf(context, cycle.id))];
};

/** Returns the draft for people who review in a cycle. */
function reviewAssigned({ id, name, due_at }: queries.CycleFacts, to: readonly Recipient[]): Draft {
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

const reviewMoved: Handler = async (context) => {
  const cycle = await queries.findCycle(context.org, context.text('cycle_id'));
  if (cycle === undefined) return [];
  const isEscalated = context.event.type === 'review.escalated';
  return [
    {
      kind: 'review_reassigned',
      key: movedKey(cycle.id, context.event.at),
      to: newAmong(await reviewersOf(context, cycle.id), context.event),
      title: `Review items were ${isEscalated ? 'escalated' : 'assigned'} to you: ${cycle.name}`,
      body: 'Open the review to decide.',
      path: `/reviews/cycles/${cycle.id}`,
      about: { type: 'cycle', id: cycle.id },
    },
  ];
};

/** Reminds a reviewer, or those who review in their place, because an administrator asked for it. */
const reviewReminded: Handler = async (context) => {
  const cycle = await queries.findCycle(context.org, context.text('cycle_id'));
  if (cycle === undefined) return [];
  const { id, name, due_at } = cycle;
  const reviewer = context.text('user_id');
  const awaited = await reviewersOf(context, id);
  return [
    {
      kind: kindOfReminder(cycle),
      key: `review-reminder:${id}:${context.event.id}`,
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
function kindOfReminder({ hours_left }: queries.CycleFacts) {
  if (hours_left === null || hours_left >= URGENT_HOURS) return 'review_reminder';
  return hours_left < 0 ? 'review_overdue' : 'review_due';
}

/** Returns the people whom a cycle waits for. */
const reviewersOf = ({ org, once }: Context, cycleId: string) =>
  once(`reviewers of ${cycleId}`, () => reviewersWaitedFor(org, cycleId));

const reviewKey = (cycleId: string): string => `review:${cycleId}`;

/** One per day, since an event is recorded for every item. */
const movedKey = (cycleId: string, at: Date): string =>
  `${reviewKey(cycleId)}:${at.toISOString().slice(0, 10)}`;

async function nextReview(
  db: OrgDb,
  after: string,
  peopleTold: DueOptions['peopleTold'],
): Promise<DraftPage<string>> {
  const cycle = await queries.nextOpenCycle(db, after);
  if (cycle === undefined) return { drafts: [], next: undefined };
  const { id } = cycle;
  const reviewers = await reviewersWaitedFor(db, id);
  const told = (await peopleTold(db, [{ id, key: reviewKey(id) }])).get(id);
  const untold = reviewers.filter(({ userId }) => told?.has(userId) !== true);
  const assigned = reviewAssigned(cycle, untold);
  // A large cycle opens after its event was read: then this scan is the first to announce it in channels.
  if (cycle.open_days > 0) delete assigned.appId;
  const due = dueDraft(cycle) ?? reminderDraft(cycle);
  const page = { path: `/reviews/cycles/${id}`, about: { type: 'cycle' as const, id } };
  return { drafts: [assigned, ...(due === undefined ? [] : [{ ...due, ...page, to: reviewers }])], next: id };
}

type Timed = Omit<Draft, 'to' | 'path' | 'about'>;

function dueDraft({ id, name, due_at, hours_left, hours_in_all }: queries.CycleFacts): Timed | undefined {
  if (due_at === null || hours_left === null || hours_in_all === null) return undefined;
  const body = `It is due on ${date(due_at)}, and you have open items.`;
  if (hours_left < 0) {
    const weeks = Math.floor(-hours_left / (7 * 24));
    return {
      kind: 'review_overdue',
      key: `review-overdue:${id}:${weeks}`,
      title: `Overdue review: ${name}`,
      body: `It was due on ${date(due_at)}, and you have open items.`,
      appId: null,
    };
  }
  if (hours_left < 24 && hours_in_all > 24)
    return { kind: 'review_due', key: `review-due:${id}:1d`, title: `Review due tomorrow: ${name}`, body };
  if (hours_left < 7 * 24 && hours_in_all > 7 * 24)
    return { kind: 'review_due', key: `review-due:${id}:7d`, title: `Review due in 7 days: ${name}`, body };
  return undefined;
}

function reminderDraft({ id, name, open_days }: queries.CycleFacts): Timed | undefined {
  const number = Math.floor(open_days / REVIEW_REMINDER_DAYS);
  if (number < 1) return undefined;
  return {
    kind: 'review_reminder',
    key: `review-reminder:${id}:${number}`,
    title: `Still waiting for you: ${name}`,
    body: `The review has been open for ${open_days} days, and you have open items.`,
  };
}

const toReview: Check = (db, person, cycles) => cyclesWaitingFor(db, cycles, person);

const openItems: Details = async (db, ids) => {
  const cycles = await queries.undecidedItems(db, ids);
  const waiting = cycles.filter(({ items }) => items > 0);
  return new Map(waiting.map(({ id, items }) => [id, [{ label: 'Items to decide', text: String(items) }]]));
};

export const reviewNotices: Notices = {
  handlers: {
    'campaign.started': reviewStarted,
    'review.reassigned': reviewMoved,
    'review.escalated': reviewMoved,
    'review.reminded': reviewReminded,
  },
  due: ({ peopleTold }) => pages<string>(FIRST_ID, (db, after) => nextReview(db, after, peopleTold)),
  waits: {
    review_assigned: toReview,
    review_reassigned: toReview,
    review_due: toReview,
    review_reminder: toReview,
    review_overdue: toReview,
  },
  details: { review_assigned: openItems, review_overdue: openItems },
  visible: { cycle: cyclesVisibleTo },
};
