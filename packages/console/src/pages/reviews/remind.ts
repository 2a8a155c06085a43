import { t } from '@lingui/core/macro';
import { notifications } from '@mantine/notifications';
import { api, everything, type List, ok, useChange } from '../../api/client.ts';
import type { Bulk } from '../../kit/controls/bulk-job.tsx';
import { type Progress, type Reviewer, reviewerName } from './progress.ts';

const send = (cycle_id: string, user_id: string) =>
  ok(
    api.POST('/api/reviews/cycles/{cycle_id}/reviewers/{user_id}/remind/', {
      params: { path: { cycle_id, user_id } },
    }),
  );

/** Reminds one reviewer. The server refuses a second reminder within an hour. */
export const useRemind = (cycleId: string) =>
  useChange(async ({ external_uuid, name, email }: Reviewer) => {
    await send(cycleId, external_uuid);
    const person = name || email;
    notifications.show({ message: t`${person} was reminded`, color: 'green', autoClose: 4000 });
  });

/** Reminds every reviewer of the list for whom items wait. */
export const remindAll = (
  cycleId: string,
  reviewers: List<Progress>,
  isWaitedFor: (row: Progress) => boolean,
): Bulk<Progress> => ({
  title: t`Remind reviewers`,
  rows: async () => (await Array.fromAsync(everything(reviewers))).filter(isWaitedFor),
  act: async ({ reviewer }) => reviewer && send(cycleId, reviewer.external_uuid),
  name: reviewerName,
});
