import { t } from '@lingui/core/macro';
import type { Hold } from '../../holds/hold.ts';
import { Status } from '../../kit/controls/status.tsx';

/** Whether a hold waits for a decision, or what was decided. */
export function HoldState({ of: { status } }: { of: Pick<Hold, 'status'> }) {
  if (status === 'open') return <Status of="held" word={t`Open`} />;
  return status === 'confirmed' ? (
    <Status of="confirmed" look="good" word={t`Confirmed`} />
  ) : (
    <Status of="discarded" look="idle" word={t`Discarded`} />
  );
}
