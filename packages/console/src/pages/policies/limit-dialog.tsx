import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import '@mantine/core/styles/NumberInput.css';
import { Button, Group, Modal, NumberInput, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, get, ok } from '../../api/client.ts';
import { useApiForm } from '../../parts/form.ts';
import { FormFailure } from '../../parts/form-failure.tsx';

/** Edits the number of tasks that a policy may create at once without confirmation. */
export function LimitDialog({ close }: { close: () => void }) {
  const settings = useQuery(get('/api/policies/settings/'));
  return (
    <Modal opened onClose={close} title={t`Task limit`}>
      {settings.data !== undefined && <LimitForm limit={settings.data.task_limit} close={close} />}
    </Modal>
  );
}

interface Values {
  task_limit: number | string;
}

function LimitForm({ limit, close }: { limit: number; close: () => void }) {
  const { form, submit, pending, failure } = useApiForm<Values, { task_limit: number }>({
    initialValues: { task_limit: limit },
    send: ({ task_limit }) =>
      ok(api.PATCH('/api/policies/settings/', { body: { task_limit: Number(task_limit) || 1 } })),
    success: t`Task limit saved`,
    after: close,
  });
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <NumberInput
          label={t`Maximum number of tasks`}
          description={t`A policy that would create more tasks at once waits for confirmation. This protects against faulty imports and conditions.`}
          {...form.getInputProps('task_limit')}
          min={1}
          max={2_147_483_647}
          allowDecimal={false}
          required
          data-autofocus
        />
        <FormFailure of={failure} />
        <Group justify="flex-end">
          <Button type="submit" loading={pending}>
            <Trans>Save</Trans>
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
