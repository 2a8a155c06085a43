import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { get, type Item } from '../api/client.ts';
import { TextLink } from '../kit/controls/links.tsx';
import { Moment } from '../kit/controls/moment.tsx';
import { Status } from '../kit/controls/status.tsx';

/** An open task that deletes or suspends an account. */
export type Removal = Pick<
  Item<'/api/users/leavers/'>['accounts'][number]['removals'][number],
  'task' | 'action' | 'status' | 'execute_after' | 'waits_for'
>;

const ENDS: readonly string[] = ['delete_account', 'suspend_account'];

/** Returns the open tasks that delete or suspend an account. Undefined while they load. */
export function useRemovals(account: string | undefined): readonly Removal[] | undefined {
  const { data } = useQuery({
    ...get('/api/tasks/', { query: { account, limit: 200 } }),
    enabled: account !== undefined,
  });
  return data?.results.flatMap(({ external_uuid, action, status, execute_after, waits_for }) =>
    ENDS.includes(action) && (status === 'scheduled' || status === 'pending')
      ? [{ task: external_uuid, action: action as Removal['action'], status, execute_after, waits_for }]
      : [],
  );
}

/** The task that already deletes an account. */
export const deletionIn = (removals: readonly Removal[]): Removal | undefined =>
  removals.find(({ action }) => action === 'delete_account');

/** Whether a task waits for its time, and for nothing else. Such a deletion can be done earlier. */
export const isLater = ({ status, waits_for, execute_after }: Removal): boolean =>
  status === 'scheduled' && waits_for === null && Date.parse(execute_after) > Date.now();

/** "Deletion in progress", as a link to the task. */
export function RemovalState({ of: removal }: { of: Removal }) {
  return (
    <TextLink to="/tasks/$taskId" params={{ taskId: removal.task }}>
      <Status of="pending" look={lookOf(removal)} word={removalWord(removal)} />
      {isLater(removal) && (
        <>
          {' '}
          <Moment at={removal.execute_after} />
        </>
      )}
    </TextLink>
  );
}

function lookOf(removal: Removal) {
  if (isLater(removal)) return 'wait';
  return ['hold', 'confirmation', 'undecided'].includes(removal.waits_for ?? '') ? 'held' : 'busy';
}

function removalWord(removal: Removal): string {
  const deletes = removal.action === 'delete_account';
  if (isLater(removal)) return deletes ? t`Deletion scheduled` : t`Suspension scheduled`;
  if (removal.status === 'pending') return deletes ? t`Deletion in progress` : t`Suspension in progress`;
  if (removal.waits_for === 'confirmation' || removal.waits_for === 'undecided')
    return deletes ? t`Deletion waits for a confirmation` : t`Suspension waits for a confirmation`;
  if (removal.waits_for === 'hold')
    return deletes ? t`Deletion waits in a hold` : t`Suspension waits in a hold`;
  return deletes ? t`Deletion waits` : t`Suspension waits`;
}

/** Links to the task that already deletes an account. */
export function DeletionUnderWay({ of: deletion }: { of: Removal }) {
  const link = (
    <TextLink to="/tasks/$taskId" params={{ taskId: deletion.task }} underline="always">
      {t`A task already deletes this account`}
    </TextLink>
  );
  if (isLater(deletion)) {
    const moment = <Moment at={deletion.execute_after} />;
    return (
      <Trans>
        {link}, {moment}.
      </Trans>
    );
  }
  return <Trans>{link}. Open it to see what it waits for, or to cancel it.</Trans>;
}
