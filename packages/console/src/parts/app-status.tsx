import { t } from '@lingui/core/macro';
import type { Item } from '../api/client.ts';
import { Status } from './status.tsx';

type App = Item<'/api/apps/'>;

interface Health {
  configuration_status: App['configuration_status'];
  /** Missing for roles that may not read syncs. */
  last_sync?: Pick<NonNullable<App['last_sync']>, 'status' | 'held' | 'rejected_by'> | null;
  fulfilled_by_people?: boolean;
}

/** An app's status, the same on every page: whether it is connected, or else what its newest sync needs. */
export const AppStatus = ({ of }: { of: Health }) => <Status {...healthOf(of)} />;

function healthOf({ configuration_status: status, last_sync: sync = null, fulfilled_by_people }: Health) {
  if (status === 'CHECKING_CONFIGURATION' && sync === null && fulfilled_by_people)
    return { of: 'fulfilled', look: 'people' as const, word: t`Fulfilled by people` };
  if (status === 'DISCONNECTED' || sync === null) return { of: status };
  if (sync.held !== null) return { of: 'held', word: t`Large removal held` };
  if (sync.status === 'error' && sync.rejected_by === null) return { of: 'error', word: t`Sync failed` };
  if (status === 'CONNECTED' && (sync.status === 'in_progress' || sync.status === 'completing'))
    return { of: sync.status, word: t`Syncing` };
  return { of: status };
}
