import { Alert } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { get } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { ButtonLink, TextLink } from '../../parts/links.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { counted } from '../../parts/words.ts';
import type { App } from '../apps/app.ts';
import { SyncChanges, usePlan } from '../apps/sync-changes.tsx';
import { ACCOUNT_FIELDS } from './upload.ts';
import { UploadWizard } from './wizard.tsx';

/** Uploads a spreadsheet as a sync of an app. */
export function AppUploadPage() {
  const { appId } = useParams({ from: '/in/apps/$appId/upload' });
  const { manages } = useMe();
  const app = useQuery(get('/api/apps/{app_id}/', { path: { app_id: appId } }));
  const types = useQuery(
    get('/api/apps/{app_id}/resource-types/', { path: { app_id: appId }, query: { limit: 200 } }),
  );
  const target = {
    path: `/api/apps/${appId}/uploads/`,
    kind: 'accounts',
    fields: ACCOUNT_FIELDS,
    types: types.data?.results ?? [],
  } as const;
  return (
    <>
      <PageHeader
        title="Upload a spreadsheet"
        above={
          <TextLink to="/apps/$appId" params={{ appId }}>
            {app.data?.name ?? 'App'}
          </TextLink>
        }
      />
      {app.isError && app.data === undefined && <Failure error={app.error} />}
      {!manages && (
        <Empty title="Your role does not allow this">
          Only owners and administrators can upload spreadsheets.
        </Empty>
      )}
      {manages && app.data && (
        <UploadWizard
          target={target}
          plan={({ sync_id }) => sync_id !== null && <Plan app={app.data} syncId={sync_id} />}
          done={({ sync_id }) => (
            <ButtonLink
              to="/apps/$appId"
              params={{ appId }}
              search={{ tab: 'syncs', sync: sync_id ?? undefined }}
            >
              Show the sync
            </ButtonLink>
          )}
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
        <Alert color="yellow" mb="md" title="The removal guard will hold the removals">
          Applying this file would remove {counted(held.accounts, 'account')} and{' '}
          {counted(held.memberships, 'membership')}, more than the app may lose in a day. The removals then
          wait for an approval on the Syncs tab.
        </Alert>
      )}
      <SyncChanges app={app} syncId={syncId} />
    </>
  );
}
