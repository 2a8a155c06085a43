import { t } from '@lingui/core/macro';
import { type Look, Status } from '../../../kit/controls/status.tsx';
import type { Run } from './connector.ts';

export const KINDS: Record<Run['kind'], string> = {
  sync: t`Sync`,
  tasks: t`Task batch`,
  test: t`Test`,
  preview: t`Preview`,
};

export const STATES: Record<Run['state'], [Look, string]> = {
  queued: ['wait', t`Queued`],
  running: ['busy', t`Running`],
  succeeded: ['good', t`Succeeded`],
  failed: ['bad', t`Failed`],
  cancelled: ['idle', t`Canceled`],
  timed_out: ['bad', t`Timed out`],
  lost: ['warn', t`Interrupted`],
};

export function RunStatus({ of: { state, cancelling } }: { of: Pick<Run, 'state' | 'cancelling'> }) {
  const [look, word] = STATES[state];
  return <Status of={state} look={look} word={cancelling ? t`Canceling` : word} />;
}
