import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert } from '@mantine/core';
import { useMe } from '../../../api/me.ts';
import { ConfirmedButton } from '../../../kit/controls/confirmed-button.tsx';
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
          <ConfirmedButton
            mt="sm"
            variant="outline"
            label={t`Accept the removals`}
            title={t`Sync ${name} and accept its removals?`}
            action={t`Sync and remove`}
            act={() => acceptRemovals(app.external_uuid)}
            success={t`Sync started`}
          >
            <Trans>
              The sync lists the application again. Everything that it no longer has is removed from {name},
              unless the removal guard of the app holds it for a second look.
            </Trans>
          </ConfirmedButton>
        </div>
      )}
    </Alert>
  );
}
