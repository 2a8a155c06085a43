import type { Handler, Notices } from '#log/notices/notices.ts';
import { toAll } from '#log/notices/notices.ts';
import { suspendersOf } from './queries/notices.ts';

/** The notice to the people who suspended an account: a sync shows it active (D73). */
const activatedByApp: Handler = async ({ org, event, text }) => {
  if (event.source.type !== 'sync' || event.source.uuid === null) return [];
  const to = await suspendersOf(org, event.subject.uuid, event.source.uuid);
  if (to.length === 0) return [];
  return [
    {
      kind: 'suspension_ended',
      key: `suspension_ended:${event.id}`,
      to: toAll(to),
      title: `${text('app_name')} shows an account active that you suspended`,
      body: `A sync found the account ${text('email')} active, so your suspension has ended. If the account should stay suspended, suspend it again.`,
      path: `/accounts/${event.subject.uuid}`,
      about: { type: 'organization', id: null },
    },
  ];
};

export const suspensionNotices: Notices = { handlers: { 'account.unsuspended': activatedByApp } };
