import { approversOfTickets } from '../../decisions/requests/waiting.ts';
import { reviewersWaitedFor } from '../../decisions/reviews/waiting.ts';
import { providersExpiringBefore } from '../../directory/access/sign-in/providers.ts';
import { databaseTime } from '../../kit/database/clock.ts';
import type { Db } from '../../kit/database/open.ts';
import { type Org, type OrgDb, within } from '../../kit/database/organization.ts';
import { reminders } from '../../work/fulfillment/facts.ts';
import { type Draft, date } from './draft.ts';
import { fulfillmentPage, workIn } from './handlers/fulfillment.ts';
import { reviewAssigned } from './handlers/reviews.ts';
import * as facts from './queries/lookups.ts';
import {
  accessEndKey,
  administrators,
  certificateExpiryKey,
  keyExpiryKey,
  ownerOrAdministrators,
  requestKey,
  reviewKey,
  toAll,
} from './recipients.ts';

const REQUEST_EXPIRES_DAYS = 3;
const CERTIFICATE_EXPIRES_DAYS = 30;
const DAY_MS = 24 * 3_600_000;
const REQUEST_REMINDER_DAYS = 3;
const REVIEW_REMINDER_DAYS = 7;
const TASK_REMINDER_DAYS = 3;

/** Reads some of the drafts that are due. */
type Part = (db: Db) => Promise<Draft[]>;

/** Tickets or tasks at a time. */
const PAGE = 200;

/**
 * Returns the notifications that are due by the clock, in parts: the caller reads each before it takes the next one. The parts
 * have the same ones every time until their time has passed: their keys keep them from being sent twice.
 */
export function* partsDue(org: Org, expiryDays: number): Generator<Part> {
  yield* pages<number>(0, (db, after) => waitingRequests(within(db, org.orgId), after));
  yield* pages<number>(0, (db, after) => expiringRequests(within(db, org.orgId), expiryDays, after));
  yield (db) => endingAccess(within(db, org.orgId));
  yield* pages<string>(FIRST_ID, (db, after) => nextReview(within(db, org.orgId), after));
  yield (db) => expiringKeys(within(db, org.orgId));
  yield (db) => overdueSyncs(within(db, org.orgId));
  yield (db) => expiringCertificates(within(db, org.orgId));
  yield* pages<string>(FIRST_ID, (db, after) => fulfillmentReminders(within(db, org.orgId), after));
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000';

interface DraftPage<Place> {
  drafts: Draft[];
  /** Undefined: it was the last page. */
  next: Place | undefined;
}

/** Returns pages one after the other. A page may be read again, after a deadlock. */
function* pages<Place>(
  first: Place,
  read: (db: Db, after: Place) => Promise<DraftPage<Place>>,
): Generator<Part> {
  let place: Place | undefined = first;
  while (place !== undefined) {
    const after: Place = place;
    yield async (db) => {
      const { drafts, next } = await read(db, after);
      place = next;
      return drafts;
    };
  }
}

const nextOf = (tickets: readonly { number: number }[]): number | undefined =>
  tickets.length < PAGE ? undefined : tickets.at(-1)?.number;

/** People for whom a request waits since somebody else left or is absent, and reminders for all. */
async function waitingRequests(db: OrgDb, after: number): Promise<DraftPage<number>> {
  const tickets = await facts.pendingTickets(db, after, PAGE);
  const approversOf = await approversOfTickets(db, idsOf(tickets));
  const waits = tickets.map((ticket) => ({ id: ticket.id, key: requestKey(ticket) }));
  const told = await facts.peopleTold(db, waits);
  const drafts = tickets.flatMap((ticket): Draft[] => {
    const { id, label, step, waiting_days } = ticket;
    const approvers = approversOf.get(id) ?? [];
    const page = { path: `/requests/${id}`, about: { type: 'ticket' as const, id } };
    const waiting: Draft = {
      kind: 'request_waiting',
      key: requestKey(ticket),
      to: approvers.filter(({ userId }) => told.get(id)?.has(userId) !== true),
      title: `Decision needed: ${label}`,
      body: 'Open the request to approve or deny it.',
      ...page,
    };
    const reminder = Math.floor(waiting_days / REQUEST_REMINDER_DAYS);
    if (reminder < 1) return [waiting];
    return [
      waiting,
      {
        kind: 'request_reminder',
        key: `request-reminder:${id}:${step}:${reminder}`,
        to: approvers,
        title: `Still waiting: ${label}`,
        body: `The request has waited for a decision for ${waiting_days} days.`,
        ...page,
      },
    ];
  });
  return { drafts, next: nextOf(tickets) };
}

const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);

async function expiringRequests(db: OrgDb, expiryDays: number, after: number): Promise<DraftPage<number>> {
  const limits = { expiryDays, days: REQUEST_EXPIRES_DAYS };
  const tickets = await facts.expiringTickets(db, limits, after, PAGE);
  const approversOf = await approversOfTickets(db, idsOf(tickets));
  const drafts = tickets.map(
    ({ id, label, requester_id, expires_at }): Draft => ({
      kind: 'request_expires',
      key: `request-expires:${id}`,
      to: [...toAll([requester_id]), ...(approversOf.get(id) ?? [])],
      title: `Expires soon: ${label}`,
      body: `Without a decision, the request expires on ${date(expires_at)}.`,
      path: `/requests/${id}`,
      about: { type: 'ticket', id },
    }),
  );
  return { drafts, next: nextOf(tickets) };
}

