import type { EventType } from '../events/catalog.ts';
import type { LoggedEvent } from '../events/follow.ts';
import type { Db } from '../platform/database/open.ts';
import { reviewersWaitedFor } from '../reviews/waiting.ts';
import { isNewDevice } from './device.ts';
import { type Draft, quote, type Recipient } from './draft.ts';
import * as facts from './queries/facts.ts';
import {
  administrators,
  approversOf,
  concernedBy,
  expiryOf,
  linkKey,
  movedKey,
  ownerOrAdministrators,
  requestKey,
  reviewKey,
  toAll,
} from './recipients.ts';

/** An event, and how to look up what its notifications need. */
interface Context {
  db: Db;
  orgId: string;
  event: LoggedEvent;
  /** A text of the payload. */
  text: (field: string) => string;
}

type Handler = (context: Context) => Promise<Draft[]>;

const requestPage = (ticketId: string) => `/requests/${ticketId}`;
const appPage = (appId: string, tab?: string) => `/apps/${appId}${tab === undefined ? '' : `?tab=${tab}`}`;

const requestNeedsDecision: Handler = async ({ db, orgId, text }) => {
  const ticket = await facts.findTicket(db, orgId, text('ticket_id'));
  if (ticket?.status !== 'PENDING') return [];
  return [
    {
      kind: 'request_waiting',
      key: requestKey(ticket),
      to: await approversOf(db, orgId, ticket.id),
      title: `Decision needed: ${ticket.label}`,
      body: () => 'Open the request to approve or deny it.',
      path: requestPage(ticket.id),
      about: { type: 'ticket', id: ticket.id },
      appId: ticket.app_id,
    },
  ];
};

const requestMoved: Handler = async ({ db, orgId, event, text }) => {
  const ticket = await facts.findTicket(db, orgId, text('ticket_id'));
  if (ticket?.status !== 'PENDING') return [];
  const reason = event.payload.reason;
  const isEscalated = event.type === 'request.escalated';
  return [
    {
      kind: 'request_reassigned',
      key: `${requestKey(ticket)}:${event.id}`,
      to: newAmong(await approversOf(db, orgId, ticket.id), event),
      title: `${isEscalated ? 'Escalated' : 'Assigned'} to you: ${ticket.label}`,
      body: () =>
        isEscalated
          ? 'The request has waited too long for its approvers. Open it to approve or deny it.'
          : [
              'Open the request to approve or deny it.',
              ...(typeof reason === 'string' ? [`Reason: ${quote(reason)}`] : []),
            ].join('\n'),
      path: requestPage(ticket.id),
      about: { type: 'ticket', id: ticket.id },
    },
  ];
};

/** Returns the people to whom work was given who did not have it before, themselves or for somebody who is absent. */
function newAmong(awaited: readonly Recipient[], { payload, actor }: LoggedEvent): Recipient[] {
  const given = new Set(payload.to as string[]).difference(new Set(payload.from as string[]));
  const isNew = ({ userId, onBehalfOf }: Recipient) =>
    given.has(userId) || (typeof onBehalfOf === 'string' && given.has(onBehalfOf));
  return awaited.filter((one) => isNew(one) && one.userId !== actor.uuid);
}

/** Notifies the requester and the beneficiary, unless they did it themselves. */
const requestEnded =
  (word: string): Handler =>
  async ({ event, text }) => {
    const by = event.actor.uuid;
    const comment = event.payload.comment ?? event.payload.reason;
    return [
      {
        kind: 'request_decided',
        key: `request_decided:${event.id}`,
        to: toAll(concernedBy(event.payload)).filter(({ userId }) => userId !== by),
        title: `${word}: ${text('label')}`,
        body: () => (typeof comment === 'string' && comment !== '' ? quote(comment) : ''),
        path: requestPage(text('ticket_id')),
        about: { type: 'ticket', id: text('ticket_id') },
      },
    ];
  };

