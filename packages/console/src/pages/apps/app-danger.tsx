import { Button, Group, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, ok, useChange } from '../../api/client.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { Section } from '../../parts/section.tsx';
import type { App } from './app.ts';

/** Disconnect, take that back, archive. */
export function AppDanger({ app }: { app: App }) {
  const navigate = useNavigate();
  const [asking, setAsking] = useState<'disconnect' | 'archive'>();
  const params = { path: { app_id: app.external_uuid } };
  const disconnect = useChange(() => ok(api.POST('/api/apps/{app_id}/disconnect/', { params })), {
    said: `${app.name} is disconnected`,
    tell: false,
  });
  const reconnect = useChange(() => ok(api.POST('/api/apps/{app_id}/reconnect/', { params })), {
    said: 'A sync or a check may connect it again',
  });
  const archive = useChange(() => ok(api.DELETE('/api/apps/{app_id}/', { params })), {
    said: `${app.name} is archived`,
    after: () => navigate({ to: '/apps' }),
    tell: false,
  });
  const close = () => setAsking(undefined);
  return (
    <Section title="Disconnect or archive">
      <Text size="sm" c="dimmed" mb="sm">
        A disconnected app keeps what is known of it; no sync and no check connects it again until an
        administrator does. An archived app is gone from every list; its history stays in the events.
      </Text>
      <Group gap="xs">
        {app.configuration_status === 'DISCONNECTED' ? (
          <Button variant="default" loading={reconnect.isPending} onClick={() => reconnect.mutate(undefined)}>
            Reconnect
          </Button>
        ) : (
          <Button variant="default" onClick={() => setAsking('disconnect')}>
            Disconnect
          </Button>
        )}
        <Button color="red" variant="outline" onClick={() => setAsking('archive')}>
          Archive
        </Button>
      </Group>
      <Confirm
        opened={asking === 'disconnect'}
        close={close}
        title={`Disconnect ${app.name}?`}
        action="Disconnect"
        act={() => disconnect.mutateAsync(undefined)}
      >
        It is shown as disconnected until an administrator reconnects it.
      </Confirm>
      <Confirm
        opened={asking === 'archive'}
        close={close}
        title={`Archive ${app.name}?`}
        action="Archive"
        type={app.name}
        act={() => archive.mutateAsync(undefined)}
      >
        Its keys no longer reach it, its open tasks and requests are cancelled, and a running sync ends. This
        cannot be taken back.
      </Confirm>
    </Section>
  );
}
