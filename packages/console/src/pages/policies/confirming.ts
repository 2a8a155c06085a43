import { plural, t } from '@lingui/core/macro';
import { api, ok } from '../../api/client.ts';
import type { Action } from '../../kit/action/action-dialog.tsx';
import type { Policy } from './policy.ts';

export const confirmWord = (count: number) => (count === 0 ? t`Confirm policy` : t`Confirm tasks`);

/** Confirms the tasks of a held policy. */
export function confirming({ external_uuid, pending_confirmation }: Policy): Action {
  const count = pending_confirmation?.count ?? 0;
  const params = { path: { policy_id: external_uuid } };
  return {
    title:
      count === 0
        ? t`Confirm this policy?`
        : plural(count, { one: 'Create # task?', other: 'Create # tasks?' }),
    sentence:
      count === 0
        ? t`No task waits now. The policy decides again about the people for whom it is held, and can create tasks when it runs.`
        : t`Gatehouse creates the tasks for 500 people at a time. It skips people who no longer match the condition.`,
    button: confirmWord(count),
    type: count === 0 ? undefined : String(count),
    danger: true,
    request: () => ok(api.POST('/api/policies/{policy_id}/confirm/', { params })),
    message: count === 0 ? t`Policy confirmed` : t`Tasks confirmed`,
  };
}
