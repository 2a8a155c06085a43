import type { Awaited } from '../../decisions/reviews/cycle.ts';
import { reviewersWaitedFor } from '../../decisions/reviews/waiting.ts';
import type { OrgDb } from '../../kit/database/organization.ts';
import type { EventType } from '../../log/events/catalog.ts';
import type { LoggedEvent } from '../../log/events/follow.ts';
import type { Draft } from './draft.ts';
import {
  budgetExceeded,
  removalHeld,
  syncFailed,
  syncsSuperseded,
  taskFailed,
  webhookDisabled,
  webhookFailing,
} from './handlers/apps.ts';
import { taskAssigned, taskReassigned } from './handlers/fulfillment.ts';
import type { Handler } from './handlers/handler.ts';
import { changeHeld } from './handlers/holds.ts';
import { attributeIgnored, returnedAsAnother } from './handlers/people.ts';
import { policyHeld, policyUndecided } from './handlers/policies.ts';
import {
  comment,
  requestEnded,
  requestMoved,
  requestNeedsDecision,
  taskCompleted,
} from './handlers/requests.ts';
import { reviewMoved, reviewReminded, reviewStarted } from './handlers/reviews.ts';
import { linkRequested, security, signedIn } from './handlers/security.ts';
import { ticketsGrantedBy } from './queries/lookups.ts';
import { expiryOf } from './recipients.ts';

const HANDLERS: Partial<Record<EventType, Handler>> = {
  'ticket.created': requestNeedsDecision,
  'request.step_approved': requestNeedsDecision,
  'request.reassigned': requestMoved,
  'request.escalated': requestMoved,
  'ticket.approved': requestEnded('Approved'),
  'ticket.denied': requestEnded('Denied'),
  'request.canceled': requestEnded('Canceled'),
  'request.expired': requestEnded('Expired'),
  'request.commented': comment('request_commented', 'Comment'),
  'request.information_requested': comment('information_requested', 'More information needed'),
  'request.information_provided': comment('information_provided', 'Information provided'),
  'task.completed': taskCompleted,
  'task.failed': taskFailed,
  'fulfillment.assigned': taskAssigned,
  'fulfillment.reassigned': taskReassigned,
  'campaign.started': reviewStarted,
  'review.reassigned': reviewMoved,
  'review.escalated': reviewMoved,
  'review.reminded': reviewReminded,
  'app.sync.paused': removalHeld,
  'app.sync.superseded': syncsSuperseded,
  'removal_budget.exceeded': budgetExceeded,
  'people.change_held': changeHeld,
  'app.sync.failed': syncFailed,
  'webhook.failing': webhookFailing,
  'policy.held': policyHeld,
  'policy.undecided': policyUndecided,
  'webhook.disabled': webhookDisabled,
  'scim.attribute_ignored': attributeIgnored,
  'person.external_id_changed': returnedAsAnother,
  'api_key.created': security('key_created', ({ event, text }) => ({
    title: `An API key was created: ${text('name')}`,
    body: `It acts for you, ${expiryOf(event.payload.expires_at)}. Created on`,
  })),
  'key.transferred': security('key_created', ({ text }) => ({
    title: `An API key now acts for you: ${text('name')}`,
    body: 'An administrator transferred it to you on',
    to: text('to'),
  })),
  'password.changed': security('password_changed', () => ({
    title: 'Your password was changed',
    body: 'Your password was changed on',
  })),
  'factor.removed': security('factor_removed', ({ event }) => ({
    title: `${event.payload.kind === 'totp' ? 'Your second factor' : 'A passkey of yours'} was removed`,
    body: `It was removed${event.payload.by_administrator === true ? ' by an administrator' : ''} on`,
  })),
  'provider_link.removed': security('factor_removed', ({ event, text }) => ({
    title: `Your account at ${text('name')} was unlinked`,
    body: `It was unlinked${event.payload.by_administrator === true ? ' by an administrator' : ''} on`,
  })),
  'session.login.succeeded': signedIn,
  'password.link_requested': linkRequested,
};

/** The types of events that lead to notifications. */
export const NOTIFIED_TYPES = Object.keys(HANDLERS) as EventType[];

/** The types after which work can wait for other people than before. */
export const ROUTING_TYPES: EventType[] = [
  'absence.created',
  'absence.updated',
  'absence.deleted',
  'user.deactivated',
  'user.reactivated',
  'role.changed',
  'app_settings.changed',
];

/** Returns the notifications of events, in their order. */
export async function draftsFrom(db: OrgDb, events: readonly LoggedEvent[]): Promise<Draft[]> {
  const known = new Map<string, Promise<Awaited[]>>();
  const reviewersOf = (cycleId: string) => {
    const reviewers = known.get(cycleId) ?? reviewersWaitedFor(db, cycleId);
    known.set(cycleId, reviewers);
    return reviewers;
  };
  let granted: ReturnType<typeof ticketsGrantedBy> | undefined;
  const ticketGrantedBy = async (taskId: string) => {
    granted ??= ticketsGrantedBy(db, taskIdsOf(events));
    return (await granted).get(taskId);
  };
  const drafts: Draft[] = [];
  for (const event of events) {
    const text = (field: string) => {
      const value = event.payload[field];
      return typeof value === 'string' ? value : '';
    };
    const context = { db: db.db, orgId: db.orgId, event, text, reviewersOf, ticketGrantedBy };
    drafts.push(...((await HANDLERS[event.type]?.(context)) ?? []));
  }
  return drafts;
}

const taskIdsOf = (events: readonly LoggedEvent[]): string[] =>
  events.flatMap(({ payload }) => (typeof payload.task_id === 'string' ? [payload.task_id] : []));
