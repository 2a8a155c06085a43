import { appPage, ownerOrAdministrators } from '#inventory/apps/notices.ts';
import { date } from '#log/notices/draft.ts';
import type { Handler, Notices } from '#log/notices/notices.ts';
import { overdueSyncs } from './queries/notices.ts';

/** Only an overdue sync is announced as a finding: no other event says that it has begun. */
const syncOverdue: Handler = async ({ org, text }) => {
  if (text('kind') !== 'overdue_sync') return [];
  const found = await overdueSyncs(org, [text('app_id')]);
  return Promise.all(
    found.map(async ({ app_id, app_name, sync_id, finished_at }) => ({
      kind: 'sync_overdue' as const,
      key: `sync-overdue:${sync_id}`,
      to: await ownerOrAdministrators(org, app_id),
      title: `A sync of ${app_name} is overdue`,
      body: `The newest completed sync ended on ${date(finished_at)}. Check its connector.`,
      path: appPage(app_id, 'syncs'),
      about: { type: 'app' as const, id: app_id },
      appId: app_id,
    })),
  );
};

export const findingNotices: Notices = {
  handlers: { 'finding.opened': syncOverdue, 'finding.reopened': syncOverdue },
  waits: {
    sync_overdue: async (db, _, apps) => (await overdueSyncs(db, [...apps])).map(({ app_id }) => app_id),
  },
};
