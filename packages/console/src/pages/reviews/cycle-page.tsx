import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { get, list } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { useAddress } from '../../parts/address.ts';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { TextLink } from '../../parts/links.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Status } from '../../parts/status.tsx';
import { counted, grouped } from '../../parts/words.ts';
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
  return <Review cycle={cycle.data} />;
}

const Above = () => <TextLink to="/reviews">Access reviews</TextLink>;

function Review({ cycle }: { cycle: Cycle }) {
  const { role, readsAll, manages } = useMe();
  const [at, go] = useAddress(cycleSearch);
  const mine = useMine(cycle.external_uuid);
  // An auditor has nothing of their own; of what is over, those who may see it all are shown it all.
  const usual = role === 'auditor' || (readsAll && cycle.status === 'completed');
  const all = role !== 'member' && (role === 'auditor' || (at.all ?? usual));
  const { decision, kind, app, user } = at;
  const filtered = [decision, kind, app, user].some((filter) => filter !== undefined);
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
            {readsAll && cycle.status !== 'scheduled' && <Evidence cycleId={cycle.external_uuid} />}
          </>
        }
      />
      <CycleProgress cycle={cycle} mine={all ? undefined : mine} />
      {manages && (
        <Group gap="xs" mb="sm" role="group" aria-label="Whose items">
          <Whose chosen={!all} choose={() => go({ all: false })}>
            Yours{mine === undefined ? '' : numbers(cycle, mine)}
          </Whose>
          <Whose chosen={all} choose={() => go({ all: true })}>
            Everybody's{numbers(cycle, cycle.progress)}
          </Whose>
        </Group>
      )}
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
            <Empty title="All of it is decided">Clear the filters to see what was decided.</Empty>
          ) : filtered ? (
            <Empty title="Nothing matches these filters">Clear them to see the rest.</Empty>
          ) : cycle.status === 'scheduled' ? (
            <Empty title="Not open yet">What is to be reviewed is still being collected.</Empty>
          ) : (
            <Empty
              title="Nothing here is yours to review"
              actions={manages && !all && <Button onClick={() => go({ all: true })}>See everybody's</Button>}
            />
          )
        }
      />
    </>
  );
}

const numbers = ({ status }: Cycle, { items, undecided }: { items: number; undecided: number }) =>
  status === 'completed' ? ` (${grouped(items)})` : ` (${grouped(undecided)} to decide)`;

interface WhoseProps {
  chosen: boolean;
  choose: () => void;
  children: React.ReactNode;
}

const Whose = ({ chosen, choose, children }: WhoseProps) => (
  <Button variant={chosen ? 'light' : 'default'} aria-pressed={chosen} onClick={choose}>
    {children}
  </Button>
);

function about({ status, cooling_off_hours, revoke_account_by }: Cycle, decides: boolean) {
  if (status === 'completed')
    return 'Who decided what, when and why, and whether a later sync has seen it gone.';
  const wait =
    cooling_off_hours === 0 ? 'at once' : `${counted(cooling_off_hours, 'hour')} after the decision`;
  return (
    <>
      Does each of them still need what they have? What is revoked is taken away {wait}
      {cooling_off_hours > 0 && ', and can be taken back until then'}; a revoked account is{' '}
      {revoke_account_by === 'suspend' ? 'suspended' : 'deleted with all that it has'}.{' '}
      {decides && <span className={classes.keys}>Keys: j and k move, y keeps, n revokes, c comments.</span>}
    </>
  );
}
