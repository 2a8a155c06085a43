import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { detailOf } from '../api/error.ts';
import { useBackCloses } from '../kit/browser/dialog-history.ts';
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
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  useBackCloses(true, close);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    setBusy(true);
    setFailure(undefined);
    try {
      await act(to, reason.trim());
      close();
    } catch (error) {
      setFailure(detailOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal opened onClose={close} title={title}>
      <form onSubmit={submit}>
        <Stack gap="sm">
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
          {failure !== undefined && (
            <Alert color="red" role="alert">
              {failure}
            </Alert>
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              <Trans>Go back</Trans>
            </Button>
            <Button type="submit" loading={busy} disabled={to.length === 0 || reason.trim() === ''}>
              <Trans>Reassign</Trans>
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
