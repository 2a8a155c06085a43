import { Alert, Button, Group, Modal, Stack, Textarea } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { useChange } from '../../api/client.ts';
import { detailOf } from '../../api/error.ts';
import {
  type Chosen,
  changesOf,
  chosenOf,
  HeldPicker,
  ResourcePicker,
} from '../../parts/resource-picker.tsx';
import { type Account, madeWords, makeTask } from './account.ts';

interface Props {
  account: Account;
  close: () => void;
}

function ChangeForm({ account, close }: Props) {
  const [added, add] = useState<Chosen[]>([]);
  const [removed, remove] = useState<Chosen[]>([]);
  const [reason, setReason] = useState('');
  const held = chosenOf(account);
  const change = useChange(
    () =>
      makeTask(account, 'update_account', {
        changes: changesOf(added, removed),
        reason: reason.trim() || null,
      }),
    {
      tell: false,
      said: madeWords,
      after: close,
    },
  );
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    change.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <ResourcePicker label="Give" appId={account.app.external_uuid} held={held} value={added} set={add} />
        {held.length > 0 && <HeldPicker label="Take away" held={held} value={removed} set={remove} />}
        <Textarea
          label="Reason"
          description="Stands in the task and in the log."
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
          maxLength={2000}
          rows={2}
        />
        {change.isError && (
          <Alert color="red" role="alert">
            {detailOf(change.error)}
          </Alert>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={change.isPending} disabled={added.length + removed.length === 0}>
            Make the task
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Gives an account groups and licenses, and takes others, in one task. */
export function ChangeAccess({ opened, ...form }: Props & { opened: boolean }) {
  return (
    <Modal opened={opened} onClose={form.close} title="Change groups and licenses" size="lg">
      <ChangeForm {...form} />
    </Modal>
  );
}
