import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Stack, Text } from '@mantine/core';
import { api, ok } from '../../api/client.ts';
import { Section } from '../../kit/controls/section.tsx';
import { Fields, useFields } from '../../kit/form/fields.tsx';
import { FormFailure } from '../../kit/form/form-failure.tsx';
import { confirmWith } from '../../sign-in/confirmation.tsx';
import { bothMatch, currentPassword, NEW_PASSWORD } from '../../sign-in/password-fields.ts';

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

const FIELDS = { current_password: currentPassword(t`Current password`), ...NEW_PASSWORD };

function PasswordForm() {
  const fields = useFields(FIELDS, {
    validate: bothMatch,
    send: async ({ current_password, new_password }) => {
      await confirmWith(current_password);
      return ok(api.POST('/auth/password/', { body: { current_password, new_password } }));
    },
    success: t`Password changed. All your other sessions have ended.`,
    after: () => {
      fields.form.reset();
    },
  });
  return (
    <form onSubmit={fields.submit}>
      <Stack gap="sm">
        <Fields of={fields} />
        <FormFailure of={fields.failure} />
        <Group>
          <Button type="submit" loading={fields.pending}>
            <Trans>Change password</Trans>
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
