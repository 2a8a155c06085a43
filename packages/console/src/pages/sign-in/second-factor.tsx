import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Button, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { api, ok } from '../../api/client.ts';
import { useApiForm } from '../../kit/form/form.ts';
import { FormFailure } from '../../kit/form/form-failure.tsx';

/** Asks for a code from an authenticator app, or for a backup code. */
export function SecondFactor({ after }: { after: () => void }) {
  const [kind, setKind] = useState<'totp' | 'backup_code'>('totp');
  const { form, submit, pending, failure } = useApiForm({
    initialValues: { code: '' },
    send: ({ code }) => ok(api.POST('/auth/second-factor/', { body: { code: code.trim(), kind } })),
    after,
  });
  const other = kind === 'totp' ? 'backup_code' : 'totp';
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <FormFailure of={failure} />
        <TextInput
          key={kind}
          label={kind === 'totp' ? t`Code from your authenticator app` : t`Backup code`}
          autoComplete="one-time-code"
          inputMode={kind === 'totp' ? 'numeric' : 'text'}
          autoFocus
          required
          withAsterisk={false}
          {...form.getInputProps('code')}
        />
        <Button type="submit" size="sm" loading={pending}>
          <Trans>Continue</Trans>
        </Button>
        <Anchor
          component="button"
          type="button"
          size="sm"
          onClick={() => {
            setKind(other);
            form.reset();
          }}
        >
          {other === 'totp' ? t`Use your authenticator app instead` : t`Use a backup code instead`}
        </Anchor>
      </Stack>
    </form>
  );
}
