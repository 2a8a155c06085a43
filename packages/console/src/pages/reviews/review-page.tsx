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
import { TextLink } from '../../parts/links.tsx';
import { Moment } from '../../parts/moment.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { PersonName } from '../../parts/person.tsx';
import { Properties } from '../../parts/properties.tsx';
import { Section } from '../../parts/section.tsx';
import { Status } from '../../parts/status.tsx';
import type { Column } from '../../parts/table-view.tsx';
import { grouped } from '../../parts/words.ts';
import { bodyOf, type Campaign, type CycleRow, type Settings, sentences, settingsOf } from './campaign.ts';
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
              <Button
                leftSection={<IconPlayerPlay size={15} aria-hidden />}
                onClick={() => go({ dialog: 'start', page: at.page })}
              >
                Start now
              </Button>
              <Button variant="default" onClick={() => go({ dialog: 'edit', page: at.page })}>
                Edit
              </Button>
              <Button variant="default" color="red" onClick={() => go({ dialog: 'delete', page: at.page })}>
                Delete
              </Button>
            </>
          )
        }
      />
      <section className={classes.sentences} aria-label="What it does">
        {sentences(settingsOf(campaign)).map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </section>
      <Section title="Reviews of this campaign">
        <DataTable<CycleRow>
          label="Reviews"
          noun="review"
          list={list('/api/reviews/{review_id}/cycles/', { path: { review_id: id } })}
          columns={columns}
          rowId={({ external_uuid }) => external_uuid}
          href={({ external_uuid }) => `/reviews/cycles/${external_uuid}`}
          page={at.page}
          onPage={(page) => go({ page })}
          empty={<Empty title="None yet">It has not begun; start it now, or wait for its turn.</Empty>}
        />
      </Section>
      <Section title="Settings">
        <SettingsOf campaign={campaign} />
      </Section>
      {manages && <Dialogs campaign={campaign} dialog={at.dialog} close={() => go({ dialog: undefined })} />}
    </>
  );
}

const columns: Column<CycleRow>[] = [
  {
    id: 'opened',
    header: 'Opened',
    cell: ({ opened_at, opens_at }) =>
      opened_at === null ? (
        <span>
          Begins <Moment at={opens_at} />
        </span>
      ) : (
        <Moment at={opened_at} />
      ),
  },
  { id: 'status', header: 'State', cell: ({ status }) => <Status of={status} /> },
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

function SettingsOf({ campaign }: { campaign: Campaign }) {
  const { scope, reviewer, fallback_reviewers, next_opens_at, last_empty_at, created_by, created_at } =
    campaign;
  return (
    <Properties
      of={[
        ['Apps', scope.apps === null ? 'all' : <Names key="apps" ids={scope.apps} of={AppName} />],
        [
          'Whose access',
          scope.users === null ? (
            'everybody’s'
          ) : (
            <CodeBlock key="users" text={scope.users} what="condition" />
          ),
        ],
        [
          'Reviewer',
          typeof reviewer !== 'string' ? (
            <Names key="reviewers" ids={reviewer} of={PersonName} />
          ) : reviewer === 'manager' ? (
            "each person's manager"
          ) : (
            'the owner of the app'
          ),
        ],
        [
          'Fallback',
          fallback_reviewers === null ? (
            'the administrators'
          ) : (
            <Names key="fallback" ids={fallback_reviewers} of={PersonName} />
          ),
        ],
        ['Next begins', <Moment key="next" at={next_opens_at} none="when it is started by hand" />],
        [
          'Nothing to review',
          last_empty_at === null ? undefined : (
            <span key="empty">
              its turn came <Moment at={last_empty_at} />, and no account fitted: no review was opened
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
    tell: false,
    after: ({ external_uuid }) =>
      void navigate({ to: '/reviews/cycles/$cycleId', params: { cycleId: external_uuid } }),
  });
  const edit = useChange(
    (settings: Settings) =>
      ok(api.PATCH('/api/reviews/{review_id}/', { params: { path }, body: bodyOf(settings) })),
    { said: 'Campaign changed', tell: false, after: close },
  );
  const remove = useChange(() => ok(api.DELETE('/api/reviews/{review_id}/', { params: { path } })), {
    said: 'Campaign deleted',
    tell: false,
    after: () => navigate({ to: '/reviews' }),
  });
  return (
    <>
      <Confirm
        opened={dialog === 'start'}
        close={close}
        title={`Start ${campaign.name} now?`}
        action="Start now"
        harmless
        act={() => start.mutateAsync(undefined)}
      >
        {sentences({ ...settingsOf(campaign), frequency: 'once', starts: '' })
          .join(' ')
          .replace('When it is started by hand, every', 'Every')}
        {campaign.next_opens_at !== null && campaign.frequency === 'once' && (
          <Text size="sm" mt="xs">
            It takes the place of the one that is scheduled.
          </Text>
        )}
      </Confirm>
      {dialog === 'edit' && (
        <CampaignForm
          title={`Edit ${campaign.name}`}
          action="Save"
          from={settingsOf(campaign)}
          close={close}
          busy={edit.isPending}
          error={edit.error}
          save={edit.mutate}
        />
      )}
      <Confirm
        opened={dialog === 'delete'}
        close={close}
        title={`Delete ${campaign.name}?`}
        action="Delete"
        type={campaign.name}
        act={() => remove.mutateAsync(undefined)}
      >
        No review of it opens any more. One that is open goes on to its end, and all of them stay as evidence.
      </Confirm>
    </>
  );
}
