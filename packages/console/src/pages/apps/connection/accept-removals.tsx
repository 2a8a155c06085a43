import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button } from '@mantine/core';
import { useState } from 'react';
import { useChange } from '../../../api/client.ts';
import { useMe } from '../../../api/me.ts';
import { Confirm } from '../../../kit/controls/confirm.tsx';
import type { App } from '../app.ts';
import { acceptRemovals, type Run } from './connector.ts';

/** A sync that would have removed too much, and the way to carry it out. */
export function AcceptRemovals({ app, sync }: { app: App; sync: Run }) {
  const { manages } = useMe();
  const { name } = app;
  const [asking, setAsking] = useState(false);
  const accept = useChange(() => acceptRemovals(app.external_uuid), {
    success: t`Sync started`,
    showFailure: false,
  });
  return (
    <Alert color="yellow" mb="md" title={t`The last sync would have removed a lot`}>
      {sync.error}
      {manages && (
        <div>
          <Button mt="sm" color="red" variant="outline" onClick={() => setAsking(true)}>
            <Trans>Accept the removals</Trans>
          </Button>
        </div>
      )}
      <Confirm
        opened={asking}
        close={() => setAsking(false)}
        title={t`Sync ${name} and accept its removals?`}
        action={t`Sync and remove`}
        act={() => accept.mutateAsync(undefined)}
      >
        <Trans>
          The sync lists the application again. Everything that it no longer has is removed from {name},
          unless the removal guard of the app holds it for a second look.
        </Trans>
      </Confirm>
    </Alert>
  );
}
