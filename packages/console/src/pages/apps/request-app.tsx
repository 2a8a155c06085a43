import { t } from '@lingui/core/macro';
import { Modal } from '@mantine/core';
import { api, ok } from '../../api/client.ts';
import { DialogForm } from '../../kit/controls/dialog-form.tsx';
import { Fields, useFields } from '../../kit/form/fields.tsx';
import { area, text } from '../../kit/form/text-fields.tsx';

const FIELDS = {
  app_name: text({ label: t`App`, required: true, maxLength: 255, 'data-autofocus': true }),
  reason: area({ label: t`Reason`, maxLength: 2000, rows: 3 }),
};

/** Asks the administrators to connect an app. */
export function RequestApp({ opened, close }: { opened: boolean; close: () => void }) {
  const form = useFields(FIELDS, {
    send: (body) => ok(api.POST('/api/connection-requests/', { body })),
    success: t`Request sent to the administrators`,
    after: close,
  });
  return (
    <Modal opened={opened} onClose={close} title={t`Request an app`}>
      <DialogForm {...form} action={t`Send request`}>
        <Fields of={form} />
      </DialogForm>
    </Modal>
  );
}
