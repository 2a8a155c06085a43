import { Button, PasswordInput, Stack, Text } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { api, ok } from '../../api/client.ts';
import { useApiForm } from '../../parts/form.ts';
import { FormFailure } from '../../parts/form-failure.tsx';
import { ButtonLink } from '../../parts/links.tsx';
import { SignInFrame } from './sign-in-frame.tsx';

/** Opens an administrator's one-time link, `/welcome#<token>`. Browsers never send the token to a server's log. */
export function WelcomePage() {
  const [token] = useState(() => location.hash.slice(1));
  if (token === '') {
    return (
      <SignInFrame title="Incomplete link">
        <Text size="sm">
          Open the complete link that you received, or ask an administrator for a new one.
        </Text>
        <ButtonLink to="/sign-in" variant="default">
          Go to sign-in
        </ButtonLink>
      </SignInFrame>
    );
  }
  return (
    <SignInFrame title="Set your password">
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
        confirmation === new_password ? null : 'The passwords do not match.',
    },
    send: ({ new_password }) => ok(api.POST('/auth/welcome/', { body: { token, new_password } })),
    after: () => router.history.replace('/sign-in'),
  });
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <FormFailure of={failure} />
        <PasswordInput
          label="New password"
          description="12 to 128 characters. Four random words make a good password."
          minLength={12}
          maxLength={128}
          autoComplete="new-password"
          required
          withAsterisk={false}
          {...form.getInputProps('new_password')}
        />
        <PasswordInput
          label="Confirm password"
          autoComplete="new-password"
          required
          withAsterisk={false}
          {...form.getInputProps('confirmation')}
        />
        <Button type="submit" size="sm" loading={pending}>
          Set password
        </Button>
      </Stack>
    </form>
  );
}
