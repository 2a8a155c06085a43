import { t } from '@lingui/core/macro';
import { Plural } from '@lingui/react/macro';
import { Box, Skeleton, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { get } from '../../api/client.ts';
import { AccessTimeline } from '../../history/access-timeline.tsx';
import { PastControls } from '../../history/past-controls.tsx';
import { accountLabel } from '../../history/periods.ts';
import { useAddress } from '../../kit/browser/address.ts';
import { Failure } from '../../kit/controls/failure.tsx';
import { TextLink } from '../../kit/controls/links.tsx';
import { Moment } from '../../kit/controls/moment.tsx';
import { PageHeader } from '../../kit/controls/page-header.tsx';
import { Properties } from '../../kit/controls/properties.tsx';
import { Section } from '../../kit/controls/section.tsx';
import { Status } from '../../kit/controls/status.tsx';
import { TabList } from '../../kit/controls/tab-list.tsx';
import { Name } from '../../kit/text/name.tsx';
import { PersonLink } from '../../people/person.tsx';
import { LicenseTrend } from '../apps/license-trend.tsx';
import { Seats } from '../apps/seats.tsx';
import { HiddenMembers } from '../apps/unseen-report.tsx';
import { Approvers } from './approvers.tsx';
import { type Entitlement, entitlementName, RISKS, TYPES } from './entitlement.ts';
import { EntitlementReach } from './entitlement-reach.tsx';
import { Members } from './members.tsx';
import { MembersThen } from './members-then.tsx';
import { entitlementSearch } from './search.ts';

/** A group or license of an app, and the accounts that have it. */
export function EntitlementPage() {
  const { resourceId } = useParams({ from: '/in/access/$resourceId' });
  const [at, go] = useAddress(entitlementSearch);
  const {
    data: of,
    error,
    refetch,
  } = useQuery(get('/api/resources/{resource_id}/', { path: { resource_id: resourceId } }));
  const above = <TextLink to="/access">{t`Access`}</TextLink>;
  if (of === undefined) {
    return (
      <>
        <PageHeader title={t`Group or license`} above={above} />
        {error === null ? <Skeleton height={160} /> : <Failure error={error} again={() => void refetch()} />}
      </>
    );
  }
  const { app, slug, id, active } = of;
  return (
    <>
      <PageHeader
        title={entitlementName(of)}
        isName
        above={above}
        beside={!active && <Status of="INACTIVE" word={t`No longer in the app`} />}
        about={t`${{ type: TYPES[of.type] }} in ${{ app: app.name }}`}
      />
      <PastControls of={{ app: app.external_uuid, slug, resource: id }} at={at} go={go} />
      {at.as_of === undefined ? <Now key={resourceId} of={of} /> : <MembersThen of={of} at={at} go={go} />}
    </>
  );
}

function Now({ of }: { of: Entitlement }) {
  const [at, go] = useAddress(entitlementSearch);
  const { app, slug, id, external_uuid } = of;
  const name = entitlementName(of);
  const filter = { app: app.external_uuid, slug, resource: id };
  const tab = at.tab ?? 'accounts';
  return (
    <>
      <Section title={t`Details`}>
        <Facts of={of} />
      </Section>
      <HiddenMembers of={of} />
      <Tabs
        value={tab}
        onChange={(next) => go({ tab: next === 'timeline' ? next : undefined, page: undefined })}
        keepMounted={false}
      >
        <TabList current={tab} mb="md">
          <Tabs.Tab value="accounts">
            {of.type === 'group' ? t`Accounts with this group` : t`Accounts with this license`}
          </Tabs.Tab>
          <Tabs.Tab value="timeline">{t`Timeline`}</Tabs.Tab>
        </TabList>
        <Tabs.Panel value="accounts">
          <Members of={of} />
          {of.type === 'license' && (
            <LicenseTrend app={app} license={{ id: external_uuid, name }} title={t`Last 12 months`} />
          )}
          <Box mt="md">
            <EntitlementReach appId={app.external_uuid} resourceId={external_uuid} name={name} />
          </Box>
        </Tabs.Panel>
        <Tabs.Panel value="timeline">
          <AccessTimeline filter={filter} at={at} go={go} nameOf={({ account }) => accountLabel(account)} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

function Facts({ of }: { of: Entitlement }) {
  const { app, description, risk, owner, owner_email, external_uuid, leavers, unused } = of;
  const filtered = { to: '/access/$resourceId', params: { resourceId: external_uuid } } as const;
  return (
    <Properties
      of={[
        [
          t`App`,
          <TextLink key="app" to="/apps/$appId" params={{ appId: app.external_uuid }}>
            <Name of={app.name} />
          </TextLink>,
        ],
        [t`Description`, description === '' ? undefined : <Name key="description" of={description} />],
        [t`Risk`, risk == null ? t`Not known` : RISKS[risk]],
        [t`Owner`, owner == null ? (owner_email ?? t`None`) : <PersonLink key="owner" of={owner} />],
        [t`Approvers`, <Approvers key="approvers" appId={app.external_uuid} />],
        [t`External ID`, <Name key="id" of={of.id} />],
        [t`Seats`, of.type === 'license' ? <Seats key="seats" license={of} /> : undefined],
        [
          t`Of people who have left`,
          (leavers ?? 0) === 0 ? (
            t`No accounts`
          ) : (
            <TextLink key="leavers" {...filtered} search={{ of_leavers: true }}>
              <Plural value={leavers ?? 0} one="# account" other="# accounts" />
            </TextLink>
          ),
        ],
        [
          t`Not used for 90 days`,
          unused === null ? (
            t`The app does not say when accounts are used.`
          ) : unused === 0 ? (
            t`No accounts`
          ) : (
            <TextLink key="unused" {...filtered} search={{ not_used_for_days: 90 }}>
              <Plural value={unused} one="# account" other="# accounts" />
            </TextLink>
          ),
        ],
        [t`Last reviewed`, <Moment key="reviewed" at={of.reviewed_at} none={t`Never`} />],
      ]}
    />
  );
}