const taskCompleted: Handler = async ({ db, orgId, text }) => {
  const ticket = await facts.ticketGrantedBy(db, orgId, text('task_id'));
  if (ticket === undefined) return [];
  return [
    {
      kind: 'request_granted',
      key: `request_granted:${ticket.id}`,
      to: toAll([ticket.requester_id, ticket.user_id]),
      title: `Granted: ${ticket.label}`,
      body: () => `The access to ${ticket.app_name} is ready.`,
      path: requestPage(ticket.id),
      about: { type: 'ticket', id: ticket.id },
    },
  ];
};

const taskFailed: Handler = async ({ db, orgId, event, text }) => {
  if (event.payload.will_retry === true) return [];
  const { message } = event.payload.error as { message: string };
  const ticket = await facts.ticketGrantedBy(db, orgId, text('task_id'));
  const failed: Draft = {
    kind: 'task_failed',
    key: `task_failed:${event.id}`,
    to: await ownerOrAdministrators(db, orgId, text('app_id')),
    title: `Task failed in ${text('app_name')}`,
    body: () => `${text('action').replaceAll('_', ' ')} failed: ${quote(message)}`,
    path: `/tasks/${text('task_id')}`,
    about: { type: 'app', id: text('app_id') },
    appId: text('app_id'),
  };
  if (ticket === undefined) return [failed];
  return [
    failed,
    {
      kind: 'request_failed',
      key: `request_failed:${event.id}`,
      to: toAll([ticket.requester_id, ticket.user_id]),
      title: `Not granted yet: ${ticket.label}`,
      body: () =>
        `The access to ${ticket.app_name} could not be granted. The people responsible for the app have been told.`,
      path: requestPage(ticket.id),
      about: { type: 'ticket', id: ticket.id },
    },
  ];
};

const comment =
  (kind: 'request_commented' | 'information_requested' | 'information_provided', title: string): Handler =>
  async ({ db, orgId, event, text }) => {
    const id = text('ticket_id');
    const concerned = kind === 'information_provided' ? [] : toAll(concernedBy(event.payload));
    const approvers = kind === 'information_requested' ? [] : await approversOf(db, orgId, id);
    return [
      {
        kind,
        key: `${kind}:${event.id}`,
        to: [...concerned, ...approvers].filter(({ userId }) => userId !== event.actor.uuid),
        title: `${title}: ${text('label')}`,
        body: () => quote(text('comment')),
        path: requestPage(id),
        about: { type: 'ticket', id },
      },
    ];
  };

