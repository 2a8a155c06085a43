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

/** Creates an app and opens it. */
export function NewApp({ opened, close, suggested = '' }: Props) {
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
    <Modal opened={opened} onClose={close} title="New app">
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextInput
            label="Name"
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
    </Modal>
  );
}
