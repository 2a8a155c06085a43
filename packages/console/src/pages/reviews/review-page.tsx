import { Button, Text } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { api, get, list, ok, useChange } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { useAddress } from '../../parts/address.ts';
import { AppName } from '../../parts/app-name.tsx';
import { CodeBlock } from '../../parts/code.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { ButtonLink, TextLink } from '../../parts/links.tsx';
import { Moment } from '../../parts/moment.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { PersonName } from '../../parts/person.tsx';
import { Properties } from '../../parts/properties.tsx';
import { Section } from '../../parts/section.tsx';
import { Status } from '../../parts/status.tsx';
import type { Column } from '../../parts/table-view.tsx';
import { counted, grouped } from '../../parts/words.ts';
import { bodyOf, type Campaign, type CycleRow, REVIEWERS, sentences, settingsOf } from './campaign.ts';
import { CampaignForm } from './campaign-form.tsx';
import { ProgressBar } from './cycle-progress.tsx';
import { Evidence } from './evidence.tsx';
import classes from './reviews.module.css';
import { reviewSearch } from './search.ts';

const Above = () => <TextLink to="/reviews">Access reviews</TextLink>;

export function ReviewPage() {
  const { reviewId } = useParams({ from: '/in/reviews/$reviewId' });
  const campaign = useQuery(get('/api/reviews/{review_id}/', { path: { review_id: reviewId } }));
  if (campaign.data === undefined) {
    return (
      <>
        <PageHeader title="Campaign" above={<Above />} />
        {campaign.isError && <Failure error={campaign.error} again={() => void campaign.refetch()} />}
      </>
    );
  }
  return <CampaignView campaign={campaign.data} />;
}

