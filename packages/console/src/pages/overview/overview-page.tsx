import { t } from '@lingui/core/macro';
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { get } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { OpenHolds } from '../../holds/open-holds.tsx';
import { Failure } from '../../kit/controls/failure.tsx';
import { lazyPart } from '../../kit/controls/lazy-part.tsx';
import { PageHeader } from '../../kit/controls/page-header.tsx';
import { MyAccess } from './my-access.tsx';
import { NextSteps } from './next-steps.tsx';
import { OrganizationOverview } from './organization-overview.tsx';
import { Waiting } from './waiting.tsx';

const FirstRun = lazyPart(async () => (await import('./first-run.tsx')).FirstRun);

/** The organization's state and the person's pending decisions. Members see their own access instead. */
export function OverviewPage() {
  const { me, manages, readsAll } = useMe();
  const overview = useQuery({ ...get('/api/overview/'), enabled: readsAll, refetchInterval: 15_000 });
  const apps = overview.data?.apps.by_status;
  const empty = apps !== undefined && Object.keys(apps).length === 0;
  if (empty && manages) {
    return <FirstRun />;
  }
  return (
    <>
      <PageHeader title={t`Overview`} about={me?.organization.name} />
      {manages && <NextSteps />}
      <OpenHolds />
      <Waiting />
      {!readsAll && me && <MyAccess me={me} />}
      {overview.isError && overview.data === undefined && (
        <Failure error={overview.error} again={() => void overview.refetch()} />
      )}
      {overview.isLoading && <Skeleton height={240} aria-hidden />}
      {overview.data && <OrganizationOverview of={overview.data} />}
    </>
  );
}
