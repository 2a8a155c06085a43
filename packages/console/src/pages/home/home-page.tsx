import { t } from '@lingui/core/macro';
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMe } from '../../api/me.ts';
import { overviewQuery } from '../../api/overview.ts';
import { useWork } from '../../api/work.ts';
import { OpenHolds } from '../../holds/open-holds.tsx';
import { Failure } from '../../kit/controls/failure.tsx';
import { lazyPart } from '../../kit/controls/lazy-part.tsx';
import { PageHeader } from '../../kit/controls/page-header.tsx';
import { MyAccess } from '../overview/my-access.tsx';
import { NextSteps } from '../overview/next-steps.tsx';
import { OrganizationOverview } from '../overview/organization-overview.tsx';
import { MyWork } from './my-work.tsx';

const FirstRun = lazyPart(async () => (await import('./first-run.tsx')).FirstRun);

/** The work of the person, and below it the state of the organization. Members see their own access instead. */
export function HomePage() {
  const { me, manages, readsAll } = useMe();
  const work = useWork();
  const overview = useQuery({ ...overviewQuery, enabled: readsAll, refetchInterval: 15_000 });
  const apps = overview.data?.apps.by_status;
  const empty = apps !== undefined && Object.keys(apps).length === 0;
  if (empty && manages) {
    return <FirstRun />;
  }
  return (
    <>
      <PageHeader title={t`Work`} about={me?.organization.name} />
      {work === undefined ? <Skeleton height={292} mb="xl" aria-hidden /> : <MyWork of={work} />}
      {work !== undefined && work.holds.count > 0 && <OpenHolds expected />}
      {manages && work !== undefined && <NextSteps />}
      {!readsAll && me && <MyAccess me={me} />}
      {overview.isError && overview.data === undefined && (
        <Failure error={overview.error} again={() => void overview.refetch()} />
      )}
      {overview.isLoading && <Skeleton height={480} aria-hidden />}
      {/* The work above would push it down. */}
      {overview.data && work !== undefined && <OrganizationOverview of={overview.data} />}
    </>
  );
}
