import { type Look, Status } from '../../../parts/status.tsx';
import type { Run } from './connector.ts';

export const KINDS: Record<Run['kind'], string> = {
  sync: 'Sync',
  tasks: 'Task batch',
  test: 'Test',
  preview: 'Preview',
};

export const STATES: Record<Run['state'], [Look, string]> = {
  queued: ['wait', 'Queued'],
  running: ['busy', 'Running'],
  succeeded: ['good', 'Succeeded'],
  failed: ['bad', 'Failed'],
  cancelled: ['idle', 'Canceled'],
  timed_out: ['bad', 'Timed out'],
  lost: ['warn', 'Interrupted'],
};

export function RunStatus({ of: { state, cancelling } }: { of: Pick<Run, 'state' | 'cancelling'> }) {
  const [look, word] = STATES[state];
  return <Status of={state} look={look} word={cancelling ? 'Canceling' : word} />;
}
