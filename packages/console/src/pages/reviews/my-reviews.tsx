import { useQuery } from '@tanstack/react-query';
import { get } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Section } from '../../parts/section.tsx';
import { Status } from '../../parts/status.tsx';
import { type Column, TableView } from '../../parts/table-view.tsx';
import { grouped } from '../../parts/words.ts';
import type { CycleRow } from './campaign.ts';
import { ProgressBar, useMine } from './cycle-progress.tsx';
import classes from './reviews.module.css';

const columns: Column<CycleRow>[] = [
  { id: 'name', header: 'Review', cell: ({ campaign }) => campaign.name },
  { id: 'mine', header: 'Your items', cell: (cycle) => <MyProgress cycle={cycle} /> },
  { id: 'due', header: 'Due', cell: ({ due_at }) => <Moment at={due_at} /> },
  {
    id: 'no_response',
    header: 'If undecided',
    cell: ({ on_no_response }) => (on_no_response === 'revoke' ? 'Revoked' : 'Kept'),
  },
  { id: 'state', header: 'Status', cell: ({ status }) => <Status of={status} /> },
];

/** The reviews with items for the signed-in person. */
export function MyReviews() {
  const { role } = useMe();
  const mine = useQuery(get('/api/reviews/cycles/', { query: { mine: true, limit: 200 } }));
  if (mine.isError) return <Failure error={mine.error} again={() => void mine.refetch()} />;
  const open = mine.data?.results.filter(({ status }) => status === 'in_progress');
  const over = mine.data?.results.filter(({ status }) => status === 'completed') ?? [];
  if (open?.length === 0 && role !== 'member') return null;
  return (
    <>
      <Section title="Your reviews">
        <TableView
          label="Your reviews"
          columns={columns}
          rows={open}
          rowId={cycleId}
          href={address}
          empty={<Empty title="No reviews for you">Reviews appear here until their due date.</Empty>}
        />
      </Section>
      {role === 'member' && over.length > 0 && (
        <Section title="Completed reviews">
          <TableView
            label="Completed reviews"
            columns={columns}
            rows={over}
            rowId={cycleId}
            href={address}
            empty={null}
          />
        </Section>
      )}
    </>
  );
}

const cycleId = ({ external_uuid }: CycleRow) => external_uuid;
const address = ({ external_uuid }: CycleRow) => `/reviews/cycles/${external_uuid}`;

function MyProgress({ cycle }: { cycle: CycleRow }) {
  const mine = useMine(cycle.external_uuid);
  if (mine === undefined) return <span>…</span>;
  const decided = mine.items - mine.undecided;
  return (
    <div className={classes.bar}>
      {mine.undecided === 0 ? 'All decided' : `${grouped(mine.undecided)} to decide`} ({grouped(decided)} of{' '}
      {grouped(mine.items)})
      <ProgressBar done={decided} of={mine.items} label="Decided" />
    </div>
  );
}
