import { t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { api, get, ok } from '../../api/client.ts';
import { Dialog } from '../../kit/controls/dialog.tsx';
import { DialogForm } from '../../kit/controls/dialog-form.tsx';
import { select } from '../../kit/form/choice-fields.tsx';
import { Fields, useFields } from '../../kit/form/fields.tsx';
import { area } from '../../kit/form/text-fields.tsx';
import { personName } from '../../kit/text/words.ts';

interface Props {
  taskId: string;
  close: () => void;
  done: () => void;
}

const FIELDS = {
  assignee: select({
    label: t`New assignee`,
    initial: null,
    allowDeselect: true,
    searchable: true,
    required: true,
  }),
  reason: area({ label: t`Reason`, required: true, maxLength: 2000, rows: 3 }),
};

/** Hands a task to another person. */
export function ReassignTask({ taskId, close, done }: Props) {
  const path = { task_id: taskId };
  const found = useQuery(get('/api/fulfillment/tasks/{task_id}/candidates/', { path }));
  const people = found.data?.results ?? [];
  const form = useFields(FIELDS, {
    send: ({ assignee, reason }) =>
      ok(
        api.POST('/api/fulfillment/tasks/{task_id}/reassign/', {
          params: { path },
          body: { assignee: assignee ?? '', reason },
        }),
      ),
    success: t`Task reassigned`,
    // A member who handed the task over can no longer see it.
    after: done,
  });
  const data = people.map(({ external_uuid, email, first_name, last_name }) => {
    const name = personName({ first_name, last_name, email });
    return { value: external_uuid, label: name === email ? email : `${name} (${email})` };
  });
  const nothingFoundMessage = found.isPending ? t`Loading…` : t`Nobody else can carry out this task.`;
  return (
    <Dialog onClose={close} title={t`Reassign this task?`}>
      <DialogForm {...form} close={close} action={t`Reassign`}>
        <Fields of={form} props={{ assignee: { data, nothingFoundMessage } }} />
      </DialogForm>
    </Dialog>
  );
}
