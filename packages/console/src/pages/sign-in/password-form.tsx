import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { api, ok } from '../../api/client.ts';
import { ApiError } from '../../api/error.ts';
import { useApiForm } from '../../kit/form/form.ts';
import { FormFailure } from '../../kit/form/form-failure.tsx';
import { keepEmail, lastEmail } from './last-email.ts';

/** Nothing else than wrong credentials has this status here. */
function inWords(error: unknown): never {
  if (!(error instanceof ApiError) || error.status !== 401) throw error;
  throw new ApiError(401, t`Wrong email address or password.`);
}

interface Props {
  /** The email of the person whose session has ended. */
  email?: string | undefined;
  /** Called before the password is sent. */
  before: () => void;
  /** Called once the password is accepted. */
  after: (needsSecondFactor: boolean) => void;
}

export function PasswordForm({ email = lastEmail(), before, after }: Props) {
  const { form, submit, pending, failure } = useApiForm({
    initialValues: { email: email ?? '', password: '' },
    send: (body) => {
      before();
      return ok(api.POST('/auth/sign-in/', { body })).catch(inWords);
    },
    after: ({ second_factor }) => {
      keepEmail(form.values.email);
      after(second_factor === true);
    },
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
          data-autofocus={email !== undefined || undefined}
          {...form.getInputProps('password')}
        />
        <Button type="submit" size="sm" loading={pending}>
          <Trans>Sign in</Trans>
        </Button>
      </Stack>
    </form>
  );
}
