import { Button, Group, Select, Skeleton, Switch, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { csvAddress } from '../api/client.ts';
import { beginWords, endWords } from './bounds.ts';
import { useCursorList } from './cursor-table.tsx';
import { Empty } from './empty.tsx';
import { ExportLink } from './export-link.tsx';
import { Failure } from './failure.tsx';
import { causeWord, PeriodDrawer } from './period-drawer.tsx';
import { periodList } from './period-list.ts';
import { accountLabel, type Period, type PeriodFilter, periodName, periodType } from './periods.ts';
import { Status } from './status.tsx';
import { type Column, TableView } from './table-view.tsx';
import { Timeline } from './timeline.tsx';
import { RANGES, type Range } from './timeline-ranges.ts';
import { counted } from './words.ts';

const DAY_MS = 86_400_000;
const RANGE_OPTIONS = [
  { value: '30', label: 'Last 30 days' },
  { value: '90', label: 'Last 90 days' },
  { value: '365', label: 'Last 12 months' },
];

/** The part of the page's state that is in its address. */
interface View {
  range?: Range | undefined;
  table?: boolean | undefined;
}

interface Props {
  filter: PeriodFilter;
  at: View;
  go: (change: View) => void;
}

const columns: Column<Period>[] = [
  { id: 'name', header: 'Access', cell: periodName },
  { id: 'type', header: 'Type', cell: periodType },
  { id: 'app', header: 'App', cell: ({ app }) => app.name },
  {
    id: 'account',
    header: 'Account',
    cell: ({ account }) => accountLabel(account),
  },
  {
    id: 'status',
    header: 'Status',
    cell: ({ status }) => status !== null && <Status of={status} />,
  },
  { id: 'began', header: 'Began', cell: ({ bounds }) => beginWords(bounds) },
  {
    id: 'began_by',
    header: 'Began by',
    cell: ({ began }) => causeWord(began),
  },
  { id: 'ended', header: 'Ended', cell: ({ bounds }) => endWords(bounds) },
  {
    id: 'ended_by',
    header: 'Ended by',
    cell: ({ ended }) => causeWord(ended),
  },
];

/** Access over time: a timeline, or the same periods as a table. */
export function AccessTimeline({ filter, at: { range, table = false }, go }: Props) {
  const from = useMemo(
    () => (range === undefined ? undefined : Date.now() - Number(range) * DAY_MS),
    [range],
  );
  const [shown, show] = useState<Period>();
  const asked = from === undefined ? filter : { ...filter, from: new Date(from).toISOString() };
  const { rows: periods, error, again, hasMore, isLoadingMore, more } = useCursorList(periodList(asked));
  if (error !== null) return <Failure error={error} again={again} />;
  return (
    <>
      <Group justify="space-between" gap="xs" mb="sm">
        <Select
          aria-label="Time range"
          placeholder="All time"
          data={RANGE_OPTIONS}
          value={range ?? null}
          onChange={(value) => go({ range: RANGES.find((one) => one === value) })}
          clearable
          w={180}
        />
        <Group gap="md">
          <Switch
            label="Show as table"
            checked={table}
            onChange={({ currentTarget }) => go({ table: currentTarget.checked || undefined })}
          />
          <ExportLink address={csvAddress('/api/history/access/', asked)} />
        </Group>
      </Group>
      {periods === undefined ? (
        <Skeleton height={160} />
      ) : periods.length === 0 ? (
        <Empty title="No access in this time" />
      ) : table ? (
        <PeriodTable periods={periods} open={show} />
      ) : (
        <Timeline periods={periods} from={from} open={show} />
      )}
      {hasMore && (
        <Group mt="sm" gap="sm">
          <Button variant="default" loading={isLoadingMore} onClick={more}>
            Show more
          </Button>
          <Text size="sm" c="dimmed">
            {counted(periods?.length ?? 0, 'period')} shown. There are more.
          </Text>
        </Group>
      )}
      <PeriodDrawer period={shown} close={() => show(undefined)} />
    </>
  );
}

function PeriodTable({ periods, open }: { periods: readonly Period[]; open: (period: Period) => void }) {
  const withButtons = useMemo(
    () => [
      {
        id: 'name',
        header: 'Access',
        cell: (period: Period) => (
          <Button variant="transparent" size="compact-sm" px={0} onClick={() => open(period)}>
            {periodName(period)}
          </Button>
        ),
      },
      ...columns.slice(1),
    ],
    [open],
  );
  return (
    <TableView
      label="Periods of access"
      columns={withButtons}
      rows={periods}
      rowId={({ id }) => id}
      empty={<Empty title="No access in this time" />}
    />
  );
}
