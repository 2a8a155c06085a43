import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { type Answer, api, get, list, load, ok } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { ifMatch } from '../../api/version.ts';
import { AppName } from '../../apps/app-name.tsx';
import { type Action, ActionDialog } from '../../kit/action/action-dialog.tsx';
import { useAddress } from '../../kit/browser/address.ts';
import { CodeBlock } from '../../kit/controls/code.tsx';
import { ButtonLink, TextLink } from '../../kit/controls/links.tsx';
import { Moment } from '../../kit/controls/moment.tsx';
import { PageHeader } from '../../kit/controls/page-header.tsx';
import { Properties } from '../../kit/controls/properties.tsx';
import { Section } from '../../kit/controls/section.tsx';
import { UnreadyPage } from '../../kit/controls/unready.tsx';
import { IconPlayerPlay } from '../../kit/icons/icons.ts';
import * as column from '../../kit/table/columns.tsx';
import { ListTable } from '../../kit/table/list-table.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { listed } from '../../kit/text/listed.ts';
import { grouped } from '../../kit/text/words.ts';
import { PersonName } from '../../people/person.tsx';
import { UndecidedPeople } from '../../people/undecided.tsx';
import { type Campaign, type CycleRow, effects, REVIEWERS, sentences, settingsOf } from './campaign.ts';
import { CampaignForm } from './campaign-form.tsx';
import { ProgressBar } from './cycle-progress.tsx';
import { Due } from './due.tsx';
import { Evidence } from './evidence.tsx';
import { RISKS } from './item.ts';
import classes from './reviews.module.css';
import { reviewSearch } from './search.ts';

const Above = () => <TextLink to="/reviews">{t`Access reviews`}</TextLink>;

export function ReviewPage() {
  const { reviewId } = useParams({ from: '/in/reviews/$reviewId' });
  const campaign = useQuery(get('/api/reviews/{review_id}/', { path: { review_id: reviewId } }));
  if (campaign.data === undefined) return <UnreadyPage title={t`Campaign`} above={<Above />} of={campaign} />;
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
        isName
        above={<Above />}
        actions={
          manages && (
            <>
              <StartOrOpen reviewId={id} start={() => go({ dialog: 'start', page: at.page })} />
              <Button variant="default" onClick={() => go({ dialog: 'edit', page: at.page })}>
                {t`Edit campaign`}
              </Button>
              <Button variant="default" color="red" onClick={() => go({ dialog: 'delete', page: at.page })}>
                {t`Delete campaign`}
              </Button>
            </>
          )
        }
      />
      <section className={classes.sentences} aria-label={t`Summary`}>
        {sentences(settingsOf(campaign)).map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </section>
      <Section title={t`Reviews`}>
        <ListTable
          address={[at, go]}
          label={t`Reviews`}
          counted={(n) => plural(n, { one: '# review', other: '# reviews' })}
          list={list('/api/reviews/{review_id}/cycles/', { path: { review_id: id } })}
          columns={columns}
          href={({ external_uuid }) => `/reviews/cycles/${external_uuid}`}
          empty={{
            title: t`No reviews yet`,
            text: t`Start a review now, or wait for the next scheduled one.`,
          }}
        />
      </Section>
      <Section title={t`Settings`}>
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
        {t`Open review`}
      </ButtonLink>
    );
  return (
    <Button leftSection={<IconPlayerPlay size={15} aria-hidden />} onClick={start}>
      {t`Start review`}
    </Button>
  );
}

const columns: Column<CycleRow>[] = [
  column.cell('opened', t`Opened`, ({ opened_at, opens_at }) =>
    opened_at === null ? (
      <span>
        <Trans>
          Opens <Moment at={opens_at} />
        </Trans>
      </span>
    ) : (
      <Moment at={opened_at} />
    ),
  ),
  column.status('status', t`Status`),
  column.cell('decided', t`Decided`, (cycle) => <Decided cycle={cycle} />),
  column.cell('due', t`Due`, ({ due_at }) => <Due at={due_at} />),
  column.cell('evidence', t`Evidence`, ({ external_uuid, status }) =>
    status === 'scheduled' ? null : <Evidence cycleId={external_uuid} short />,
  ),
];

