import type { Hold } from '../../holds/hold.ts';
import { Status } from '../../kit/controls/status.tsx';

const LOOKS = { open: 'held', confirmed: 'good', discarded: 'idle' } as const;

/** Whether a hold waits for a decision, or what was decided. */
export const HoldState = ({ of: { status } }: { of: Pick<Hold, 'status'> }) => (
  <Status of={status} look={LOOKS[status]} />
);
