import { t } from '@lingui/core/macro';
import { Modal, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { DialogForm, useAction } from '../kit/controls/dialog-form.tsx';
import { CandidatePicker, type CandidateSearch } from './candidate-picker.tsx';

interface Props {
  title: string;
  about: string;
  /** The label of the picker: "New approvers". */
  label: string;
  search: CandidateSearch;
  close: () => void;
  act: (to: string[], reason: string) => Promise<unknown>;
}

/** Asks for the people who take over, and for the reason. Stays open with the error if the action fails. */
export function ReassignDialog({ title, about, label, search, close, act }: Props) {
  const [to, setTo] = useState<string[]>([]);
  const [reason, setReason] = useState('');
  const form = useAction(true, close, () => act(to, reason.trim()));
  return (
    <Modal opened onClose={close} title={title}>
      <DialogForm {...form} action={t`Reassign`} disabled={to.length === 0 || reason.trim() === ''}>
        <Text size="sm">{about}</Text>
        <CandidatePicker label={label} search={search} value={to} set={setTo} />
        <Textarea
          label={t`Reason`}
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
          required
          maxLength={2000}
          rows={3}
        />
      </DialogForm>
    </Modal>
  );
}