function Decided({ cycle: { status, progress, opening } }: { cycle: CycleRow }) {
  if (status === 'scheduled') {
    const checked = grouped(opening.accounts);
    const accounts = grouped(opening.of);
    return opening.accounts === 0 ? '–' : t`Opening: ${checked} of ${accounts} accounts`;
  }
  const decided = grouped(progress.decided);
  const items = grouped(progress.items);
  const kept = grouped(progress.kept);
  const revoked = grouped(progress.revoked);
  return (
    <div className={classes.bar}>
      {t`${decided} of ${items} (${kept} kept, ${revoked} revoked)`}
      <ProgressBar done={progress.decided} of={progress.items} label={t`Decided`} />
    </div>
  );
}

function SettingsList({ campaign }: { campaign: Campaign }) {
  const { scope, reviewer, fallback_reviewers, next_opens_at, last_empty_at, created_by, created_at } =
    campaign;
  return (
    <Properties
      of={[
        [t`Apps`, scope.apps === null ? t`All apps` : <Names key="apps" ids={scope.apps} of={AppName} />],
        [
          t`People`,
          scope.users === null ? (
            t`Everyone`
          ) : (
            <CodeBlock key="users" text={scope.users} what={t`condition`} />
          ),
        ],
        ...(scope.not_used_for_days === null
          ? []
          : [[t`Not used for`, plural(scope.not_used_for_days, { one: '# day', other: '# days' })] as const]),
        ...(scope.risks === null
          ? []
          : [[t`Risk of groups`, listed(scope.risks.map((risk) => RISKS[risk]))] as const]),
        [
          t`Reviewer`,
          typeof reviewer !== 'string' ? (
            <Names key="reviewers" ids={reviewer} of={PersonName} />
          ) : (
            REVIEWERS[reviewer]
          ),
        ],
        [
          t`Fallback reviewers`,
          fallback_reviewers === null ? (
            t`Administrators`
          ) : (
            <Names key="fallback" ids={fallback_reviewers} of={PersonName} />
          ),
        ],
        [t`Next review`, <Moment key="next" at={next_opens_at} none={t`When started manually`} />],
        [
          t`Last skipped`,
          last_empty_at === null ? undefined : (
            <span key="empty">
              <Trans>
                <Moment at={last_empty_at} />, because no account matched
              </Trans>
            </span>
          ),
        ],
        [
          t`Created`,
          <span key="created" className={classes.prose}>
            <Trans>
              <Moment at={created_at} /> by <PersonName id={created_by} none={t`an API key`} />
            </Trans>
          </span>,
        ],
      ]}
    />
  );
}

type Preview = Answer<'/api/reviews/{review_id}/preview/'>;

/** The number of items that a review would have if it started now, and what to see to before it does. */
function Size({ of }: { of: Campaign }) {
  const { external_uuid } = of;
  const { data } = useQuery(get('/api/reviews/{review_id}/preview/', { path: { review_id: external_uuid } }));
  if (data === undefined) return <Skeleton height={20} mb="xs" />;
  const items = grouped(data.items);
  const accounts = grouped(data.accounts);
  const absent = data.cannot_sign_in;
  return (
    <>
      <Text fw={600} mb="xs" role="status">
        {data.more
          ? t`Items to review now: more than ${items}, of more than ${accounts} accounts`
          : t`Items to review now: ${items}, of ${accounts} accounts`}
      </Text>
      <UndecidedPeople of={data.undecided} />
      {absent.length > 0 && (
        <Alert
          color="yellow"
          mb="xs"
          title={plural(absent.length, {
            one: '# reviewer cannot sign in',
            other: '# reviewers cannot sign in',
          })}
        >
          <Names ids={absent.map((person) => person.external_uuid)} of={PersonName} />
          <Text size="sm" mt={4}>
            {t`They have neither a password nor a passkey, and no identity provider signs them in. Send them sign-in links from their pages, or choose other reviewers.`}
          </Text>
        </Alert>
      )}
      <Cautions of={of} preview={data} />
    </>
  );
}

