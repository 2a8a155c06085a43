import { t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { get } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { Empty } from '../../kit/controls/empty.tsx';
import { Failure } from '../../kit/controls/failure.tsx';
import { Section } from '../../kit/controls/section.tsx';
import * as column from '../../kit/table/columns.tsx';
import { type Column, TableView } from '../../kit/table/table-view.tsx';
import { grouped } from '../../kit/text/words.ts';
import type { CycleRow } from './campaign.ts';
import { ProgressBar, useMine } from './cycle-progress.tsx';
import { Due } from './due.tsx';
import classes from './reviews.module.css';

const columns: Column<CycleRow>[] = [
  column.name('name', t`Review`, ({ campaign }) => campaign.name),
  column.cell('mine', t`Your items`, (cycle) => <MyProgress cycle={cycle} />),
  column.cell('due', t`Due`, ({ due_at }) => <Due at={due_at} />),
  column.cell('no_response', t`If undecided`, ({ on_no_response }) =>
    on_no_response === 'revoke' ? t`Revoked` : t`Kept`,
  ),
  column.status('state', t`Status`, ({ status }) => status),
];

/** The reviews with items for the signed-in person. */
export function MyReviews() {
  const { role } = useMe();
  const mine = useQuery(get('/api/reviews/cycles/', { query: { mine: true, limit: 200 } }));
  if (mine.isLoadingError) return <Failure error={mine.error} again={() => void mine.refetch()} />;
  const open = mine.data?.results.filter(({ status }) => status === 'in_progress');
  const over = mine.data?.results.filter(({ status }) => status === 'completed') ?? [];
  if (open?.length === 0 && role !== 'member') return null;
  return (
    <>
      <Section title={t`Your reviews`}>
        <TableView
          label={t`Your reviews`}
          columns={columns}
          rows={open}
          rowId={cycleId}
          href={address}
          empty={<Empty title={t`No reviews for you`}>{t`Reviews appear here until their due date.`}</Empty>}
        />
      </Section>
      {role === 'member' && over.length > 0 && (
        <Section title={t`Completed reviews`}>
          <TableView
            label={t`Completed reviews`}
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
  const done = mine.items - mine.undecided;
  const undecided = grouped(mine.undecided);
  const decided = grouped(done);
  const items = grouped(mine.items);
  return (
    <div className={classes.bar}>
      {mine.undecided === 0
        ? t`All decided (${decided} of ${items})`
        : t`${undecided} to decide (${decided} of ${items})`}
      <ProgressBar done={done} of={mine.items} label={t`Decided`} />
    </div>
  );
}
