import { t } from '@lingui/core/macro';
import { Modal, Textarea, TextInput } from '@mantine/core';
import { api, ok } from '../../api/client.ts';
import { useBackCloses } from '../../kit/browser/dialog-history.ts';
import { DialogForm } from '../../kit/controls/dialog-form.tsx';
import { useApiForm } from '../../kit/form/form.ts';
import type { FulfillmentTask } from './my-task.ts';

interface Props {
  of: FulfillmentTask;
  close: () => void;
}

/** Marks a task as done. Asks for the account's id if the task created it. */
export function CompleteDialog({ of: { task, account }, close }: Props) {
  const creates = task.action === 'create_account';
  useBackCloses(true, close);
  const { form, submit, pending, failure } = useApiForm({
    initialValues: { account_id: creates ? account.username || account.email : '', note: '' },
    send: ({ account_id, note }) =>
      ok(
        api.POST('/api/fulfillment/tasks/{task_id}/complete/', {
          params: { path: { task_id: task.external_uuid } },
          body: {
            ...(creates ? { account_id: account_id.trim() } : {}),
            note: note.trim() === '' ? null : note.trim(),
          },
        }),
      ),
    success: t`Task completed`,
    after: close,
  });
  return (
    <Modal opened onClose={close} title={t`Mark this task as done?`}>
      <DialogForm submit={submit} close={close} action={t`Mark as done`} pending={pending} failure={failure}>
        {creates && (
          <TextInput
            label={t`Account ID`}
            description={t`The ID, username or email that identifies the account in the app. Enter the same value that the next sync or spreadsheet has as its ID.`}
            {...form.getInputProps('account_id')}
            required
            data-autofocus
            maxLength={512}
          />
        )}
        <Textarea
          label={t`Note`}
          {...form.getInputProps('note')}
          maxLength={2000}
          rows={3}
          data-autofocus={creates ? undefined : true}
        />
      </DialogForm>
    </Modal>
  );
}
