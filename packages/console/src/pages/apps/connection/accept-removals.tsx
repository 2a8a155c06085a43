import { Alert, Button } from '@mantine/core';
import { useState } from 'react';
import { useChange } from '../../../api/client.ts';
import { useMe } from '../../../api/me.ts';
import { Confirm } from '../../../parts/confirm.tsx';
import type { App } from '../app.ts';
import { acceptRemovals, type Run } from './connector.ts';

/** A sync that would have removed too much, and the way to carry it out. */
export function AcceptRemovals({ app, sync }: { app: App; sync: Run }) {
  const { manages } = useMe();
  const [asking, setAsking] = useState(false);
  const accept = useChange(() => acceptRemovals(app.external_uuid), {
    success: 'Sync started',
    showFailure: false,
  });
  return (
    <Alert color="yellow" mb="md" title="The last sync would have removed a lot">
      {sync.error}
      {manages && (
        <div>
          <Button mt="sm" color="red" variant="outline" onClick={() => setAsking(true)}>
            Accept the removals
          </Button>
        </div>
      )}
      <Confirm
        opened={asking}
        close={() => setAsking(false)}
        title={`Sync ${app.name} and accept its removals?`}
        action="Sync and remove"
        act={() => accept.mutateAsync(undefined)}
      >
        The sync lists the application again. Everything that it no longer has is removed from {app.name},
        unless the removal guard of the app holds it for a second look.
      </Confirm>
    </Alert>
  );
}
