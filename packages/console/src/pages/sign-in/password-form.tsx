import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { api, ok } from '../../api/client.ts';
import { useApiForm } from '../../parts/form.ts';
import { FormFailure } from '../../parts/form-failure.tsx';

interface Props {
  /** Called before the password is sent. */
  before: () => void;
  /** Called once the password is accepted. */
  after: (needsSecondFactor: boolean) => void;
}

export function PasswordForm({ before, after }: Props) {
  const { form, submit, pending, failure } = useApiForm({
    initialValues: { email: '', password: '' },
    send: (body) => {
      before();
      return ok(api.POST('/auth/sign-in/', { body }));
    },
    after: ({ second_factor }) => after(second_factor === true),
  });
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <FormFailure of={failure} />
        <TextInput
          label={t`Email`}
          type="email"
          name="email"
          autoComplete="username webauthn"
          required
          withAsterisk={false}
          {...form.getInputProps('email')}
        />
        <PasswordInput
          label={t`Password`}
          name="password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          {...form.getInputProps('password')}
        />
        <Button type="submit" size="sm" loading={pending}>
          <Trans>Sign in</Trans>
        </Button>
      </Stack>
    </form>
  );
}