const reviewStarted: Handler = async ({ db, orgId, text }) => {
  const cycle = await facts.findCycle(db, orgId, text('cycle_id'));
  return cycle === undefined ? [] : [reviewAssigned(cycle, await reviewersWaitedFor(db, orgId, cycle.id))];
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

const reviewMoved: Handler = async ({ db, orgId, event, text }) => {
  const cycle = await facts.findCycle(db, orgId, text('cycle_id'));
  if (cycle === undefined) return [];
  const isEscalated = event.type === 'review.escalated';
  return [
    {
      kind: 'review_reassigned',
      key: movedKey(cycle.id, event.at),
      to: newAmong(await reviewersWaitedFor(db, orgId, cycle.id), event),
      title: `Review items were ${isEscalated ? 'escalated' : 'assigned'} to you: ${cycle.name}`,
      body: () => 'Open the review to decide.',
      path: `/reviews/cycles/${cycle.id}`,
      about: { type: 'cycle', id: cycle.id },
    },
  ];
};

const heldInApp =
  (kind: 'removal_held' | 'budget_held', title: string, what: string): Handler =>
  async ({ db, orgId, event, text }) => {
    const owner = await facts.readingOwnerOf(db, orgId, text('app_id'));
    return [
      {
        kind,
        key: `${kind}:${event.id}`,
        to: [...(owner === undefined ? [] : toAll([owner])), ...(await administrators(db, orgId))],
        title: `${title} ${text('app_name')}`,
        body: () => what,
        path: appPage(text('app_id')),
        about: { type: 'app', id: text('app_id') },
        appId: text('app_id'),
      },
    ];
  };

const syncFailed: Handler = async ({ db, orgId, event, text }) => {
  // A newer sync has taken its place, or the app is gone.
  if (['superseded', 'app_archived'].includes(text('reason'))) return [];
  const { message } = event.payload;
  return [
    {
      kind: 'sync_failed',
      key: `sync_failed:${event.id}`,
      to: await ownerOrAdministrators(db, orgId, text('app_id')),
      title: `A sync of ${text('app_name')} has failed`,
      body: () => (typeof message === 'string' ? message : ''),
      path: appPage(text('app_id'), 'syncs'),
      about: { type: 'app', id: text('app_id') },
      appId: text('app_id'),
    },
  ];
};

const webhookDisabled: Handler = async ({ db, orgId, event, text }) => [
  {
    kind: 'webhook_disabled',
    key: `webhook_disabled:${event.id}`,
    to: await administrators(db, orgId),
    title: `The webhook ${text('name')} was disabled`,
    body: () => `Its deliveries to ${text('host')} kept failing: ${quote(text('reason'))}`,
    path: '/settings/webhooks',
    about: { type: 'organization', id: null },
    appId: null,
  },
];

/** A notice to the person whom the event is about. */
const security =
  (
    kind: 'key_created' | 'password_changed' | 'factor_removed',
    describe: (context: Context) => { title: string; body: string; to?: string },
  ): Handler =>
  async (context) => {
    const { event } = context;
    // Nobody is told about the keys of an organization that is just being made.
    if (event.actor.type === 'system' && kind === 'key_created') return [];
    const { title, body, to = event.subject.uuid } = describe(context);
    const otherwise = 'If you did not do this, tell an administrator at once.';
    return [
      {
        kind,
        key: `${kind}:${event.id}`,
        to: toAll([to]),
        title,
        body: ({ date }) => `${body} ${date(event.at)}. ${otherwise}`,
        path: kind === 'key_created' ? `/people/${to}` : '/settings/profile',
      },
    ];
  };

const EARLIER_SIGN_INS = 500;

const signedIn: Handler = async ({ db, orgId, event }) => {
  const { ip = null, user_agent = null } = event.actor;
  const userId = event.subject.uuid;
  const earlier = await facts.earlierSignIns(db, orgId, userId, event.at, EARLIER_SIGN_INS);
  if (!isNewDevice({ ip, user_agent }, earlier)) return [];
  return [
    {
      kind: 'new_device',
      key: `new_device:${event.id}`,
      to: toAll([userId]),
      title: 'A sign-in from a new device or network',
      body: ({ date }) =>
        [
          `Time: ${date(event.at)}`,
          ...(ip === null ? [] : [`Address: ${ip}`]),
          ...(user_agent === null ? [] : [`Browser: ${user_agent}`]),
          'If that was not you, change your password and end your other sessions.',
        ].join('\n'),
      path: '/settings/profile',
    },
  ];
};

const linkRequested: Handler = async ({ event }) => [
  {
    kind: 'sign_in_link',
    key: linkKey(event.id),
    to: toAll([event.subject.uuid]),
    title: 'Your sign-in link',
    body: () => '',
    path: '/',
  },
];

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
  'campaign.started': reviewStarted,
  'review.reassigned': reviewMoved,
  'review.escalated': reviewMoved,
  'app.sync.paused': heldInApp(
    'removal_held',
    'A removal is held in',
    'A sync would remove more than the app allows. Open the app to approve or reject the removal.',
  ),
  'removal_budget.exceeded': heldInApp(
    'budget_held',
    'Tasks are held in',
    'They exceed the daily budget of the app. Open the app to confirm or reject them.',
  ),
  'app.sync.failed': syncFailed,
  'webhook.disabled': webhookDisabled,
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

/** Returns the notifications of an event. */
export async function draftsFrom(db: Db, orgId: string, event: LoggedEvent): Promise<Draft[]> {
  const text = (field: string) => {
    const value = event.payload[field];
    return typeof value === 'string' ? value : '';
  };
  return (await HANDLERS[event.type]?.({ db, orgId, event, text })) ?? [];
}
