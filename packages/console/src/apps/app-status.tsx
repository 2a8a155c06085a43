import { t } from '@lingui/core/macro';
import type { Item } from '../api/client.ts';
import { Status } from '../kit/controls/status.tsx';

type App = Item<'/api/apps/'>;

interface Health {
  configuration_status: App['configuration_status'];
  /** Missing for roles that may not read syncs. */
  last_sync?: Pick<NonNullable<App['last_sync']>, 'status' | 'held' | 'rejected_by' | 'overdue'> | null;
  fulfilled_by_people?: boolean;
  tasks_carried_out_by?: App['tasks_carried_out_by'];
}

const UNATTENDED = { of: 'unattended', look: 'warn' as const, word: t`Nobody carries out tasks` };
const OVERDUE = { of: 'overdue', look: 'warn' as const, word: t`Syncs overdue` };

interface Props {
  of: Health;
  /** The state of the app's connector, where it is known. */
  connector?: { paused: boolean; overdue: boolean } | undefined;
}

/** An app's status, the same on every page: whether it is connected, or else what its newest sync needs. */
export const AppStatus = ({ of, connector }: Props) => (
  <Status {...healthOf(of, connector?.overdue === true && !connector.paused)} />
);

function healthOf(
  { configuration_status: status, last_sync: sync = null, fulfilled_by_people, tasks_carried_out_by }: Health,
  isLate: boolean,
) {
  if (status === 'DISCONNECTED') return { of: status };
  if (sync === null) {
    if (isLate) return OVERDUE;
    if (status !== 'CHECKING_CONFIGURATION') return { of: status };
    if (fulfilled_by_people)
      return { of: 'fulfilled', look: 'people' as const, word: t`Fulfilled by people` };
    return tasks_carried_out_by === 'nobody' ? UNATTENDED : { of: status };
  }
  if (sync.held !== null) return { of: 'held', word: t`Large removal held` };
  if (sync.status === 'error' && sync.rejected_by === null) return { of: 'error', word: t`Sync failed` };
  if (status === 'CONNECTED' && (sync.status === 'in_progress' || sync.status === 'completing'))
    return { of: sync.status, word: t`Syncing` };
  if (isLate || sync.overdue) return OVERDUE;
  return tasks_carried_out_by === 'nobody' ? UNATTENDED : { of: status };
}
