import { t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { Alert, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { get } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { useAddress } from '../../kit/browser/address.ts';
import { Empty } from '../../kit/controls/empty.tsx';
import { Failure } from '../../kit/controls/failure.tsx';
import { ButtonLink, TextLink } from '../../kit/controls/links.tsx';
import { PageHeader } from '../../kit/controls/page-header.tsx';
import type { App } from '../apps/app.ts';
import { SyncChanges, usePlan } from '../apps/sync-changes.tsx';
import { AccountsBelong } from './ownership.tsx';
import { uploadSearch } from './search.ts';
import { uploadsOf } from './upload.ts';
import { UploadWizard } from './wizard.tsx';

/** Uploads a spreadsheet as a sync of an app. */
export function AppUploadPage() {
  const { appId } = useParams({ from: '/in/apps/$appId/upload' });
  const { manages } = useMe();
  const [{ upload }] = useAddress(uploadSearch);
  const app = useQuery(get('/api/apps/{app_id}/', { path: { app_id: appId } }));
  const types = useQuery(
    get('/api/apps/{app_id}/resource-types/', { path: { app_id: appId }, query: { limit: 200 } }),
  );
  const target = { ...uploadsOf(appId), types: types.data?.results ?? [] };
  return (
    <>
      <PageHeader
        title={t`Upload a spreadsheet`}
        above={
          <TextLink to="/apps/$appId" params={{ appId }}>
            {app.data?.name ?? t`App`}
          </TextLink>
        }
      />
      {app.isError && app.data === undefined && <Failure error={app.error} />}
      {!manages && (
        <Empty title={t`Your role does not allow this`}>
          {t`Only owners and administrators can upload spreadsheets.`}
        </Empty>
      )}
      {manages && upload === undefined && app.data?.last_synced_at === null && (
        <Text size="sm" mb="md">
          <Trans>
            Without a file,{' '}
            <TextLink to="/apps/$appId/accounts" params={{ appId }} underline="always">
              enter the accounts by hand
            </TextLink>
            .
          </Trans>
        </Text>
      )}
      {manages && app.data && (
        <UploadWizard
          target={target}
          plan={({ sync_id }) => sync_id !== null && <Plan app={app.data} syncId={sync_id} />}
          after={({ ownership }) => <AccountsBelong appId={appId} of={ownership} />}
          done={({ sync_id }) =>
            sync_id !== null && (
              <ButtonLink
                to="/apps/$appId/syncs/$syncId"
                params={{ appId, syncId: sync_id }}
                variant="default"
              >
                {t`Show the sync`}
              </ButtonLink>
            )
          }
        />
      )}
    </>
  );
}

function Plan({ app, syncId }: { app: App; syncId: string }) {
  const held = usePlan(app, syncId).ready?.held ?? null;
  return (
    <>
      {held !== null && (
        <Alert color="yellow" mb="md" title={t`The removal guard will hold the removals`}>
          <Trans>
            Applying this file would remove{' '}
            <Plural value={held.accounts} one="# account" other="# accounts" /> and{' '}
            <Plural value={held.memberships} one="# membership" other="# memberships" />, more than the app
            may lose in a day. The removals then wait for an approval on the Syncs tab.
          </Trans>
        </Alert>
      )}
      <SyncChanges app={app} syncId={syncId} />
    </>
  );
}
