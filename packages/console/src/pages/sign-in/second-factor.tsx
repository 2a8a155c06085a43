import { Anchor, Button, Stack, TextInput } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { api, ok } from '../../api/client.ts';

export interface Step {
  attempt: (act: () => Promise<void>) => Promise<void>;
  busy: boolean;
  entered: () => void;
}

/** The six digits of an authenticator app, or one of the backup codes. */
export function SecondFactor({ attempt, busy, entered }: Step) {
  const [code, setCode] = useState('');
  const [kind, setKind] = useState<'totp' | 'backup_code'>('totp');
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void attempt(async () => {
      await ok(api.POST('/auth/second-factor/', { body: { code: code.trim(), kind } }));
      entered();
    });
  };
  const other = kind === 'totp' ? 'backup_code' : 'totp';
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          key={kind}
          label={kind === 'totp' ? 'Code of your authenticator app' : 'Backup code'}
          autoComplete="one-time-code"
          inputMode={kind === 'totp' ? 'numeric' : 'text'}
          autoFocus
          required
          withAsterisk={false}
          value={code}
          onChange={({ currentTarget }) => setCode(currentTarget.value)}
        />
        <Button type="submit" size="sm" loading={busy}>
          Continue
        </Button>
        <Anchor
          component="button"
          type="button"
          size="sm"
          onClick={() => {
            setKind(other);
            setCode('');
          }}
        >
          {other === 'totp' ? 'Use your authenticator app instead' : 'Use a backup code instead'}
        </Anchor>
      </Stack>
    </form>
  );
}
