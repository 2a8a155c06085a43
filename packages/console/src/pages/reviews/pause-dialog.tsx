import { t } from '@lingui/core/macro';
import { ActionDialog } from '../../kit/action/action-dialog.tsx';
import { MOST_A_MINUTE } from './pace.ts';

interface Props {
  close: () => void;
  /** Called with the reason, to continue. */
  go: (reason: string) => void;
}

/** Stops somebody who decides faster than they can read, once per burst. */
export function PauseDialog({ close, go }: Props) {
  const limit = MOST_A_MINUTE;
  const pause = {
    title: t`Are you reading each item?`,
    sentence: t`You made more than ${limit} decisions within a minute. Auditors ask how that was possible. Your reason is kept as the comment of this decision and the following ones.`,
    comment: t`Reason`,
    required: true,
    button: t`Continue`,
    request: async (reason: string) => go(reason),
  };
  return <ActionDialog of={pause} close={close} />;
}
