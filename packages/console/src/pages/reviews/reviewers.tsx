import { plural, t } from '@lingui/core/macro';
import { Button, Group, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { everything, list, load, notifyFailure } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { type Bulk, BulkJob } from '../../kit/controls/bulk-job.tsx';
import { Empty } from '../../kit/controls/empty.tsx';
import { lazyPart } from '../../kit/controls/lazy-part.tsx';
import { IconBell } from '../../kit/icons/icons.ts';
import * as column from '../../kit/table/columns.tsx';
import { DataTable, type Selection } from '../../kit/table/data-table.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { ReassignDialog } from '../../people/reassign-dialog.tsx';
import type { Cycle, Item } from './item.ts';
import {
  REVIEWERS as PATH,
  type Progress,
  progressColumns,
  type Reviewer,
  reviewerName,
} from './progress.ts';
import { reassignJob, reassignSearch, reassignWords } from './reassign.ts';
import { remindAll, useRemind } from './remind.ts';
import { ReviewerCell } from './reviewer-cell.tsx';

const ITEMS = '/api/reviews/cycles/{cycle_id}/items/';

const Donuts = lazyPart(async () => (await import('./reviewer-donuts.tsx')).ReviewerDonuts, {
  fallback: <Skeleton height={180} mb="md" />,
});

interface Props {
  cycle: Cycle;
  page: number | undefined;
  onPage: (page: number | undefined) => void;
  /** Shows the items of a reviewer. */
  show: (reviewer: string) => void;
}

/** How far each reviewer of a cycle is, for administrators and auditors. */
export function Reviewers({ cycle, page, onPage, show }: Props) {
  const { me, manages } = useMe();
  const [reassigning, setReassigning] = useState<Selection<Item>>();
  const [job, setJob] = useState<Bulk<Item>>();
  const [reminders, setReminders] = useState<Bulk<Progress>>();
  const remind = useRemind(cycle.external_uuid);
  const reviewers = list(PATH, { path: { cycle_id: cycle.external_uuid } });
  // The donuts sum all reviewers, not those of a page.
  const { data: rows } = useQuery({
    queryKey: [...reviewers.key, 'all'],
    queryFn: ({ signal }) => Array.fromAsync(everything(reviewers, signal)),
  });
  const reassign = async (reviewer: string) => setReassigning(await undecidedOf(cycle, reviewer));
  const acts = manages && cycle.status === 'in_progress';
  const waiting = (rows ?? []).filter(isWaitedFor);
  const columns: Column<Progress>[] = [
    ...progressColumns.map((column) =>
      column.id === 'reviewer' ? { ...column, cell: (row: Progress) => <ReviewerCell row={row} /> } : column,
    ),
    column.moment('reminded', t`Reminded`, ({ reminded_at }) => reminded_at),
    column.cell('actions', t`Actions`, (row) => (
      <Actions
        row={row}
        show={show}
        remind={acts ? (reviewer) => remind.mutate(reviewer) : undefined}
        reassign={acts ? (id) => void reassign(id).catch(notifyFailure) : undefined}
      />
    )),
  ];
  return (
    <>
      {rows !== undefined && rows.length > 0 && <Donuts rows={rows} />}
      {acts && waiting.length > 1 && (
        <Group justify="flex-end" mb="xs">
          <Button
            variant="default"
            leftSection={<IconBell size={15} aria-hidden />}
            onClick={() => setReminders(remindAll(cycle.external_uuid, reviewers, isWaitedFor))}
          >
            {t`Remind all with open items`}
          </Button>
        </Group>
      )}
      <DataTable<Progress>
        label={t`Reviewers`}
        counted={(n) => plural(n, { one: '# reviewer', other: '# reviewers' })}
        list={reviewers}
        columns={columns}
        rowId={({ reviewer }) => reviewer?.external_uuid ?? ''}
        page={page}
        onPage={onPage}
        csv="reviewers"
        empty={<Empty title={t`No reviewers`} />}
      />
      {reassigning !== undefined && (
        <ReassignDialog
          {...reassignWords(reassigning.count, true)}
          search={reassignSearch(cycle)}
          close={() => setReassigning(undefined)}
          act={async (to, reason) =>
            setJob(reassignJob(cycle, reassigning, me?.external_uuid, { to, reason }))
          }
        />
      )}
      <BulkJob job={job} close={() => setJob(undefined)} />
      <BulkJob job={reminders} close={() => setReminders(undefined)} />
    </>
  );
}

/** Whether a reviewer has undecided items. Items without reviewers wait for all administrators. */
const isWaitedFor = ({ reviewer, items, decided }: Progress) => reviewer !== null && items > decided;

interface ActionsProps {
  row: Progress;
  show: (reviewer: string) => void;
  remind: ((reviewer: Reviewer) => void) | undefined;
  reassign: ((reviewer: string) => void) | undefined;
}

function Actions({ row, show, remind, reassign }: ActionsProps) {
  const { reviewer } = row;
  if (reviewer === null) return null;
  const { external_uuid } = reviewer;
  const name = reviewerName(row);
  return (
    <Group gap="xs">
      <Button
        variant="subtle"
        size="compact-sm"
        aria-label={t`Show items of ${name}`}
        onClick={() => show(external_uuid)}
      >
        {t`Show items`}
      </Button>
      {remind !== undefined && isWaitedFor(row) && (
        <Button
          variant="subtle"
          size="compact-sm"
          aria-label={t`Remind ${name}`}
          onClick={() => remind(reviewer)}
        >
          {t`Remind`}
        </Button>
      )}
      {reassign !== undefined && isWaitedFor(row) && (
        <Button
          variant="subtle"
          size="compact-sm"
          aria-label={t`Reassign the open items of ${name}`}
          onClick={() => reassign(external_uuid)}
        >
          {t`Reassign`}
        </Button>
      )}
    </Group>
  );
}

/** Returns the undecided items of a reviewer. */
async function undecidedOf(cycle: Cycle, reviewer: string): Promise<Selection<Item>> {
  const path = { cycle_id: cycle.external_uuid };
  const query = { decision: 'none', reviewer } as const;
  const { count } = await load(ITEMS, { path, query: { ...query, limit: 1 } });
  return {
    count,
    rows: () => Array.fromAsync(everything(list(ITEMS, { path, query }))),
    clear: () => undefined,
  };
}
