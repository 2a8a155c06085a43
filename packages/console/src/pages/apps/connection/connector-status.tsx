import { t } from '@lingui/core/macro';
import { Status } from '../../../kit/controls/status.tsx';
import type { Run } from './connector.ts';

interface Props {
  of: { paused: boolean; overdue: boolean };
  /** The state of the newest sync. null: there has been none. */
  last: Run['state'] | null;
}

export const isFailing = (last: Run['state'] | null) => last === 'failed' || last === 'timed_out';

/** The state of a connector: whether its syncs succeed on schedule. */
export function ConnectorStatus({ of: { paused, overdue }, last }: Props) {
  if (paused) return <Status of="held" word={t`Paused`} />;
  if (overdue) return <Status of="overdue" look="warn" word={t`Syncs overdue`} />;
  if (isFailing(last)) return <Status of="failed" look="bad" word={t`Connector failing`} />;
  if (last === null) return <Status of="waiting" look="wait" word={t`Awaiting first sync`} />;
  return <Status of="working" look="good" word={t`Working`} />;
}
