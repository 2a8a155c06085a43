import { t } from '@lingui/core/macro';
import { Anchor } from '@mantine/core';
import { useState } from 'react';
import { api, ok } from '../../api/client.ts';
import { useFields } from '../../kit/form/fields.tsx';
import { text } from '../../kit/form/text-fields.tsx';
import { SignInForm } from './sign-in-form.tsx';

const code = (label: string, inputMode: 'numeric' | 'text') =>
  text({
    label,
    inputMode,
    autoComplete: 'one-time-code',
    autoFocus: true,
    required: true,
    withAsterisk: false,
  });
const FIELDS = {
  totp: code(t`Code from your authenticator app`, 'numeric'),
  backup_code: code(t`Backup code`, 'text'),
};

/** Asks for a code from an authenticator app, or for a backup code. */
export function SecondFactor({ after }: { after: () => void }) {
  const [kind, setKind] = useState<keyof typeof FIELDS>('totp');
  const form = useFields(FIELDS, {
    send: (body) => ok(api.POST('/auth/second-factor/', { body: { code: body[kind], kind } })),
    fieldOf: (path) => (path === 'code' ? kind : path),
    after,
  });
  const other = kind === 'totp' ? 'backup_code' : 'totp';
  return (
    <SignInForm of={form} only={[kind]} action={t`Continue`}>
      <Anchor
        component="button"
        type="button"
        size="sm"
        onClick={() => {
          setKind(other);
          form.form.reset();
        }}
      >
        {other === 'totp' ? t`Use your authenticator app instead` : t`Use a backup code instead`}
      </Anchor>
    </SignInForm>
  );
}
