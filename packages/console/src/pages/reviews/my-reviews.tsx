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
  { id: 'mine', header: 'Yours', cell: (cycle) => <Mine cycle={cycle} /> },
  { id: 'due', header: 'Due', cell: ({ due_at }) => <Moment at={due_at} /> },
  {
    id: 'silence',
    header: 'If nobody decides',
    cell: ({ on_no_response }) => (on_no_response === 'revoke' ? 'it is revoked' : 'it is kept'),
  },
  { id: 'state', header: 'State', cell: ({ status }) => <Status of={status} /> },
];

/** The reviews in which something is one's own to decide. */
export function MyReviews() {
  const { role } = useMe();
  const mine = useQuery(get('/api/reviews/cycles/', { query: { mine: true, limit: 200 } }));
  if (mine.isError) return <Failure error={mine.error} again={() => void mine.refetch()} />;
  const open = mine.data?.results.filter(({ status }) => status === 'in_progress');
  const over = mine.data?.results.filter(({ status }) => status === 'completed') ?? [];
  if (open?.length === 0 && role !== 'member') return null;
  return (
    <>
      <Section title="Yours to review">
        <TableView
          label="Yours to review"
          columns={columns}
          rows={open}
          rowId={cycleId}
          href={address}
          empty={
            <Empty title="Nothing to review">
              When somebody's access is yours to review, it is here until its due date.
            </Empty>
          }
        />
      </Section>
      {role === 'member' && over.length > 0 && (
        <Section title="Over">
          <TableView label="Over" columns={columns} rows={over} rowId={cycleId} href={address} empty={null} />
        </Section>
      )}
    </>
  );
}

const cycleId = ({ external_uuid }: CycleRow) => external_uuid;
const address = ({ external_uuid }: CycleRow) => `/reviews/cycles/${external_uuid}`;

function Mine({ cycle }: { cycle: CycleRow }) {
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
