import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, ok, useChange } from '../../api/client.ts';
import { Confirm } from '../../kit/controls/confirm.tsx';
import { Section } from '../../kit/controls/section.tsx';
import type { App } from './app.ts';

/** Disconnects, reconnects or archives an app. */
export function AppDanger({ app }: { app: App }) {
  const navigate = useNavigate();
  const [asking, setAsking] = useState<'disconnect' | 'archive'>();
  const { name } = app;
  const params = { path: { app_id: app.external_uuid } };
  const disconnect = useChange(() => ok(api.POST('/api/apps/{app_id}/disconnect/', { params })), {
    success: t`${name} disconnected`,
    showFailure: false,
  });
  const reconnect = useChange(() => ok(api.POST('/api/apps/{app_id}/reconnect/', { params })), {
    success: t`${name} can connect again with its next sync`,
  });
  const archive = useChange(() => ok(api.DELETE('/api/apps/{app_id}/', { params })), {
    success: t`${name} archived`,
    after: () => navigate({ to: '/apps' }),
    showFailure: false,
  });
  const close = () => setAsking(undefined);
  return (
    <Section title={t`Disconnect or archive`}>
      <Text size="sm" c="dimmed" mb="sm">
        <Trans>
          A disconnected app keeps its data, and stays disconnected until an administrator reconnects it. An
          archived app disappears from all lists. Its history remains in the event log.
        </Trans>
      </Text>
      <Group gap="xs">
        {app.configuration_status === 'DISCONNECTED' ? (
          <Button variant="default" loading={reconnect.isPending} onClick={() => reconnect.mutate(undefined)}>
            <Trans>Reconnect app</Trans>
          </Button>
        ) : (
          <Button variant="default" onClick={() => setAsking('disconnect')}>
            <Trans>Disconnect app</Trans>
          </Button>
        )}
        <Button color="red" variant="outline" onClick={() => setAsking('archive')}>
          <Trans>Archive app</Trans>
        </Button>
      </Group>
      <Confirm
        opened={asking === 'disconnect'}
        close={close}
        title={t`Disconnect ${name}?`}
        action={t`Disconnect app`}
        act={() => disconnect.mutateAsync(undefined)}
      >
        <Trans>The app stays disconnected until an administrator reconnects it.</Trans>
      </Confirm>
      <Confirm
        opened={asking === 'archive'}
        close={close}
        title={t`Archive ${name}?`}
        action={t`Archive app`}
        type={name}
        act={() => archive.mutateAsync(undefined)}
      >
        <Trans>
          API keys lose access to the app, its open tasks and requests are canceled, and a running sync is
          stopped. This cannot be undone.
        </Trans>
      </Confirm>
    </Section>
  );
}