function CampaignView({ campaign }: { campaign: Campaign }) {
  const [at, go] = useAddress(reviewSearch);
  const { manages } = useMe();
  const id = campaign.external_uuid;
  return (
    <>
      <PageHeader
        title={campaign.name}
        above={<Above />}
        actions={
          manages && (
            <>
              <StartOrOpen reviewId={id} start={() => go({ dialog: 'start', page: at.page })} />
              <Button variant="default" onClick={() => go({ dialog: 'edit', page: at.page })}>
                Edit campaign
              </Button>
              <Button variant="default" color="red" onClick={() => go({ dialog: 'delete', page: at.page })}>
                Delete campaign
              </Button>
            </>
          )
        }
      />
      <section className={classes.sentences} aria-label="Summary">
        {sentences(settingsOf(campaign)).map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </section>
      <Section title="Reviews">
        <DataTable<CycleRow>
          label="Reviews"
          noun="review"
          list={list('/api/reviews/{review_id}/cycles/', { path: { review_id: id } })}
          columns={columns}
          rowId={({ external_uuid }) => external_uuid}
          href={({ external_uuid }) => `/reviews/cycles/${external_uuid}`}
          page={at.page}
          onPage={(page) => go({ page })}
          empty={
            <Empty title="No reviews yet">Start a review now, or wait for the next scheduled one.</Empty>
          }
        />
      </Section>
      <Section title="Settings">
        <SettingsList campaign={campaign} />
      </Section>
      {manages && <Dialogs campaign={campaign} dialog={at.dialog} close={() => go({ dialog: undefined })} />}
    </>
  );
}

/** Whether a cycle is open, or is collecting its items to open. */
const isOpen = ({ status, opening }: CycleRow) =>
  status === 'in_progress' || (status === 'scheduled' && opening.of > 0);

/** Starts a review, or opens the one that is open or opening: a campaign has at most one at a time. */
function StartOrOpen({ reviewId, start }: { reviewId: string; start: () => void }) {
  const newest = useQuery(
    get('/api/reviews/{review_id}/cycles/', { path: { review_id: reviewId }, query: { limit: 20 } }),
  );
  if (newest.data === undefined) return null;
  const open = newest.data.results.find(isOpen);
  if (open !== undefined)
    return (
      <ButtonLink to="/reviews/cycles/$cycleId" params={{ cycleId: open.external_uuid }}>
        Open cycle
      </ButtonLink>
    );
  return (
    <Button leftSection={<IconPlayerPlay size={15} aria-hidden />} onClick={start}>
      Start review
    </Button>
  );
}

const columns: Column<CycleRow>[] = [
  {
    id: 'opened',
    header: 'Opened',
    cell: ({ opened_at, opens_at }) =>
      opened_at === null ? (
        <span>
          Opens <Moment at={opens_at} />
        </span>
      ) : (
        <Moment at={opened_at} />
      ),
  },
  { id: 'status', header: 'Status', cell: ({ status }) => <Status of={status} /> },
  { id: 'decided', header: 'Decided', cell: (cycle) => <Decided cycle={cycle} /> },
  { id: 'due', header: 'Due', cell: ({ due_at }) => <Moment at={due_at} none="–" /> },
  {
    id: 'evidence',
    header: 'Evidence',
    cell: ({ external_uuid, status }) =>
      status === 'scheduled' ? null : <Evidence cycleId={external_uuid} />,
  },
];

function Decided({ cycle: { status, progress, opening } }: { cycle: CycleRow }) {
  if (status === 'scheduled')
    return opening.accounts === 0
      ? '–'
      : `Opening: ${grouped(opening.accounts)} of ${grouped(opening.of)} accounts`;
  const { items, decided, kept, revoked } = progress;
  return (
    <div className={classes.bar}>
      {grouped(decided)} of {grouped(items)} ({grouped(kept)} kept, {grouped(revoked)} revoked)
      <ProgressBar done={decided} of={items} label="Decided" />
    </div>
  );
}

function SettingsList({ campaign }: { campaign: Campaign }) {
  const { scope, reviewer, fallback_reviewers, next_opens_at, last_empty_at, created_by, created_at } =
    campaign;
  return (
    <Properties
      of={[
        ['Apps', scope.apps === null ? 'All apps' : <Names key="apps" ids={scope.apps} of={AppName} />],
        [
          'People',
          scope.users === null ? 'Everyone' : <CodeBlock key="users" text={scope.users} what="condition" />,
        ],
        ...(scope.not_used_for_days === null
          ? []
          : [['Not used for', counted(scope.not_used_for_days, 'day')] as const]),
        ...(scope.risks === null ? [] : [['Risk of groups', scope.risks.join(', ')] as const]),
        [
          'Reviewer',
          typeof reviewer !== 'string' ? (
            <Names key="reviewers" ids={reviewer} of={PersonName} />
          ) : (
            REVIEWERS[reviewer]
          ),
        ],
        [
          'Fallback reviewers',
          fallback_reviewers === null ? (
            'Administrators'
          ) : (
            <Names key="fallback" ids={fallback_reviewers} of={PersonName} />
          ),
        ],
        ['Next review', <Moment key="next" at={next_opens_at} none="When started manually" />],
        [
          'Last skipped',
          last_empty_at === null ? undefined : (
            <span key="empty">
              <Moment at={last_empty_at} />, because no account matched
            </span>
          ),
        ],
        [
          'Created',
          <span key="created" className={classes.prose}>
            <Moment at={created_at} /> by <PersonName id={created_by} none="an API key" />
          </span>,
        ],
      ]}
    />
  );
}

function Names({ ids, of: Name }: { ids: string[]; of: (props: { id: string }) => React.ReactNode }) {
  return (
    <span className={classes.names}>
      {ids.map((id) => (
        <Name key={id} id={id} />
      ))}
    </span>
  );
}

interface DialogsProps {
  campaign: Campaign;
  dialog: 'start' | 'edit' | 'delete' | undefined;
  close: () => void;
}

function Dialogs({ campaign, dialog, close }: DialogsProps) {
  const navigate = useNavigate();
  const path = { review_id: campaign.external_uuid };
  const start = useChange(() => ok(api.POST('/api/reviews/{review_id}/start/', { params: { path } })), {
    showFailure: false,
    after: ({ external_uuid }) =>
      void navigate({ to: '/reviews/cycles/$cycleId', params: { cycleId: external_uuid } }),
  });
  const remove = useChange(() => ok(api.DELETE('/api/reviews/{review_id}/', { params: { path } })), {
    success: 'Campaign deleted',
    showFailure: false,
    after: () => navigate({ to: '/reviews' }),
  });
  return (
    <>
      <Confirm
        opened={dialog === 'start'}
        close={close}
        title={`Start a review of ${campaign.name}?`}
        action="Start review"
        harmless
        act={() => start.mutateAsync(undefined)}
      >
        {sentences({ ...settingsOf(campaign), frequency: 'once', starts_at: '' })
          .join(' ')
          .replace(/^When started manually, (.)/, (_, first: string) => first.toUpperCase())}
        {campaign.next_opens_at !== null && campaign.frequency === 'once' && (
          <Text size="sm" mt="xs">
            It replaces the scheduled review.
          </Text>
        )}
      </Confirm>
      {dialog === 'edit' && (
        <CampaignForm
          title={`Edit ${campaign.name}`}
          action="Save changes"
          initialValues={settingsOf(campaign)}
          close={close}
          send={(settings) =>
            ok(api.PATCH('/api/reviews/{review_id}/', { params: { path }, body: bodyOf(settings) }))
          }
          success="Campaign saved"
          after={close}
        />
      )}
      <Confirm
        opened={dialog === 'delete'}
        close={close}
        title={`Delete ${campaign.name}?`}
        action="Delete campaign"
        type={campaign.name}
        act={() => remove.mutateAsync(undefined)}
      >
        No more reviews will open. An open review continues until its due date, and all reviews are kept as
        evidence.
      </Confirm>
    </>
  );
}
