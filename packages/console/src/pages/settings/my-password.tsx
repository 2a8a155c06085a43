import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import '@mantine/core/styles/PasswordInput.css';
import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { api, ok } from '../../api/client.ts';
import { Section } from '../../kit/controls/section.tsx';
import { useApiForm } from '../../kit/form/form.ts';
import { FormFailure } from '../../kit/form/form-failure.tsx';
import { confirmWith } from '../../sign-in/confirmation.tsx';

export function MyPassword({ has }: { has: boolean }) {
  return (
    <Section title={t`Password`}>
      {has ? (
        <PasswordForm />
      ) : (
        <Text size="sm">
          <Trans>You have no password. To set one, ask an administrator for a one-time link.</Trans>
        </Text>
      )}
    </Section>
  );
}

function PasswordForm() {
  const { form, submit, pending, failure } = useApiForm({
    initialValues: { current_password: '', new_password: '', confirmation: '' },
    validate: {
      confirmation: (confirmation, { new_password }) =>
        confirmation === new_password ? null : t`The passwords do not match.`,
    },
    send: async ({ current_password, new_password }) => {
      await confirmWith(current_password);
      return ok(api.POST('/auth/password/', { body: { current_password, new_password } }));
    },
    success: t`Password changed. All your other sessions have ended.`,
    after: () => {
      form.reset();
    },
  });
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <PasswordInput
          label={t`Current password`}
          autoComplete="current-password"
          required
          withAsterisk={false}
          {...form.getInputProps('current_password')}
        />
        <PasswordInput
          label={t`New password`}
          description={t`12 to 128 characters. Four random words make a good password.`}
          autoComplete="new-password"
          required
          withAsterisk={false}
          minLength={12}
          maxLength={128}
          {...form.getInputProps('new_password')}
        />
        <PasswordInput
          label={t`Confirm password`}
          autoComplete="new-password"
          required
          withAsterisk={false}
          {...form.getInputProps('confirmation')}
        />
        <FormFailure of={failure} />
        <Group>
          <Button type="submit" loading={pending}>
            <Trans>Change password</Trans>
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
