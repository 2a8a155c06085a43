import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Modal, Select, Stack, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, get, ok } from '../../api/client.ts';
import { useBackCloses } from '../../kit/browser/dialog-history.ts';
import { useApiForm } from '../../kit/form/form.ts';
import { FormFailure } from '../../kit/form/form-failure.tsx';
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
  const people = useQuery(get('/api/fulfillment/tasks/{task_id}/candidates/', { path })).data?.results ?? [];
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
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Select
            label={t`New assignee`}
            data={people.map(({ external_uuid, email, first_name, last_name }) => {
              const name = personName({ first_name, last_name, email });
              return { value: external_uuid, label: name === email ? email : `${name} (${email})` };
            })}
            {...form.getInputProps('assignee')}
            nothingFoundMessage={t`Nobody else can carry out this task.`}
            searchable
            required
          />
          <Textarea label={t`Reason`} {...form.getInputProps('reason')} required maxLength={2000} rows={3} />
          <FormFailure of={failure} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              <Trans>Go back</Trans>
            </Button>
            <Button type="submit" loading={pending}>
              <Trans>Reassign</Trans>
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
