import { t } from '@lingui/core/macro';
import { Modal, Select, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, get, ok } from '../../api/client.ts';
import { useBackCloses } from '../../kit/browser/dialog-history.ts';
import { DialogForm } from '../../kit/controls/dialog-form.tsx';
import { useApiForm } from '../../kit/form/form.ts';
import { personName } from '../../kit/text/words.ts';

interface Props {
  taskId: string;
  close: () => void;
  done: () => void;
}

/** Hands a task to another person. */
export function ReassignTask({ taskId, close, done }: Props) {
  useBackCloses(true, close);
  const path = { task_id: taskId };
  const found = useQuery(get('/api/fulfillment/tasks/{task_id}/candidates/', { path }));
  const people = found.data?.results ?? [];
  const { form, submit, pending, failure } = useApiForm({
    initialValues: { assignee: null as string | null, reason: '' },
    send: ({ assignee, reason }) =>
      ok(
        api.POST('/api/fulfillment/tasks/{task_id}/reassign/', {
          params: { path },
          body: { assignee: assignee ?? '', reason: reason.trim() },
        }),
      ),
    success: t`Task reassigned`,
    // A member who handed the task over can no longer see it.
    after: done,
  });
  return (
    <Modal opened onClose={close} title={t`Reassign this task?`}>
      <DialogForm submit={submit} close={close} action={t`Reassign`} pending={pending} failure={failure}>
        <Select
          label={t`New assignee`}
          data={people.map(({ external_uuid, email, first_name, last_name }) => {
            const name = personName({ first_name, last_name, email });
            return { value: external_uuid, label: name === email ? email : `${name} (${email})` };
          })}
          {...form.getInputProps('assignee')}
          nothingFoundMessage={found.isPending ? t`Loading…` : t`Nobody else can carry out this task.`}
          searchable
          required
        />
        <Textarea label={t`Reason`} {...form.getInputProps('reason')} required maxLength={2000} rows={3} />
      </DialogForm>
    </Modal>
  );
}
