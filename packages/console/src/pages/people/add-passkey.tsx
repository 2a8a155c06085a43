import { t } from '@lingui/core/macro';
import { TextInput } from '@mantine/core';
import { api, ok } from '../../api/client.ts';
import { onDemand } from '../../kit/browser/files.ts';
import { Dialog } from '../../kit/controls/dialog.tsx';
import { DialogForm } from '../../kit/controls/dialog-form.tsx';
import { useApiForm } from '../../kit/form/form.ts';

const loadLibrary = onDemand(() => import('@simplewebauthn/browser'));

/** Asks for a name, and lets the browser make the passkey. */
export function AddPasskey({ close }: { close: () => void }) {
  const { form, submit, pending, failure } = useApiForm({
    initialValues: { name: '' },
    send: async ({ name }) => {
      const { startRegistration } = await loadLibrary();
      type Options = Parameters<typeof startRegistration>[0]['optionsJSON'];
      const optionsJSON = (await ok(api.POST('/auth/passkeys/options/'))) as unknown as Options;
      const response = await startRegistration({ optionsJSON });
      const body = { name: name.trim(), response: { ...response } };
      return ok(api.POST('/auth/passkeys/', { body }));
    },
    success: ({ name }) => t`${name} was added`,
    after: close,
  });
  return (
    <Dialog onClose={close} title={t`Add passkey`}>
      <DialogForm submit={submit} action={t`Continue`} pending={pending} failure={failure}>
        <TextInput
          label={t`Name`}
          description={t`The device, for example: My laptop.`}
          required
          withAsterisk={false}
          maxLength={100}
          data-autofocus
          {...form.getInputProps('name')}
        />
      </DialogForm>
    </Dialog>
  );
}
