import { t } from '@lingui/core/macro';
import { api, ok } from '../../api/client.ts';
import { Dialog } from '../../kit/controls/dialog.tsx';
import { DialogForm } from '../../kit/controls/dialog-form.tsx';
import { orNull } from '../../kit/form/field.ts';
import { Fields, useFields } from '../../kit/form/fields.tsx';
import { area, text } from '../../kit/form/text-fields.tsx';
import type { FulfillmentTask } from './by-hand-task.ts';

interface Props {
  of: FulfillmentTask;
  close: () => void;
}

const FIELDS = {
  account_id: text({
    label: t`Account ID`,
    description: t`The ID, username or email that identifies the account in the app. Enter the same value that the next sync or spreadsheet has as its ID.`,
    required: true,
    maxLength: 512,
    'data-autofocus': true,
  }),
  note: orNull(area({ label: t`Note`, maxLength: 2000, rows: 3 })),
};

/** Marks a task as done. Asks for the account's id if the task created it. */
export function CompleteDialog({ of: { task, account }, close }: Props) {
  const creates = task.action === 'create_account';
  const form = useFields(FIELDS, {
    of: { account_id: account.username || account.email, note: null },
    send: ({ account_id, note }) =>
      ok(
        api.POST('/api/fulfillment/tasks/{task_id}/complete/', {
          params: { path: { task_id: task.external_uuid } },
          body: creates ? { account_id, note } : { note },
        }),
      ),
    success: t`Task completed`,
    after: close,
  });
  return (
    <Dialog onClose={close} title={t`Mark this task as done?`}>
      <DialogForm {...form} close={close} action={t`Mark as done`}>
        <Fields
          of={form}
          only={[creates && 'account_id', 'note']}
          props={creates ? {} : { note: { 'data-autofocus': true } }}
        />
      </DialogForm>
    </Dialog>
  );
}
