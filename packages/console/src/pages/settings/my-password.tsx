import '@mantine/core/styles/PasswordInput.css';
import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { api, ok, useChange } from '../../api/client.ts';
import { Section } from '../../parts/section.tsx';
import { Refused } from './refused.tsx';

const NOTHING = { current_password: '', new_password: '', again: '' };

export function MyPassword({ has }: { has: boolean }) {
  return (
    <Section title="Password">
      {has ? (
        <Form />
      ) : (
        <Text size="sm">
          You have none: you sign in another way. If you want one, ask an administrator for a sign-in link.
        </Text>
      )}
    </Section>
  );
}

function Form() {
  const [typed, setTyped] = useState(NOTHING);
  const change = useChange(
    ({ current_password, new_password }: typeof NOTHING) =>
      ok(api.POST('/auth/password/', { body: { current_password, new_password } })),
    {
      said: 'Your password is changed. Your other sessions have ended.',
      after: () => setTyped(NOTHING),
      tell: false,
    },
  );
  const differs = typed.again !== '' && typed.again !== typed.new_password;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!differs) change.mutate(typed);
  };
  const field = (name: keyof typeof NOTHING) => ({
    value: typed[name],
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => {
      const { value } = currentTarget;
      setTyped((now) => ({ ...now, [name]: value }));
    },
    required: true,
    withAsterisk: false,
    autoComplete: name === 'current_password' ? 'current-password' : 'new-password',
  });
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <PasswordInput label="Present password" {...field('current_password')} />
        <PasswordInput
          label="New password"
          description="8 to 128 characters."
          minLength={8}
          maxLength={128}
          {...field('new_password')}
        />
        <PasswordInput
          label="New password again"
          {...field('again')}
          {...(differs ? { error: 'The two are not the same.' } : {})}
        />
        <Refused error={change.error} />
        <Group>
          <Button type="submit" loading={change.isPending}>
            Change password
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
