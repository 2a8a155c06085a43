import { Button, Group, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { api, ok, useChange } from '../../api/client.ts';
import { CodeBlock } from '../../parts/code.tsx';
import { Section } from '../../parts/section.tsx';
import { Status } from '../../parts/status.tsx';
import { QrCode } from './qr-code.tsx';
import { Refused } from './refused.tsx';

/** One-time codes of an authenticator app, which a password alone is not enough beside. */
export function MySecondFactor({ on, hasPassword }: { on: boolean; hasPassword: boolean }) {
  const [open, setOpen] = useState<'set up' | 'remove'>();
  const close = () => setOpen(undefined);
  return (
    <Section title="Second factor">
      <Stack gap="sm">
        {on ? (
          <Status of="on" look="good" word="On: a code of your authenticator app beside the password" />
        ) : (
          <Status of="off" look="idle" word="Off: your password alone is enough" />
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
            It goes with a password, and you have none.
          </Text>
        )}
      </Stack>
      {open === 'set up' && <SetUp close={close} />}
      {open === 'remove' && <Remove close={close} />}
    </Section>
  );
}

/** Password, then the code to scan and a first answer to it, then the backup codes, this once. */
function SetUp({ close }: { close: () => void }) {
  const begin = useChange((password: string) => ok(api.POST('/auth/totp/', { body: { password } })), {
    tell: false,
  });
  const verify = useChange((code: string) => ok(api.POST('/auth/totp/verify/', { body: { code } })), {
    tell: false,
  });
  const made = begin.data;
  const isDone = verify.isSuccess;
  return (
    <Modal
      opened
      onClose={close}
      title={isDone ? 'Keep your backup codes' : 'Set up second factor'}
      closeOnClickOutside={!isDone}
      closeOnEscape={!isDone}
      withCloseButton={!isDone}
    >
      {made === undefined && (
        <AskPassword
          action="Continue"
          act={begin.mutate}
          pending={begin.isPending}
          error={begin.error}
          close={close}
        />
      )}
      {made !== undefined && !isDone && (
        <Scan uri={made.uri} act={verify.mutate} pending={verify.isPending} error={verify.error} />
      )}
      {made !== undefined && isDone && <BackupCodes codes={made.backup_codes} close={close} />}
    </Modal>
  );
}

interface StepProps {
  act: (typed: string) => void;
  pending: boolean;
  error: unknown;
}

function AskPassword({
  action,
  act,
  pending,
  error,
  close,
  danger = false,
}: StepProps & { action: string; close: () => void; danger?: boolean }) {
  const [password, setPassword] = useState('');
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    act(password);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <PasswordInput
          label="Your password"
          autoComplete="current-password"
          value={password}
          onChange={({ currentTarget }) => setPassword(currentTarget.value)}
          required
          withAsterisk={false}
          data-autofocus
        />
        <Refused error={error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            Keep things as they are
          </Button>
          <Button type="submit" loading={pending} {...(danger ? { color: 'red' } : {})}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Scan({ uri, act, pending, error }: StepProps & { uri: string }) {
  const [code, setCode] = useState('');
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    act(code);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Text size="sm">Scan this with your authenticator app, or type the secret into it.</Text>
        <QrCode text={uri} label="The secret, for your authenticator app" />
        <CodeBlock text={new URL(uri).searchParams.get('secret') ?? ''} what="secret" />
        <TextInput
          label="The code that it shows now"
          autoComplete="one-time-code"
          autoFocus
          inputMode="numeric"
          value={code}
          onChange={({ currentTarget }) => setCode(currentTarget.value)}
          required
          withAsterisk={false}
          maxLength={12}
        />
        <Refused error={error} />
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
        The second factor is on. Without your device, each of these works once instead of a code. They are not
        shown again.
      </Text>
      <CodeBlock text={codes.join('\n')} what="backup codes" />
      <Group justify="flex-end">
        <Button onClick={close}>I have kept them</Button>
      </Group>
    </Stack>
  );
}

function Remove({ close }: { close: () => void }) {
  const remove = useChange((password: string) => ok(api.DELETE('/auth/totp/', { body: { password } })), {
    said: 'Your second factor is removed',
    after: close,
    tell: false,
  });
  return (
    <Modal opened onClose={close} title="Remove your second factor?">
      <Stack gap="sm">
        <Text size="sm">Your password alone is enough from then on. The backup codes stop working.</Text>
        <AskPassword
          action="Remove"
          act={remove.mutate}
          pending={remove.isPending}
          error={remove.error}
          close={close}
          danger
        />
      </Stack>
    </Modal>
  );
}
