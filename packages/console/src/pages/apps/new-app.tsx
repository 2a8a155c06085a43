import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { api, ok } from '../../api/client.ts';
import { useApiForm } from '../../parts/form.ts';
import { FormFailure } from '../../parts/form-failure.tsx';

interface Props {
  opened: boolean;
  close: () => void;
  /** The initial name. */
  suggested: string | undefined;
}

export function NewApp({ opened, close, suggested = '' }: Props) {
  return (
    <Modal opened={opened} onClose={close} title="Create app">
      <NewAppForm suggested={suggested} />
    </Modal>
  );
}

/** Creates an app and opens its page. */
export function NewAppForm({ suggested }: { suggested: string }) {
  const navigate = useNavigate();
  const { form, submit, pending, failure } = useApiForm({
    initialValues: { name: suggested },
    send: ({ name }) => ok(api.POST('/api/v1/bridge/apps/', { body: { name: name.trim() } })),
    after: ({ id }) => void navigate({ to: '/apps/$appId', params: { appId: id } }),
  });
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          label="App name"
          description="The name that people use, such as Payroll or GitHub."
          {...form.getInputProps('name')}
          required
          maxLength={255}
          data-autofocus
        />
        <FormFailure of={failure} />
        <Group justify="flex-end">
          <Button type="submit" loading={pending}>
            Create app
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
