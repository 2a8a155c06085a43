import { t } from '@lingui/core/macro';
import { Modal, Select, Textarea } from '@mantine/core';
import { api, ok } from '../../api/client.ts';
import { useBackCloses } from '../../kit/browser/dialog-history.ts';
import { DialogForm } from '../../kit/controls/dialog-form.tsx';
import { useApiForm } from '../../kit/form/form.ts';
import { errorWord } from '../../tasks/task-errors.ts';
import type { FulfillmentTask } from './my-task.ts';

const CODES = [
  'PERMISSION_DENIED',
  'ACCOUNT_NOT_FOUND',
  'ACCOUNT_ALREADY_EXISTS',
  'LICENSE_EXHAUSTED',
  'INTERNAL_ERROR',
] as const;
type Code = (typeof CODES)[number];
const wordOf = (code: Code) => (code === 'INTERNAL_ERROR' ? t`Another reason` : errorWord(code));

interface Props {
  of: FulfillmentTask;
  close: () => void;
}

/** Refuses a task, which then fails. */
export function RefuseDialog({ of: { task }, close }: Props) {
  useBackCloses(true, close);
  const { form, submit, pending, failure } = useApiForm({
    initialValues: { code: 'PERMISSION_DENIED' as Code, message: '' },
    send: ({ code, message }) =>
      ok(
        api.POST('/api/fulfillment/tasks/{task_id}/refuse/', {
          params: { path: { task_id: task.external_uuid } },
          body: { code, message: message.trim() },
        }),
      ),
    success: t`Task refused`,
    after: close,
  });
  return (
    <Modal opened onClose={close} title={t`Refuse this task?`}>
      <DialogForm submit={submit} close={close} action={t`Refuse`} pending={pending} danger failure={failure}>
        <Select
          label={t`Reason`}
          data={CODES.map((code) => ({ value: code, label: wordOf(code) }))}
          {...form.getInputProps('code')}
          allowDeselect={false}
          required
          data-autofocus
        />
        <Textarea
          label={t`Message`}
          description={t`Administrators see this message. The task fails, and they can retry it.`}
          {...form.getInputProps('message')}
          required
          maxLength={2000}
          rows={3}
        />
      </DialogForm>
    </Modal>
  );
}
