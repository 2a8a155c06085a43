import { t } from '@lingui/core/macro';
import { Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Answer, api, get, load, ok } from '../../api/client.ts';
import { ifMatch } from '../../api/version.ts';
import { DialogForm } from '../../kit/controls/dialog-form.tsx';
import { Fields, useFields } from '../../kit/form/fields.tsx';
import { number } from '../../kit/form/number-field.tsx';

/** Edits the number of tasks that a policy may create in one run without confirmation. */
export function LimitDialog({ close }: { close: () => void }) {
  const settings = useQuery(get('/api/policies/settings/'));
  return (
    <Modal opened onClose={close} title={t`Task limit`}>
      {settings.data !== undefined && <LimitForm settings={settings.data} close={close} />}
    </Modal>
  );
}

const FIELDS = {
  task_limit: number({
    label: t`Maximum number of tasks`,
    description: t`A policy that would create more tasks in one run waits for confirmation. This protects against faulty imports and conditions.`,
    min: 1,
    max: 2_147_483_647,
    required: true,
    'data-autofocus': true,
  }),
};

function LimitForm({ settings, close }: { settings: Answer<'/api/policies/settings/'>; close: () => void }) {
  const form = useFields(FIELDS, {
    of: settings,
    read: () => load('/api/policies/settings/', {}),
    send: (body, { version }) =>
      ok(api.PATCH('/api/policies/settings/', { params: { header: ifMatch(version) }, body })),
    success: t`Task limit saved`,
    after: close,
  });
  return (
    <DialogForm {...form} action={t`Save`}>
      <Fields of={form} />
    </DialogForm>
  );
}
