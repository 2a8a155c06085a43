import { t } from '@lingui/core/macro';
import { Modal, Textarea, TextInput } from '@mantine/core';
import { api, ok } from '../../api/client.ts';
import { DialogForm } from '../../kit/controls/dialog-form.tsx';
import { useApiForm } from '../../kit/form/form.ts';

/** Asks the administrators to connect an app. */
export function RequestApp({ opened, close }: { opened: boolean; close: () => void }) {
  const { form, submit, pending, failure } = useApiForm({
    initialValues: { app_name: '', reason: '' },
    send: ({ app_name, reason }) =>
      ok(
        api.POST('/api/connection-requests/', {
          body: { app_name: app_name.trim(), reason: reason.trim() },
        }),
      ),
    success: t`Request sent to the administrators`,
    after: close,
  });
  return (
    <Modal opened={opened} onClose={close} title={t`Request an app`}>
      <DialogForm submit={submit} action={t`Send request`} pending={pending} failure={failure}>
        <TextInput
          label={t`App`}
          {...form.getInputProps('app_name')}
          required
          maxLength={255}
          data-autofocus
        />
        <Textarea label={t`Reason`} {...form.getInputProps('reason')} maxLength={2000} rows={3} />
      </DialogForm>
    </Modal>
  );
}
