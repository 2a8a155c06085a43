import { t } from '@lingui/core/macro';
import { Alert } from '@mantine/core';
import { useMe } from '../../../api/me.ts';
import { ActionButton } from '../../../kit/action/action-button.tsx';
import type { App } from '../app.ts';
import { acceptRemovals, type Run } from './connector.ts';

/** A sync that would have removed too much, and the way to carry it out. */
export function AcceptRemovals({ app, sync }: { app: App; sync: Run }) {
  const { manages } = useMe();
  const { name } = app;
  return (
    <Alert color="yellow" mb="md" title={t`The last sync would have removed a lot`}>
      {sync.error}
      {manages && (
        <div>
          <ActionButton
            mt="sm"
            variant="outline"
            label={t`Accept the removals`}
            of={{
              title: t`Sync ${name} and accept its removals?`,
              sentence: t`The sync lists the application again. Everything that it no longer has is removed from ${name}, unless the removal guard of the app holds it for a second look.`,
              button: t`Sync and remove`,
              danger: true,
              request: () => acceptRemovals(app.external_uuid),
              message: t`Sync started`,
            }}
          />
        </div>
      )}
    </Alert>
  );
}
