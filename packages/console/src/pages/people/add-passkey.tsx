import { t } from '@lingui/core/macro';
import { api, ok } from '../../api/client.ts';
import { onDemand } from '../../kit/browser/files.ts';
import { Dialog } from '../../kit/controls/dialog.tsx';
import { DialogForm } from '../../kit/controls/dialog-form.tsx';
import { Fields, useFields } from '../../kit/form/fields.tsx';
import { text } from '../../kit/form/text-fields.tsx';

const loadLibrary = onDemand(() => import('@simplewebauthn/browser'));

const FIELDS = {
  name: text({
    label: t`Name`,
    description: t`The device, for example: My laptop.`,
    required: true,
    withAsterisk: false,
    maxLength: 100,
    'data-autofocus': true,
  }),
};

/** Asks for a name, and lets the browser make the passkey. */
export function AddPasskey({ close }: { close: () => void }) {
  const form = useFields(FIELDS, {
    send: async ({ name }) => {
      const { startRegistration } = await loadLibrary();
      type Options = Parameters<typeof startRegistration>[0]['optionsJSON'];
      const optionsJSON = (await ok(api.POST('/auth/passkeys/options/'))) as unknown as Options;
      const response = await startRegistration({ optionsJSON });
      const body = { name, response: { ...response } };
      return ok(api.POST('/auth/passkeys/', { body }));
    },
    success: ({ name }) => t`${name} was added`,
    after: close,
  });
  return (
    <Dialog onClose={close} title={t`Add passkey`}>
      <DialogForm {...form} action={t`Continue`}>
        <Fields of={form} />
      </DialogForm>
    </Dialog>
  );
}
