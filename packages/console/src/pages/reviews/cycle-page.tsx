import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { get, list } from '../../api/client.ts';
import { ApiError } from '../../api/error.ts';
import { useMe } from '../../api/me.ts';
import { useAddress } from '../../parts/address.ts';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { ButtonLink, TextLink } from '../../parts/links.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Status } from '../../parts/status.tsx';
import { counted, grouped } from '../../parts/words.ts';
import { CyclePlan, useCyclePlan } from './cycle-plan.tsx';
import { CycleProgress, useMine } from './cycle-progress.tsx';
import { Evidence } from './evidence.tsx';
import type { Cycle } from './item.ts';
import { ItemFilters } from './item-filters.tsx';
import { ItemsTable } from './items-table.tsx';
import classes from './reviews.module.css';
import { cycleSearch } from './search.ts';

const OPENING_MS = 2000;

export function CyclePage() {
  const { cycleId } = useParams({ from: '/in/reviews/cycles/$cycleId' });
  const cycle = useQuery({
    ...get('/api/reviews/cycles/{cycle_id}/', { path: { cycle_id: cycleId } }),
    refetchInterval: ({ state }) => (state.data?.status === 'scheduled' ? OPENING_MS : false),
  });
  if (cycle.data === undefined) {
    return (
      <>
        <PageHeader title="Review" above={<Above />} />
        {cycle.isError && <Failure error={cycle.error} again={() => void cycle.refetch()} />}
      </>
    );
  }
  if (cycle.error instanceof ApiError && cycle.error.status === 403) return <HandedOver cycle={cycle.data} />;
  return <Review cycle={cycle.data} />;
}

const Above = () => <TextLink to="/reviews">Access reviews</TextLink>;

function Review({ cycle }: { cycle: Cycle }) {
  const { role, readsAll } = useMe();
  const [at, go] = useAddress(cycleSearch);
  const mine = useMine(cycle.external_uuid);
  // Auditors have no items of their own. Completed reviews show all items to those who can read them.
  const showsAll = role === 'auditor' || (readsAll && cycle.status === 'completed');
  const all = role !== 'member' && (role === 'auditor' || (at.all ?? showsAll));
  const hasPlan = readsAll && cycle.status !== 'scheduled';
  const view = hasPlan && at.plan === true ? 'plan' : all ? 'all' : 'mine';
  return (
    <>
      <PageHeader
        title={cycle.campaign.name}
        beside={<Status of={cycle.status} />}
        above={<Above />}
        about={about(cycle, role !== 'auditor')}
        actions={
          <>
            {readsAll && (
              <TextLink to="/reviews/$reviewId" params={{ reviewId: cycle.campaign.external_uuid }}>
                Campaign
              </TextLink>
            )}
            {hasPlan && <Evidence cycleId={cycle.external_uuid} />}
          </>
        }
      />
      <CycleProgress cycle={cycle} mine={all ? undefined : mine} />
      {readsAll && <Views cycle={cycle} mine={mine} view={view} go={go} />}
      {view === 'plan' ? (
        <CyclePlan cycle={cycle} page={at.page} onPage={(page) => go({ page })} />
      ) : (
        <Items cycle={cycle} all={all} at={at} go={go} />
      )}
    </>
  );
}

/** Members who hand over their last item can no longer see the review. */
function HandedOver({ cycle }: { cycle: Cycle }) {
  return (
    <>
      <PageHeader title={cycle.campaign.name} beside={<Status of={cycle.status} />} above={<Above />} />
      <Empty
        title="You have nothing left to review here"
        actions={<ButtonLink to="/reviews">Open access reviews</ButtonLink>}
      >
        Other people review the items that you reassigned.
      </Empty>
    </>
  );
}

type Search = ReturnType<typeof cycleSearch>;

interface ViewsProps {
  cycle: Cycle;
  mine: ReturnType<typeof useMine>;
  view: 'mine' | 'all' | 'plan';
  go: (change: Search) => void;
}

function Views({ cycle, mine, view, go }: ViewsProps) {
  const { manages } = useMe();
  const plan = useCyclePlan(cycle);
  return (
    <Group gap="xs" mb="sm" role="group" aria-label="View">
      {manages && (
        <ViewButton pressed={view === 'mine'} onClick={() => go({ all: false, plan: undefined })}>
          Your items{mine === undefined ? '' : numbers(cycle, mine)}
        </ViewButton>
      )}
      <ViewButton pressed={view === 'all'} onClick={() => go({ all: true, plan: undefined })}>
        All items{numbers(cycle, cycle.progress)}
      </ViewButton>
      {cycle.status !== 'scheduled' && (
        <ViewButton pressed={view === 'plan'} onClick={() => go({ plan: true })}>
          Revocations{plan.data === undefined ? '' : ` (${grouped(plan.data.count)})`}
        </ViewButton>
      )}
    </Group>
  );
}

interface ItemsProps {
  cycle: Cycle;
  all: boolean;
  at: Search;
  go: (change: Search) => void;
}

function Items({ cycle, all, at, go }: ItemsProps) {
  const { role, manages } = useMe();
  const { decision, kind, app, user } = at;
  const filtered = [decision, kind, app, user].some((filter) => filter !== undefined);
  return (
    <>
      <ItemFilters at={at} go={go} some={filtered} />
      <ItemsTable
        cycle={cycle}
        all={all}
        decides={role !== 'auditor'}
        items={list('/api/reviews/cycles/{cycle_id}/items/', {
          path: { cycle_id: cycle.external_uuid },
          query: { mine: all ? undefined : true, decision, kind, app, user },
        })}
        page={at.page}
        onPage={(page) => go({ page })}
        onPerson={user === undefined ? (person) => go({ user: person }) : undefined}
        empty={
          decision === 'none' && [kind, app, user].every((filter) => filter === undefined) ? (
            <Empty title="All items are decided">Clear the filters to see the decisions.</Empty>
          ) : filtered ? (
            <Empty title="No items match these filters">Clear a filter to see more items.</Empty>
          ) : cycle.status === 'scheduled' ? (
            <Empty title="Not open yet">Gatehouse is still collecting the items to review.</Empty>
          ) : (
            <Empty
              title="No items for you to review"
              actions={manages && !all && <Button onClick={() => go({ all: true })}>Show all items</Button>}
            />
          )
        }
      />
    </>
  );
}

const numbers = ({ status }: Cycle, { items, undecided }: { items: number; undecided: number }) =>
  status === 'completed' ? ` (${grouped(items)})` : ` (${grouped(undecided)} to decide)`;

interface ViewButtonProps {
  pressed: boolean;
  onClick: () => void;
  children: React.ReactNode;
}

const ViewButton = ({ pressed, onClick, children }: ViewButtonProps) => (
  <Button variant={pressed ? 'light' : 'default'} aria-pressed={pressed} onClick={onClick}>
    {children}
  </Button>
);

function about({ status, cooling_off_hours, revoke_account_by }: Cycle, decides: boolean) {
  if (status === 'completed') return 'The decisions, and whether later syncs have confirmed the removals.';
  const wait =
    cooling_off_hours === 0 ? 'immediately' : `${counted(cooling_off_hours, 'hour')} after the decision`;
  return (
    <>
      Keep the access that people still need, and revoke the rest. Revoked access is removed {wait}
      {cooling_off_hours > 0 && ', and you can change your decision until then'}. A revoked account is{' '}
      {revoke_account_by === 'suspend' ? 'suspended' : 'deleted with all its access'}.{' '}
      {decides && (
        <span className={classes.keys}>Keyboard: j and k to move, y to keep, n to revoke, c to comment.</span>
      )}
    </>
  );
}
