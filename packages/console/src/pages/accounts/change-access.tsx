import { Button, Group, Modal, Stack, Textarea } from '@mantine/core';
import { picker, useApiForm } from '../../parts/form.ts';
import { FormFailure } from '../../parts/form-failure.tsx';
import {
  type Chosen,
  changesOf,
  chosenOf,
  HeldPicker,
  ResourcePicker,
} from '../../parts/resource-picker.tsx';
import { type Account, createdMessage, createTask } from './account.ts';

interface Props {
  account: Account;
  close: () => void;
}

interface Values {
  added: Chosen[];
  removed: Chosen[];
  reason: string;
}

function ChangeForm({ account, close }: Props) {
  const held = chosenOf(account);
  const { form, submit, pending, failure } = useApiForm<Values, { status: string }>({
    initialValues: { added: [], removed: [], reason: '' },
    send: ({ added, removed, reason }) =>
      createTask(account, 'update_account', {
        changes: changesOf(added, removed),
        reason: reason.trim() || null,
      }),
    // The API groups changes by resource type: "changes.role.added.0".
    fieldOf: (path) => /^changes\..*\.(added|removed)\b/.exec(path)?.[1] ?? path,
    success: createdMessage,
    after: close,
  });
  const { added, removed } = form.values;
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <ResourcePicker
          label="Grant"
          appId={account.app.external_uuid}
          held={held}
          {...picker(form.getInputProps('added'))}
        />
        {held.length > 0 && (
          <HeldPicker label="Revoke" held={held} {...picker(form.getInputProps('removed'))} />
        )}
        <Textarea
          label="Reason"
          description="Recorded on the task and in the event log."
          {...form.getInputProps('reason')}
          maxLength={2000}
          rows={2}
        />
        <FormFailure of={failure} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={pending} disabled={added.length + removed.length === 0}>
            Create task
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Grants groups and licenses to an account and revokes others, in one task. */
export function ChangeAccess({ opened, ...form }: Props & { opened: boolean }) {
  return (
    <Modal opened={opened} onClose={form.close} title="Change access" size="lg">
      <ChangeForm {...form} />
    </Modal>
  );
}
