import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { api, ok, useChange } from '../../api/client.ts';
import { CodeBlock } from '../../kit/controls/code.tsx';
import { Dialog } from '../../kit/controls/dialog.tsx';
import { grouped } from '../../kit/text/words.ts';
import type { Webhook } from './webhook.tsx';

/** Sends an example event, and shows the reply. */
export function TestButton({ webhook: { id } }: { webhook: Webhook }) {
  const [opened, open] = useState(false);
  const close = () => open(false);
  const test = useChange(
    () => ok(api.POST('/api/webhooks/{webhook_id}/test/', { params: { path: { webhook_id: id } } })),
    { after: () => open(true) },
  );
  const { delivered, status, duration_ms, error, response } = test.data ?? {};
  const duration = grouped(duration_ms ?? 0);
  return (
    <>
      <Button variant="default" loading={test.isPending} onClick={() => test.mutate(undefined)}>
        <Trans>Send example</Trans>
      </Button>
      <Dialog
        opened={opened && test.data !== undefined}
        onClose={close}
        title={delivered ? t`The example was delivered` : t`The example was not delivered`}
      >
        <Stack gap="sm">
          {error !== null && error !== undefined && <Alert color="red">{error}</Alert>}
          <Text size="sm">
            {status == null
              ? t`There was no reply.`
              : t`The receiver replied ${status} after ${duration} ms.`}
          </Text>
          {response !== null && response !== undefined && <CodeBlock text={response} what={t`response`} />}
          <Group justify="flex-end">
            <Button onClick={close}>
              <Trans>Done</Trans>
            </Button>
          </Group>
        </Stack>
      </Dialog>
    </>
  );
}
