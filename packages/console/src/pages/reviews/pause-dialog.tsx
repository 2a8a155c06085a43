import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Modal, Text, Textarea } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { useBackCloses } from '../../kit/browser/dialog-history.ts';
import { DialogForm } from '../../kit/controls/dialog-form.tsx';
import { MOST_A_MINUTE } from './pace.ts';

interface Props {
  close: () => void;
  /** Called with the reason, to continue. */
  go: (reason: string) => void;
}

/** Stops somebody who decides faster than they can read, once per burst. */
export function PauseDialog({ close, go }: Props) {
  const [reason, setReason] = useState('');
  useBackCloses(true, close);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    go(reason.trim());
  };
  const limit = MOST_A_MINUTE;
  return (
    <Modal opened onClose={close} title={t`Are you reading each item?`}>
      <DialogForm submit={submit} close={close} action={t`Continue`} disabled={reason.trim() === ''}>
        <Text size="sm">
          <Trans>
            You made more than {limit} decisions within a minute. Auditors ask how that was possible. Your
            reason is kept as the comment of this decision and the following ones.
          </Trans>
        </Text>
        <Textarea
          label={t`Reason`}
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
          required
          maxLength={2000}
          rows={3}
          data-autofocus
        />
      </DialogForm>
    </Modal>
  );
}
