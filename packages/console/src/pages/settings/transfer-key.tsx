import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { api, ok } from '../../api/client.ts';
import { picker, useApiForm } from '../../parts/form.ts';
import { FormFailure } from '../../parts/form-failure.tsx';
import { PersonName, PersonPicker } from '../../parts/person.tsx';

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
    validate: { user: (chosen) => (chosen === null ? 'Select a person.' : null) },
    send: ({ user: to }) =>
      ok(
        api.POST('/api/api-keys/{key_id}/transfer/', {
          params: { path: { key_id: id } },
          body: { user: to ?? '' },
        }),
      ),
    success: ({ name }) => `${name} was transferred`,
    after: close,
  });
  return (
    <Modal opened onClose={close} title="Transfer API key">
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Text size="sm">
            The key itself stays the same. From now on it acts for the person you select, with that person's
            rights, and stops working when they are deactivated.
          </Text>
          {user !== undefined && (
            <Text size="sm" c="dimmed">
              It acts for <PersonName id={user} /> now.
            </Text>
          )}
          <PersonPicker label="Person" required {...picker(form.getInputProps('user'))} />
          <FormFailure of={failure} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              Go back
            </Button>
            <Button type="submit" loading={pending}>
              Transfer key
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
