import { Alert, Button, Group, Modal, Stack, Textarea, TextInput } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { api, ok, useChange } from '../../api/client.ts';
import { detailOf } from '../../api/error.ts';

/** Asks the administrators to connect an application (app.connection_request.created). */
export function AskForApp({ opened, close }: { opened: boolean; close: () => void }) {
  const [name, setName] = useState('');
  const [reason, setReason] = useState('');
  const ask = useChange(
    (body: { app_name: string; reason: string }) => ok(api.POST('/api/connection-requests/', { body })),
    { said: 'The administrators can see it', after: close, tell: false },
  );
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    ask.mutate({ app_name: name.trim(), reason: reason.trim() });
  };
  return (
    <Modal opened={opened} onClose={close} title="Ask for an application to be connected">
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextInput
            label="Application"
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            required
            maxLength={255}
            data-autofocus
          />
          <Textarea
            label="What it is needed for"
            value={reason}
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
            maxLength={2000}
            rows={3}
          />
          {ask.isError && (
            <Alert color="red" role="alert">
              {detailOf(ask.error)}
            </Alert>
          )}
          <Group justify="flex-end">
            <Button type="submit" loading={ask.isPending}>
              Ask
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
