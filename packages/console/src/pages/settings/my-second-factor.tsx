import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { api, ok } from '../../api/client.ts';
import { CodeBlock } from '../../kit/controls/code.tsx';
import { Dialog } from '../../kit/controls/dialog.tsx';
import { DialogForm } from '../../kit/controls/dialog-form.tsx';
import { Section } from '../../kit/controls/section.tsx';
import { Status } from '../../kit/controls/status.tsx';
import { Fields, useFields } from '../../kit/form/fields.tsx';
import { text } from '../../kit/form/text-fields.tsx';
import { confirmWith } from '../../sign-in/confirmation.tsx';
import { OWN_PASSWORD } from '../../sign-in/password-fields.ts';
import { QrCode } from './qr-code.tsx';

/** Requires one-time codes from an authenticator app in addition to the password. */
export function MySecondFactor({ on, hasPassword }: { on: boolean; hasPassword: boolean }) {
  const [open, setOpen] = useState<'setup' | 'remove'>();
  const close = () => setOpen(undefined);
  return (
    <Section title={t`Second factor`}>
      <Stack gap="sm">
        {on ? (
          <Status of="on" look="good" word={t`On: sign-in requires a code from your authenticator app`} />
        ) : (
          <Status of="off" look="idle" word={t`Off: sign-in requires only your password`} />
        )}
        {hasPassword ? (
          <Group>
            {on ? (
              <Button variant="default" onClick={() => setOpen('remove')}>
                <Trans>Remove second factor</Trans>
              </Button>
            ) : (
              <Button onClick={() => setOpen('setup')}>
                <Trans>Set up second factor</Trans>
              </Button>
            )}
          </Group>
        ) : (
          <Text size="sm" c="dimmed">
            <Trans>A second factor requires a password, and you have none.</Trans>
          </Text>
        )}
      </Stack>
      {open === 'setup' && <SetUp close={close} />}
      {open === 'remove' && <Remove close={close} />}
    </Section>
  );
}

interface Secret {
  uri: string;
  backup_codes: string[];
}

/** Asks for the password, then for a first code of the scanned secret. Then shows the backup codes once. */
function SetUp({ close }: { close: () => void }) {
  const [secret, setSecret] = useState<Secret>();
  const [isDone, setDone] = useState(false);
  return (
    <Dialog
      onClose={close}
      title={isDone ? t`Save your backup codes` : t`Set up second factor`}
      closeOnClickOutside={!isDone}
      closeOnEscape={!isDone}
      withCloseButton={!isDone}
    >
      {secret === undefined ? (
        <PasswordForm
          action={t`Continue`}
          send={async (password) => {
            await confirmWith(password);
            return ok(api.POST('/auth/totp/', { body: { password } }));
          }}
          after={setSecret}
          close={close}
        />
      ) : isDone ? (
        <BackupCodes codes={secret.backup_codes} close={close} />
      ) : (
        <CodeForm uri={secret.uri} after={() => setDone(true)} />
      )}
    </Dialog>
  );
}

interface PasswordFormProps<T> {
  action: string;
  send: (password: string) => Promise<T>;
  success?: string;
  after: (result: T) => void;
  close: () => void;
  danger?: boolean;
}

function PasswordForm<T>({ action, send, success, after, close, danger = false }: PasswordFormProps<T>) {
  const form = useFields(OWN_PASSWORD, {
    send: ({ password }) => send(password),
    ...(success === undefined ? {} : { success }),
    after,
  });
  return (
    <DialogForm {...form} close={close} action={action} danger={danger}>
      <Fields of={form} />
    </DialogForm>
  );
}

const CODE = {
  code: text({
    label: t`Code from the app`,
    autoComplete: 'one-time-code',
    autoFocus: true,
    inputMode: 'numeric',
    required: true,
    withAsterisk: false,
    maxLength: 12,
  }),
};

function CodeForm({ uri, after }: { uri: string; after: () => void }) {
  const form = useFields(CODE, {
    send: (body) => ok(api.POST('/auth/totp/verify/', { body })),
    after,
  });
  return (
    <DialogForm {...form} action={t`Turn on`}>
      <Text size="sm">
        <Trans>Scan this QR code with your authenticator app, or enter the secret there.</Trans>
      </Text>
      <QrCode text={uri} label={t`QR code for your authenticator app`} />
      <CodeBlock text={new URL(uri).searchParams.get('secret') ?? ''} what={t`secret`} />
      <Fields of={form} />
    </DialogForm>
  );
}

function BackupCodes({ codes, close }: { codes: string[]; close: () => void }) {
  return (
    <Stack gap="sm">
      <Text size="sm">
        <Trans>
          The second factor is on. If you lose your device, you can use each of these codes once. You cannot
          see them again.
        </Trans>
      </Text>
      <CodeBlock text={codes.join('\n')} what={t`backup codes`} />
      <Group justify="flex-end">
        <Button onClick={close}>
          <Trans>I saved the codes</Trans>
        </Button>
      </Group>
    </Stack>
  );
}

function Remove({ close }: { close: () => void }) {
  return (
    <Dialog onClose={close} title={t`Remove your second factor?`}>
      <Stack gap="sm">
        <Text size="sm">
          <Trans>Sign-in will require only your password. Your backup codes will stop working.</Trans>
        </Text>
        <PasswordForm
          action={t`Remove`}
          send={async (password) => {
            await confirmWith(password);
            return ok(api.DELETE('/auth/totp/', { body: { password } }));
          }}
          success={t`Second factor removed`}
          after={close}
          close={close}
          danger
        />
      </Stack>
    </Dialog>
  );
}
