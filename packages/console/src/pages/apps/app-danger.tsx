import { Button, Group, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, ok, useChange } from '../../api/client.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { Section } from '../../parts/section.tsx';
import type { App } from './app.ts';

/** Disconnects, reconnects or archives an app. */
export function AppDanger({ app }: { app: App }) {
  const navigate = useNavigate();
  const [asking, setAsking] = useState<'disconnect' | 'archive'>();
  const params = { path: { app_id: app.external_uuid } };
  const disconnect = useChange(() => ok(api.POST('/api/apps/{app_id}/disconnect/', { params })), {
    success: `${app.name} disconnected`,
    showFailure: false,
  });
  const reconnect = useChange(() => ok(api.POST('/api/apps/{app_id}/reconnect/', { params })), {
    success: `${app.name} can connect again with its next sync`,
  });
  const archive = useChange(() => ok(api.DELETE('/api/apps/{app_id}/', { params })), {
    success: `${app.name} archived`,
    after: () => navigate({ to: '/apps' }),
    showFailure: false,
  });
  const close = () => setAsking(undefined);
  return (
    <Section title="Disconnect or archive">
      <Text size="sm" c="dimmed" mb="sm">
        A disconnected app keeps its data, and stays disconnected until an administrator reconnects it. An
        archived app disappears from all lists. Its history remains in the event log.
      </Text>
      <Group gap="xs">
        {app.configuration_status === 'DISCONNECTED' ? (
          <Button variant="default" loading={reconnect.isPending} onClick={() => reconnect.mutate(undefined)}>
            Reconnect app
          </Button>
        ) : (
          <Button variant="default" onClick={() => setAsking('disconnect')}>
            Disconnect app
          </Button>
        )}
        <Button color="red" variant="outline" onClick={() => setAsking('archive')}>
          Archive app
        </Button>
      </Group>
      <Confirm
        opened={asking === 'disconnect'}
        close={close}
        title={`Disconnect ${app.name}?`}
        action="Disconnect app"
        act={() => disconnect.mutateAsync(undefined)}
      >
        The app stays disconnected until an administrator reconnects it.
      </Confirm>
      <Confirm
        opened={asking === 'archive'}
        close={close}
        title={`Archive ${app.name}?`}
        action="Archive app"
        type={app.name}
        act={() => archive.mutateAsync(undefined)}
      >
        API keys lose access to the app, its open tasks and requests are canceled, and a running sync is
        stopped. This cannot be undone.
      </Confirm>
    </Section>
  );
}
