import { t } from '@lingui/core/macro';
import { Modal, Textarea } from '@mantine/core';
import { type Chosen, changesOf, chosenOf } from '../../access/chosen.ts';
import { HeldPicker, ResourcePicker } from '../../access/resource-picker.tsx';
import { NobodyCarriesOut } from '../../apps/nobody-carries-out.tsx';
import { DialogForm } from '../../kit/controls/dialog-form.tsx';
import { picker, useApiForm } from '../../kit/form/form.ts';
import { taskCreated } from '../../tasks/tasks-created.ts';
import { type Account, createTask } from './account.ts';

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
  const { form, submit, pending, failure } = useApiForm<Values, string>({
    initialValues: { added: [], removed: [], reason: '' },
    send: ({ added, removed, reason }) =>
      createTask(account, 'update_account', {
        changes: changesOf(added, removed),
        reason: reason.trim() || null,
      }).then(taskCreated),
    // The API groups changes by resource type: "changes.role.added.0".
    fieldOf: (path) => /^changes\..*\.(added|removed)\b/.exec(path)?.[1] ?? path,
    success: (message) => message,
    after: close,
  });
  const { added, removed } = form.values;
  return (
    <DialogForm
      submit={submit}
      close={close}
      action={t`Create task`}
      pending={pending}
      disabled={added.length + removed.length === 0}
      failure={failure}
    >
      <NobodyCarriesOut appId={account.app.external_uuid} />
      <ResourcePicker
        label={t`Grant`}
        appId={account.app.external_uuid}
        held={held}
        {...picker(form.getInputProps('added'))}
      />
      {held.length > 0 && (
        <HeldPicker label={t`Revoke`} held={held} {...picker(form.getInputProps('removed'))} />
      )}
      <Textarea
        label={t`Reason`}
        description={t`Recorded on the task and in the event log.`}
        {...form.getInputProps('reason')}
        maxLength={2000}
        rows={2}
      />
    </DialogForm>
  );
}

/** Grants groups and licenses to an account and revokes others, in one task. */
export function ChangeAccess({ opened, ...form }: Props & { opened: boolean }) {
  return (
    <Modal opened={opened} onClose={form.close} title={t`Change access`} size="lg">
      <ChangeForm {...form} />
    </Modal>
  );
}
