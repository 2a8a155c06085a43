import { t } from '@lingui/core/macro';
import { Button, Group, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { api, ok, useChange } from '../../api/client.ts';
import { ActionButton } from '../../kit/action/action-button.tsx';
import { Section } from '../../kit/controls/section.tsx';
import type { App } from './app.ts';

/** Disconnects, reconnects or archives an app. */
export function AppDanger({ app }: { app: App }) {
  const navigate = useNavigate();
  const { name } = app;
  const params = { path: { app_id: app.external_uuid } };
  const reconnect = useChange(() => ok(api.POST('/api/apps/{app_id}/reconnect/', { params })), {
    success: t`${name} can connect again with its next sync`,
  });
  return (
    <Section title={t`Disconnect or archive`}>
      <Text size="sm" c="dimmed" mb="sm">
        {t`A disconnected app keeps its data, and stays disconnected until an administrator reconnects it. An archived app disappears from all lists. Its history remains in the event log.`}
      </Text>
      <Group gap="xs">
        {app.configuration_status === 'DISCONNECTED' ? (
          <Button variant="default" loading={reconnect.isPending} onClick={() => reconnect.mutate(undefined)}>
            {t`Reconnect app`}
          </Button>
        ) : (
          <ActionButton
            variant="default"
            label={t`Disconnect app`}
            of={{
              title: t`Disconnect ${name}?`,
              sentence: t`The app stays disconnected until an administrator reconnects it.`,
              button: t`Disconnect app`,
              danger: true,
              request: () => ok(api.POST('/api/apps/{app_id}/disconnect/', { params })),
              message: t`${name} disconnected`,
            }}
          />
        )}
        <ActionButton
          variant="outline"
          label={t`Archive app`}
          of={{
            title: t`Archive ${name}?`,
            sentence: t`API keys lose access to the app, its open tasks and requests are canceled, and a running sync is stopped. This cannot be undone.`,
            button: t`Archive app`,
            type: name,
            request: () => ok(api.DELETE('/api/apps/{app_id}/', { params })),
            message: t`${name} archived`,
            after: () => navigate({ to: '/apps' }),
          }}
        />
      </Group>
    </Section>
  );
}
