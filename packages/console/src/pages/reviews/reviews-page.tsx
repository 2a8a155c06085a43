import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { get, type Item, list } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { useAddress } from '../../kit/browser/address.ts';
import { ButtonLink, TextLink } from '../../kit/controls/links.tsx';
import { PageHeader } from '../../kit/controls/page-header.tsx';
import { Pending } from '../../kit/controls/pending.tsx';
import { Section } from '../../kit/controls/section.tsx';
import { Status } from '../../kit/controls/status.tsx';
import { IconPlus } from '../../kit/icons/icons.ts';
import * as column from '../../kit/table/columns.tsx';
import { ListTable } from '../../kit/table/list-table.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { grouped } from '../../kit/text/words.ts';
import { type CycleRow, frequencyWord } from './campaign.ts';
import { ProgressBar } from './cycle-progress.tsx';
import { Due } from './due.tsx';
import { MyReviews } from './my-reviews.tsx';
import classes from './reviews.module.css';
import { reviewsSearch } from './search.ts';

type Campaign = Item<'/api/reviews/'>;

export function ReviewsPage() {
  const { manages, readsAll, role } = useMe();
  return (
    <>
      <PageHeader
        title={t`Access reviews`}
        about={t`Reviewers confirm or revoke access. Gatehouse keeps their decisions as evidence.`}
        actions={
          manages && (
            <ButtonLink to="/reviews/new" leftSection={<IconPlus size={15} aria-hidden />}>
              {t`Create campaign`}
            </ButtonLink>
          )
        }
      />
      {role !== 'auditor' && <MyReviews />}
      {readsAll && (
        <Section title={t`Campaigns`}>
          <Campaigns />
        </Section>
      )}
    </>
  );
}

function Campaigns() {
  const [at, go] = useAddress(reviewsSearch);
  const { manages } = useMe();
  const cycleOf = useOpenCycles();
  const columns = useMemo(() => columnsOf(cycleOf), [cycleOf]);
  return (
    <ListTable
      address={[at, go]}
      label={t`Campaigns`}
      counted={(n) => plural(n, { one: '# campaign', other: '# campaigns' })}
      list={list('/api/reviews/')}
      columns={columns}
      href={({ external_uuid }) => `/reviews/${external_uuid}`}
      csv="campaigns"
      empty={{
        title: t`No campaigns yet`,
        text: t`A campaign defines whose access is reviewed, by whom and how often.`,
        actions: manages && <ButtonLink to="/reviews/new">{t`Create campaign`}</ButtonLink>,
      }}
    />
  );
}

/** Returns the open cycle of a campaign: null if there is none, and undefined while this loads. */
type CycleOf = (campaign: Campaign) => CycleRow | null | undefined;

/** Returns the open cycles by campaign. Each campaign has at most one, and few are open at a time. */
function useOpenCycles(): CycleOf {
  const open = useQuery({
    ...get('/api/reviews/cycles/', { query: { status: 'in_progress', limit: 200 } }),
    placeholderData: keepPreviousData,
  });
  return useMemo(() => {
    const cycles =
      open.data && new Map(open.data.results.map((cycle) => [cycle.campaign.external_uuid, cycle]));
    return ({ external_uuid }) => cycles && (cycles.get(external_uuid) ?? null);
  }, [open.data]);
}

const columnsOf = (cycleOf: CycleOf): Column<Campaign>[] => [
  column.text('name', t`Name`),
  column.cell('state', t`Status`, (campaign) => <State campaign={campaign} cycle={cycleOf(campaign)} />),
  column.cell('progress', t`Decided`, (campaign) => <OpenCycle cycle={cycleOf(campaign)} />),
  column.moment('next_opens_at', t`Next review`, { none: t`When started manually` }),
  column.code('frequency', t`Frequency`, frequencyWord),
  column.text(
    'reviewer',
    t`Reviewer`,
    ({ reviewer }) => (typeof reviewer === 'string' ? REVIEWER_WORDS[reviewer] : t`Selected people`),
    { csv: ({ reviewer }) => (typeof reviewer === 'string' ? reviewer : 'people') },
  ),
];

const REVIEWER_WORDS = {
  manager: t`Manager`,
  app_owner: t`App owner`,
  account_owner: t`Account owner`,
  group_owner: t`Group owner`,
};

function State({ campaign, cycle }: { campaign: Campaign; cycle: CycleRow | null | undefined }) {
  if (cycle === undefined) return <Pending />;
  if (cycle !== null) return <Status of="in_progress" />;
  if (campaign.next_opens_at !== null) return <Status of="scheduled" />;
  return <Status of="idle" look="idle" word={t`No open review`} />;
}

function OpenCycle({ cycle }: { cycle: CycleRow | null | undefined }) {
  if (cycle === undefined) return <Pending />;
  if (cycle === null)
    return (
      <Text span inherit c="dimmed" aria-label={t`No open review`}>
        –
      </Text>
    );
  const { progress, due_at } = cycle;
  const decided = grouped(progress.decided);
  const items = grouped(progress.items);
  return (
    <div className={classes.bar}>
      <Trans>
        <TextLink to="/reviews/cycles/$cycleId" params={{ cycleId: cycle.external_uuid }}>
          {decided} of {items}
        </TextLink>
        , due <Due at={due_at} />
      </Trans>
      <ProgressBar done={progress.decided} of={progress.items} label={t`Decided`} />
    </div>
  );
}