/** The access that a review must not take away, and the items that nobody could review. */
function Cautions({ of: { on_no_response }, preview }: { of: Campaign; preview: Preview }) {
  const { own_accounts: own, last_members: last, one_stays: shrinking, without_reviewer } = preview;
  const accountsOf = ({ results }: Preview['own_accounts']) => [
    ...new Set(results.map(({ account, app }) => [account, app].join(' · '))),
  ];
  const groups = listed([...new Set(last.results.flatMap((one) => one.groups))]);
  return (
    <>
      {on_no_response === 'revoke' && without_reviewer > 0 && (
        <Alert
          color="yellow"
          mb="xs"
          title={plural(without_reviewer, {
            one: '# item has no reviewer who can sign in',
            other: '# items have no reviewer who can sign in',
          })}
        >
          {t`If no administrator decides them by the due date, this access is revoked.`}
        </Alert>
      )}
      {own.count > 0 && (
        <Alert
          color="yellow"
          mb="xs"
          title={plural(own.count, {
            one: '# account is used by a connector',
            other: '# accounts are used by connectors',
          })}
        >
          <p>{listed(accountsOf(own))}</p>
          {t`Connectors sign in with them. They can only be kept.`}
        </Alert>
      )}
      {on_no_response === 'revoke' && last.count > 0 && (
        <Alert
          color="yellow"
          mb="xs"
          title={plural(last.count, {
            one: '# account is the last member of a high-risk group',
            other: '# accounts are the last members of high-risk groups',
          })}
        >
          <p>{listed(accountsOf(last))}</p>
          {t`Groups: ${groups}. Only the decision of a person removes their last member.`}
        </Alert>
      )}
      {on_no_response === 'revoke' && shrinking.count > 0 && (
        <Alert
          color="yellow"
          mb="xs"
          title={plural(shrinking.count, {
            one: '# high-risk group may keep only one member',
            other: '# high-risk groups may keep only one member each',
          })}
        >
          <p>{listed(shrinking.results.map(({ group, app }) => [group, app].join(' · ')))}</p>
          {t`All their members are reviewed. If nobody responds, all but one of them are removed, and this one stays until a person decides.`}
        </Alert>
      )}
    </>
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
  const params = { path };
  const { name } = campaign;
  const actions: Partial<Record<NonNullable<DialogsProps['dialog']>, Action>> = {
    start: {
      title: t`Start a review of ${name}?`,
      sentence: (
        <>
          <Size of={campaign} />
          {effects(settingsOf(campaign)).join(' ')}
          {campaign.next_opens_at !== null && campaign.frequency === 'once' && (
            <Text size="sm" mt="xs">
              {t`It replaces the scheduled review.`}
            </Text>
          )}
        </>
      ),
      button: t`Start review`,
      request: () => ok(api.POST('/api/reviews/{review_id}/start/', { params })),
      after: ({ external_uuid }: CycleRow) =>
        navigate({ to: '/reviews/cycles/$cycleId', params: { cycleId: external_uuid } }),
    },
    delete: {
      title: t`Delete ${name}?`,
      sentence: t`No more reviews will open. An open review continues until its due date, and all reviews are kept as evidence.`,
      button: t`Delete campaign`,
      type: name,
      request: () => ok(api.DELETE('/api/reviews/{review_id}/', { params })),
      message: t`Campaign deleted`,
      after: () => navigate({ to: '/reviews' }),
    },
  };
  return (
    <>
      <ActionDialog of={dialog && actions[dialog]} close={close} />
      {dialog === 'edit' && (
        <CampaignForm
          title={t`Edit ${name}`}
          action={t`Save changes`}
          of={campaign}
          read={() => load('/api/reviews/{review_id}/', { path })}
          close={close}
          send={(body, version) =>
            ok(api.PATCH('/api/reviews/{review_id}/', { params: { path, header: ifMatch(version) }, body }))
          }
          success={t`Campaign saved`}
          after={close}
        />
      )}
    </>
  );
}
