import { t } from '@lingui/core/macro';
import '@mantine/core/styles/NumberInput.css';
import { Modal, NumberInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Answer, api, get, load, ok } from '../../api/client.ts';
import { ifMatch } from '../../api/version.ts';
import { DialogForm } from '../../kit/controls/dialog-form.tsx';
import { editsFrom } from '../../kit/form/edits.ts';
import { useApiForm } from '../../kit/form/form.ts';

/** Edits the number of tasks that a policy may create in one run without confirmation. */
export function LimitDialog({ close }: { close: () => void }) {
  const settings = useQuery(get('/api/policies/settings/'));
  return (
    <Modal opened onClose={close} title={t`Task limit`}>
      {settings.data !== undefined && <LimitForm settings={settings.data} close={close} />}
    </Modal>
  );
}

interface Values {
  task_limit: number | string;
}
type Settings = Answer<'/api/policies/settings/'>;

const valuesOf = ({ task_limit }: Settings): Values => ({ task_limit });

function LimitForm({ settings, close }: { settings: Settings; close: () => void }) {
  const { form, submit, pending, failure } = useApiForm<Values, Settings>({
    initialValues: valuesOf(settings),
    send: ({ task_limit }, version) =>
      ok(
        api.PATCH('/api/policies/settings/', {
          params: { header: ifMatch(version) },
          body: { task_limit: Number(task_limit) || 1 },
        }),
      ),
    edits: editsFrom(
      settings,
      () => load('/api/policies/settings/', {}),
      valuesOf,
      ({ task_limit }) => [
        { label: t`Maximum number of tasks`, value: Number(task_limit), show: task_limit },
      ],
    ),
    success: t`Task limit saved`,
    after: close,
  });
  return (
    <DialogForm submit={submit} action={t`Save`} pending={pending} failure={failure}>
      <NumberInput
        label={t`Maximum number of tasks`}
        description={t`A policy that would create more tasks in one run waits for confirmation. This protects against faulty imports and conditions.`}
        {...form.getInputProps('task_limit')}
        min={1}
        max={2_147_483_647}
        allowDecimal={false}
        required
        data-autofocus
      />
    </DialogForm>
  );
}
