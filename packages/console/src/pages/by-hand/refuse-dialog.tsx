import { t } from '@lingui/core/macro';
import { api, ok } from '../../api/client.ts';
import { Dialog } from '../../kit/controls/dialog.tsx';
import { DialogForm } from '../../kit/controls/dialog-form.tsx';
import { select } from '../../kit/form/choice-fields.tsx';
import { Fields, useFields } from '../../kit/form/fields.tsx';
import { area } from '../../kit/form/text-fields.tsx';
import { errorWord } from '../../tasks/task-errors.ts';
import type { FulfillmentTask } from './by-hand-task.ts';

const CODES = [
  'PERMISSION_DENIED',
  'ACCOUNT_NOT_FOUND',
  'ACCOUNT_ALREADY_EXISTS',
  'LICENSE_EXHAUSTED',
  'INTERNAL_ERROR',
] as const;
type Code = (typeof CODES)[number];
const wordOf = (code: Code) => (code === 'INTERNAL_ERROR' ? t`Another reason` : errorWord(code));

const FIELDS = {
  code: select({
    label: t`Reason`,
    data: CODES.map((value) => ({ value, label: wordOf(value) })),
    initial: 'PERMISSION_DENIED',
    required: true,
    'data-autofocus': true,
  }),
  message: area({
    label: t`Message`,
    description: t`Administrators see this message. The task fails, and they can retry it.`,
    required: true,
    maxLength: 2000,
    rows: 3,
  }),
};

interface Props {
  of: FulfillmentTask;
  close: () => void;
}

/** Refuses a task, which then fails. */
export function RefuseDialog({ of: { task }, close }: Props) {
  const form = useFields(FIELDS, {
    send: (body) =>
      ok(
        api.POST('/api/fulfillment/tasks/{task_id}/refuse/', {
          params: { path: { task_id: task.external_uuid } },
          body,
        }),
      ),
    success: t`Task refused`,
    after: close,
  });
  return (
    <Dialog onClose={close} title={t`Refuse this task?`}>
      <DialogForm {...form} close={close} action={t`Refuse`} danger>
        <Fields of={form} />
      </DialogForm>
    </Dialog>
  );
}
