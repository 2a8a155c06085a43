import { Button, Group, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { api, ok } from '../../api/client.ts';
import { CodeBlock } from '../../parts/code.tsx';
import { withConfirmation } from '../../parts/confirmation.tsx';
import { useApiForm } from '../../parts/form.ts';
import { FormFailure } from '../../parts/form-failure.tsx';
import { Section } from '../../parts/section.tsx';
import { Status } from '../../parts/status.tsx';
import { QrCode } from './qr-code.tsx';

/** Requires one-time codes from an authenticator app in addition to the password. */
export function MySecondFactor({ on, hasPassword }: { on: boolean; hasPassword: boolean }) {
  const [open, setOpen] = useState<'set up' | 'remove'>();
  const close = () => setOpen(undefined);
  return (
    <Section title="Second factor">
      <Stack gap="sm">
        {on ? (
          <Status of="on" look="good" word="On: sign-in requires a code from your authenticator app" />
        ) : (
          <Status of="off" look="idle" word="Off: sign-in requires only your password" />
        )}
        {hasPassword ? (
          <Group>
            {on ? (
              <Button variant="default" onClick={() => setOpen('remove')}>
                Remove second factor
              </Button>
            ) : (
              <Button onClick={() => setOpen('set up')}>Set up second factor</Button>
            )}
          </Group>
        ) : (
          <Text size="sm" c="dimmed">
            A second factor requires a password, and you have none.
          </Text>
        )}
      </Stack>
      {open === 'set up' && <SetUp close={close} />}
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
    <Modal
      opened
      onClose={close}
      title={isDone ? 'Save your backup codes' : 'Set up second factor'}
      closeOnClickOutside={!isDone}
      closeOnEscape={!isDone}
      withCloseButton={!isDone}
    >
      {secret === undefined ? (
        <PasswordForm
          action="Continue"
          send={(password) => ok(api.POST('/auth/totp/', { body: { password } }))}
          after={setSecret}
          close={close}
        />
      ) : isDone ? (
        <BackupCodes codes={secret.backup_codes} close={close} />
      ) : (
        <CodeForm uri={secret.uri} after={() => setDone(true)} />
      )}
    </Modal>
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
  const { form, submit, pending, failure } = useApiForm({
    initialValues: { password: '' },
    send: ({ password }) => send(password),
    ...(success === undefined ? {} : { success }),
    after,
  });
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <PasswordInput
          label="Your password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          data-autofocus
          {...form.getInputProps('password')}
        />
        <FormFailure of={failure} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            Go back
          </Button>
          <Button type="submit" loading={pending} {...(danger ? { color: 'red' } : {})}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function CodeForm({ uri, after }: { uri: string; after: () => void }) {
  const { form, submit, pending, failure } = useApiForm({
    initialValues: { code: '' },
    send: ({ code }) => ok(api.POST('/auth/totp/verify/', { body: { code } })),
    after,
  });
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Text size="sm">Scan this QR code with your authenticator app, or enter the secret there.</Text>
        <QrCode text={uri} label="QR code for your authenticator app" />
        <CodeBlock text={new URL(uri).searchParams.get('secret') ?? ''} what="secret" />
        <TextInput
          label="Code from the app"
          autoComplete="one-time-code"
          autoFocus
          inputMode="numeric"
          required
          withAsterisk={false}
          maxLength={12}
          {...form.getInputProps('code')}
        />
        <FormFailure of={failure} />
        <Group justify="flex-end">
          <Button type="submit" loading={pending}>
            Turn on
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function BackupCodes({ codes, close }: { codes: string[]; close: () => void }) {
  return (
    <Stack gap="sm">
      <Text size="sm">
        The second factor is on. If you lose your device, you can use each of these codes once. You cannot see
        them again.
      </Text>
      <CodeBlock text={codes.join('\n')} what="backup codes" />
      <Group justify="flex-end">
        <Button onClick={close}>I saved the codes</Button>
      </Group>
    </Stack>
  );
}

function Remove({ close }: { close: () => void }) {
  return (
    <Modal opened onClose={close} title="Remove your second factor?">
      <Stack gap="sm">
        <Text size="sm">Sign-in will require only your password. Your backup codes will stop working.</Text>
        <PasswordForm
          action="Remove"
          send={(password) =>
            withConfirmation(() => ok(api.DELETE('/auth/totp/', { body: { password } })), password)
          }
          success="Second factor removed"
          after={close}
          close={close}
          danger
        />
      </Stack>
    </Modal>
  );
}
