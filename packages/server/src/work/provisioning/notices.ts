import { ownerOf } from '#inventory/apps/notice-facts.ts';
import { appPage, ownerOrAdministrators } from '#inventory/apps/notices.ts';
import { type Draft, quote } from '#log/notices/draft.ts';
import { type Handler, type Notices, toAll } from '#log/notices/notices.ts';

const taskFailed: Handler = async ({ org, event, text }) => {
  if (event.payload.will_retry === true) return [];
  const { message } = event.payload.error as { message: string };
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
      to: await ownerOrAdministrators(org, appId),
      body: `${what}: ${quote(message)}`,
      path: `/tasks/${text('task_id')}`,
      appId,
    },
  ];
  const owner = await ownerOf(org, appId);
  // A member cannot see the task.
  if (owner?.role === 'member')
    drafts.push({
      ...failed,
      to: toAll([owner.id]),
      body: `${what}. The administrators have been told.`,
      path: appPage(appId),
    });
  return drafts;
};

export const provisioningNotices: Notices = { handlers: { 'task.failed': taskFailed } };
