import { appPage, forOwnerAndAdministrators, ownerOrAdministrators } from '#inventory/apps/notices.ts';
import type { Payload } from '#log/events/catalog.ts';
import { quote } from '#log/notices/draft.ts';
import type { Handler, Notices } from '#log/notices/notices.ts';
import { appsWithHeldRemoval } from './sessions/queries/notices.ts';

const removalHeld: Handler = async (context) => {
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

const syncsSuperseded: Handler = async (context) => {
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

const syncFailed: Handler = async ({ org, event, text }) => {
  // A newer sync has taken its place, somebody discarded the upload, or the app is gone.
  if (['superseded', 'discarded', 'app_archived'].includes(text('reason'))) return [];
  const { message, rejected_by: rejectedBy } = event.payload;
  // A rejected removal is a decision, and no failure.
  if (rejectedBy !== undefined) return [];
  return [
    {
      kind: 'sync_failed',
      key: `sync_failed:${event.id}`,
      to: await ownerOrAdministrators(org, text('app_id')),
      title: `A sync of ${text('app_name')} has failed`,
      body: typeof message === 'string' ? message : '',
      path: appPage(text('app_id'), 'syncs'),
      about: { type: 'app', id: text('app_id') },
      appId: text('app_id'),
    },
  ];
};

export const recordNotices: Notices = {
  handlers: {
    'app.sync.paused': removalHeld,
    'app.sync.superseded': syncsSuperseded,
    'app.sync.failed': syncFailed,
  },
  waits: { removal_held: (db, _, apps) => appsWithHeldRemoval(db, apps) },
};
