import '@mantine/core/styles/NumberInput.css';
import { Alert, Button, Group, Modal, NumberInput, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { api, get, ok, useChange } from '../../api/client.ts';
import { detailOf } from '../../api/error.ts';

/** How many tasks one firing may create without being asked about. */
export function LimitDialog({ close }: { close: () => void }) {
  const settings = useQuery(get('/api/policies/settings/'));
  const [typed, setTyped] = useState<number>();
  const limit = typed ?? settings.data?.task_limit;
  const change = useChange(
    (task_limit: number) => ok(api.PATCH('/api/policies/settings/', { body: { task_limit } })),
    {
      said: 'Limit changed',
      tell: false,
      after: close,
    },
  );
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (limit !== undefined) change.mutate(limit);
  };
  return (
    <Modal opened onClose={close} title="Limit of one firing">
      <form onSubmit={submit}>
        <Stack gap="sm">
          <NumberInput
            label="Tasks"
            description="What one policy may create at once without a confirmation: so that a bad import, or a bad condition, does not take everybody's access."
            value={limit ?? ''}
            onChange={(value) => setTyped(Number(value) || 1)}
            min={1}
            max={2_147_483_647}
            allowDecimal={false}
            thousandSeparator=","
            required
            data-autofocus
          />
          {change.isError && (
            <Alert color="red" role="alert">
              {detailOf(change.error)}
            </Alert>
          )}
          <Group justify="flex-end">
            <Button type="submit" loading={change.isPending}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
