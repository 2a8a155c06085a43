import { Button, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { api, get, type Item, list, ok } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { useAddress } from '../../parts/address.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { TextLink } from '../../parts/links.tsx';
import { Moment } from '../../parts/moment.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Section } from '../../parts/section.tsx';
import { Status } from '../../parts/status.tsx';
import type { Column } from '../../parts/table-view.tsx';
import { grouped } from '../../parts/words.ts';
import { bodyOf, type CycleRow, DEFAULTS, frequencyWord } from './campaign.ts';
import { CampaignForm } from './campaign-form.tsx';
import { ProgressBar } from './cycle-progress.tsx';
import { MyReviews } from './my-reviews.tsx';
import classes from './reviews.module.css';
import { reviewsSearch } from './search.ts';

type Campaign = Item<'/api/reviews/'>;

export function ReviewsPage() {
  const [at, go] = useAddress(reviewsSearch);
  const { manages, readsAll, role } = useMe();
  return (
    <>
      <PageHeader
        title="Access reviews"
        about="Reviewers confirm or revoke access. Gatehouse keeps their decisions as evidence."
        actions={
          manages && (
            <Button leftSection={<IconPlus size={15} aria-hidden />} onClick={() => go({ new: true })}>
              Create campaign
            </Button>
          )
        }
      />
      {role !== 'auditor' && <MyReviews />}
      {readsAll && (
        <Section title="Campaigns">
          <Campaigns page={at.page} onPage={(page) => go({ page })} begin={() => go({ new: true })} />
        </Section>
      )}
      {manages && at.new === true && <NewCampaign close={() => go({ new: undefined })} />}
    </>
  );
}

interface CampaignsProps {
  page: number | undefined;
  onPage: (page: number | undefined) => void;
  begin: () => void;
}

function Campaigns({ page, onPage, begin }: CampaignsProps) {
  const { manages } = useMe();
  const cycleOf = useOpenCycles();
  const columns = useMemo(() => columnsOf(cycleOf), [cycleOf]);
  return (
    <DataTable<Campaign>
      label="Campaigns"
      noun="campaign"
      list={list('/api/reviews/')}
      columns={columns}
      rowId={({ external_uuid }) => external_uuid}
      href={({ external_uuid }) => `/reviews/${external_uuid}`}
      page={page}
      onPage={onPage}
      csv="campaigns"
      empty={
        <Empty title="No campaigns yet" actions={manages && <Button onClick={begin}>Create campaign</Button>}>
          A campaign defines whose access is reviewed, by whom and how often.
        </Empty>
      }
    />
  );
}

/** Returns the open cycles by campaign. Each campaign has at most one, and few are open at a time. */
function useOpenCycles(): ReadonlyMap<string, CycleRow> {
  const open = useQuery({
    ...get('/api/reviews/cycles/', { query: { status: 'in_progress', limit: 200 } }),
    placeholderData: keepPreviousData,
  });
  return useMemo(
    () => new Map((open.data?.results ?? []).map((cycle) => [cycle.campaign.external_uuid, cycle])),
    [open.data],
  );
}

const columnsOf = (cycleOf: ReadonlyMap<string, CycleRow>): Column<Campaign>[] => [
  { id: 'name', header: 'Name', cell: ({ name }) => name, csv: ({ name }) => name },
  {
    id: 'state',
    header: 'Status',
    cell: (campaign) => <State campaign={campaign} cycle={cycleOf.get(campaign.external_uuid)} />,
  },
  {
    id: 'progress',
    header: 'Decided',
    cell: ({ external_uuid }) => <OpenCycle cycle={cycleOf.get(external_uuid)} />,
  },
  {
    id: 'next_opens_at',
    header: 'Next review',
    cell: ({ next_opens_at }) => <Moment at={next_opens_at} none="When started manually" />,
    csv: ({ next_opens_at }) => next_opens_at,
  },
  {
    id: 'frequency',
    header: 'Frequency',
    cell: ({ frequency }) => frequencyWord(frequency),
    csv: ({ frequency }) => frequency,
  },
  {
    id: 'reviewer',
    header: 'Reviewer',
    cell: ({ reviewer }) => (typeof reviewer === 'string' ? REVIEWER_WORDS[reviewer] : 'Selected people'),
    csv: ({ reviewer }) => (typeof reviewer === 'string' ? reviewer : 'people'),
  },
];

const REVIEWER_WORDS = {
  manager: 'Manager',
  app_owner: 'App owner',
  account_owner: 'Account owner',
  group_owner: 'Group owner',
};

function State({ campaign, cycle }: { campaign: Campaign; cycle: CycleRow | undefined }) {
  if (cycle !== undefined) return <Status of="in_progress" />;
  if (campaign.next_opens_at !== null) return <Status of="scheduled" />;
  return <Status of="idle" look="idle" word="No open review" />;
}

function OpenCycle({ cycle }: { cycle: CycleRow | undefined }) {
  if (cycle === undefined)
    return (
      <Text span inherit c="dimmed" aria-label="No open review">
        –
      </Text>
    );
  const { decided, items } = cycle.progress;
  return (
    <div className={classes.bar}>
      <TextLink to="/reviews/cycles/$cycleId" params={{ cycleId: cycle.external_uuid }}>
        {grouped(decided)} of {grouped(items)}
      </TextLink>
      , due <Moment at={cycle.due_at} />
      <ProgressBar done={decided} of={items} label="Decided" />
    </div>
  );
}

function NewCampaign({ close }: { close: () => void }) {
  const navigate = useNavigate();
  return (
    <CampaignForm
      title="Create campaign"
      action="Create campaign"
      initialValues={DEFAULTS}
      close={close}
      send={(settings) => ok(api.POST('/api/reviews/', { body: bodyOf(settings) }))}
      success="Campaign created"
      after={({ external_uuid }) =>
        void navigate({ to: '/reviews/$reviewId', params: { reviewId: external_uuid } })
      }
    />
  );
}
