import { Alert, Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { api, ok, useChange } from '../../api/client.ts';
import { detailOf } from '../../api/error.ts';

interface Props {
  opened: boolean;
  close: () => void;
  /** A name to begin with. */
  suggested: string | undefined;
}

export function NewApp({ opened, close, suggested = '' }: Props) {
  return (
    <Modal opened={opened} onClose={close} title="New app">
      <NewAppForm suggested={suggested} />
    </Modal>
  );
}

/** Creates an app and opens it. */
export function NewAppForm({ suggested }: { suggested: string }) {
  const navigate = useNavigate();
  const [name, setName] = useState(suggested);
  const create = useChange(
    (given: string) => ok(api.POST('/api/v1/bridge/apps/', { body: { name: given } })),
    {
      tell: false,
      after: ({ id }) => void navigate({ to: '/apps/$appId', params: { appId: id } }),
    },
  );
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    create.mutate(name.trim());
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          label="Name of the app"
          description="As people know it: Payroll, GitHub, the wiki."
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          required
          maxLength={255}
          data-autofocus
        />
        {create.isError && (
          <Alert color="red" role="alert">
            {detailOf(create.error)}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button type="submit" loading={create.isPending}>
            Create app
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
