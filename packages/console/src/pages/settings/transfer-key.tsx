import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { api, ok } from '../../api/client.ts';
import { picker, useApiForm } from '../../kit/form/form.ts';
import { FormFailure } from '../../kit/form/form-failure.tsx';
import { PersonName, PersonPicker } from '../../people/person.tsx';

interface Props {
  id: string;
  /** The person for whom the key acts now, if known. */
  user: string | undefined;
  close: () => void;
}

/** Transfers an API key to another person. */
export function TransferKey({ id, user, close }: Props) {
  const { form, submit, pending, failure } = useApiForm({
    initialValues: { user: null as string | null },
    validate: { user: (chosen) => (chosen === null ? t`Select a person.` : null) },
    send: ({ user: to }) =>
      ok(
        api.POST('/api/api-keys/{key_id}/transfer/', {
          params: { path: { key_id: id } },
          body: { user: to ?? '' },
        }),
      ),
    success: ({ name }) => t`${name} was transferred`,
    after: close,
  });
  return (
    <Modal opened onClose={close} title={t`Transfer API key`}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Text size="sm">
            <Trans>
              The key itself stays the same. From now on it acts for the person you select, with that person's
              rights, and stops working when they are deactivated.
            </Trans>
          </Text>
          {user !== undefined && (
            <Text size="sm" c="dimmed">
              <Trans>
                It acts for <PersonName id={user} /> now.
              </Trans>
            </Text>
          )}
          <PersonPicker label={t`Person`} required {...picker(form.getInputProps('user'))} />
          <FormFailure of={failure} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              <Trans>Go back</Trans>
            </Button>
            <Button type="submit" loading={pending}>
              <Trans>Transfer key</Trans>
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
