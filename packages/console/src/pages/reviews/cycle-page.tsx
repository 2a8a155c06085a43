import { plural, t } from '@lingui/core/macro';
import { Alert, Button, Popover, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { get } from '../../api/client.ts';
import { ApiError } from '../../api/error.ts';
import { useMe } from '../../api/me.ts';
import { useAddress } from '../../kit/browser/address.ts';
import { Empty } from '../../kit/controls/empty.tsx';
import { ButtonLink, TextLink } from '../../kit/controls/links.tsx';
import { PageHeader } from '../../kit/controls/page-header.tsx';
import { Status } from '../../kit/controls/status.tsx';
import { UnreadyPage } from '../../kit/controls/unready.tsx';
import { View, Views } from '../../kit/controls/views.tsx';
import { asked, isFiltered, ListFilters } from '../../kit/table/list-filters.tsx';
import { grouped } from '../../kit/text/words.ts';
import { UndecidedPeople } from '../../people/undecided.tsx';
import { accountRemoval } from './campaign.ts';
import { CyclePlan, useCyclePlan } from './cycle-plan.tsx';
import { CycleProgress, useMine } from './cycle-progress.tsx';
import { Evidence } from './evidence.tsx';
import type { Cycle } from './item.ts';
import { itemFilters } from './item-filters.tsx';
import { ItemsTable } from './items-table.tsx';
import { Reviewers } from './reviewers.tsx';
import classes from './reviews.module.css';
import { cycleSearch } from './search.ts';

const OPENING_MS = 2000;

export function CyclePage() {
  const { cycleId } = useParams({ from: '/in/reviews/cycles/$cycleId' });
  const cycle = useQuery({
    ...get('/api/reviews/cycles/{cycle_id}/', { path: { cycle_id: cycleId } }),
    refetchInterval: ({ state }) => (state.data?.status === 'scheduled' ? OPENING_MS : false),
  });
  if (cycle.data === undefined) return <UnreadyPage title={t`Review`} above={<Above />} of={cycle} />;
  if (cycle.error instanceof ApiError && cycle.error.status === 403) return <HandedOver cycle={cycle.data} />;
  return <Review cycle={cycle.data} />;
}

const Above = () => <TextLink to="/reviews">{t`Access reviews`}</TextLink>;

function Review({ cycle }: { cycle: Cycle }) {
  const { role, readsAll } = useMe();
  const [at, go] = useAddress(cycleSearch);
  const mine = useMine(cycle.external_uuid);
  // Auditors have no items of their own. Completed reviews show all items to those who can read them.
  const showsAll = role === 'auditor' || (readsAll && cycle.status === 'completed');
  const all = role !== 'member' && (role === 'auditor' || (at.all ?? showsAll));
  const hasPlan = readsAll && cycle.status !== 'scheduled';
  const other = at.plan === true ? 'plan' : at.reviewers === true ? 'reviewers' : undefined;
  const view = (hasPlan ? other : undefined) ?? (all ? 'all' : 'mine');
  return (
    <>
      <ReviewHeader cycle={cycle} hasPlan={hasPlan} />
      <CycleProgress cycle={cycle} mine={view === 'mine' ? mine : undefined} />
      <UndecidedPeople of={cycle.undecided} />
      <Hidden count={cycle.hidden_members ?? 0} />
      {readsAll && <CycleViews cycle={cycle} mine={mine} view={view} go={go} />}
      {view === 'plan' ? (
        <CyclePlan cycle={cycle} />
      ) : view === 'reviewers' ? (
        <Reviewers
          cycle={cycle}
          page={at.page}
          onPage={(page) => go({ page })}
          show={(reviewer) => go({ all: true, reviewers: undefined, reviewer })}
        />
      ) : (
        <Items cycle={cycle} all={all} at={at} go={go} />
      )}
    </>
  );
}

/** One line while the review is open, so that its items begin at the top. */
function ReviewHeader({ cycle, hasPlan }: { cycle: Cycle; hasPlan: boolean }) {
  const { role, readsAll } = useMe();
  const isOpen = cycle.status === 'in_progress';
  return (
    <PageHeader
      title={cycle.campaign.name}
      isName
      beside={<Status of={cycle.status} />}
      above={<Above />}
      compact={isOpen}
      about={isOpen ? undefined : about(cycle)}
      actions={
        <>
          {isOpen && <Help cycle={cycle} decides={role !== 'auditor'} />}
          {readsAll && (
            <TextLink to="/reviews/$reviewId" params={{ reviewId: cycle.campaign.external_uuid }}>
              {t`Campaign`}
            </TextLink>
          )}
          {hasPlan && <Evidence cycleId={cycle.external_uuid} />}
        </>
      }
    />
  );
}

/** Members of the reviewed groups that no sync shows, and that nobody reviews here. */
function Hidden({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <Alert
      color="yellow"
      my="xs"
      title={plural(count, {
        one: '# member of the groups and licenses in this review has no item',
        other: '# members of the groups and licenses in this review have no item',
      })}
    >
      {t`The connectors know of them but do not show them to Gatehouse. Review them in the app.`}
    </Alert>
  );
}

/** Members who hand over their last item can no longer see the review. */
function HandedOver({ cycle }: { cycle: Cycle }) {
  return (
    <>
      <PageHeader
        title={cycle.campaign.name}
        isName
        beside={<Status of={cycle.status} />}
        above={<Above />}
      />
      <Empty
        title={t`You have nothing left to review here`}
        actions={<ButtonLink to="/reviews">{t`Open access reviews`}</ButtonLink>}
      >
        {t`Other people review the items that you reassigned.`}
      </Empty>
    </>
  );
}

type Search = ReturnType<typeof cycleSearch>;

interface ViewsProps {
  cycle: Cycle;
  mine: ReturnType<typeof useMine>;
  view: 'mine' | 'all' | 'plan' | 'reviewers';
  go: (change: Search) => void;
}

function CycleViews({ cycle, mine, view, go }: ViewsProps) {
  const { manages } = useMe();
  const plan = useCyclePlan(cycle);
  return (
    <Views label={t`View`}>
      {manages && (
        <View
          pressed={view === 'mine'}
          onClick={() => go({ all: false, plan: undefined, reviewers: undefined })}
        >
          {mineWords(cycle, mine)}
        </View>
      )}
      <View pressed={view === 'all'} onClick={() => go({ all: true, plan: undefined, reviewers: undefined })}>
        {allWords(cycle)}
      </View>
      {cycle.status !== 'scheduled' && (
        <View pressed={view === 'plan'} onClick={() => go({ plan: true, reviewers: undefined })}>
          {planWords(plan.data?.count)}
        </View>
      )}
      {cycle.status !== 'scheduled' && (
        <View pressed={view === 'reviewers'} onClick={() => go({ reviewers: true, plan: undefined })}>
          {t`Reviewers`}
        </View>
      )}
    </Views>
  );
}

interface ItemsProps {
  cycle: Cycle;
  all: boolean;
  at: Search;
  go: (change: Search) => void;
}

function Items({ cycle, all, at, go }: ItemsProps) {
  const { role, manages, readsAll } = useMe();
  const { group = 'person' } = at;
  const declared = itemFilters(readsAll);
  const filter = asked(at, declared);
  const { decision, ...narrower } = filter;
  return (
    <ItemsTable
      filters={<ListFilters at={at} go={go} declared={declared} />}
      cycle={cycle}
      all={all}
      decides={role !== 'auditor'}
      filter={{ mine: all ? undefined : true, ...filter }}
      by={group}
      page={at.page}
      onPage={(page) => go({ page })}
      onPerson={filter.user === undefined ? (person) => go({ user: person }) : undefined}
      empty={
        decision === 'none' && Object.values(narrower).every((value) => value === undefined) ? (
          <Empty title={t`All items are decided`}>{t`Clear the filters to see the decisions.`}</Empty>
        ) : isFiltered(at, declared) ? (
          <Empty title={t`No items match these filters`}>{t`Clear a filter to see more items.`}</Empty>
        ) : cycle.status === 'scheduled' ? (
          <Empty title={t`Not open yet`}>{t`Gatehouse is still collecting the items to review.`}</Empty>
        ) : (
          <Empty
            title={t`No items for you to review`}
            actions={
              manages && !all && <Button onClick={() => go({ all: true })}>{t`Show all items`}</Button>
            }
          />
        )
      }
    />
  );
}

interface Numbers {
  items: number;
  undecided: number;
}

function mineWords({ status }: Cycle, mine: Numbers | undefined): string {
  if (mine === undefined) return t`Your items`;
  const count = grouped(status === 'completed' ? mine.items : mine.undecided);
  return status === 'completed' ? t`Your items (${count})` : t`Your items (${count} to decide)`;
}

function allWords({ status, progress }: Cycle): string {
  const count = grouped(status === 'completed' ? progress.items : progress.undecided);
  return status === 'completed' ? t`All items (${count})` : t`All items (${count} to decide)`;
}

function planWords(revocations: number | undefined): string {
  if (revocations === undefined) return t`Revocations`;
  const count = grouped(revocations);
  return t`Revocations (${count})`;
}

function about({ status, cooling_off_hours, revoke_account_by }: Cycle): string {
  if (status === 'completed') return t`The decisions, and whether later syncs have confirmed the removals.`;
  const removal = plural(cooling_off_hours, {
    0: 'Revoked access is removed immediately.',
    one: 'Revoked access is removed # hour after the decision, and you can change your decision until then.',
    other:
      'Revoked access is removed # hours after the decision, and you can change your decision until then.',
  });
  return [
    t`Keep the access that people still need, and revoke the rest.`,
    removal,
    accountRemoval(revoke_account_by),
  ].join(' ');
}

/** Explains decisions and their keys. Behind a button, so that the items begin at the top. */
function Help({ cycle, decides }: { cycle: Cycle; decides: boolean }) {
  return (
    <Popover width={340} position="bottom-end" shadow="md" withinPortal={false}>
      <Popover.Target>
        <Button variant="subtle">{t`How it works`}</Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Text size="sm">{about(cycle)}</Text>
        {decides && (
          <Text size="sm" mt="xs" className={classes.keys ?? ''}>
            {t`Keyboard: j and k to move, y to keep, n to revoke, c to comment, i for details, a to keep all without deviations.`}
          </Text>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}
