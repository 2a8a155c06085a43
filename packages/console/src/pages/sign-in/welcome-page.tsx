import { Alert, Button, PasswordInput, Stack, Text } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { api, ok } from '../../api/client.ts';
import { detailOf } from '../../api/error.ts';
import { ButtonLink } from '../../parts/links.tsx';
import { SignInFrame } from './sign-in-frame.tsx';

/** Where an administrator's one-time link leads: `/welcome#<token>`. The token never reaches a server's log. */
export function WelcomePage() {
  const [token] = useState(() => location.hash.slice(1));
  const router = useRouter();
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  const differs = again !== '' && again !== password;

  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (differs) return;
    setBusy(true);
    setFailure(undefined);
    try {
      await ok(api.POST('/auth/welcome/', { body: { token, new_password: password } }));
      router.history.replace('/sign-in');
    } catch (error) {
      setFailure(detailOf(error));
    } finally {
      setBusy(false);
    }
  };

  if (token === '') {
    return (
      <SignInFrame title="This link is not complete">
        <Text size="sm">Open the whole link that you were sent, or ask an administrator for a new one.</Text>
        <ButtonLink to="/sign-in" variant="default">
          Go to sign-in
        </ButtonLink>
      </SignInFrame>
    );
  }
  return (
    <SignInFrame title="Choose your password">
      {failure !== undefined && (
        <Alert color="red" role="alert">
          {failure}
        </Alert>
      )}
      <form onSubmit={(event) => void submit(event)}>
        <Stack gap="sm">
          <PasswordInput
            label="New password"
            autoComplete="new-password"
            required
            withAsterisk={false}
            value={password}
            onChange={({ currentTarget }) => setPassword(currentTarget.value)}
          />
          <PasswordInput
            label="The same again"
            autoComplete="new-password"
            required
            withAsterisk={false}
            error={differs ? 'The two are not the same' : null}
            value={again}
            onChange={({ currentTarget }) => setAgain(currentTarget.value)}
          />
          <Button type="submit" size="sm" loading={busy}>
            Set password
          </Button>
        </Stack>
      </form>
    </SignInFrame>
  );
}
