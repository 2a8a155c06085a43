import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, PasswordInput, Stack, Text } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { api, ok } from '../../api/client.ts';
import { ButtonLink } from '../../kit/controls/links.tsx';
import { useApiForm } from '../../kit/form/form.ts';
import { FormFailure } from '../../kit/form/form-failure.tsx';
import { consolePath } from '../../shell/console-path.ts';
import { SignInFrame } from './sign-in-frame.tsx';

/** Opens an administrator's one-time link, `/welcome#<token>`. Browsers never send the token to a server's log. */
export function WelcomePage() {
  const [token] = useState(() => location.hash.slice(1));
  if (token === '') {
    return (
      <SignInFrame title={t`Incomplete link`}>
        <Text size="sm">
          <Trans>Open the complete link that you received, or ask an administrator for a new one.</Trans>
        </Text>
        <ButtonLink to="/sign-in" variant="default">
          <Trans>Go to sign-in</Trans>
        </ButtonLink>
      </SignInFrame>
    );
  }
  return (
    <SignInFrame title={t`Set your password`}>
      <NewPasswordForm token={token} />
    </SignInFrame>
  );
}

function NewPasswordForm({ token }: { token: string }) {
  const router = useRouter();
  const { form, submit, pending, failure } = useApiForm({
    initialValues: { new_password: '', confirmation: '' },
    validate: {
      confirmation: (confirmation, { new_password }) =>
        confirmation === new_password ? null : t`The passwords do not match.`,
    },
    send: ({ new_password }) => ok(api.POST('/auth/welcome/', { body: { token, new_password } })),
    after: () => router.history.replace(`${consolePath}/sign-in`),
  });
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <FormFailure of={failure} />
        <PasswordInput
          label={t`New password`}
          description={t`12 to 128 characters. Four random words make a good password.`}
          minLength={12}
          maxLength={128}
          autoComplete="new-password"
          required
          withAsterisk={false}
          {...form.getInputProps('new_password')}
        />
        <PasswordInput
          label={t`Confirm password`}
          autoComplete="new-password"
          required
          withAsterisk={false}
          {...form.getInputProps('confirmation')}
        />
        <Button type="submit" size="sm" loading={pending}>
          <Trans>Set password</Trans>
        </Button>
      </Stack>
    </form>
  );
}