async function endingAccess(db: OrgDb): Promise<Draft[]> {
  const ends = await facts.accessEnds(db, facts.ACCESS_ENDS_DAYS);
  return ends.map(({ ticket_id, app_id, app_name, user_id, requester_id, ends_at }) => ({
    kind: 'access_ends',
    key: accessEndKey(ticket_id, ends_at),
    to: toAll([user_id, requester_id]),
    title: `Temporary access to ${app_name} ends soon`,
    body: `It ends on ${date(ends_at)}. To keep it longer, request an extension.`,
    path: `/requests/new?app=${app_id}&user=${user_id}&type=extend`,
    about: { type: 'ticket', id: ticket_id },
  }));
}

async function nextReview(db: OrgDb, after: string): Promise<DraftPage<string>> {
  const cycle = await facts.nextOpenCycle(db, after);
  if (cycle === undefined) return { drafts: [], next: undefined };
  const { id } = cycle;
  const reviewers = await reviewersWaitedFor(db, id);
  const told = (await facts.peopleTold(db, [{ id, key: reviewKey(id) }])).get(id);
  const untold = reviewers.filter(({ userId }) => told?.has(userId) !== true);
  const assigned = reviewAssigned(cycle, untold);
  // A large cycle opens after its event was read: then this scan is the first to announce it in channels.
  if (cycle.open_days > 0) delete assigned.appId;
  const due = dueDraft(cycle) ?? reminderDraft(cycle);
  const page = { path: `/reviews/cycles/${id}`, about: { type: 'cycle' as const, id } };
  return { drafts: [assigned, ...(due === undefined ? [] : [{ ...due, ...page, to: reviewers }])], next: id };
}

type Timed = Omit<Draft, 'to' | 'path' | 'about'>;

function dueDraft({ id, name, due_at, hours_left, hours_in_all }: facts.CycleFacts): Timed | undefined {
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

function reminderDraft({ id, name, open_days }: facts.CycleFacts): Timed | undefined {
  const number = Math.floor(open_days / REVIEW_REMINDER_DAYS);
  if (number < 1) return undefined;
  return {
    kind: 'review_reminder',
    key: `review-reminder:${id}:${number}`,
    title: `Still waiting for you: ${name}`,
    body: `The review has been open for ${open_days} days, and you have open items.`,
  };
}

async function expiringKeys(db: OrgDb): Promise<Draft[]> {
  const keys = await facts.expiringKeys(db, facts.KEY_EXPIRES_DAYS);
  return keys.map(({ id, name, user_id, expires_at }) => ({
    kind: 'key_expires',
    key: keyExpiryKey(id, expires_at),
    to: toAll([user_id]),
    title: `An API key expires soon: ${name}`,
    body: `It stops working on ${date(expires_at)}. Create another key before that.`,
    path: `/people/${user_id}`,
  }));
}

async function overdueSyncs(db: OrgDb): Promise<Draft[]> {
  const overdue = await facts.overdueSyncs(db);
  return Promise.all(
    overdue.map(async ({ app_id, app_name, sync_id, finished_at }) => ({
      kind: 'sync_overdue' as const,
      key: `sync-overdue:${sync_id}`,
      to: await ownerOrAdministrators(db, app_id),
      title: `A sync of ${app_name} is overdue`,
      body: `The newest completed sync ended on ${date(finished_at)}. Check its connector.`,
      path: `/apps/${app_id}?tab=syncs`,
      about: { type: 'app' as const, id: app_id },
      appId: app_id,
    })),
  );
}

/** Reminds the assignees of tasks that people carry out. */
async function fulfillmentReminders(db: OrgDb, after: string): Promise<DraftPage<string>> {
  const found = await reminders(db, after, PAGE);
  if (found.length === 0) return { drafts: [], next: undefined };
  const everyAdministrator = await administrators(db);
  const drafts = found.map(
    ({ task_id, app_id, app_name, email, action, assignee_id, due_at, ...rest }): Draft => {
      const work = workIn({ action, email, app: app_name });
      const to = assignee_id === null ? everyAdministrator : toAll([assignee_id]);
      const page = fulfillmentPage(task_id);
      if (!rest.is_over)
        return {
          kind: 'fulfillment_due' as const,
          key: `fulfillment-due:${task_id}:${due_at.toISOString()}`,
          to,
          title: `Due soon: ${work}`,
          body: `It is due on ${date(due_at)}.`,
          ...page,
        };
      const all = rest.escalated ? [...to, ...everyAdministrator] : to;
      return {
        kind: 'fulfillment_overdue' as const,
        key: `fulfillment-overdue:${task_id}:${due_at.toISOString()}:${Math.floor(rest.days_over / TASK_REMINDER_DAYS)}`,
        to: toAll(all.map(({ userId }) => userId)),
        title: `Overdue: ${work}`,
        body: `It was due on ${date(due_at)}. Carry it out, refuse it or reassign it.`,
        appId: app_id,
        ...page,
      };
    },
  );
  return { drafts, next: found.length < PAGE ? undefined : found.at(-1)?.task_id };
}

async function expiringCertificates(db: OrgDb): Promise<Draft[]> {
  const time = await databaseTime(db.db);
  const providers = await providersExpiringBefore(
    db,
    new Date(time.getTime() + CERTIFICATE_EXPIRES_DAYS * DAY_MS),
  );
  if (providers.length === 0) return [];
  const to = await administrators(db);
  return providers.map(({ id, name, expires_at }) => ({
    kind: 'certificate_expires',
    key: certificateExpiryKey(id, expires_at),
    to,
    title: `The certificate of the sign-in provider ${name} ${expires_at > time ? 'expires soon' : 'has expired'}`,
    body: `The last one ${expires_at > time ? 'expires' : 'expired'} on ${date(expires_at)}. Ask for the next certificate of the provider, and let an owner add it before the provider signs with it.`,
    path: `/settings/sign-in?provider=${id}`,
    about: { type: 'organization', id: null },
    appId: null,
  }));
}
