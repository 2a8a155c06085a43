import { lastHoldOfApp } from '../../../decisions/holds/facts.ts';
import { within } from '../../../kit/database/organization.ts';
import type { Payload } from '../../../log/events/catalog.ts';
import { type Draft, quote } from '../draft.ts';
import type { KindName } from '../kinds.ts';
import * as facts from '../queries/lookups.ts';
import { administrators, ownerOrAdministrators, toAll } from '../recipients.ts';
import type { Context, Handler } from './handler.ts';
import { requestPage } from './requests.ts';

const appPage = (appId: string, tab?: string) => `/apps/${appId}${tab === undefined ? '' : `?tab=${tab}`}`;

export const taskFailed: Handler = async ({ db, orgId, event, text, ticketGrantedBy }) => {
  if (event.payload.will_retry === true) return [];
  const { message } = event.payload.error as { message: string };
  const ticket = await ticketGrantedBy(text('task_id'));
  const appId = text('app_id');
  const what = `${text('action').replaceAll('_', ' ')} failed`;
  const failed = {
    kind: 'task_failed' as const,
    key: `task_failed:${event.id}`,
    title: `Task failed in ${text('app_name')}`,
    about: { type: 'app' as const, id: appId },
  };
  const drafts: Draft[] = [
    {
      ...failed,
      to: await ownerOrAdministrators(within(db, orgId), appId),
      body: `${what}: ${quote(message)}`,
      path: `/tasks/${text('task_id')}`,
      appId,
    },
  ];
  const owner = await facts.ownerOf(within(db, orgId), appId);
  // A member cannot see the task.
  if (owner?.role === 'member')
    drafts.push({
      ...failed,
      to: toAll([owner.id]),
      body: `${what}. The administrators have been told.`,
      path: appPage(appId),
    });
  if (ticket === undefined) return drafts;
  return [
    ...drafts,
    {
      kind: 'request_failed',
      key: `request_failed:${event.id}`,
      to: toAll([ticket.requester_id, ticket.user_id]),
      title: `Not granted yet: ${ticket.label}`,
      body: `The access to ${ticket.app_name} could not be granted. The people responsible for the app have been told.`,
      path: requestPage(ticket.id),
      about: { type: 'ticket', id: ticket.id },
    },
  ];
};

/** Returns a notification for the app's owner and the administrators. */
async function forOwnerAndAdministrators(
  { db, orgId, event, text }: Context,
  {
    kind,
    key,
    title,
    body,
    tab,
  }: { kind: KindName; key?: string; title: string; body: string; tab?: string },
): Promise<Draft[]> {
  const owner = await facts.readingOwnerOf(within(db, orgId), text('app_id'));
  return [
    {
      kind,
      key: `${kind}:${key ?? event.id}`,
      to: [...(owner === undefined ? [] : toAll([owner])), ...(await administrators(within(db, orgId)))],
      title,
      body,
      path: appPage(text('app_id'), tab),
      about: { type: 'app', id: text('app_id') },
      appId: text('app_id'),
    },
  ];
}

export const removalHeld: Handler = async (context) => {
  const { reason } = context.event.payload.held as { reason?: string };
  const why =
    reason === 'no_accounts'
      ? 'A sync pushed no account, so it would take away all accounts of the app. The connector has probably failed to read them.'
      : 'A sync would take away more than the app allows.';
  return forOwnerAndAdministrators(context, {
    kind: 'removal_held',
    title: `A removal is held in ${context.text('app_name')}`,
    body: `${why} Open the app to approve or reject the removal.`,
  });
};

/** People are told once about tasks of an app that wait. */
export const budgetExceeded: Handler = async (context) => {
  const appId = context.text('app_id');
  const hold = await lastHoldOfApp(within(context.db, context.orgId), appId);
  return forOwnerAndAdministrators(context, {
    kind: 'budget_held',
    ...(hold !== undefined && { key: hold }),
    title: `Tasks are held in ${context.text('app_name')}`,
    body: 'They exceed the daily budget of the app. Open the app to confirm or reject them.',
  });
};

export const syncsSuperseded: Handler = async (context) => {
  const { client, superseded_by_client: by, count } = context.event.payload as Superseded;
  return forOwnerAndAdministrators(context, {
    kind: 'sync_superseded',
    title: `Connectors discard each other's syncs in ${context.text('app_name')}`,
    body:
      `${count} syncs in a row did not complete, because another connector started one. ` +
      `${capitalized(clientName(client))} started the last one, and ${clientName(by)} replaced it. ` +
      'If two connectors send this app, stop one of them, or give each an app of its own.',
    tab: 'syncs',
  });
};

type Superseded = Pick<Payload<'app.sync.superseded'>, 'client' | 'superseded_by_client' | 'count'>;

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function clientName({ type, name }: Superseded['client']): string {
  if (type === 'connector') return 'the managed connector';
  if (name === null) return 'an unknown client';
  return type === 'person' ? `${quote(name)} (uploads)` : `the API key ${quote(name)}`;
}

export const syncFailed: Handler = async ({ db, orgId, event, text }) => {
  // A newer sync has taken its place, somebody discarded the upload, or the app is gone.
  if (['superseded', 'discarded', 'app_archived'].includes(text('reason'))) return [];
  const { message, rejected_by: rejectedBy } = event.payload;
  // A rejected removal is a decision, and no failure.
  if (rejectedBy !== undefined) return [];
  return [
    {
      kind: 'sync_failed',
      key: `sync_failed:${event.id}`,
      to: await ownerOrAdministrators(within(db, orgId), text('app_id')),
      title: `A sync of ${text('app_name')} has failed`,
      body: typeof message === 'string' ? message : '',
      path: appPage(text('app_id'), 'syncs'),
      about: { type: 'app', id: text('app_id') },
      appId: text('app_id'),
    },
  ];
};

export const webhookDisabled: Handler = async ({ db, orgId, event, text }) => [
  {
    kind: 'webhook_disabled',
    key: `webhook_disabled:${event.id}`,
    to: await administrators(within(db, orgId)),
    title: `The webhook ${text('name')} was disabled`,
    body: `Its deliveries to ${text('host')} kept failing: ${quote(text('reason'))}`,
    path: '/settings/webhooks',
    about: { type: 'organization', id: null },
    appId: null,
  },
];

export const webhookFailing: Handler = async ({ db, orgId, event, text }) => [
  {
    kind: 'webhook_failing',
    key: `webhook_failing:${event.id}`,
    to: await administrators(within(db, orgId)),
    title: `The webhook ${text('name')} keeps failing`,
    body: `${text('host')} has not taken an event for 15 minutes, and all later events wait: ${quote(text('reason'))}`,
    path: `/settings/webhooks/${text('webhook_id')}`,
    about: { type: 'webhook', id: text('webhook_id') },
    appId: null,
  },
];
